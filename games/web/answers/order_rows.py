"""Orders that go with an answer, as sentences with blanks: as a page shows them, and as they come back.

A row may stay empty. Its blanks are filled with what was typed, or else with the orders its player has given.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from engine.core import Answer, Choice, IllegalAction, JsonObject, Question, Row
from engine.orders import rows as order_rows
from engine.orders.actions import GATHERED, GATHERINGS, ORDERS
from engine.orders.firing import is_legal
from engine.orders.model import Order, Sheet
from engine.orders.rows import Values
from games.models import Game
from games.orders.order_forms import forecast_words, say_for
from games.play import queries
from games.play.queries import Access
from games.web.answers.posted_answer import Decoded, decode
from games.web.answers.question_form import Posted, Say

ROWS = "rows"
"""Posted with every form that has rows: without it the orders stay as they are."""

MARKS = ",;:."
_BLANK = "row."

LOOK = "look"
"""The button that sends the form only to look at it again."""

NOW, AGAIN = "now", "again"
"""What it looks at: what the rows would do now; what was given with the last sheet."""


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


def rows_of(question: Question) -> Sequence[Row]:
    """The rows with which this question may be answered; none for most."""
    return next((form.rows for form in question.actions if form.takes_orders), [])


def are_meant(access: Access, posted: Mapping[str, str]) -> bool:
    """Whether the rows that were posted may say something: they are filled in, or empty where there were orders."""
    if not posted.get(ROWS) or access.game.status != Game.Status.RUNNING:
        return False
    return are_filled(posted) or bool(queries.orders_of(access).orders)


def orders_for(access: Access, question: Question) -> list[Order]:
    """The orders of this seat, if they may go with an answer to the question."""
    return list(queries.orders_of(access).orders) if rows_of(question) else []


def rows_item(access: Access, view: object, question: Question, typed: Mapping[str, str] | None) -> RowsItem | None:
    """The rows with what was typed in them, or else with the orders of this seat."""
    rows = rows_of(question)
    if not rows:
        return None
    sheet, typed = queries.orders_of(access), typed or {}
    is_new = question.decision.prompted and question.decision.kind in GATHERINGS
    values = _values(rows, sheet, typed, is_new=is_new)
    told = _forecasts(access, view, rows, values, sheet, _giving(access, question, typed))
    groups = row_groups(rows, values, say_for(access.game), told)
    is_beside = question.decision.kind not in GATHERINGS
    return RowsItem(groups, can_repeat=bool(sheet.given), is_beside=is_beside, is_open=bool(typed.get(LOOK)))


def _giving(access: Access, question: Question, typed: Mapping[str, str]) -> Answer | None:
    """The answer that was typed, if it is one beside which orders go: they come after it."""
    if question.decision.kind in GATHERINGS or not typed:
        return None
    given = decode(typed, question, say_for(access.game)).action
    answer = {name: value for name, value in (given or {}).items() if name != ORDERS}
    return answer if is_legal(question, answer) else None


def _values(rows: Sequence[Row], sheet: Sheet, typed: Mapping[str, str], *, is_new: bool) -> Values:
    if typed.get(LOOK) == AGAIN:
        return order_rows.read(rows, sheet.given)[0]
    if typed.get(ROWS):
        return posted_values(rows, typed)
    given = order_rows.read(rows, sheet.orders)[0]
    return _as_before(rows, given, sheet) | given if is_new else given


def _as_before(rows: Sequence[Row], given: Values, sheet: Sheet) -> Values:
    """The wishes of the last plan, where no order speaks now: for whoever has not answered yet."""
    free = [row for row in rows if row.repeats and not any(blank.name in given for blank in row.blanks)]
    return order_rows.read(free, sheet.planned)[0]


def _forecasts(
    access: Access, view: object, rows: Sequence[Row], values: Values, sheet: Sheet, giving: Answer | None
) -> dict[str, tuple[str, str]]:
    """What each row would do now, by its name; empty while one is filled in only half, which is refused when sent."""
    try:
        made = order_rows.by_row(rows, values)
    except IllegalAction:
        return {}
    if not made:  # nothing is filled in, as on most pages; all facts there are would be made for nothing
        return {}
    named = [msgspec.structs.replace(order, id=name) for name, order in made.items()]
    trial = Sheet(orders=named, plays=sheet.plays, touched=sheet.touched)
    forecasts = access.game.rules.dry_run(view, trial, giving)
    say, facts = say_for(access.game), access.game.rules.order_facts(view)
    return {found.order: (found.does, forecast_words(found, facts, say)) for found in forecasts}


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


def _sort(row: Row) -> object:
    """The sentence of a row without what is filled in, to compare rows by."""
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
    """The posted values of the blanks; a value that is not offered is kept, for the rules to refuse it in words."""
    values: Values = {}
    for row in rows:
        for blank in row.blanks:
            value = posted.get(_BLANK + blank.name, "")
            if value:
                known = {str(option.value): option.value for option in blank.options}
                values[blank.name] = known.get(value, value[:80])
    return values


def with_posted_orders(decoded: Decoded, posted: Posted, say: Say, orders: Sequence[Order]) -> Decoded:
    """The answer with the orders of its rows; what is missing in these is said too.

    Arguments:
        orders: those the seat has, which may be changed with the answer.
    """
    form = decoded.form
    if form is None or not form.takes_orders:
        return decoded
    try:
        given = _posted_orders(form.rows, posted, orders)
    except IllegalAction as error:
        return Decoded(form, None, [*decoded.messages, say(error.text)])
    is_same = form.type not in GATHERED and given == msgspec.to_builtins(list(orders))  # only what is asked is answered
    if decoded.action is None or given is None or is_same:
        return decoded
    return replace(decoded, action={**decoded.action, ORDERS: given})


def _posted_orders(rows: Sequence[Row], posted: Posted, orders: Sequence[Order]) -> list[JsonObject] | None:
    """All orders that come with the answer, as plain data; None if the form had no rows.

    Arguments:
        orders: those the seat has: what no row can say is kept.
    Raises IllegalAction for a row filled in only half.
    """
    if not posted.get(ROWS):
        return None
    made: list[JsonObject] = msgspec.to_builtins(order_rows.change(rows, posted_values(rows, posted), orders))
    return made
