"""Orders as data, and the vocabulary in which a game offers them.

Orders are a part of the game's own state, so they are stored, replayed and kept secret with it. A vocabulary reads
everything from the view of the seat that gives the order, so no order can know more than its player.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar

import msgspec

from engine.core import ActionForm, Answer, Decision, Option, Question, Seat, Text

Entry: TypeAlias = dict[str, Any]
"""An answer or a condition in plain data: {"type": form.type, field name: value}, as of an `ActionForm`."""

Until: TypeAlias = Literal["", "round", "return", "date"]
"""When an order ends by itself: never, with the round, when its player is back, on a date the service keeps."""

MOST_ORDERS = 40  # of one seat
MOST_ANSWERS = 8  # of one order
MOST_CONDITIONS = 8  # of one order, and as many to stop
EVERYTHING = "*"
"""Stands for every order there is among what a shown play touches; else that is places and kinds of decision."""

MOST_BYTES = 20_000  # of all orders of one seat as JSON; a state has them up to three times: see `Sheet`


class Order(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """One answer given in advance.

    Arguments:
        id: names it among its seat's orders; "" for a new one.
        kind: the kind of decision it answers.
        answers: the first of them that is legal then is given; none at all means "stop and ask me".
        topic: where it answers, in the game's words, such as a space; "" anywhere.
        conditions: all must hold, or the order is passed over.
        stops: if one of them holds its player is asked instead.
        stays: it is kept after it has answered.
        even_so: it answers even after others have shown a play that touches it since it was given.
        any_play: its player is asked after any play of others, not only after one that touches it.
        until: when it ends by itself.
    """

    id: str = ""
    kind: str = ""
    answers: list[Entry] = []
    topic: str = ""
    conditions: list[Entry] = []
    stops: list[Entry] = []
    stays: bool = False
    even_so: bool = False
    any_play: bool = False
    until: Until = ""

    @property
    def tag(self) -> str:
        """The number in its id, by which its player names it; no other order of the seat will ever have it."""
        return self.id.removeprefix("o")


ASK, QUIET, NEVER, ALL = "ask", "quiet", "never", "all"
"""A plan, where no order speaks, asks; passes until others show a play; passes even then; does all by default."""


class Sheet(msgspec.Struct, omit_defaults=True):
    """A seat's orders, in the order in which they are tried.

    Arguments:
        last: the number of the newest id.
        plays: how many plays others have shown since the player last answered or gave orders.
        touched: what those plays touch, as everybody can see; it suspends the orders about it. Games whose
            vocabulary weighs nothing do not say: there every play suspends every order.
        period: the round, or what the game has in its place, in which the orders were last looked through.
        ready: the id of the gathering that was last answered.
        ahead: the id of a gathering still to come that is answered by what was last said.
        given: the orders that came with the last sheet, without ids, to be given again.
        planned: the same of the last plan.
        quiet: what happens for the rest of the period where no order speaks; see `ASK`.
    """

    orders: list[Order] = []
    last: int = 0
    plays: int = 0
    period: int = 0
    ready: str = ""
    quiet: str = ""
    ahead: str = ""
    given: list[Order] = []
    planned: list[Order] = []
    touched: list[str] = []

    def forget_plays(self) -> None:
        """The player has seen what was shown until now."""
        self.plays, self.touched = 0, []

    @property
    def is_active(self) -> bool:
        """Has it anything to say?"""
        return bool(self.orders or self.quiet or self.ahead)


class SetOrders(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, tag="set_orders"):
    """The move by which a seat gives its orders: all of them, those it keeps with their ids."""

    orders: list[Order] = []


class CancelOrders(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, tag="cancel_orders"):
    """The move by which the service ends orders whose time is over.

    Arguments:
        why: "date", "return", or "hands": the seat has another player, and all of it ends without a word.
    """

    ids: list[str]
    why: str


OrderMove: TypeAlias = SetOrders | CancelOrders


class OrderFired(msgspec.Struct, frozen=True, tag_field="type", tag=True):
    """An order has answered for its seat, which alone is told.

    Arguments:
        order: its id.
        decision: the decision that was answered.
        action: what was answered: a replay must come to the same.
        title, answer: the question and the answer in the game's words, as codes with parameters.
    """

    seat: int
    order: str
    decision: str
    action: Entry
    title: Entry
    answer: list[Entry]


class OrderHeld(msgspec.Struct, frozen=True, tag_field="type", tag=True):
    """An order leaves a decision to its player, who alone is told.

    Arguments:
        why: "told", "stopped", "suspended" or "unknown" (it depends on what the seat cannot see).
    """

    seat: int
    order: str
    decision: str
    title: Entry
    why: str


class OrderDropped(msgspec.Struct, frozen=True, tag_field="type", tag=True):
    """An order is gone without having answered; its seat alone is told.

    Arguments:
        label: the kind of decision it was for, as a code with parameters.
        why: "unfit" (no answer of it is possible), "round", "date" or "return".
    """

    seat: int
    order: str
    label: Entry
    why: str


OrderEvent: TypeAlias = OrderFired | OrderHeld | OrderDropped
"""The events of orders, stored among those of the move in which they happened."""


class OrderedState(Protocol):
    """The state of any game, as orders need it."""

    orders: list[Sheet] | msgspec.UnsetType

    @property
    def seats(self) -> int:
        """The number of seats."""


class SeatView(Protocol):
    """A seat's view of any game, as orders need it."""

    seat: Seat | None
    asked: list[Decision]
    questions: list[Question]

    @property
    def seats(self) -> int:
        """The number of seats."""


