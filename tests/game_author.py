"""A pytest plugin for authors of games: of the tests that run over every game, those of one (script/test-game)."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--game", help="the name of the rule set whose tests to run")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Raises UsageError for a game that is not installed, or was left out, and says why."""
    from engine.registry import LEFT_OUT, newest  # the settings are read by now

    name = config.getoption("--game")
    if name not in {rules.name for rules in newest()}:
        reasons = "; ".join(f"{point}: {reason}" for point, reason in LEFT_OUT.items())
        raise pytest.UsageError(f"No game called {name} is offered. {reasons}")
    items[:] = [item for item in items if _name_of(item) == name]


def _name_of(item: pytest.Item) -> str:
    given = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    return getattr(given.get("rules"), "name", "")
