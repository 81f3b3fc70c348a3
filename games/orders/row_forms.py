"""Orders as sentences with blanks: the rows of a sheet or a plan, as the page shows them and as they come back.

A row may stay empty. Its blanks are filled with what was typed, or else with the orders its player has given.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
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

MARKS = ",;:."
_BLANK = "row."


@dataclass(frozen=True)
class BlankItem:
    """A blank: a select whose first option leaves it empty.

    Arguments:
        options: (value, label, is chosen).
        mark: the comma or the like that stands right behind it.
        is_addition: it may stay empty in a line that is begun, and none of the others may.
    """

    name: str
    label: str
    options: list[tuple[str, str, bool]]
    mark: str = ""
    is_addition: bool = False


@dataclass(frozen=True)
class RowItem:
    """A sentence in pieces: words, and blanks where they stand in it.

    Arguments:
        forecast: what it would do now.
        is_further: the row before it says the same sort of thing; this one is for more of it.
    """

    pieces: list[str | BlankItem]
    hint: str
    is_filled: bool
    forecast: str = ""
    does: str = ""
    is_further: bool = False


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
    before: Row | None = None
    for row in rows:
        label = say(row.group) if row.group else ""
        item = _row(row, values, say, forecasts.get(row.name))
        is_further = before is not None and _sort(before) == _sort(row)
        groups.setdefault(label, RowGroup(label, [])).rows.append(replace(item, is_further=is_further))
        before = row
    return list(groups.values())


def _sort(row: Row) -> Any:
    """What a row says, whatever is filled in."""
    marks = [order_rows.mark(blank.name) for blank in row.blanks]
    fixed = {name: value for name, value in row.sentence.params.items() if value not in marks}
    return row.group, row.sentence.code, fixed


def _row(row: Row, values: Mapping[str, str | int], say: Say, forecast: tuple[str, str] | None) -> RowItem:
    does, told = forecast or ("", "")
    is_filled = any(blank.name in values for blank in row.blanks)
    pieces = _punctuated(_pieces(row, values, say))
    return RowItem(pieces, say(row.hint) if row.hint else "", is_filled, told, does)


def _punctuated(pieces: Iterable[str | BlankItem]) -> list[str | BlankItem]:
    """With the marks that follow a blank kept right behind it, wherever the line is broken."""
    found: list[str | BlankItem] = []
    for piece in pieces:
        last = found[-1] if found else None
        if isinstance(piece, str) and isinstance(last, BlankItem) and piece[0] in MARKS:
            found[-1] = replace(last, mark=piece[0])
            found += [rest] if (rest := piece[1:].strip()) else []
        else:
            found.append(piece)
    return found


def _pieces(row: Row, values: Mapping[str, str | int], say: Say) -> Iterable[str | BlankItem]:
    """The sentence cut at its blanks."""
    rest = say(row.sentence)
    blanks = {order_rows.mark(blank.name): blank for blank in row.blanks}
    while marks := [mark for mark in blanks if mark in rest]:
        first = min(marks, key=rest.index)
        words, _mark, rest = rest.partition(first)
        if words.strip():
            yield words.strip()
        is_addition = blanks[first].name in row.optional and len(row.optional) < len(row.blanks)
        yield _blank(blanks[first], values, say, is_addition=is_addition)
    if rest.strip():
        yield rest.strip()


def _blank(blank: Choice, values: Mapping[str, str | int], say: Say, *, is_addition: bool) -> BlankItem:
    chosen = values.get(blank.name)
    options = [(str(option.value), say(option.label), option.value == chosen) for option in blank.options]
    return BlankItem(_BLANK + blank.name, say(blank.label), options, is_addition=is_addition)


def are_filled(posted: Posted) -> bool:
    """Whether something was filled in in a row."""
    return any(name.startswith(_BLANK) and value for name, value in posted.items())


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
