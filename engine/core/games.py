"""A game as a whole, in data: its options and events, outcome and figures, recaps, proposals, chances and branches."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from math import exp
from random import Random
from string import Formatter
from typing import Any, ClassVar, NamedTuple, TypeAlias, TypeVar

import msgspec

from engine.core.questions import Answer, IllegalAction, JsonObject, Param, Seat, Text

D = TypeVar("D")  # data


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
        """Returns what a new table is offered with."""
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
"""The data that a rule set's SVG template draws; its shape is described by the rule set."""


class Days(NamedTuple):
    """How long a game takes, in days: the median of keen people, and that of casual ones."""

    keen: float
    casual: float


def chosen_options(offered: Sequence[TableOption], options: Mapping[str, str]) -> dict[str, str]:
    """Returns all options with their defaults filled in. Raises IllegalAction for one that does not exist."""
    chosen = {option.name: option.default for option in offered}
    for name, value in options.items():
        allowed = [key for option in offered if option.name == name for key, _ in option.values]
        if value not in allowed:
            raise IllegalAction("illegal-option", option=name, value=value)
        chosen[name] = value
    return chosen


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


Sentence: TypeAlias = str | tuple[str, str, str]
"""A sentence in English; of one that depends on a number the field that counts, the singular and the plural."""


class EventType(msgspec.StructMeta):
    """The type of classes of events, which carry their sentences: `class CamelLeft(GameEvent, says={...})`."""

    def __new__(
        mcs,
        name: str,
        bases: tuple[type, ...],
        members: JsonObject,
        *,
        says: Mapping[str, Sentence] | None = None,
        **how: Any,
    ) -> Any:
        """The class, with `says`; `how` is what msgspec takes."""
        event_class: Any = super().__new__(mcs, name, bases, members, **how)
        event_class.says = says or {}
        event_class.names = {code: _names(sentence) for code, sentence in event_class.says.items()}
        event_class.sources = {
            name: next(
                (field for field in (name, *event_class.fields.get(name, ())) if hasattr(event_class, field)), name
            )
            for names in event_class.names.values()
            for name in names
        }
        return event_class


def _names(sentence: Sentence) -> list[str]:
    """The names in braces of a sentence."""
    pattern = sentence if isinstance(sentence, str) else sentence[1] + sentence[2]
    return [name for _text, name, _format, _conversion in Formatter().parse(pattern) if name]


class GameEvent(msgspec.Struct, metaclass=EventType, frozen=True, tag_field="type", tag=True):
    """Base class of what happens in a game. The names in braces of its sentence are filled with its fields.

    Arguments:
        says: its sentences by code; none if nobody needs to read it.
        shapes: by the name in braces the shape in which the game's words take it (`BaseWords.shapes`); others are
            filled as they are.
        fields: by the name in braces the fields that may hold it, where it is called otherwise.
    """

    says: ClassVar[Mapping[str, Sentence]] = {}
    names: ClassVar[Mapping[str, Sequence[str]]] = {}  # in braces, by code
    sources: ClassVar[Mapping[str, str]] = {}  # the field of each name
    shapes: ClassVar[Mapping[str, str]] = {}
    fields: ClassVar[Mapping[str, Sequence[str]]] = {}

    @property
    def code(self) -> str:
        """The code of its sentence: the first of `says`, unless a class chooses; "" for none."""
        return next(iter(self.says), "")

    def param(self, name: str) -> Param:
        """The parameter of that name."""
        value: Param = getattr(self, self.sources[name])
        shape = self.shapes.get(name)
        return {shape: value} if shape else value

    def text(self) -> Text | None:
        """The event as a sentence; None if nobody needs to read it."""
        code = self.code
        return Text(code, {name: self.param(name) for name in self.names[code]}) if code else None


def event_sentences(events: Iterable[type[GameEvent]]) -> tuple[dict[str, str], dict[str, tuple[str, str, str]]]:
    """The sentences of these events by code, and those that depend on a number."""
    said = [(code, sentence) for event in events for code, sentence in event.says.items()]
    plain = {code: sentence for code, sentence in said if isinstance(sentence, str)}
    return plain, {code: sentence for code, sentence in said if not isinstance(sentence, str)}


def shares(scores: Sequence[float], resigned: Collection[Seat] = ()) -> list[float]:
    """Chances that make one together, in proportion to the exponentials of the scores; none for who has resigned."""
    highest = max(scores)
    weights = [0.0 if seat in resigned else exp(score - highest) for seat, score in enumerate(scores)]
    total = sum(weights) or 1.0
    return [weight / total for weight in weights]


def won(outcome: Outcome, seats: int) -> list[float]:
    """Returns what each seat has won: 1 for the winner; those who won together share it."""
    return [(seat in outcome.winners) / len(outcome.winners) for seat in range(seats)]


