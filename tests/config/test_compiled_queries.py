"""Every compiled query of the product can be asked, whatever lists it is given, and where a list is empty."""

import ast
import datetime as dt
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import config
import games
import notifications
from games.play import lists, queries
from games.tournaments import rounds
from notifications import conversations
from notifications.channels.base import CHANNELS
from notifications.database import compiled_query
from notifications.delivery import claims
from notifications.models import ChannelHealth

pytestmark = pytest.mark.django_db
NOON = dt.datetime(2026, 5, 4, 12, 0, tzinfo=dt.UTC)
VALUES = {"int": 0, "str": "", "datetime": NOON, "date": NOON.date(), "Any": NOON, "bool": False}
COMPILERS = {"compiled", "compiled_rows", "compiled_exists", "RowQuery"}
# Queries that are compiled for each way to ask, by the module: what calls each of them with empty lists.
MADE_WHEN_ASKED: dict[str, list[Callable[[], object]]] = {
    "notifications.delivery.claims": [
        lambda: claims.claim(NOON, channel="none"),  # no channel is left that may be claimed from
        lambda: claims._lease("somebody", NOON, tuple(CHANNELS), 1, True),
        lambda: claims._waiting_for(0, 0)(NOON),
    ],
    "notifications.conversations": [conversations._query(0)],
    "games.play.lists": [lists._newest(5), lists._running(5)],
    "games.tournaments.rounds": [lambda: [due for _step, find in rounds.STEPS for due in find(NOON)]],
    "games.play.queries": [queries.asked_among(0)],
}


def modules() -> Iterator[ModuleType]:
    """Every module of the product."""
    for package in (config, games, notifications):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if ".migrations." not in found.name and not found.name.startswith("config.settings"):
                yield import_module(found.name)


def queries(module: ModuleType) -> dict[str, Callable[..., Any]]:
    """Those compiled queries that stand in a module by name."""
    return {
        f"{module.__name__}.{name}": value
        for name, value in vars(module).items()
        if inspect.isfunction(value)
        and hasattr(value, "__wrapped__")
        and value.__code__.co_filename == compiled_query.__file__
        and value.__module__ == module.__name__
    }


def compilations(module: ModuleType) -> int:
    """How often a module's text compiles a query."""
    tree = ast.parse(Path(inspect.getfile(module)).read_text())
    called = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    bare = [mark for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) for mark in node.decorator_list]
    names = [node for node in (*called, *bare) if isinstance(node, ast.Name)]
    return sum(name.id in COMPILERS for name in names)


def with_empty_lists(query: Callable[..., Any]) -> list[Any]:
    """A value for each place of a query, and none for its lists."""
    places = inspect.signature(query).parameters.values()
    return [
        VALUES[str(getattr(place.annotation, "__name__", place.annotation)).split(".")[-1]]
        for place in places
        if place.kind != inspect.Parameter.VAR_POSITIONAL
    ]


def takes_list(query: Callable[..., Any]) -> bool:
    """Whether it is asked for any number of values."""
    return any(place.kind == inspect.Parameter.VAR_POSITIONAL for place in inspect.signature(query).parameters.values())


def test_every_compiled_query_finds_nothing_in_empty_lists() -> None:
    ChannelHealth.objects.create(channel="mail", failures=5, paused_until=NOON + dt.timedelta(minutes=1))
    asked = 0
    for module in modules():
        if module is compiled_query:
            continue
        mine, made_when_asked = queries(module), MADE_WHEN_ASKED.get(module.__name__, [])
        assert len(mine) + len(made_when_asked) == compilations(module), module
        for query in mine.values():
            found = query(*with_empty_lists(query))
            assert not found or not takes_list(query), query
        for ask in made_when_asked:
            assert not ask(), module
        asked += len(mine) + len(made_when_asked)
    assert asked > 60


@pytest.mark.parametrize("resting", [("mail",), ("webhook",), ("mail", "push", "webhook")])
def test_senders_look_at_every_channel_while_it_rests(resting: tuple[str, ...]) -> None:
    for kind in resting:
        ChannelHealth.objects.create(channel=kind, failures=5, paused_until=NOON + dt.timedelta(minutes=1))
    for kind in ("", *CHANNELS):
        assert claims.claim(NOON, channel=kind) == []
