"""The protocol of a rule set, and what a rule set says of a game as a whole."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from random import Random
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

import msgspec

from engine.core.lessons import Lesson
from engine.core.proposals import Proposal
from engine.core.questions import Decision, Question, Seat, Text
from engine.core.recaps import RecapLine


class Ending(StrEnum):
    """Why a game is over."""

    COMPLETE = "complete"  # the rules' own end
    STOPPED = "stopped"  # a safety stop of the service
    ABANDONED = "abandoned"  # everybody but one resigned, and that one chose to end it


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a game ended.

    Arguments:
        ending: why.
        winners: the winning seats, usually one.
        ranking: all seats, best first; resigned seats after all who stayed.
        scores: points (or what the rules count) by seat.
        reason: the sentence that names the winner and why.
    """

    ending: Ending
    winners: list[Seat]
    ranking: list[Seat]
    scores: list[int]
    reason: Text


class Figures(msgspec.Struct, frozen=True):
    """One table of how a game went: what is counted, and the number of each seat."""

    title: Text
    lines: list[tuple[Text, list[int]]]
    is_course: bool = False  # the lines follow one another in time, so that a chart can be drawn of them
    ranks: list[list[Seat]] = []  # of each line, the first one first; empty if no line ranks


class TableOption(msgspec.Struct, frozen=True, omit_defaults=True):
    """A choice the host has when opening a table, such as the version. `values` are (value, label).

    Arguments:
        by_mail: what suits a game that is played over days, where that is not the default.
        is_fine_point: few hosts want to choose here; offered folded.
    """

    name: str
    label: Text
    values: list[tuple[str, Text]]
    default: str
    hint: Text | None = None
    by_mail: str = ""
    is_fine_point: bool = False

    @property
    def suggested(self) -> str:
        """What a new table is offered with."""
        return self.by_mail or self.default


class PieceTable(NamedTuple):
    """Pieces of the box as a table in words, made from the data that the rules play by.

    Arguments:
        name: of the table, for addresses.
        are_named: whether the first cell of each row is the name of a card, which the log uses too.
    """

    name: str
    title: str
    columns: list[str]
    rows: list[list[str]]
    are_named: bool = False


Picture: TypeAlias = Mapping[str, Any]
"""What a rule set's SVG template draws; its shape is described by the rule set."""

S = TypeVar("S")  # the state
A = TypeVar("A")  # an action
E = TypeVar("E")  # an event
V = TypeVar("V")  # a view
V_contra = TypeVar("V_contra", contravariant=True)  # the view a bot is given


class Days(NamedTuple):
    """How long a game takes, in days: the median of keen people, and that of casual ones."""

    keen: float
    casual: float


