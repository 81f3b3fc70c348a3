"""A game as a whole in data: events that carry their sentences."""

from typing import get_args

import pytest

from engine.aladdins_dragons import events as dragons
from engine.aladdins_dragons.words import Words as DragonsWords
from engine.cave_of_wonders import events as cave
from engine.cave_of_wonders.words import Words as CaveWords
from engine.core import Seat, Text
from engine.core.games import GameEvent, event_sentences, shares

EVENTS = [*get_args(dragons.Event), *get_args(cave.Event)]


class Paid(GameEvent, frozen=True, says={"paid": "{seat} pays {count}.", "free": "{seat} pays nothing."}):
    """A seat pays."""

    shapes = {"seat": "seat"}
    fields = {"count": ("amount",)}

    player: Seat
    amount: int

    @property
    def seat(self) -> Seat:
        return self.player

    @property
    def code(self) -> str:
        return "paid" if self.amount else "free"


class Passed(GameEvent, frozen=True):
    """Nobody needs to read it."""


def test_an_event_is_said_by_a_sentence_of_its_class_filled_with_its_fields() -> None:
    assert Paid(2, 3).text() == Text("paid", {"seat": {"seat": 2}, "count": 3})
    assert Paid(2, 0).text() == Text("free", {"seat": {"seat": 2}})
    assert Passed().text() is None


def test_the_sentences_of_events_are_found_by_their_codes() -> None:
    plain, plurals = event_sentences([Paid, Passed])
    assert set(plain) == {"paid", "free"} and plurals == {}


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: f"{event.__module__.split('.')[1]}-{event.__name__}")
def test_every_name_in_a_sentence_is_a_field_or_made_of_some(event: type[GameEvent]) -> None:
    """And every shape is one that the words of its game can fill."""
    words = (DragonsWords if event.__module__ == dragons.__name__ else CaveWords)("en", [])
    for name, field in event.sources.items():
        assert hasattr(event, field) or event.param is not GameEvent.param, (event, name)
    assert set(event.shapes.values()) <= set(words.shapes())


def test_chances_make_one_together_and_are_none_for_those_who_resigned() -> None:
    assert shares([2.0, 2.0, 9.0], {2}) == [0.5, 0.5, 0.0]
    assert shares([2.0, 9.0], {0, 1}) == [0.0, 0.0]  # nobody is left to win
