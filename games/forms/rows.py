"""Orders as sentences with blanks: the rows of a sheet or a plan, as the page shows them and as they come back.

A row may stay empty. Its blanks are filled with what was typed, or else with the orders its player has given.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgspec

from engine.core import Choice, Row, Text
from engine.orders import rows as order_rows
from engine.orders.model import Order
from engine.orders.rows import Values

Say: TypeAlias = Callable[[Text], str]
Posted: TypeAlias = Mapping[str, str]

ROWS = "rows"
"""Posted with every form that has rows: without it the orders stay as they are."""

_BLANK = "row."


@dataclass(frozen=True)
class BlankItem:
    """A blank: a select whose first option leaves it empty. `options` are (value, label, is chosen)."""

    name: str
    label: str
    options: list[tuple[str, str, bool]]


@dataclass(frozen=True)
class RowItem:
    """A sentence in pieces: words, and blanks where they stand in it. `forecast` says what it would do now."""

    pieces: list[str | BlankItem]
    hint: str
    is_filled: bool
    forecast: str = ""
    does: str = ""


@dataclass(frozen=True)
class RowGroup:
    """Rows under one name."""

    label: str
    rows: list[RowItem]

    @property
    def is_filled(self) -> bool:
        """True if one of its rows is."""
        return any(row.is_filled for row in self.rows)


@dataclass(frozen=True)
class RowsItem:
    """All rows of a way to answer.

    Arguments:
        can_repeat: there is a former sheet to be given again.
        is_beside: the answer is another one, and the orders only may go with it.
        is_open: they are shown at once.
    """

    groups: list[RowGroup]
    can_repeat: bool
    is_beside: bool = False
    is_open: bool = False

    @property
    def is_filled(self) -> bool:
        """True if one of the rows is."""
        return any(group.is_filled for group in self.groups)


def row_groups(
    rows: Sequence[Row], values: Mapping[str, str | int], say: Say, forecasts: Mapping[str, tuple[str, str]]
) -> list[RowGroup]:
    """The rows as they are shown.

    Arguments:
        forecasts: by row what it would do now, as a word and in words.
    """
    groups: dict[str, RowGroup] = {}
    for row in rows:
        label = say(row.group) if row.group else ""
        groups.setdefault(label, RowGroup(label, [])).rows.append(_row(row, values, say, forecasts.get(row.name)))
    return list(groups.values())


def _row(row: Row, values: Mapping[str, str | int], say: Say, forecast: tuple[str, str] | None) -> RowItem:
    does, told = forecast or ("", "")
    is_filled = any(blank.name in values for blank in row.blanks)
    return RowItem(list(_pieces(row, values, say)), say(row.hint) if row.hint else "", is_filled, told, does)


def _pieces(row: Row, values: Mapping[str, str | int], say: Say) -> Iterable[str | BlankItem]:
    """The sentence cut at its blanks."""
    rest = say(row.sentence)
    blanks = {order_rows.mark(blank.name): blank for blank in row.blanks}
    while marks := [mark for mark in blanks if mark in rest]:
        first = min(marks, key=rest.index)
        words, _mark, rest = rest.partition(first)
        if words.strip():
            yield words.strip()
        yield _blank(blanks[first], values, say)
    if rest.strip():
        yield rest.strip()


def _blank(blank: Choice, values: Mapping[str, str | int], say: Say) -> BlankItem:
    chosen = values.get(blank.name)
    options = [(str(option.value), say(option.label), option.value == chosen) for option in blank.options]
    return BlankItem(_BLANK + blank.name, say(blank.label), options)


def posted_values(rows: Sequence[Row], posted: Posted) -> Values:
    """What was posted; a value that is not offered as it is, for the rules to refuse in words."""
    values: Values = {}
    for row in rows:
        for blank in row.blanks:
            value = posted.get(_BLANK + blank.name, "")
            if value:
                known = {str(option.value): option.value for option in blank.options}
                values[blank.name] = known.get(value, value[:80])
    return values


def posted_orders(rows: Sequence[Row], posted: Posted, orders: Sequence[Order]) -> list[Any] | None:
    """All orders that come with the answer, as plain data; None if the form had no rows.

    Arguments:
        orders: those the seat has: what no row can say is kept.
    Raises IllegalAction for a row filled in only half.
    """
    if not posted.get(ROWS):
        return None
    made: list[Any] = msgspec.to_builtins(order_rows.change(rows, posted_values(rows, posted), orders))
    return made
