"""What one seat may see of a game, as data."""

from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET, UnsetType

from engine.aladdins_dragons.board.magic_model import MagicView
from engine.aladdins_dragons.board.model import Frame, Ranking, Tempo
from engine.aladdins_dragons.board.position import Position
from engine.core import Decision, Outcome, Question, Seat


class SeenToken(msgspec.Struct, omit_defaults=True):
    """A token as a viewer sees it: `value` is None if it is another's and lies face down."""

    seat: Seat
    value: int | None
    face_up: bool = False
    number: int = 0
    source: str = ""


class View(Position, msgspec.Struct):
    """What one seat may see of a state (`seat` None: a spectator). Fields are those of `State` where they share a name.

    Arguments:
        seat: the viewer's own; None for a spectator.
        hand: values of the viewer's own tokens in hand; None for a spectator.
        hand_counts: number of tokens in hand, by seat.
        spaces: tokens by space.
        hoards: by seat; None where the viewer may not see it.
        offers: artifacts left by room, the one for sale included.
        artifact_counts: by seat.
        deck_count: treasure cards not yet used.
        guard: strength, or None while it is unknown.
        agenda: as in the state; sealed answers of others are None.
        asked: whom the game waits for, as everybody may know: a sealed decision is listed for all its seats.
        questions: those open to the viewer.
        outcome: how the game ended; None while it is played.
        magic: what only the magic version has; missing in the basic one.
        plans: the tally goes by plans; missing where it does not.
        tempo: how many tokens are placed at a time; missing where it is the printed rule.
    """

    rules_version: int
    version: str
    open_hoards: bool
    has_safety_stop: bool
    seat: Seat | None
    round: int
    camel: Seat
    agenda: list[Frame]
    hand: list[int] | None
    hand_counts: list[int]
    turns: list[int]
    forfeits: list[int]
    spaces: dict[str, list[SeenToken]]
    caves: dict[str, list[int]]
    bank: dict[str, int]
    hoards: list[dict[str, int] | None]
    offers: dict[str, int]
    artifact_counts: list[int]
    deck_count: int
    discards: list[str]
    guard: int | None
    is_guard_shown: bool
    admitted: list[Seat]
    tallying: str
    tallied: list[str]
    rankings: dict[str, Ranking]
    resigned: list[Seat]
    asked: list[Decision]
    questions: list[Question]
    outcome: Outcome | None
    optional_magic: MagicView | UnsetType = msgspec.field(default=UNSET, name="magic")
    optional_plans: bool | UnsetType = msgspec.field(default=UNSET, name="plans")
    optional_tempo: Tempo | UnsetType = msgspec.field(default=UNSET, name="tempo")
    branch: int | UnsetType = UNSET

    if TYPE_CHECKING:

        @property
        def magic(self) -> MagicView:
            """What only the magic version has; asked for in no other."""
