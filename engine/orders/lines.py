"""The lines of a form of orders: made of the kinds of decision that a game says can be answered in advance.

Lines that are filled in become orders, and orders are read back into their lines.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from engine.core import ActionForm, Choice, Decision, IllegalAction, JsonObject, Option, Question, Row, Text
from engine.core.answers import every_answer
from engine.orders.answers import passing_last, taking_orders
from engine.orders.model import AnyVocabulary, Order, OrderKind, SeatView
from engine.orders.sentences import ANSWER as SAID
from engine.orders.sentences import answer_texts

MOST_LISTED = 16
"""Ways to give one answer that are listed in a blank; one with more is written in words."""

ASK = "ask"
"""The value of a blank that stands for no answer: to be asked."""

TOPIC, ANSWER, ELSE = "topic", "answer", "else"
"""The blanks of a line that are no fields of its answer."""


def with_rows(vocabulary: AnyVocabulary, view: SeatView, question: Question) -> Question:
    """The question with the lines in which orders are written that may go with an answer to it."""
    marked = taking_orders(vocabulary, question)
    if not any(form.takes_orders for form in marked.actions):
        return question
    rows = form_lines(vocabulary.written(view, question.decision.kind), {*vocabulary.brings, *vocabulary.quiet})
    forms = [replace(form, rows=rows) if form.takes_orders else form for form in marked.actions]
    return replace(question, actions=forms)


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
    return (
        kind.is_main
        and not any(blank.name == steady(kind.name) for blank in row.blanks)
        and bool(row.topics or not kind.everywhere)
    )


def steady(kind: str) -> str:
    """The name of the blank that says of all lines of a kind whether they answer after a play that touches them."""
    return f"{kind}-all-even_so"


def _line(kind: OrderKind, name: str, place: Option | None = None) -> Row:
    """One line: the fields of the answer that it is about, or all short answers in one blank."""
    form = next((form for form in kind.answers if form.type == kind.line), None)
    where = [Choice(TOPIC, Text("orders.field-where"), kind.topics)] if kind.topics and place is None else []
    if form is None:
        listed = [listed_answer for other in kind.answers for listed_answer in _listed(kind, other)]
        asking: tuple[Option, JsonObject] = (Option(ASK, Text("orders.ask")), {})
        blanks, means = [Choice(ANSWER, Text("orders.field-answer"), [])], [asking, *listed]
    else:
        means = [listed_answer for other in kind.answers if not other.fields for listed_answer in _listed(kind, other)]
        blanks = [field for field in form.fields if isinstance(field, Choice) and field.unsaid is None]
        blanks += [Choice(ELSE, Text("orders.field-else"), [])] if means else []
    options = [option for option, _meant in means]
    return Row(
        name,
        kind.name,
        kind.label,
        [Choice(f"{name}-{blank.name}", blank.label, blank.options or options) for blank in [*where, *blanks]],
        label=form.label if form and kind.lines < 2 else None,  # blanks of many lines say enough below their group
        place=place.label if place else None,
        topic=str(place.value) if place else "",
        answer=_unsaid(form) if form else {},
        means={str(option.value): meant for option, meant in means},
        stays=kind.lasts,
    )


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
    return [
        (Option(" ".join(map(str, listed.values())), text), listed) for listed, text in zip(answers, said, strict=True)
    ]


IN = "@"
"""Between the name of a line and the place of one of its orders, where it makes several."""

Values: TypeAlias = dict[str, str | int]
"""The values that are chosen, by the name of the blank; nothing for a blank that is empty."""


def fill(rows: Sequence[Row], values: Mapping[str, str | int]) -> list[Order]:
    """The orders of the lines that are filled in, in their order.

    Raises IllegalAction if a line is filled in only half, or with what its blanks do not offer.
    """
    return list(by_row(rows, values).values())


def by_row(rows: Sequence[Row], values: Mapping[str, str | int]) -> dict[str, Order]:
    """The orders of the lines that are filled in, by the name of the line; where it makes several, with their places.

    Raises IllegalAction as `fill` does.
    """
    names = {blank.name for row in rows for blank in row.blanks}
    if not names.issuperset(values):
        raise IllegalAction("orders.changed")
    by_name: dict[str, Order] = {}
    for row in rows:
        order = _order(row, values)
        if order is None:
            continue
        if not row.topics:
            by_name[row.name] = order
            continue
        own = {made_order.topic: name for name, made_order in by_name.items() if made_order.kind == row.kind}
        for topic in row.topics:  # in the order of the places, wherever their orders come from
            name = own.get(topic, f"{row.name}{IN}{topic}")
            by_name[name] = by_name.pop(name, replace(order, topic=topic))
    return by_name


def spread(kinds: Iterable[OrderKind], orders: Sequence[Order]) -> list[Order]:
    """The orders, those that name no place given for each of the places for which one line of a form speaks.

    But for places that another of them names. One that stays, or asks, answers everywhere as it is.
    """
    everywhere = {kind.name: kind.everywhere for kind in kinds if kind.everywhere}
    named = {(order.kind, order.topic) for order in orders}
    all_orders: list[Order] = []
    for order in orders:
        is_once = order.kind in everywhere and order.answers and not order.topic and not order.stays
        places = [topic for topic in everywhere[order.kind] if (order.kind, topic) not in named] if is_once else []
        all_orders += [replace(order, topic=topic) for topic in places] or [order]
    return all_orders


def change(
    rows: Sequence[Row],
    values: Mapping[str, str | int],
    orders: Sequence[Order],
    others: Sequence[Order] | None = None,
) -> list[Order]:
    """Returns all orders of a seat once its lines hold these values.

    Arguments:
        orders: those it has. One that is given again keeps its id; if nothing was changed they stay in their order.
        others: those that no line can say, which go first, but for what goes on passing; None if they stay.
    """
    values_now, left = read(rows, orders)
    others = left if others is None else others
    if values == values_now and others == left:
        return list(orders)
    free, changed = list(orders), []
    for order in [*others, *fill(rows, values)]:
        same = next((candidate for candidate in free if replace(candidate, id="") == replace(order, id="")), order)
        free = [candidate for candidate in free if candidate is not same]
        changed.append(same)
    return passing_last(changed)


def read(rows: Sequence[Row], orders: Sequence[Order]) -> tuple[Values, list[Order]]:
    """Returns what the lines hold if these are the orders, and the orders that no line can say."""
    free, left = [row for row in rows if not row.topics], []
    names = {blank.name for row in rows for blank in row.blanks}
    values: Values = {}
    is_steady: dict[str, bool] = {}  # by kind: what one line says of all
    for order in orders:
        alike = [row for row in free if is_steady.get(row.kind, order.even_so) == order.even_so]
        readings = ((row, _values_of(row, order)) for row in alike)
        match = next(((row, said) for row, said in readings if said and names.issuperset(said)), None)
        if match is None:
            left.append(order)
        else:
            free.remove(match[0])
            values |= match[1]
            is_steady[order.kind] = order.even_so
    for row in rows:
        values = _together(row, rows, values) if row.topics else values
    return values, left


def _together(row: Row, rows: Sequence[Row], values: Values) -> Values:
    """The values once this line says what most lines of its places say, if all of these say something."""
    single = [single_row for single_row in rows if single_row.kind == row.kind and single_row.topic in row.topics]
    said = [
        {_part(single_row, blank): values[blank.name] for blank in single_row.blanks if blank.name in values}
        for single_row in single
    ]
    if len(single) < len(row.topics) or not all(said):
        return values
    usual = max(said, key=said.count)
    if said.count(usual) == 1 < len(said):  # each says something else
        return values
    alike = {
        blank.name
        for single_row, parts in zip(single, said, strict=True)
        if parts == usual
        for blank in single_row.blanks
    }
    kept: Values = {name: value for name, value in values.items() if name not in alike}
    return kept | {f"{row.name}-{part}": value for part, value in usual.items()}


def _part(row: Row, blank: Choice) -> str:
    """Returns what the blank is in its line: a field of the answer, or `TOPIC`, `ANSWER` or `ELSE`."""
    return blank.name.removeprefix(f"{row.name}-")


def _order(row: Row, values: Mapping[str, str | int]) -> Order | None:
    """The order of one line; None if it is empty, or only says something of the others."""
    chosen = {_part(row, blank): values[blank.name] for blank in row.blanks if blank.name in values}
    if not chosen or steady(row.kind) in {blank.name for blank in row.blanks}:
        return None
    for blank in row.blanks:
        value = values.get(blank.name)
        if value is None and _part(row, blank) != ELSE and chosen.keys() != {ELSE}:
            raise IllegalAction("orders.half-a-row", blank=_text(blank))
        if value is not None and not any(value == option.value for option in blank.options):
            raise IllegalAction("orders.no-choice", blank=_text(blank), value=str(value)[:80])
    whole = [row.means[str(chosen[part])] for part in (ANSWER, ELSE) if part in chosen]
    fields = {part: value for part, value in chosen.items() if part not in (TOPIC, ANSWER, ELSE)}
    answers = [*([{**row.answer, **fields}] if fields else []), *filter(None, whole)]
    topic = row.topic or str(chosen.get(TOPIC, ""))
    is_steady = steady(row.kind) in values
    return Order(kind=row.kind, answers=answers, topic=topic, stays=row.stays, even_so=is_steady, until="round")


def _text(blank: Choice) -> JsonObject:
    return {"text": msgspec.to_builtins(blank.label)}


def _values_of(row: Row, order: Order) -> Values | None:
    """Returns what the line holds if this is its order; None if it cannot say that."""
    parts: Values = {TOPIC: order.topic}
    for entry in order.answers or [{}]:
        whole = next((value for value, entries in row.means.items() if entries == entry), None)
        parts |= entry if whole is None else {ELSE if row.answer else ANSWER: whole}
    names = {_part(row, blank): blank.name for blank in row.blanks}
    values: Values = {names[part]: value for part, value in parts.items() if part in names and value != ""}
    values |= {steady(row.kind): "yes"} if order.even_so else {}
    answers = [
        {**row.answer, **answer} if answer["type"] == row.answer.get("type") else answer for answer in order.answers
    ]
    try:
        return values if _order(row, values) == replace(order, id="", answers=answers) else None
    except IllegalAction:
        return None
