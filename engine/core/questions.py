"""Questions and answers as data: who is asked what, every way to answer, and why an answer is refused."""

from collections.abc import Iterable
from typing import Any, TypeAlias

import msgspec

Seat: TypeAlias = int
"""A seat of a game, 0 .. n-1: all the engine knows of a person."""

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object whose members are known to whoever wrote it."""

Answer: TypeAlias = JsonObject
"""An answer in plain data: {"type": form.type, field name: value, amounts field: {option: amount}}."""

Param: TypeAlias = str | int | list[object] | JsonObject | None
"""A parameter of a sentence: a seat is {"seat": 2}; the game's catalogue knows the other shapes."""


class Text(msgspec.Struct, frozen=True, omit_defaults=True):
    """A sentence as a code with parameters. `Rules.say` makes words of it, in the reader's language."""

    code: str
    params: JsonObject = {}


class IllegalAction(ValueError):
    """The action is refused and nothing has changed. `text` says why and what would be allowed."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.text = Text(code, params)


class StaleDecision(IllegalAction):
    """The decision that was answered is not open (any more) for this seat."""


class Decision(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question the game waits on, for one seat.

    Arguments:
        id: built from public facts only (round, space, pass), never from a counter that secret moves advance.
            Several seats asked the same thing at once share the id; (id, seat) is unique in a game.
        seat: who is asked.
        kind: which of the rule set's kinds of decision it is, such as "place".
        sealed: until it closes for all, others are not shown who has answered or what, and an answer may be replaced.
        prompted: False for what a seat may do unasked: no mail, no deadline, no default.
    """

    id: str
    seat: Seat
    kind: str
    sealed: bool = False
    prompted: bool = True


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that can be chosen in a field.

    Arguments:
        value: what the action carries.
        label: its name, a sentence of the rule set.
        hint: what is worth knowing before choosing it, shown beside the label.
        limit: in an Amounts field, the most that may be given of it; in a Choice, how much of it there is to give.
        group: options with the same group are shown together under that name.
        bars: values of other fields of the form that cannot be chosen together with this one.
    """

    value: str | int
    label: Text
    hint: Text | None = None
    limit: int | None = None
    group: Text | None = None
    bars: list[str | int] = []


class Choice(msgspec.Struct, frozen=True, omit_defaults=True, tag="choice"):
    """Exactly one of the options. Fields of one action with the same `distinct` name may not choose the same value.

    Arguments:
        unsaid: what is meant where an answer in words says nothing of it; None if it must be said.
    """

    name: str
    label: Text
    options: list[Option]
    distinct: str = ""
    unsaid: str | int | None = None


class Amounts(msgspec.Struct, frozen=True, omit_defaults=True, tag="amounts"):
    """How many of each option, 0 .. option.limit. Sent as {option value: amount}.

    Arguments:
        total: what they make together, or the most if there is a `least`.
        least: the fewest; None if it must be exactly `total`.
        same_as: the name of an earlier field of amounts: this one must make as much as that one does.
        distinct: fields with the same name may not both have some of the same value, or choose it.
    """

    name: str
    label: Text
    options: list[Option]
    total: int
    least: int | None = None
    same_as: str = ""
    distinct: str = ""

    @property
    def fewest(self) -> int:
        """The fewest that may be given together."""
        return self.total if self.least is None else self.least


Field: TypeAlias = Choice | Amounts


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of a form that gives a standing order; left empty it gives none. See `engine.orders.lines`.

    Arguments:
        name: of the line in its form; the names of its blanks begin with it.
        kind: the kind of decision that the order answers.
        group: lines with the same group are shown together under that name.
        blanks: fields of the answer, or the topic, or the whole answer, or the one that is given otherwise.
        label, place: what stands before the blanks.
        topic: where the order answers, if that is no blank.
        topics: the places in which it answers, each by an order of its own, where no line before it answers there.
        answer: the answer of which blanks are fields, with what is not asked here; none if one blank is all of it.
        means: the answer by the value of a blank that has whole answers; an empty one asks.
        stays: the order is kept after it has answered.
        repeats: it is offered filled in as it was in the last plan.
        is_main: it is shown at once; other lines are folded away.
    """

    name: str
    kind: str
    group: Text
    blanks: list[Choice]
    label: Text | None = None
    place: Text | None = None
    topic: str = ""
    topics: list[str] = []
    answer: JsonObject = {}
    means: dict[str, JsonObject] = {}
    stays: bool = False
    repeats: bool = False
    is_main: bool = False


START_OVER = "start_over"  # the type of a form that takes back what its seat has chosen so far, in any game


class ActionForm(msgspec.Struct, frozen=True, omit_defaults=True):
    """One way to answer: the action's type, and the fields it needs, each with all its legal values.

    Arguments:
        takes_orders: the seat's standing orders may go with it, all of them, as a list under the name "orders".
        rows: lines with blanks that make such orders.
        button: what a button says that gives this answer, if shorter than the label; names of fields in braces stand
            for what was chosen in them.
    """

    type: str
    label: Text
    fields: list[Field] = []
    hint: Text | None = None
    takes_orders: bool = False
    rows: list[Row] = []
    button: Text | None = None


class Question(msgspec.Struct, frozen=True, omit_defaults=True):
    """A decision as its own seat sees it: what is asked, every way to answer, and what silence does."""

    decision: Decision
    title: Text
    actions: list[ActionForm]
    default: Text
    hint: Text | None = None


def find_decision(decisions: Iterable[Decision], decision: str, seat: Seat) -> Decision:
    """The decision with that id and seat; those behind it are not looked at. Raises StaleDecision if there is none."""
    for candidate in decisions:
        if candidate.id == decision and candidate.seat == seat:
            return candidate
    raise StaleDecision("stale")
