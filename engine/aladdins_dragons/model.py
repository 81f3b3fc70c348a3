"""The state of a game as data: the board, and what is left to do (frames). What one seat may see: `view_model`.

Nothing here acts. Every dictionary by kind or by space always has all its keys, so equal states have equal bytes.
"""

from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from engine.aladdins_dragons.actions import Amounts, Targets
from engine.core import Decision, Outcome, Question, Seat
from engine.core.games import branch_mark
from engine.core.rng import Rng
from engine.orders.model import Sheet

# The magic version


class Effect(msgspec.Struct):
    """Something a card has changed for the rest of the round; `space` is "" if it holds everywhere."""

    name: str
    seat: Seat
    space: str = ""


class PassedSpell(msgspec.Struct):
    """A spell card that one seat gave another: both know it (A54)."""

    card: str
    giver: Seat
    owner: Seat


class BuriedSpell(msgspec.Struct):
    """A spell card that a seat discarded unseen (A54)."""

    card: str
    seat: Seat


EVERYBODY = -1
"""Among those who know a tile of a stack: the whole table, spectators too."""


class Magic(msgspec.Struct):
    """Holds what only the magic version has.

    Arguments:
        last_first: "reverse" or "swap19" (S3).
        spell_deck: cards not yet drawn, the next one last.
        spells: cards in hand, by seat, in the order in which they came.
        passed: what givers know of the hands of others.
        played: cards played, in order; they are out of the game (A55).
        buried: cards discarded at the tent.
        used: artifact types used this round, by seat; their tiles lie before their owners (A82).
        allowance: artifact uses this round, by seat (A57).
        unknown: artifact types by seat that only their owner knows he has (A47).
        offers: rooms whose top tile lies face up and is for sale.
        known: by room and tile, bottom first, the seats that know a face-down tile; or `EVERYBODY`.
        effects: what cards have changed for the rest of the round.
        arrivals: tokens that have come to each space this round; their numbers count on from it.
        declared: declarations made outside windows this round; part of the decision ids.
    """

    last_first: str
    spell_deck: list[str]
    spells: list[list[str]]
    used: list[list[str]]
    allowance: list[int]
    unknown: list[list[str]]
    offers: list[str]
    known: dict[str, list[list[Seat]]]
    arrivals: dict[str, int]
    passed: list[PassedSpell] = []
    played: list[str] = []
    buried: list[BuriedSpell] = []
    effects: list[Effect] = []
    declared: int = 0


class MagicView(msgspec.Struct):
    """Holds what one seat may see of `Magic`. Fields are those of `Magic` where they share a name.

    Arguments:
        spell_deck_count: spell cards not yet drawn.
        spells: the viewer's own cards; None for a spectator.
        spell_counts: cards in hand, by seat.
        passed: cards the viewer knows others hold because he gave them, and his own that he was given.
        buried: those the viewer discarded.
        buried_count: all discarded unseen.
        artifacts: the viewer's own tiles by type; None for a spectator.
        tiles: by seat the types everybody knows it has.
        offers: the artifact type that lies face up, by room.
        stacks: by room and tile, bottom first, the type where the viewer knows it.
        last_first: "reverse" or "swap19" (S3).
        played: cards played, in order; they are out of the game (A55).
        used: artifact types used this round, by seat (A82).
        allowance: artifact uses this round, by seat (A57).
        effects: what cards have changed for the rest of the round.
        arrivals: tokens that have come to each space this round; their numbers count on from it.
        declared: declarations made outside windows this round; part of the decision ids.
    """

    last_first: str
    spell_deck_count: int
    spells: list[str] | None
    spell_counts: list[int]
    passed: list[PassedSpell]
    played: list[str]
    buried: list[BuriedSpell]
    buried_count: int
    used: list[list[str]]
    allowance: list[int]
    artifacts: list[str] | None
    tiles: list[list[str]]
    offers: dict[str, str]
    stacks: dict[str, list[str | None]]
    effects: list[Effect]
    arrivals: dict[str, int]
    declared: int


# The part that `State` and `View` share


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
        """Returns what the ids of this round's decisions begin with."""
        return f"{branch_mark(self.branch)}r{self.round}"

    @property
    def is_planned(self) -> bool:
        """True if everybody plans the tally in advance (table option)."""
        return self.optional_plans is True

    @property
    def has_magic(self) -> bool:
        """True in the magic version."""
        return self.optional_magic is not UNSET

    def sequence(self) -> list[Seat]:
        """Player sequence: clockwise from the camel (A35)."""
        return [*range(self.camel, self.seats), *range(self.camel)]


class _Frame(msgspec.Struct, tag_field="type", tag=True):
    """One entry of the agenda: something the game waits for, or something it will do."""


class StartingTreasures(_Frame):
    """Every seat chooses at once, sealed (A6). `chosen` by seat; None until that seat has answered."""

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
    """Every space is tallied."""


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
        ends_decided: the game ends once nobody can catch up (table option); nothing of it where it does not.
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
    ends_decided: bool | UnsetType = UNSET
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
            """Returns what only the magic version has; asked for in no other."""


# The view of one seat


class SeenToken(msgspec.Struct, omit_defaults=True):
    """A token as a viewer sees it: `value` is None if it is another's and lies face down."""

    seat: Seat
    value: int | None
    face_up: bool = False
    number: int = 0
    source: str = ""


class View(Position, msgspec.Struct):
    """A state as one seat may see it (`seat` None: a spectator). Fields are those of `State` where they share a name.

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
        ends_decided: the game ends once nobody can catch up; missing where it does not.
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
    ends_decided: bool | UnsetType = UNSET
    branch: int | UnsetType = UNSET

    if TYPE_CHECKING:

        @property
        def magic(self) -> MagicView:
            """Returns what only the magic version has; asked for in no other."""
