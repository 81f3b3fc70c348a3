"""A pytest plugin for authors of games: of the tests that run over every game, those of one (script/test-game)."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--game", action="append", default=[], help="the name of a rule set whose tests to run")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keeps the tests of the games named. Raises UsageError, with the reason, for one that is not offered."""
    from engine.registry import LEFT_OUT, newest  # the settings are read by now

    names = set(config.getoption("--game"))
    if missing := names - {rules.name for rules in newest()}:
        reasons = "; ".join(f"{point}: {reason}" for point, reason in LEFT_OUT.items())
        raise pytest.UsageError(f"No game called {', '.join(sorted(missing))} is offered. {reasons}")
    items[:] = [item for item in items if _name_of(item) in names]


def _name_of(item: pytest.Item) -> str:
    given = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    return getattr(given.get("rules"), "name", "")
