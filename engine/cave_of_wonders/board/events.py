"""What happened, each by one verb of the board. A field that not everybody may know is None when redacted."""

from typing import TypeAlias

import msgspec

from engine.cave_of_wonders.board.facts import Token
from engine.core import Ending, Seat


class _Event(msgspec.Struct, frozen=True, tag_field="type", tag=True):
    """Common to all events."""


class GameBegan(_Event, frozen=True):
    """The cave is filled, and favourites and the first player are drawn (C7, C8)."""

    start: Seat
    favourites: list[str]


class RollRevealed(_Event, frozen=True):
    """The die shows what nobody could know: a turn begins (C13), or goes on (`again`) for a monkey (C37)."""

    turn: int
    seat: Seat
    roll: int
    again: bool


class AladdinMoved(_Event, frozen=True, omit_defaults=True):
    """Aladdin goes to another space: walking by the die, or flying on the carpet.

    `unasked`: it was the only space he could go to, so nobody was asked.
    """

    seat: Seat
    origin: str
    to: str
    flew: bool
    unasked: bool = False


class TokenRevealed(_Event, frozen=True):
    """The token where Aladdin stands is turned over (C23)."""

    space: str
    token: Token


class GenieTaken(_Event, frozen=True):
    """A seat holds the genie from where Aladdin stands, and is to place it (C33)."""

    seat: Seat
    space: str
    token: Token


class TokenPlaced(_Event, frozen=True):
    """A seat's token lies on its board and has brought its points; `score` is where the marker is now (C23, C36)."""

    seat: Seat
    token: Token
    square: str
    points: dict[str, int]
    score: int


class CarpetLapsed(_Event, frozen=True):
    """There is nothing the carpet could fly to (C39)."""

    seat: Seat


class LastRoundCalled(_Event, frozen=True):
    """A seat has brought the end about, and the round is played to its end (C46). `cause`: "fifty" or "full"."""

    seat: Seat
    cause: str


class Stuck(_Event, frozen=True):
    """No direction holds a token: the game cannot go on (C20, C21)."""

    seat: Seat
    space: str


class SeatResigned(_Event, frozen=True):
    """A seat has resigned."""

    seat: Seat


class GameEnded(_Event, frozen=True):
    """The game is over. `scores` are points by seat."""

    ending: Ending
    winners: list[Seat]
    ranking: list[Seat]
    scores: list[int]


Event: TypeAlias = (
    GameBegan | RollRevealed | AladdinMoved | TokenRevealed | GenieTaken | TokenPlaced | CarpetLapsed | LastRoundCalled
    | Stuck | SeatResigned | GameEnded
)  # fmt: skip
