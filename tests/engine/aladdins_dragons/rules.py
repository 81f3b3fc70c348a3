"""The basic version, for tests that are about it, and rules with and without orders."""

from collections.abc import Mapping
from copy import copy
from typing import Any

import pytest

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
    bare.run_orders = lambda state, events, known, before=None: (state, events)  # whatever orders the state has
    return bare


class BasicRules(AladdinsDragons):
    """`AladdinsDragons` whose new games are basic unless the options say otherwise; nothing can be ordered in them."""

    vocabulary = Vocabulary()

    def new(self, seats: int, options: Mapping[str, str], seed: str) -> tuple[State, list[Event]]:
        return super().new(seats, {"version": "basic", **options}, seed)


# The magic version, and one with more cards in it.


class MagicRules(AladdinsDragons):
    """`AladdinsDragons`, magic whatever its default; nothing can be ordered in it."""

    vocabulary = Vocabulary()

    def new(self, seats: int, options: Mapping[str, str], seed: str) -> tuple[State, list[Event]]:
        return super().new(seats, {"version": "magic", **options}, seed)


class DealtRules(MagicRules):
    """The same with all spells dealt out at the beginning, so that a game at random plays most of them."""

    def new(self, seats: int, options: Mapping[str, str], seed: str) -> tuple[State, list[Event]]:
        state, events = super().new(seats, options, seed)
        for number, card in enumerate(state.magic.spell_deck):
            state.magic.spells[number % seats].append(card)
        state.magic.spell_deck = []
        return state, events


class VeiledRules(DealtRules):
    """There each seat also has two tiles nobody else has seen, the lowest of a room, as if by Abracadabra."""

    def new(self, seats: int, options: Mapping[str, str], seed: str) -> tuple[State, list[Event]]:
        state, events = super().new(seats, options, seed)
        for seat, room in enumerate(state.stacks):
            unseen = [state.stacks[room].pop(0) for _ in range(2)]
            state.artifacts[seat] += unseen
            state.magic.unknown[seat] += unseen
            del state.magic.known[room][:2]
        return state, events


GAMES = [
    pytest.param(
        rules,
        seats,
        option,
        id=f"{type(rules).__name__}-{seats}-{option}",
        marks=[pytest.mark.slow] if seats > 3 else [],
    )
    for seats, option, rules in (
        (3, "reverse", MagicRules()),
        (3, "swap19", VeiledRules()),
        (4, "reverse", VeiledRules()),
        (4, "swap19", MagicRules()),
        (5, "reverse", MagicRules()),
        (5, "swap19", VeiledRules()),
    )
]
"""Every number of seats with both readings of "And the last will be the first"."""
