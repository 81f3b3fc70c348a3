"""The lines of a form of orders, made of the kinds of decision that a game says can be answered in advance."""

from collections.abc import Iterable, Iterator
from itertools import islice

from msgspec.structs import replace

from engine.core import ActionForm, Choice, Decision, JsonObject, Option, Question, Row, Text
from engine.core.answers import every_answer
from engine.orders.vocabulary import OrderKind
from engine.orders.words.sentences import ANSWER as SAID
from engine.orders.words.sentences import answer_texts

MOST_LISTED = 16
"""Ways to give one answer that are listed in a blank; one with more is written in words."""

ASK = "ask"
"""What is chosen in the blank of an answer for none: to be asked."""

TOPIC, ANSWER, ELSE = "topic", "answer", "else"
"""The blanks of a line that are no fields of its answer."""


def form_lines(kinds: Iterable[OrderKind], new: Iterable[str]) -> list[Row]:
    """The lines for these kinds, in their order.

    Arguments:
        new: the kinds of which people mostly want something new in each round.
    """
    return [
        replace(row, repeats=kind.name not in new, is_main=_is_main(kind, row))
        for kind in kinds
        for row in _lines_of(kind)
    ]


def _lines_of(kind: OrderKind) -> Iterator[Row]:
    if kind.is_once and kind.topics:
        yield from (_line(kind, str(place.value), place) for place in kind.topics)
        if kind.everywhere:
            yield replace(_line(replace(kind, topics=[]), f"{kind.name}-1"), topics=kind.everywhere)
    else:
        yield from (_line(kind, f"{kind.name}-{number}") for number in range(1, kind.lines + 1))
    if kind.is_steady and kind.lines:
        go_on = [Option("yes", Text("orders.go-on"))]
        blank = Choice(steady(kind.name), Text("orders.field-then"), go_on)
        yield Row(f"{kind.name}-all", kind.name, kind.label, [blank], label=Text("orders.if-shown"))


def _is_main(kind: OrderKind, row: Row) -> bool:
    """Where one line speaks for several places, those for each of them are for whoever wants more."""
    return kind.is_main and not _is_about_all(kind, row) and bool(row.topics or not kind.everywhere)


def _is_about_all(kind: OrderKind, row: Row) -> bool:
    return any(blank.name == steady(kind.name) for blank in row.blanks)


def steady(kind: str) -> str:
    """The name of the blank that says of all lines of a kind whether they answer after a play that touches them."""
    return f"{kind}-all-even_so"


def _line(kind: OrderKind, name: str, place: Option | None = None) -> Row:
    """One line: the fields of the answer that it is about, or all short answers in one blank."""
    form = next((form for form in kind.answers if form.type == kind.line), None)
    where = [Choice(TOPIC, Text("orders.field-where"), kind.topics)] if kind.topics and place is None else []
    if form is None:
        listed = [one for other in kind.answers for one in _listed(kind, other)]
        asking: tuple[Option, JsonObject] = (Option(ASK, Text("orders.ask")), {})
        blanks, means = [Choice(ANSWER, Text("orders.field-answer"), [])], [asking, *listed]
    else:
        means = [one for other in kind.answers if not other.fields for one in _listed(kind, other)]
        blanks = [field for field in form.fields if isinstance(field, Choice) and field.unsaid is None]
        blanks += [Choice(ELSE, Text("orders.field-else"), [])] if means else []
    options = [option for option, _meant in means]
    return Row(
        name,
        kind.name,
        kind.label,
        [_named(name, blank, options) for blank in [*where, *blanks]],
        label=form.label if form and kind.lines < 2 else None,  # blanks of many lines say enough below their group
        place=place.label if place else None,
        topic=str(place.value) if place else "",
        answer=_unsaid(form) if form else {},
        means={str(option.value): meant for option, meant in means},
        stays=kind.lasts,
    )


def _named(line: str, blank: Choice, options: list[Option]) -> Choice:
    return Choice(f"{line}-{blank.name}", blank.label, blank.options or options)


def _unsaid(form: ActionForm) -> JsonObject:
    """The answer with what is meant where nothing is said of a field."""
    fields = [field for field in form.fields if isinstance(field, Choice) and field.unsaid is not None]
    return {"type": form.type, **{field.name: field.unsaid for field in fields}}


def _listed(kind: OrderKind, form: ActionForm) -> list[tuple[Option, JsonObject]]:
    """Every way to give that answer, if they are few."""
    question = Question(Decision("", 0, kind.name), kind.label, [form], kind.label)
    answers = [dict(answer) for answer in islice(every_answer(question), MOST_LISTED + 1)]
    if len(answers) > MOST_LISTED:
        return []
    said = [Text(SAID, {"said": answer_texts(question, answer)}) for answer in answers]
    return [(Option(" ".join(map(str, one.values())), text), one) for one, text in zip(answers, said, strict=True)]
