"""What happened, each by one verb of the board. A field that not everybody may know is None when redacted."""

from typing import TypeAlias

import msgspec

from engine.aladdins_dragons.board.magic_events import MagicEvent
from engine.core import Ending, Seat


class _Event(msgspec.Struct, frozen=True, tag_field="type", tag=True):
    """Common to all events."""


class GameBegan(_Event, frozen=True):
    """The board is laid out and a seat drawn for the camel (A3, A7)."""

    seats: int
    camel: Seat


class TreasureTaken(_Event, frozen=True):
    """A seat gains treasure from the bank. `source` is "start", a space or a card."""

    seat: Seat
    amounts: dict[str, int]
    source: str


class TreasurePaid(_Event, frozen=True):
    """A seat pays treasure to the bank (A45). `space` is where, or the card it is for."""

    seat: Seat
    amounts: dict[str, int]
    space: str


class DeckShuffled(_Event, frozen=True):
    """All treasure cards have been used and are shuffled again (A18)."""


class RoundBegan(_Event, frozen=True):
    """A new round."""

    round: int


class CavesFilled(_Event, frozen=True):
    """A treasure card fills the caves: values of the shelves by kind, and what the bank lacked (A43)."""

    card: str
    caves: dict[str, list[int]]
    missing: dict[str, int]


class GuardPosted(_Event, frozen=True):
    """A guard of unknown strength stands at the palace (A13). `strength` is known to nobody."""

    strength: int | None


class TokenPlaced(_Event, frozen=True):
    """A token is placed; `value` is known to its owner, and to all if it lies face up (A29)."""

    seat: Seat
    space: str
    value: int | None
    face_up: bool


class PlacementForfeited(_Event, frozen=True):
    """A placement was passed by the deadline; which token stays in hand is not said (A21)."""

    seat: Seat


class PlacingEnded(_Event, frozen=True):
    """No seat has a token left to place."""


class SpaceRevealed(_Event, frozen=True):
    """All tokens of a space are turned over: (seat, value) in the order of the row."""

    space: str
    tokens: list[tuple[Seat, int]]


class SpaceRanked(_Event, frozen=True):
    """The strengths in a space, strongest first (A34); `ties` lists the groups that player sequence decided (A35)."""

    space: str
    ranking: list[Seat]
    totals: list[int]
    ties: list[list[Seat]]


class TreasureReturned(_Event, frozen=True):
    """What nobody claimed in a cave goes back to the bank (A51)."""

    space: str
    amount: int


class MarketDeclined(_Event, frozen=True):
    """No exchange at the market."""

    seat: Seat


class CamelGiven(_Event, frozen=True):
    """The camel changes hands (A59)."""

    seat: Seat
    to: Seat


class CamelLeft(_Event, frozen=True):
    """The camel stays with its holder."""

    seat: Seat


class GuardRevealed(_Event, frozen=True):
    """The guard is turned over."""

    strength: int


class PalaceEntered(_Event, frozen=True):
    """A seat enters the palace, by its strength or (`bribed`) by what it paid (A61, A62)."""

    seat: Seat
    bribed: bool


class BribeDeclined(_Event, frozen=True):
    """A seat with tokens at the guard stays out (A63)."""

    seat: Seat


class TokensEvicted(_Event, frozen=True):
    """A seat that stayed out takes its tokens back from the rooms; `values` are known to it alone (A68)."""

    seat: Seat
    count: int
    values: list[int] | None


class ArtifactBought(_Event, frozen=True):
    """A seat gets the artifact of a room. `artifact` is its type, which nobody sees in the basic version (A47)."""

    seat: Seat
    room: str
    artifact: str | None


class PurchaseDeclined(_Event, frozen=True):
    """A seat does not buy (A70)."""

    seat: Seat
    room: str


class RoomUnsold(_Event, frozen=True):
    """Nobody bought; the artifact waits for the next round (A73)."""

    room: str


class RoundEnded(_Event, frozen=True):
    """All tokens go back to their owners."""

    round: int


class SeatResigned(_Event, frozen=True):
    """A seat has resigned."""

    seat: Seat


class GameEnded(_Event, frozen=True):
    """The game is over. `scores` are artifacts by seat."""

    ending: Ending
    winners: list[Seat]
    ranking: list[Seat]
    scores: list[int]


Event: TypeAlias = (
    GameBegan | TreasureTaken | TreasurePaid | DeckShuffled | RoundBegan | CavesFilled | GuardPosted | TokenPlaced
    | PlacementForfeited | PlacingEnded | SpaceRevealed | SpaceRanked | TreasureReturned | MarketDeclined | CamelGiven
    | CamelLeft | GuardRevealed | PalaceEntered | BribeDeclined | TokensEvicted | ArtifactBought | PurchaseDeclined
    | RoomUnsold | RoundEnded | SeatResigned | GameEnded | MagicEvent
)  # fmt: skip
