"""The state of a game as data: the board, what is left to do (frames), and what one seat may see of it.

Nothing here acts. Every dictionary by kind or by space always has all its keys, so equal states have equal bytes.
"""

from typing import TypeAlias

import msgspec

from engine.aladdins_dragons.actions import Amounts
from engine.core import Decision, Outcome, Question, Seat
from engine.rng import Rng


class _Frame(msgspec.Struct, tag_field="type", tag=True):
    """One entry of the agenda: something the game waits for, or something it will do."""


class StartingTreasures(_Frame):
    """All seats choose at once, sealed (A6). `chosen` by seat; None until that seat has answered."""

    chosen: list[Amounts | None]


class RoundStart(_Frame):
    """The vizier's step, which also lays out the agenda of the round (A16)."""


class Placing(_Frame):
    """One seat is to place a token (A20)."""

    seat: Seat


class Boundary(_Frame):
    """A phase is complete and the game waits to be taken on: "treasures", "placing" or "round"."""

    after: str


class Tally(_Frame):
    """A space whose turn in the tally has come: its tokens are turned over and ranked."""

    space: str


class Reward(_Frame):
    """A space whose tokens are ranked: its rewards follow."""

    space: str


class Market(_Frame):
    """The strongest seat at the market may exchange (A58)."""

    seat: Seat


class Camel(_Frame):
    """The strongest seat at the caravanserai may give the camel to anybody (A59)."""

    seat: Seat


class Bribes(_Frame):
    """Seats with tokens at the guard that are too weak, in player sequence; the first of them is asked (A63)."""

    waiting: list[Seat]


class Eviction(_Frame):
    """Whoever is not in the palace takes his tokens out of the rooms (A68)."""


class Purchase(_Frame):
    """The seats in a room by rank; the first of them is asked (A70)."""

    room: str
    waiting: list[Seat]


class RoundEnd(_Frame):
    """All spaces are tallied."""


Frame: TypeAlias = (
    StartingTreasures | RoundStart | Placing | Boundary | Tally | Reward | Market | Camel | Bribes | Eviction | Purchase
    | RoundEnd
)  # fmt: skip


class Token(msgspec.Struct):
    """A token in a space."""

    seat: Seat
    value: int
    face_up: bool = False


class Ranking(msgspec.Struct):
    """The seats in a tallied space, strongest first, and their strengths in the same order."""

    seats: list[Seat]
    totals: list[int]


class State(msgspec.Struct):
    """Everything about one game.

    Arguments:
        rules_version: the version of these rules the state belongs to.
        version: "basic".
        open_hoards: hoards are shown to all (A46).
        has_safety_stop: the game stops after 30 rounds (A19).
        round: 0 until the first vizier step.
        camel: the starting seat.
        agenda: what is left to do, next one last.
        hands: values of the tokens in hand by seat, ascending.
        turns: placements taken or forfeited this round, by seat.
        forfeits: placements forfeited this round, by seat (A21).
        spaces: tokens by space, in the order in which they came.
        caves: shelves by kind, top first.
        bank: value by kind.
        hoards: value by kind, by seat.
        stacks: artifact types by room, the one for sale last.
        artifacts: artifact types by seat, in the order of purchase.
        deck: treasure cards not yet used, the next one last.
        discards: treasure cards used since the last shuffle.
        guard: strength of the guard; 0 before the first round.
        is_guard_shown: the guard has been turned over.
        admitted: seats that are in the palace this round.
        tallying: the space being tallied, "" if none.
        tallied: spaces tallied this round (A36).
        rankings: of the spaces tallied or being tallied, by space.
        resigned: seats that have resigned.
    """

    rules_version: int
    version: str
    open_hoards: bool
    has_safety_stop: bool
    rng: Rng
    round: int
    camel: Seat
    agenda: list[Frame]
    hands: list[list[int]]
    turns: list[int]
    forfeits: list[int]
    spaces: dict[str, list[Token]]
    caves: dict[str, list[int]]
    bank: dict[str, int]
    hoards: list[dict[str, int]]
    stacks: dict[str, list[str]]
    artifacts: list[list[str]]
    deck: list[str]
    discards: list[str]
    guard: int = 0
    is_guard_shown: bool = False
    admitted: list[Seat] = []
    tallying: str = ""
    tallied: list[str] = []
    rankings: dict[str, Ranking] = {}
    resigned: list[Seat] = []
    outcome: Outcome | None = None

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.hands)

    def sequence(self) -> list[Seat]:
        """Player sequence: clockwise from the camel (A35)."""
        return [(self.camel + step) % self.seats for step in range(self.seats)]


class SeenToken(msgspec.Struct, omit_defaults=True):
    """A token as a viewer sees it: `value` is None if it is another's and lies face down."""

    seat: Seat
    value: int | None
    face_up: bool = False


class View(msgspec.Struct):
    """What one seat may see of a state (`seat` None: a spectator). Fields are those of `State` where they share a name.

    Arguments:
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

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.hand_counts)

    def sequence(self) -> list[Seat]:
        """Player sequence: clockwise from the camel (A35)."""
        return [(self.camel + step) % self.seats for step in range(self.seats)]
