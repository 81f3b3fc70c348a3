"""Base of `State` and `View`: what both say of a game."""

from operator import attrgetter
from typing import Any

from msgspec import UNSET, UnsetType

from engine.core import Seat
from engine.core.branches import branch_mark


class Position:
    """A table in the middle of a game, with the fields that `State` and `View` share."""

    __slots__ = ()
    rules_version: int
    round: int
    camel: Seat
    forfeits: list[int]
    optional_magic: Any
    optional_plans: bool | UnsetType
    branch: int | UnsetType

    magic = property(attrgetter("optional_magic"))  # a hundred times a move: nothing is called for it

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.forfeits)

    @property
    def round_id(self) -> str:
        """What the ids of this round's decisions begin with."""
        return f"{branch_mark(self.branch)}r{self.round}"

    @property
    def is_planned(self) -> bool:
        """True if everybody plans the tally in advance (table option)."""
        return self.optional_plans is True

    @property
    def weighs_plays(self) -> bool:
        """True since version 2 of these rules: a shown play suspends only the orders that it touches."""
        return self.rules_version >= 2

    @property
    def asks_less(self) -> bool:
        """True since version 2 of these rules: nobody is asked who has one answer only, as everybody can see."""
        return self.rules_version >= 2

    @property
    def has_magic(self) -> bool:
        """True in the magic version."""
        return self.optional_magic is not UNSET

    def sequence(self) -> list[Seat]:
        """Player sequence: clockwise from the camel (A35)."""
        return [*range(self.camel, self.seats), *range(self.camel)]
