"""The basic version, for tests that are about it, and rules with and without orders."""

from collections.abc import Mapping
from copy import copy
from typing import Any

from engine.aladdins_dragons.events import Event
from engine.aladdins_dragons.model import State
from engine.aladdins_dragons.orders import DragonsVocabulary
from engine.aladdins_dragons.rules import AladdinsDragons
from engine.orders.model import Vocabulary


def with_orders(rules: Any) -> Any:
    """These rules of the game, in which its orders can be given."""
    ordered = copy(rules)
    ordered.vocabulary = DragonsVocabulary()
    return ordered


def without_orders(rules: Any) -> Any:
    """The same rules, in which nothing can be ordered: what the game itself does."""
    bare = copy(rules)
    bare.vocabulary = Vocabulary()
    return bare


class BasicRules(AladdinsDragons):
    """`AladdinsDragons` whose new games are basic unless the options say otherwise; nothing can be ordered in them."""

    vocabulary = Vocabulary()

    def new(self, seats: int, options: Mapping[str, str], seed: str) -> tuple[State, list[Event]]:
        return super().new(seats, {"version": "basic", **options}, seed)
