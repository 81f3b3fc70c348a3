"""Games of the magic version at the service, with all spells dealt out so that there is something to play."""

import datetime as dt
from collections.abc import Mapping
from typing import Any

import pytest

from engine import registry
from engine.aladdins_dragons.orders import DragonsVocabulary
from games.models import Decision, Game, User
from tests.conftest import NOON
from tests.engine.aladdins_dragons.rules import DealtRules
from tests.games.conftest import Keep, answer, fresh, of_three, open_rows, to_placing
from tests.games.kept import Stage

PASS = {"type": "pass"}


class AlwaysDealt(DealtRules):
    """Whatever version the table has."""

    vocabulary = DragonsVocabulary()

    def new(self, seats: int, options: Mapping[str, str], seed: str) -> Any:
        return super().new(seats, {**options, "version": "magic"}, seed)


def deal_all_spells(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games of Aladdin's Dragons that begin from now on are magic, with all spells dealt out."""
    rules = AlwaysDealt()
    monkeypatch.setitem(registry.RULES, (rules.name, rules.version), rules)


@pytest.fixture(scope="session")
def kept_dealt(kept_here: Keep, kept_three: list[Stage]) -> Stage:
    """The game up to its first window."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        deal_all_spells(monkeypatch)
        return kept_here(lambda: to_placing(of_three(NOON), NOON), *kept_three)


@pytest.fixture
def dealt(anna: User, ben: User, carla: User, kept_dealt: Stage, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Anna, Ben and Carla have seven spells each; the window at the start of the first round is open to all."""
    deal_all_spells(monkeypatch)
    game: Game = kept_dealt.bring()
    assert {row.code for row in open_rows(game)} == {"r1-window-start-1"}
    return game


@pytest.fixture
def dealt_placing(dealt: Game, now: dt.datetime) -> Game:
    """The same, when the first placement is asked."""
    all_pass(dealt, now)
    return fresh(dealt)


def all_pass(game: Game, now: dt.datetime) -> None:
    """Everybody who is asked in a window passes until it has closed."""
    while rows := [row for row in open_rows(game) if row.kind == "window"]:
        answer(game, rows[0], now, PASS)


def placement(game: Game) -> Decision:
    """The placement that is asked."""
    (row,) = open_rows(game)
    assert row.kind == "place"
    return row


def give(game: Game, **changes: Any) -> Game:
    """Changes the cards of a game: `spells`, `used` and the like of its state's `magic`, by seat."""
    state = fresh(game).load_state()
    for name, value in changes.items():
        setattr(state.magic, name, value)
    Game.objects.filter(pk=game.pk).update(state=game.rules.dump(state).decode())
    return fresh(game)