def sheets_of(state: OrderedState) -> list[Sheet]:
    """The orders by seat; empty as long as nobody has given any."""
    return [] if isinstance(state.orders, msgspec.UnsetType) else state.orders


def sheet_of(state: OrderedState, seat: Seat) -> Sheet:
    """The orders of a seat."""
    sheets = sheets_of(state)
    return sheets[seat] if sheets else Sheet()


def open_sheets(state: OrderedState, period: int) -> list[Sheet]:
    """The orders by seat; from now on there are orders in this game."""
    if isinstance(state.orders, msgspec.UnsetType):
        state.orders = [Sheet(period=period) for _ in range(state.seats)]
    return state.orders


class OrderKind(msgspec.Struct, frozen=True):
    """A kind of decision that can be answered in advance.

    Arguments:
        name: the kind of the decision.
        label: what it is, as the beginning of a sentence.
        answers: every way to answer: of the question itself, or an entry that `Vocabulary.answer` makes exact then.
        topics: where it may be asked; none if there is only one place.
        is_unasked: nobody is asked: the order acts as soon as its conditions hold, and needs one.
        is_once: a seat is asked at most once a round, in each of its topics.
        everywhere: the topics for which one line of a form speaks together, beside a line for each of them.
        lines: how many of it a form has, if it is not one for each topic of what is asked once.
        line: the answer whose fields are the blanks of a line; without it all short answers are in one blank.
        lasts: what a line gives is kept after it has answered.
        is_steady: one more line says of all others of the kind whether they answer even after a play that touches them.
        is_main: most people say something of it in each round: its lines are shown at once, others are folded away.
    """

    name: str
    label: Text
    answers: list[ActionForm]
    topics: list[Option] = []
    is_unasked: bool = False
    is_once: bool = False
    everywhere: list[str] = []
    lines: int = 0
    line: str = ""
    lasts: bool = False
    is_steady: bool = False
    is_main: bool = False


class Gathering(msgspec.Struct, frozen=True):
    """Everybody is asked at once, before a phase boundary is crossed.

    Arguments:
        id: of the decision, from public facts.
        kind: "sheet" as a round begins, "plan" before its tally.
        seats: who is asked.
        title: what it is about, in the game's words.
        hint: what a plan passes over in silence, if there is more than windows.
        next: of a sheet, the id of the gathering before the tally of the same round.
        has_windows: cards may be played behind the boundary.
        is_again: all have planned before; whose plan holds whatever has been shown since need not answer.
    """

    id: str
    kind: str
    seats: list[Seat]
    title: Text
    hint: Text | None = None
    next: str = ""
    has_windows: bool = True
    is_again: bool = False