_encoder = msgspec.msgpack.Encoder()


@cache
def _decoder(kind: Any) -> Any:
    return msgspec.msgpack.Decoder(kind)


def copied(value: D) -> D:
    """A copy of a struct that shares nothing with it; faster than copy.deepcopy by an order of magnitude."""
    kind: Any = type(value)
    own: D = _decoder(kind).decode(_encoder.encode(value))
    return own


class Figures(msgspec.Struct, frozen=True):
    """One table of how a game went: what is counted, and the number of each seat."""

    title: Text
    lines: list[tuple[Text, list[int]]]
    is_course: bool = False  # the lines follow one another in time, so that a chart can be drawn of them
    ranks: list[list[Seat]] = []  # of each line, the first one first; empty if no line ranks


class FigureRow(msgspec.Struct, frozen=True):
    """One thing that was counted for each seat.

    Arguments:
        code: What was counted, the same in every language.
        params: What belongs to the code, such as the round or the space; empty for most.
        label: The code in the reader's language.
        numbers: One number for each seat, by its number.
        ranks: The seats that were ranked here, the first one first; empty where nothing is ranked.
    """

    code: str
    params: JsonObject
    label: str
    numbers: list[int]
    ranks: list[Seat]


class FigureTable(msgspec.Struct, frozen=True):
    """One table of how a game went.

    Arguments:
        code: What the table is about, the same in every language.
        params: What belongs to the code, such as the round of a tally; empty for most.
        title: The code in the reader's language.
        is_course: Whether the rows follow each other in time.
        rows: What was counted, in the order in which it is shown.
    """

    code: str
    params: JsonObject
    title: str
    is_course: bool
    rows: list[FigureRow]


def plain_table(figures: Figures, say: Callable[[Text], str]) -> FigureTable:
    """Returns a table as programs get it.

    Arguments:
        say: puts a text into the reader's words.
    """
    ranks = figures.ranks or [[]] * len(figures.lines)
    rows = [
        FigureRow(_short(label), label.params, say(label), numbers, ranked)
        for (label, numbers), ranked in zip(figures.lines, ranks, strict=True)
    ]
    return FigureTable(_short(figures.title), figures.title.params, say(figures.title), figures.is_course, rows)


def _short(text: Text) -> str:
    """The code without what stands before it in the catalogue of sentences."""
    return text.code.removeprefix("figures-")


class RecapLine(msgspec.Struct, frozen=True):
    """A sentence of a recap.

    Arguments:
        text: the sentence, or an event that says itself.
        weight: how much it matters; where there is little room the lightest are left out. 0 for what is said while it
            is shown, and not afterwards.
    """

    text: object
    weight: int = 1


def heaviest(
    recap: Iterable[RecapLine], most: int, cost: Callable[[RecapLine], int] = lambda _line: 1
) -> list[RecapLine]:
    """The sentences that matter most, in their order: of two that weigh the same the later one stays.

    Arguments:
        most: what they may cost together; one sentence stays whatever it costs.
        cost: of a sentence; by default each costs 1, so that `most` is their number.
    """
    lines, spent = [line for line in recap if line.weight], 0
    kept: list[int] = []
    for place in sorted(range(len(lines)), key=lambda place: (-lines[place].weight, -place)):
        price = cost(lines[place])
        if spent + price <= most or not kept:
            kept.append(place)
            spent += price
    return [lines[place] for place in sorted(kept)]


class Proposal(msgspec.Struct, frozen=True, omit_defaults=True):
    """A legal answer to one question, and why.

    Arguments:
        answer: in plain data, as `Rules.parse` takes it; of a sheet or a plan with its orders. Empty where to do
            nothing is best, which only a question allows that nobody has to answer.
        reason: one line in the game's words.
    """

    answer: Answer
    reason: Text


def dice_of(view: msgspec.Struct) -> Random:
    """Dice for whoever samples: whoever sees the same throws the same."""
    return Random(hashlib.sha256(msgspec.json.encode(view, order="deterministic")).digest())


class Branched(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="type", tag=True):
    """The game stands where it stood after an earlier step, and what nobody had seen then is dealt anew. Public.

    Arguments:
        step: which, as its history counts them.
        branch: number of the roll-back; 0 for a copy of another game.
        seat: which has taken its answer back, and keeps its orders; None where a moderator rolled the game back.
    """

    step: int
    branch: int
    seat: Seat | None = None


def branch_mark(branch: int | msgspec.UnsetType) -> str:
    """Returns what the ids of a branch's decisions begin with; nothing in a game that was never rolled back."""
    return "" if branch is msgspec.UNSET else f"b{branch}-"
