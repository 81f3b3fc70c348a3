"""The state of a game as data: the board, and what is left to do (frames). What one seat may see: `view_model`.

Nothing here acts. Every dictionary by kind or by space always has all its keys, so equal states have equal bytes.
"""

from typing import TYPE_CHECKING, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from engine.aladdins_dragons.actions import Amounts, Targets
from engine.aladdins_dragons.board.magic_model import Magic
from engine.aladdins_dragons.board.position import Position
from engine.core import Outcome, Seat
from engine.core.rng import Rng
from engine.orders.model import Sheet


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


class Wave(Placing):
    """Seats place several tokens at a time (table options): sealed until all of them have chosen.

    Arguments:
        seat: whose turn it is; it goes on clockwise from there.
        number: of the wave in this round, from 1.
        seats: who chooses, in player sequence.
        chosen: tokens and spaces by seat in that order; the space is "" for one that is forfeited (A21).
    """

    number: int = 1
    seats: list[Seat] = []
    chosen: list[list[tuple[int, str]]] = []


class Tempo(msgspec.Struct):
    """How many tokens are placed at a time, and whether everybody places at once."""

    tokens: int
    has_waves: bool


class Boundary(_Frame):
    """A phase is complete and the game waits to be taken on: "treasures", "start", "placing", "shown" or "round"."""

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


class Play(msgspec.Struct):
    """A card that has been declared: an artifact or a spell, with the targets named for it (A77)."""

    seat: Seat
    card: str
    targets: Targets = {}
    is_struck: bool = False


class Window(_Frame):
    """A time in which cards may be declared: sealed passes, shown together, until one brings nothing (A75, A76).

    Arguments:
        where: a space, "start", "declared-1" ..., "placed" or "caves"; of a reply what it replies to (A91).
        kind: "window", or "reply" if only a spell already shown may be answered; in questions also "entry" and
            "purchase", for cards that belong to the guard's decision or to a purchase.
        number: of the pass, from 1; 0 before the first.
        entitled: who is asked in this pass, in player sequence.
        answers: the sealed plays of this pass in that order; none for a pass, None before the answer.
        plays: what has been shown, in the order declared.
    """

    where: str
    kind: str = "window"
    number: int = 0
    entitled: list[Seat] = []
    answers: list[list[Play] | None] = []
    plays: list[Play] = []


class Resolve(_Frame):
    """Plays of a closed window that have yet to take effect, in their order (A75)."""

    plays: list[Play]


class Rank(_Frame):
    """A space whose window has closed: its strengths are compared."""

    space: str


class Tent(_Frame):
    """The strongest seat in the tent keeps one of the cards drawn; the other goes to `to`, or away (A53)."""

    seat: Seat
    cards: list[str]
    to: Seat | None


class Ask(_Frame):
    """A card wants answers of these seats, which may come in any order (A93).

    Arguments:
        card: its name.
        play: the play that is taking effect.
        waiting: who has yet to answer.
        turns: answers given to this card, by seat.
        left: tokens that have yet to be answered for, by seat, named as in `targets`; empty if it is not about tokens.
    """

    card: str
    play: Play
    waiting: list[Seat]
    turns: list[int]
    left: list[list[str]] = []


Frame: TypeAlias = (
    StartingTreasures | RoundStart | Placing | Wave | Boundary | Tally | Reward | Market | Camel | Bribes | Eviction
    | Purchase | RoundEnd | Window | Resolve | Rank | Tent | Ask
)  # fmt: skip


class Token(msgspec.Struct):
    """A token in a space.

    Arguments:
        number: in the magic version its place in the row, counted on when tokens leave; it names the token.
        source: "carpet" or "double" for what an artifact has put there instead of a number token.
    """

    seat: Seat
    value: int
    face_up: bool = False
    number: int | UnsetType = UNSET
    source: str | UnsetType = UNSET

    @property
    def is_number(self) -> bool:
        """True for the tokens of the hand, which alone can be moved (A89)."""
        return self.source is UNSET


class Ranking(msgspec.Struct):
    """The seats in a tallied space, strongest first, and their strengths in the same order."""

    seats: list[Seat]
    totals: list[int]


class State(Position, msgspec.Struct):
    """Everything about one game.

    Arguments:
        rules_version: the version of these rules the state belongs to.
        version: "basic" or "magic".
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
        has_magic, magic: what only the magic version has; a basic state carries nothing of it.
        has_tempo, tempo: how many tokens are placed at a time; nothing of it where it is the printed rule (A20).
        is_planned, optional_plans: the tally goes by plans; a state without them carries nothing of it.
        orders: standing orders by seat, once somebody has given any; kept by `engine.orders`, and in no view.
        branch: number of the last roll-back; a game that was never rolled back carries nothing of it.
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
    optional_magic: Magic | UnsetType = msgspec.field(default=UNSET, name="magic")
    orders: list[Sheet] | UnsetType = UNSET
    optional_plans: bool | UnsetType = msgspec.field(default=UNSET, name="plans")
    optional_tempo: Tempo | UnsetType = msgspec.field(default=UNSET, name="tempo")
    branch: int | UnsetType = UNSET

    @property
    def has_tempo(self) -> bool:
        """True if tokens are placed several at a time (table options)."""
        return self.optional_tempo is not UNSET

    @property
    def tempo(self) -> Tempo:
        """How; asked for only where `has_tempo`."""
        assert self.optional_tempo is not UNSET
        return self.optional_tempo

    if TYPE_CHECKING:

        @property
        def magic(self) -> Magic:
            """What only the magic version has; asked for in no other."""
