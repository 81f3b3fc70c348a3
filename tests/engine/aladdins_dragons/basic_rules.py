"""The basic version, for tests that are about it."""

from collections.abc import Mapping

from engine.aladdins_dragons.board.events import Event
from engine.aladdins_dragons.board.model import State
from engine.aladdins_dragons.rules import AladdinsDragons


class BasicRules(AladdinsDragons):
    """`AladdinsDragons` whose new games are basic unless the options say otherwise."""

    def new(self, seats: int, options: Mapping[str, str], seed: str) -> tuple[State, list[Event]]:
        return super().new(seats, {"version": "basic", **options}, seed)
