"""The rows of an answer with which orders go, on a page: what stands in them, and what they would do now."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from engine.core import Answer, IllegalAction, Question, Row
from engine.orders import rows as order_rows
from engine.orders.actions import GATHERINGS, ORDERS
from engine.orders.firing import is_legal
from engine.orders.model import Order, Sheet
from engine.orders.rows import Values
from games.models import Game
from games.orders import row_forms as forms
from games.orders.order_forms import forecast_words, say_for
from games.play import queries
from games.play.queries import Access
from games.web.play.answer_forms import decode

LOOK = "look"
"""The button that sends the form only to look at it again."""

NOW, AGAIN = "now", "again"
"""What it looks at: what the rows would do now; what was given with the last sheet."""


def rows_of(question: Question) -> Sequence[Row]:
    """The rows with which this question may be answered; none for most."""
    return next((form.rows for form in question.actions if form.takes_orders), [])


def are_meant(access: Access, posted: Mapping[str, str]) -> bool:
    """Whether the rows that were posted may say something: they are filled in, or empty where there were orders."""
    if not posted.get(forms.ROWS) or access.game.status != Game.Status.RUNNING:
        return False
    return forms.are_filled(posted) or bool(queries.orders_of(access).orders)


def orders_for(access: Access, question: Question) -> list[Order]:
    """The orders of this seat, if they may go with an answer to the question."""
    return list(queries.orders_of(access).orders) if rows_of(question) else []


def rows_item(access: Access, view: Any, question: Question, typed: Mapping[str, str] | None) -> forms.RowsItem | None:
    """The rows with what was typed in them, or else with the orders of this seat."""
    rows = rows_of(question)
    if not rows:
        return None
    sheet, typed = queries.orders_of(access), typed or {}
    is_new = question.decision.prompted and question.decision.kind in GATHERINGS
    values = _values(rows, sheet, typed, is_new=is_new)
    told = _forecasts(access, view, rows, values, sheet, _giving(access, question, typed))
    groups = forms.row_groups(rows, values, say_for(access.game), told)
    is_beside = question.decision.kind not in GATHERINGS
    return forms.RowsItem(groups, can_repeat=bool(sheet.given), is_beside=is_beside, is_open=bool(typed.get(LOOK)))


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
    if typed.get(forms.ROWS):
        return forms.posted_values(rows, typed)
    given = order_rows.read(rows, sheet.orders)[0]
    return _as_before(rows, given, sheet) | given if is_new else given


def _as_before(rows: Sequence[Row], given: Values, sheet: Sheet) -> Values:
    """The wishes of the last plan, where no order speaks now: for whoever has not answered yet."""
    free = [row for row in rows if row.repeats and not any(blank.name in given for blank in row.blanks)]
    return order_rows.read(free, sheet.planned)[0]


def _forecasts(
    access: Access, view: Any, rows: Sequence[Row], values: Values, sheet: Sheet, giving: Answer | None
) -> dict[str, tuple[str, str]]:
    """What each row would do now; nothing as long as one is filled in only half, which is refused when it is sent."""
    try:
        made = order_rows.by_row(rows, values)
    except IllegalAction:
        return {}
    if not made:  # nothing is filled in, as on most pages; all facts there are would be made for nothing
        return {}
    trial = Sheet(orders=[replace(order, id=name) for name, order in made.items()], plays=sheet.plays)
    forecasts = access.game.rules.dry_run(view, trial, giving)
    say, facts = say_for(access.game), access.game.rules.order_facts(view)
    return {found.order: (found.does, forecast_words(found, facts, say)) for found in forecasts}
