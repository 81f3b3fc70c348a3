"""What a game offers so that orders can be given in it: its kinds of decision, and the facts they may depend on.

Everything is read from the view of the seat that gives the order, so no order can know more than its player.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol, TypeAlias, TypeVar

import msgspec

from engine.core import ActionForm, Answer, Decision, Option, Question, Seat, Text
from engine.orders.model import EVERYTHING, Entry, Order, OrderedState, SeatView

S_contra = TypeVar("S_contra", contravariant=True)  # the state
V = TypeVar("V")  # the view


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


class Vocabulary(Protocol[S_contra, V]):
    """What a game offers. Every method depends on the view alone, or on what the state shows like every view.

    A game derives from it; what it does not override is of a game in which nobody passes, plans or shows plays.
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
        """What can be ordered, in the order in which it is offered."""

    def facts(self, view: V) -> list[ActionForm]:
        """What an order may depend on, each a form whose fields say what exactly."""

    def holds(self, view: V, fact: Entry, topic: str) -> bool | None:
        """Is it so? None if that depends on what the seat cannot see. `topic` is where the decision is."""

    def answer(self, view: V, question: Question, entry: Entry) -> Answer | None:
        """The exact answer that an entry makes for this question, or None if it does not fit."""

    def topic(self, shown: S_contra | V, decision: Decision) -> str:
        """Where the decision is, of a view or of the state itself; "" for nowhere in particular."""

    def player_of(self, event: object) -> Seat | None:
        """Who has shown a play that others may want to think about, if the event is one; else None."""
        return None

    def touched(self, before: V, after: S_contra, event: object, seat: Seat) -> Iterable[str]:
        """What a play that others may want to think about touches of a seat's orders: `EVERYTHING`, or places, kinds of
        decision and types of facts. From public facts alone.

        Arguments:
            before: what everybody saw when it was shown.
            after: the state of now, in which the place of its window is read.
        """
        return [EVERYTHING]

    def period(self, shown: S_contra | V) -> int:
        """The number of the round, or what the game has in its place: of a view, or of the state itself."""

    def lapse(self, view: V, decision: Decision) -> Entry | None:
        """What a plan answers where none of its orders speaks; None if that is asked. From public facts alone."""
        return None

    def ahead(self, shown: S_contra | V, topic: str) -> list[Option]:
        """The places still to come in this period after this one, or "" for all: "pass until ..."."""
        return []

    def before(self, place: str) -> Entry:
        """The fact that such a place has not been reached yet."""
        raise AssertionError(place)

    def gathering(self, view: V) -> Gathering | None:
        """Who is asked at the boundary the game stands at, and for what, from public facts; None if nobody is."""
        return None

    def gathers_beside(self, shown: S_contra | V) -> bool:
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
        """Why these orders cannot all be meant, in the game's words; None if they can."""
        return None


AnyVocabulary: TypeAlias = Vocabulary[OrderedState, SeatView]
"""What any game offers, as orders see it."""
