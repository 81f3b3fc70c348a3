"""Orders as sentences with blanks: rows that are filled in become orders, and orders are read back into their rows.

A row is an order in plain data in which "[name]" stands for what is chosen in the blank of that name. Whatever holds
an empty blank falls away: a member of the order, or one element of its lists.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from engine.core import Choice, IllegalAction, JsonObject, Row
from engine.orders.actions import passing_last
from engine.orders.model import Order

Values: TypeAlias = dict[str, str | int]
"""What is chosen, by the name of the blank; nothing for a blank that is empty."""

Bound: TypeAlias = dict[str, str | int | None]
"""What a blank must be for an order to have been made of its row; None for empty."""


def mark(name: str) -> str:
    """What stands for a blank, in the sentence and in the order."""
    return f"[{name}]"


def fill(rows: Sequence[Row], values: Mapping[str, str | int]) -> list[Order]:
    """The orders of the rows that are filled in, in their order.

    Raises IllegalAction if a row is filled in only half, or with what its blanks do not offer.
    """
    return list(by_row(rows, values).values())


def by_row(rows: Sequence[Row], values: Mapping[str, str | int]) -> dict[str, Order]:
    """The orders of the rows that are filled in, by the name of the row. Raises IllegalAction as `fill` does."""
    page = _Page(rows)
    for row in rows:
        for blank in row.blanks:
            _check_value(blank, values)
    made = {row.name: page.order(row, values) for row in rows}
    return {name: order for name, order in made.items() if order is not None}


def change(rows: Sequence[Row], values: Mapping[str, str | int], orders: Sequence[Order]) -> list[Order]:
    """All orders of a seat once its rows hold these values: what no row can say stays, and goes first, but for what
    goes on passing.

    Arguments:
        orders: those it has. One that a row makes again keeps its id; if nothing was changed they stay in their order.
    """
    known, left = read(rows, orders)
    if values == known:
        return list(orders)
    free = [order for order in orders if order not in left]
    made = []
    for order in fill(rows, values):
        same = next((one for one in free if replace(one, id="") == order), order)
        free = [one for one in free if one is not same]
        made.append(same)
    return passing_last([*left, *made])


def read(rows: Sequence[Row], orders: Sequence[Order]) -> tuple[Values, list[Order]]:
    """What the rows hold if these are the orders, and the orders that no row can say."""
    page = _Page(rows)
    free = [row for row in rows if row.order]
    bound: Bound = {}
    left = []
    for order in orders:
        data = msgspec.to_builtins(replace(order, id=""))
        for row in free:
            found = next(page.match(row, row.order, data, bound), None)
            if found is not None:
                bound = found
                free.remove(row)
                break
        else:
            left.append(order)
    return {name: value for name, value in bound.items() if value is not None}, left


def _check_value(blank: Choice, values: Mapping[str, str | int]) -> None:
    value = values.get(blank.name)
    if value is not None and not any(value == option.value for option in blank.options):
        raise IllegalAction("orders.no-choice", blank=_text(blank), value=str(value)[:80])


def _text(blank: Choice) -> JsonObject:
    return {"text": msgspec.to_builtins(blank.label)}


class _Empty(Exception):
    """What holds an empty blank falls away."""


class _Page:
    """The rows of one form: blanks by name, and what their values mean."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.blanks = {mark(blank.name): blank for row in rows for blank in row.blanks}
        self.means = {name: means for row in rows for name, means in row.means.items()}
        self.own = {row.name: {blank.name for blank in row.blanks} for row in rows}

    # From rows to orders

    def order(self, row: Row, values: Mapping[str, str | int]) -> Order | None:
        """The order of one row; None if it is empty, or only lends its blanks to others."""
        filled = [blank for blank in row.blanks if blank.name in values]
        if not filled:
            return None
        for blank in row.blanks:
            if blank.name not in values and blank.name not in row.optional:
                raise IllegalAction("orders.half-a-row", blank=_text(blank))
        if not row.order:
            return None
        used: set[str] = set()
        data = self._put(row.order, values, used)
        unused = next((blank for blank in filled if blank.name not in used), None)
        if unused is not None:  # what it belongs to is empty
            missing = next(blank for blank in row.blanks if blank.name not in values)
            raise IllegalAction("orders.half-a-row", blank=_text(missing))
        return msgspec.convert(data, Order)

    def _put(self, part: object, values: Mapping[str, str | int], used: set[str]) -> object:
        """The part with every blank filled. Raises _Empty if one of them is empty."""
        if isinstance(part, dict):
            return self._put_members(part, values, used)
        if isinstance(part, list):
            return [one for element in part for one in self._put_element(element, values, used)]
        blank = self._blank(part)
        if blank is None:
            return part
        if blank.name not in values:
            if "" in self.means.get(blank.name, {}):
                return self.means[blank.name][""]
            raise _Empty
        used.add(blank.name)
        return self._meaning(blank, values[blank.name])

    def _put_members(self, part: JsonObject, values: Mapping[str, str | int], used: set[str]) -> JsonObject:
        is_order = "kind" in part and "answers" in part
        made = {}
        for name, value in part.items():
            seen: set[str] = set()
            try:
                made[name] = self._put(value, values, seen)
            except _Empty:
                if not is_order:
                    raise
            else:
                used |= seen
        return made

    def _put_element(self, element: object, values: Mapping[str, str | int], used: set[str]) -> list[object]:
        seen: set[str] = set()
        try:
            made = self._put(element, values, seen)
        except _Empty:
            return []
        used |= seen
        return made if isinstance(made, list) else [made]

    def _blank(self, part: object) -> Choice | None:
        return self.blanks.get(part) if isinstance(part, str) else None

    def _meaning(self, blank: Choice, value: str | int) -> object:
        return self.means.get(blank.name, {}).get(value, value)

    # From orders to rows

    def match(self, row: Row, part: object, data: object, bound: Bound) -> Iterator[Bound]:
        """Every way in which the row can have made this data, given what is known of its blanks."""
        if isinstance(part, dict):
            if isinstance(data, dict):
                yield from self._match_members(row, list(part.items()), data, bound)
        elif isinstance(part, list):
            if isinstance(data, list):
                yield from self._match_list(row, part, data, bound)
        elif (blank := self._blank(part)) is not None:
            yield from self._match_blank(blank, data, bound)
        elif part == data:
            yield bound

    def _match_members(
        self, row: Row, members: list[tuple[str, object]], data: JsonObject, bound: Bound
    ) -> Iterator[Bound]:
        if not members:
            if not data:
                yield bound
            return
        (name, part), *rest = members
        others = {key: value for key, value in data.items() if key != name}
        if name in data:
            ways = self.match(row, part, data[name], bound)
        else:  # a list without elements, and a member whose blank is empty, are left out
            ways = self._match_list(row, part, [], bound) if isinstance(part, list) else self._empty(row, part, bound)
        for found in ways:
            yield from self._match_members(row, rest, others, found)

    def _match_list(self, row: Row, parts: list[object], data: list[object], bound: Bound) -> Iterator[Bound]:
        if not parts:
            if not data:
                yield bound
            return
        part, *rest = parts
        for length in range(len(data), 0, -1):
            taken = data[:length] if self._blank(part) is not None else data[0]
            if length > 1 and self._blank(part) is None:
                continue
            for found in self._match_element(row, part, taken, bound):
                yield from self._match_list(row, rest, data[length:], found)
        for found in self._empty(row, part, bound):
            yield from self._match_list(row, rest, data, found)

    def _match_element(self, row: Row, part: object, taken: object, bound: Bound) -> Iterator[Bound]:
        yield from self.match(row, part, taken, bound)
        if isinstance(taken, list) and len(taken) == 1 and self._blank(part) is not None:
            yield from self.match(row, part, taken[0], bound)

    def _match_blank(self, blank: Choice, data: object, bound: Bound) -> Iterator[Bound]:
        for option in blank.options:
            if self._meaning(blank, option.value) == data and bound.get(blank.name, option.value) == option.value:
                yield {**bound, blank.name: option.value}
        empty = self.means.get(blank.name, {})
        if "" in empty and empty[""] == data and bound.get(blank.name) is None:
            yield {**bound, blank.name: None}

    def _empty(self, row: Row, part: object, bound: Bound) -> Iterator[Bound]:
        """The part has fallen away because a blank in it is empty, one that may be."""
        inside = [blank.name for name, blank in self.blanks.items() if _holds(part, name)]
        may_be = [name for name in inside if name not in self.own[row.name] or name in row.optional]
        free = [name for name in may_be if bound.get(name) is None]
        mine = [name for name in free if name in self.own[row.name]]  # what is lent need not be empty for it
        if free:
            yield {**bound, **dict.fromkeys(mine or free)}


def _holds(part: object, name: str) -> bool:
    if isinstance(part, dict):
        return any(_holds(value, name) for value in part.values())
    if isinstance(part, list):
        return any(_holds(value, name) for value in part)
    return bool(part == name)