S = TypeVar("S")  # the state
V = TypeVar("V")  # the view


class Vocabulary(Generic[S, V]):
    """The orders that a game offers: none, until it derives from this and overrides what it has.

    Every method depends on the view alone, or on what the state shows like every view.
    """

    quiet: Mapping[str, Entry] = MappingProxyType({})
    """The kinds of decision in which one can pass, each with the answer that passes."""

    brings: Mapping[str, str] = MappingProxyType({})
    """The kinds of decision whose answer may bring the seat's orders with it, each with the form of that answer."""

    gathers: bool = False
    """False for a game that never asks everybody for a sheet or a plan."""

    weighs: frozenset[str] = frozenset()
    """The kinds of decision whose answers may show a play, if the game says what each play touches; else every play
    touches everything."""

    about_plays: frozenset[str] = frozenset()
    """Types of facts about plays that were just shown: an order with one of them is not suspended by such a play."""

    def kinds(self, view: V) -> list[OrderKind]:
        """The kinds of decision that can be answered in advance, in the order in which they are offered."""
        return []

    def facts(self, view: V) -> list[ActionForm]:
        """The facts on which an order may depend, each a form whose fields say what exactly."""
        return []

    def holds(self, view: V, fact: Entry, topic: str) -> bool | None:
        """Is it so? None if that depends on what the seat cannot see. `topic` is where the decision is."""
        raise AssertionError(fact)

    def answer(self, view: V, question: Question, entry: Entry) -> Answer | None:
        """The exact answer that an entry makes for this question, or None if it does not fit."""
        return entry

    def piece(self, entry: Entry) -> object:
        """The piece that an answer brings into play, of which there is one; None if that depends or there is none."""
        return None

    def topic(self, shown: S | V, decision: Decision) -> str:
        """Where the decision is, of a view or of the state itself; "" for nowhere in particular."""
        return ""

    def player_of(self, event: object) -> Seat | None:
        """The seat that has shown a play, if the event is one that others may want to think about; else None."""
        return None

    def touched(self, before: V, after: S, event: object, seat: Seat) -> Iterable[str]:
        """Names what a shown play touches of a seat's orders: `EVERYTHING`, or places, kinds of decision and types of
        facts. From public facts alone.

        Arguments:
            before: what everybody saw when it was shown.
            after: the state of now, in which the place of its window is read.
        """
        return [EVERYTHING]

    def period(self, shown: S | V) -> int:
        """The number of the round, or what the game has in its place: of a view, or of the state itself."""
        return 0

    def lapse(self, view: V, decision: Decision) -> Entry | None:
        """The plan's answer where none of its orders speaks; None if that is asked. From public facts alone."""
        return None

    def ahead(self, shown: S | V, topic: str) -> list[Option]:
        """The places still to come in this period after this one, or "" for all: "pass until ..."."""
        return []

    def before(self, place: str) -> Entry:
        """The fact that such a place has not been reached yet."""
        raise AssertionError(place)

    def gathering(self, view: V) -> Gathering | None:
        """Names who is asked at the boundary the game stands at, and for what, from public facts; None if nobody is."""
        return None

    def gathers_beside(self, shown: S | V) -> bool:
        """Is that asked already, beside what the game asks before it comes to the boundary?"""
        return False

    def written(self, view: V, kind: str) -> list[OrderKind]:
        """The kinds with lines in the form of a sheet, of a plan, or of what may go with an answer of that kind, in the
        order in which they are tried."""
        return []

    def foresee(self, view: V, kind: str) -> Question | None:
        """The question as it would be put to the seat now if it were its turn; None where that makes no sense."""
        return None

    def after(self, view: V, action: Answer) -> V | None:
        """The view once the seat has done this and nobody anything else; None where that cannot be said."""
        return None

    def contradiction(self, view: V, orders: Sequence[Order]) -> Text | None:
        """Says in the game's words why these orders cannot all be meant; None if they can."""
        return None


AnyVocabulary: TypeAlias = Vocabulary[Any, Any]
"""The vocabulary of some game."""
