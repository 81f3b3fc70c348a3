"""The layers: imports run downwards only, and no game knows another."""

import itertools
import pkgutil
from pathlib import Path

import grimp
import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

import engine

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("config", "engine", "games", "notifications")
SHARED = {"engine.core", "engine.orders", "engine.records"}  # what every game may use, and what goes around all games
FOLDERS = {f"engine.{module.name}" for module in pkgutil.iter_modules(engine.__path__) if module.ispkg}
GAMES = sorted(FOLDERS - SHARED)


@pytest.fixture(scope="module")
def imports():
    return grimp.build_graph(*PACKAGES, include_external_packages=False)


def test_every_import_contract_is_kept(capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    status = lint_imports(no_cache=True)
    assert status == EXIT_STATUS_SUCCESS, capsys.readouterr().out


def test_no_game_imports_another(imports):
    pairs = itertools.permutations(GAMES, 2)
    assert [pair for pair in pairs if imports.find_shortest_chains(*pair)] == []


def test_only_the_registry_imports_a_game(imports):
    inside = {module for game in GAMES for module in {game} | imports.find_descendants(game)}
    importers = {importer for module in inside for importer in imports.find_modules_that_directly_import(module)}
    assert importers - inside <= {"engine.registry"}


def test_engine_and_notifications_do_not_import_the_layers_above(imports):
    for low, high in itertools.product(("engine", "notifications"), ("games", "config")):
        assert not imports.find_shortest_chains(low, high), (low, high)
    assert not imports.find_shortest_chains("engine", "notifications")
    assert not imports.find_shortest_chains("notifications", "engine")
