"""The game as data: its state, what a seat may see of it, what one may answer, and what happens."""

from typing import TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from engine.core import Decision, Outcome, Question, Seat
from engine.core.rng import Rng
from engine.orders.model import Sheet


class Hold(msgspec.Struct, frozen=True, tag="hold", tag_field="type", forbid_unknown_fields=True):
    """The one answer there is: roll until the turn has brought at least `at` points."""

    at: int


class State(msgspec.Struct):
    """Everything about one game.

    Arguments:
        goal: the points that end it.
        start: the seat that began.
        turn: 1 for the first turn.
        scores: points by seat.
        orders: the service's own.
        branch: the number of the roll-back it was dealt anew by, if there was one.
    """

    rules_version: int
    goal: int
    start: Seat
    turn: int
    scores: list[int]
    rng: Rng
    resigned: list[Seat] = []
    outcome: Outcome | None = None
    orders: list[Sheet] | UnsetType = UNSET
    branch: int | UnsetType = UNSET

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.scores)

    @property
    def active(self) -> Seat:
        """Whose turn it is."""
        return (self.start + self.turn - 1) % self.seats


class View(msgspec.Struct):
    """What one seat may see: everything but the dice to come. Fields as in `State`, where they share a name.

    Arguments:
        rules_version: the version of the rules.
        seat: the viewer's own; None for a spectator.
        active: the seat whose turn it is.
        resigned: the seats that have left the game.
        outcome: how the game ended; None while it is played.
        asked: whom the game waits for.
        questions: those open to the viewer.
    """

    rules_version: int
    seat: Seat | None
    goal: int
    start: Seat
    turn: int
    active: Seat
    scores: list[int]
    resigned: list[Seat]
    outcome: Outcome | None
    asked: list[Decision]
    questions: list[Question]
    branch: int | UnsetType = UNSET

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.scores)


class _Event(msgspec.Struct, frozen=True, tag_field="type", tag=True):
    """What happens; all of it openly."""


class GameBegan(_Event, frozen=True):
    """The first turn is that of `start`."""

    start: Seat
    seats: int
    goal: int


class TurnRevealed(_Event, frozen=True):
    """A turn with all its dice, and what it has brought."""

    seat: Seat
    at: int
    dice: list[int]
    gain: int
    score: int


class Resigned(_Event, frozen=True):
    """A seat has left the game."""

    seat: Seat


class GameEnded(_Event, frozen=True):
    """How it ended."""

    outcome: Outcome


Event: TypeAlias = GameBegan | TurnRevealed | Resigned | GameEnded