class Rules(Protocol[S, A, E, V]):
    """A rule set. The service reaches every game through this and never asks which one it is.

    A state has `decisions`, or an advance is pending, or it has an outcome. `play` and `cross` alone change theirs.
    """

    name: str
    version: int
    title: Text
    seat_counts: Sequence[int]
    options: Sequence[TableOption]
    bots: Mapping[str, "Bot[V]"]
    lesson: Lesson[V, E]
    has_tally: bool  # whether something is tallied in this game at all
    foresight: int  # over how many positions that `chances` can judge a review plays on

    def pieces(self, language: str) -> list[PieceTable]:
        """What is in the box, for the page of the rules."""

    def days(self, seats: int, options: Mapping[str, str], *, proposals: bool) -> Days | None:
        """The calendar days of a whole game with a day a move, as docs/simulation.md has them; None if nobody knows.

        Arguments:
            options: those that are left out have their defaults.
            proposals: whether players are shown what the rules propose.
        """

    def new(self, seats: int, options: Mapping[str, str], seed: str) -> tuple[S, list[E]]:
        """A game laid out and ready. `options` by TableOption name; `seed` from `engine.rng.game_seed`.

        Raises IllegalAction for a number of seats or an option that does not exist.
        """

    def decisions(self, state: S) -> list[Decision]:
        """Everything the game waits on, in a stable order; prompted ones and those that may be taken unasked."""

    def find(self, state: S, decision: str, seat: Seat) -> Decision:
        """The one of them with that id and seat. Raises StaleDecision if there is none."""

    def is_advance_pending(self, state: S) -> bool:
        """True at a phase boundary: nothing is asked until `advance` takes the game over it."""

    def parse(self, raw: object) -> A:
        """The player's action in `raw` (what JSON gives): {"type": ..., fields}. Raises IllegalAction, with the path.

        Actions that only the service may take (a forfeit at the deadline) are not accepted here.
        """

    def check(self, state: S, decision: str, seat: Seat, action: A) -> None:
        """Raises StaleDecision or IllegalAction if `apply` would refuse."""

    def legal(self, state: S, decision: str, seat: Seat) -> list[A]:
        """Every action the seat may answer with. For bots and tests; may be thousands."""

    def sample(self, question: Question, random: Random) -> A:
        """One legal action, without listing them all."""

    def default(self, state: S, decision: Decision) -> A:
        """What the deadline answers to a prompted decision (A99, C50). May be an action that `parse` refuses."""

    def apply(self, state: S, decision: str, seat: Seat, action: A) -> tuple[S, list[E]]:
        """Answers a decision and runs on to the next one, the next phase boundary, or the end."""

    def advance(self, state: S) -> tuple[S, list[E]]:
        """Crosses the phase boundary the state stands at and runs on."""

    def draw(self, state: S, decision: Decision, random: Random) -> A:
        """A legal answer to an open decision, at random: `sample` for playouts, which need no words to choose from."""

    def play(self, state: S, seat: Seat, action: A) -> list[E]:
        """What `apply` does after its check and its copy: changes `state` itself, and believes the action.

        For playouts on a state of one's own; the action comes from the seat's open question.
        """

    def cross(self, state: S) -> list[E]:
        """What `advance` does after its check and its copy: changes `state` itself."""

    def quick(self, state: S, decision: Decision, random: Random) -> A | None:
        """A sensible answer to an open decision in microseconds, for the playouts of reviews; it may look at all of the
        state. None where the bot `greedy` is quick enough.
        """

    def chances(self, state: S) -> list[float] | None:
        """Each seat's chance to win, judged from the board alone, which make 1 together; None where that cannot be
        judged: a review plays on from there to where it can, or to the end.
        """

    def resign(self, state: S, seat: Seat) -> tuple[S, list[E]]:
        """Marks the seat as resigned: it ranks below all who stay. The service answers for it from now on."""

    def end(self, state: S, seat: Seat) -> tuple[S, list[E]]:
        """Ends a game that others have resigned from in favour of `seat`, which has not; it ranks first (A99).

        That nobody but bots plays on beside it is for the service to know: the rules know no persons.
        """

    def view(self, state: S, seat: Seat | None) -> V:
        """What one seat may see (None: a spectator), built field by field, its open questions included."""

    def questions(self, view: V) -> list[Question]:
        """The questions open to the seat whose view this is."""

    def question(self, state: S, decision: str, seat: Seat) -> Question:
        """One of them that a seat is to answer, for whoever needs nothing else of its view. Raises StaleDecision."""

    def propose(self, view: V, question: Question) -> Proposal:
        """An answer worth taking to a question open to the seat whose view this is, and why.

        It depends on that view alone: whoever sees the same is proposed the same. Of a sheet or a plan all of it.
        """

    def redact(self, event: E, seat: Seat | None) -> E | None:
        """The event as that viewer may see it, or None if he may not know it happened."""

    def watched(self, see: Callable[[S, E], None]) -> "Rules[S, A, E, V]":
        """These rules, for playing a move again: after each event of a step they show `see` the state and the event.

        The state is that of the game; `see` keeps nothing of it and changes nothing in it.
        """

    def still(self, state: S, seat: Seat | None) -> V:
        """What one seat sees in the middle of a step: the view of a state in which nobody is asked anything."""

    def opens_scene(self, event: E, before: E) -> bool:
        """True if a replay shows the board as it was before this event; `before` is the public event before it.

        Both are of the same move, and as some viewer may see them; what is hidden in them plays no part.
        """

    def begins_tally(self, event: E) -> bool:
        """True if a tally comes after this event."""

    def determinise(self, view: V, random: Random) -> S:
        """A state that looks like this view to its seat; what the seat cannot see is drawn at random."""

    def redeal(self, state: S, seed: str, branch: int) -> S:
        """The same position; what no seat has seen is drawn anew, and `branch` is in all decision ids from then on."""

    def outcome(self, state: S) -> Outcome | None:
        """How the game ended, or None while it runs."""

    def recap(self, seen: Iterable[E], reader: Seat | None) -> list[RecapLine]:
        """What these events come to, in few sentences and in their order, for the seat that was shown them."""

    def standings(self, view: V) -> list[Text]:
        """Where the game stands for this viewer, in a few sentences."""

    def story(self, seen: Iterable[E]) -> list[Text]:
        """The turning points of a game that is over, from all its events in order as everybody was shown them."""

    def describe(self, view: V, language: str, names: Sequence[str]) -> str:
        """The whole board as plain text, complete enough to play from. `names` by seat."""

    def picture(self, view: V, language: str, names: Sequence[str]) -> Picture:
        """What the rule set's SVG template draws: plain data, words already in the reader's language."""

    def say(self, text: Text | E, language: str, names: Sequence[str]) -> str:
        """A sentence or an event in words. Events that nobody needs to read give ""."""

    def figures(self, seen: Iterable[object], seats: int) -> list[Figures]:
        """How a game went in numbers, from its events as a viewer may know them."""

    def last_tally(self, seen: Iterable[object], seats: int) -> Figures | None:
        """What the latest tally has shown of everybody; None if there has been none."""

    def dump(self, state: S) -> bytes:
        """The state as compact JSON."""

    def load(self, data: bytes) -> S:
        """The state of a `dump`; raises if its rules version is not this one."""

    def dump_action(self, action: A) -> bytes:
        """An action as JSON, the service's own included."""

    def load_action(self, data: bytes) -> A:
        """The action of a `dump_action`."""

    def dump_events(self, events: Sequence[E]) -> bytes:
        """Events as a JSON list."""

    def load_events(self, data: bytes) -> list[E]:
        """The events of a `dump_events`."""


class Bot(Protocol[V_contra]):
    """A player made of code. It is given a view, never a state: it cannot cheat."""

    name: str
    title: Text

    def choose(self, view: V_contra, question: Question, random: Random) -> object:
        """The action (of the rule set's action type) to answer the question with."""
