"""Lines of a form: those that are filled in become orders, and orders are read back into their lines."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from engine.core import Choice, IllegalAction, JsonObject, Row
from engine.orders.actions import passing_last
from engine.orders.model import Order
from engine.orders.words.lines import ANSWER, ELSE, TOPIC, steady

Values: TypeAlias = dict[str, str | int]
"""What is chosen, by the name of the blank; nothing for a blank that is empty."""


def fill(rows: Sequence[Row], values: Mapping[str, str | int]) -> list[Order]:
    """The orders of the lines that are filled in, in their order.

    Raises IllegalAction if a line is filled in only half, or with what its blanks do not offer.
    """
    return list(by_row(rows, values).values())


def by_row(rows: Sequence[Row], values: Mapping[str, str | int]) -> dict[str, Order]:
    """The orders of the lines that are filled in, by the name of the line. Raises IllegalAction as `fill` does."""
    known = {blank.name for row in rows for blank in row.blanks}
    if not known.issuperset(values):
        raise IllegalAction("orders.changed")
    made = {row.name: _order(row, values) for row in rows}
    return {name: order for name, order in made.items() if order is not None}


def change(
    rows: Sequence[Row],
    values: Mapping[str, str | int],
    orders: Sequence[Order],
    others: Sequence[Order] | None = None,
) -> list[Order]:
    """All orders of a seat once its lines hold these values.

    Arguments:
        orders: those it has. One that is given again keeps its id; if nothing was changed they stay in their order.
        others: those that no line can say, which go first, but for what goes on passing; None if they stay.
    """
    known, left = read(rows, orders)
    others = left if others is None else others
    if values == known and others == left:
        return list(orders)
    free, made = list(orders), []
    for order in [*others, *fill(rows, values)]:
        same = next((one for one in free if replace(one, id="") == replace(order, id="")), order)
        free = [one for one in free if one is not same]
        made.append(same)
    return passing_last(made)


def read(rows: Sequence[Row], orders: Sequence[Order]) -> tuple[Values, list[Order]]:
    """What the lines hold if these are the orders, and the orders that no line can say."""
    free, left = list(rows), []
    names = {blank.name for row in rows for blank in row.blanks}
    values: Values = {}
    is_steady: dict[str, bool] = {}  # by kind: what one line says of all
    for order in orders:
        alike = [row for row in free if is_steady.get(row.kind, order.even_so) == order.even_so]
        made = ((row, _values_of(row, order)) for row in alike)
        found = next(((row, said) for row, said in made if said and names.issuperset(said)), None)
        if found is None:
            left.append(order)
        else:
            free.remove(found[0])
            values |= found[1]
            is_steady[order.kind] = order.even_so
    return values, left


def _part(row: Row, blank: Choice) -> str:
    """What the blank is in its line: a field of the answer, or `TOPIC`, `ANSWER` or `ELSE`."""
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
    """What the line holds if this is its order; None if it cannot say that."""
    parts: Values = {TOPIC: order.topic}
    for entry in order.answers or [{}]:
        whole = next((value for value, meant in row.means.items() if meant == entry), None)
        parts |= entry if whole is None else {ELSE if row.answer else ANSWER: whole}
    names = {_part(row, blank): blank.name for blank in row.blanks}
    values: Values = {names[part]: value for part, value in parts.items() if part in names and value != ""}
    values |= {steady(row.kind): "yes"} if order.even_so else {}
    answers = [{**row.answer, **one} if one["type"] == row.answer.get("type") else one for one in order.answers]
    try:
        return values if _order(row, values) == replace(order, id="", answers=answers) else None
    except IllegalAction:
        return None
