"""What happens in the magic version only. A field that not everybody may know is None when redacted."""

from typing import TypeAlias

import msgspec

from engine.aladdins_dragons.actions import Amounts, Targets
from engine.core import Seat


class MagicBase(msgspec.Struct, frozen=True, tag_field="type", tag=True):
    """Common to all events of the magic version."""


class OffersRevealed(MagicBase, frozen=True):
    """The vizier turns up the artifact for sale in these rooms (A16)."""

    offers: dict[str, str]


class CardPlayed(MagicBase, frozen=True):
    """A seat declares an artifact or a spell (A77, A82)."""

    seat: Seat
    card: str
    targets: Targets


class CardStruck(MagicBase, frozen=True):
    """A declared spell is negated and will do nothing (A81)."""

    seat: Seat
    card: str
    by: Seat


class CardFizzled(MagicBase, frozen=True):
    """A card takes effect, but nothing of what it was meant for is possible any more (A78)."""

    seat: Seat
    card: str


class TokenAdded(MagicBase, frozen=True):
    """A carpet or a double comes into a space. `source` says which."""

    seat: Seat
    space: str
    value: int
    source: str


class TokenRemoved(MagicBase, frozen=True):
    """A token goes back to its owner; `value` is known to all if it lay face up."""

    seat: Seat
    space: str
    value: int | None
    face_up: bool
    source: str


class TokenMoved(MagicBase, frozen=True):
    """A token goes to another space as it lies; `value` is known to all if it lies face up (S1)."""

    seat: Seat
    space: str
    to: str
    value: int | None
    face_up: bool


class TokenRevealed(MagicBase, frozen=True):
    """A token that has come into the space being tallied is turned over (A37)."""

    seat: Seat
    space: str
    value: int


class TreasureGiven(MagicBase, frozen=True):
    """Treasure goes from one seat to another (S20)."""

    seat: Seat
    to: Seat
    amounts: Amounts


class EffectBegan(MagicBase, frozen=True):
    """A card changes something for the rest of the round."""

    name: str
    seat: Seat
    space: str


class AllowanceRaised(MagicBase, frozen=True):
    """The strongest seat at the Djinn may use two artifacts this round (A57)."""

    seat: Seat


class SpellsDrawn(MagicBase, frozen=True):
    """Cards drawn at the tent; `cards` are known to the seat alone (A53)."""

    seat: Seat
    count: int
    cards: list[str] | None


class SpellKept(MagicBase, frozen=True):
    """One card stays, the other goes to `to` or away unseen. `kept` and `given` as far as the viewer knows (A54)."""

    seat: Seat
    kept: str | None
    to: Seat | None
    given: str | None


class PalaceUnlocked(MagicBase, frozen=True):
    """A seat enters the palace without strength or bribe (A64)."""

    seat: Seat


class OfferChosenRevealed(MagicBase, frozen=True):
    """Out of a stack an artifact comes face up on top; the one that lay there, if any, goes to the bottom (S12)."""

    seat: Seat
    room: str
    artifact: str
    former: str


class OfferSwapped(MagicBase, frozen=True):
    """A seat takes the artifact that lies face up in a room and leaves one of its own there (S11)."""

    seat: Seat
    room: str
    artifact: str
    given: str


class ArtifactTaken(MagicBase, frozen=True):
    """A seat gets an artifact out of a stack; which, it alone knows. What lies face up stays (S2, A47)."""

    seat: Seat
    room: str
    artifact: str | None


class CaveOpened(MagicBase, frozen=True):
    """A cave without treasure gets some; `shelves` top first (S7)."""

    space: str
    shelves: list[int]


class ArtifactSold(MagicBase, frozen=True):
    """A seat gets the artifact that lay face up in a room (A47)."""

    seat: Seat
    room: str
    artifact: str


class StackRevealed(MagicBase, frozen=True):
    """A seat looks through the tiles of a room. `tiles`, bottom first, are turned over for it alone."""

    seat: Seat
    room: str
    tiles: list[str] | None


MagicEvent: TypeAlias = (
    OffersRevealed | CardPlayed | CardStruck | CardFizzled | TokenAdded | TokenRemoved | TokenMoved | TokenRevealed
    | EffectBegan | AllowanceRaised | SpellsDrawn | SpellKept | PalaceUnlocked | ArtifactSold | StackRevealed
    | CaveOpened | OfferChosenRevealed | OfferSwapped | ArtifactTaken | TreasureGiven
)  # fmt: skip
