"""Orders that go with an answer, as a page shows them and as they come back: lines with blanks, and others in words.

A line may stay empty. Its blanks are filled with what was typed, or else with the orders its player has given.
"""

import json
from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from engine.core import Answer, IllegalAction, JsonObject, Question, Row
from engine.orders import lines as order_rows
from engine.orders.answers import GATHERED, GATHERINGS, ORDERS
from engine.orders.lines import ELSE, Values
from engine.orders.model import Order, Sheet
from engine.orders.running import is_legal
from games.inbox import order_lines
from games.inbox.order_lines import LineRefused
from games.play import queries
from games.play.queries import Access
from games.play.standing_orders import OrderBook, empty_book, forecast_words, say_for, sentence
from games.tables.models import Game
from games.web.answers.posted_answer import Decoded, decode
from games.web.answers.question_form import WAY, Posted, Say
from games.web.answers.row_items import BlankItem, RowGroup, RowItem, RowsItem

ROWS = "rows"
"""Posted with every form that has lines: without it the orders stay as they are."""

WORDS = "words"
"""The field for orders in words, one a line."""

_BLANK = "row."

LOOK = "look"
"""The button that sends the form only to look at it again."""

NOW, AGAIN, PROPOSED = "now", "again", "proposal"
"""The orders that the sheet begins with: those given now, those of the last sheet, those proposed."""

MOST_WORDS = 8000  # letters of all orders in words


def rows_of(question: Question) -> Sequence[Row]:
    """The lines with which this question may be answered; none for most."""
    return next((form.rows for form in question.actions if form.takes_orders), [])


def are_meant(access: Access, posted: Mapping[str, str]) -> bool:
    """Whether the lines that were posted may say something: they are filled in, or empty where there were orders."""
    if not posted.get(ROWS) or access.game.status != Game.Status.RUNNING:
        return False
    return are_filled(posted) or bool(queries.orders_of(access).orders)


def open_questions(
    access: Access, view: object, typed: Mapping[str, str] | None, *, is_wanted: bool
) -> list[queries.OpenQuestion]:
    """Returns the questions of the viewer's seat, with lines for orders only where `rows_item` shows them.

    To find the lines that may go beside an answer is more work than all the rest of the question.

    Arguments:
        is_wanted: the address asks for the lines of a question.
    """
    if access.seat is None or access.game.status != Game.Status.RUNNING:
        return []
    has_lines = is_wanted or _is_in_use(access, typed) or _is_sealed(access)
    return queries.open_questions(access, view) if has_lines else queries.open_questions(access)


def _is_in_use(access: Access, typed: Mapping[str, str] | None) -> bool:
    """Whether there are orders, or lines that were posted."""
    return bool((typed or {}).get(ROWS)) or bool(queries.orders_of(access).orders)


def _is_sealed(access: Access) -> bool:
    """Whether something that the seat is asked is answered by all at once; then its lines are on the board."""
    return any(decision.sealed for decision in access.game.look_at_asked() if decision.seat == access.number)


def rows_item(
    access: Access,
    view: object,
    question: Question,
    typed: Mapping[str, str] | None,
    proposed: Mapping[str, str] | None = None,
    *,
    is_wanted: bool = False,
) -> RowsItem | None:
    """The lines with what was typed in them, or else with the orders of this seat.

    Lines beside another answer are a page by themselves, which few people fill in: they are left out until wanted.

    Arguments:
        proposed: the fields as the proposal fills them in: `fields_of`.
        is_wanted: the address asks for the lines.
    """
    rows, is_beside = rows_of(question), question.decision.kind not in GATHERINGS
    if not any(form.takes_orders for form in question.actions):
        return None
    if is_beside and not (question.decision.sealed or is_wanted or _is_in_use(access, typed)):
        return RowsItem([], "", [], can_repeat=False, is_beside=True, is_left_out=True)
    sheet, typed = queries.orders_of(access), typed or {}
    values, left = order_rows.read(rows, sheet.given if typed.get(LOOK) == AGAIN else sheet.orders)
    words = "\n".join(_sentences(access, view, left))
    if typed.get(ROWS) and typed.get(LOOK) != AGAIN:
        values, words = posted_values(typed), typed.get(WORDS, words)
    elif question.decision.prompted and question.decision.kind in GATHERINGS:
        values = _as_before(rows, values, sheet) | values
    by_line = _forecasts(access, view, question, typed, values, words)
    groups: dict[tuple[str, bool], RowGroup] = {}
    say, before = say_for(access.game), None
    for row in rows:
        group = groups.setdefault((row.kind, row.is_main), RowGroup(say(row.group), row.is_main))
        forecast = next((by_line[name] for name in by_line if name.partition(order_rows.IN)[0] == row.name), ("", ""))
        group.rows.append(_row(row, values, say, forecast, is_further=_sort(row) == before))
        before = _sort(row)
    return RowsItem(
        list(groups.values()),
        words,
        [by_line[name] for name in by_line if name.isdigit()],
        can_repeat=bool(sheet.given),
        is_beside=is_beside,
        is_on_board=question.decision.kind in GATHERINGS or question.decision.sealed,
        is_open=is_wanted or bool(typed.get(LOOK)),
        proposed=json.dumps(proposed) if proposed else "",
    )


def fields_of(access: Access, view: object, question: Question, answer: Answer) -> dict[str, str]:
    """The fields of the form, by their names, as an answer with its orders fills them in.

    Orders that its player gave for longer than a round stay beside those of the answer.
    """
    form = next(form for form in question.actions if form.type == answer["type"])
    lasting = [order for order in queries.orders_of(access).orders if order.until != "round"]
    orders = msgspec.convert(answer.get(ORDERS) or [], list[Order])
    values, left = order_rows.read(form.rows, [*orders, *lasting])
    chosen = {f"{form.type}-{field.name}": str(answer[field.name]) for field in form.fields if field.name in answer}
    filled = {f"{_BLANK}{name}": str(value) for name, value in values.items()}
    return {WAY: form.type, **chosen, **filled, WORDS: "\n".join(_sentences(access, view, left))}


def _sort(row: Row) -> object:
    return row.kind, row.topic, row.label


def _row(row: Row, values: Values, say: Say, forecast: tuple[str, str], *, is_further: bool) -> RowItem:
    blanks = {
        blank.name: BlankItem(
            _BLANK + blank.name,
            say(blank.label),
            [
                (str(option.value), say(option.label), option.value == values.get(blank.name))
                for option in blank.options
            ],
        )
        for blank in row.blanks
    }
    otherwise = blanks.pop(f"{row.name}-{ELSE}", None)
    is_filled = any(blank.name in values for blank in row.blanks)
    place, label = (say(text) if text else "" for text in (row.place, row.label))
    return RowItem(place, label, list(blanks.values()), otherwise, is_filled, forecast[1], forecast[0], is_further)


def _sentences(access: Access, view: object, orders: Sequence[Order]) -> dict[str, Order]:
    """Orders by their words."""
    assert access.seat is not None
    if not orders:
        return {}
    dates = dict(access.seat.order_dates.values_list("order", "ends_at"))
    book = empty_book(access.game, view)
    return {sentence(book, order, dates.get(order.id)): order for order in orders}


def _as_before(rows: Sequence[Row], values: Values, sheet: Sheet) -> Values:
    """The wishes of the last plan, where no order speaks now: for whoever has not answered yet."""
    said = [row for row in rows if any(blank.name in values for blank in row.blanks)]
    everywhere = {row.kind for row in said if row.topics}  # a line for one of the places would come before it
    free = [row for row in rows if row.repeats and row not in said and row.kind not in everywhere]
    return order_rows.read(free, sheet.planned)[0]


def _forecasts(
    access: Access, view: object, question: Question, typed: Posted, values: Values, words: str
) -> dict[str, tuple[str, str]]:
    """Returns what each line would do now, by its name, and each order in words, by its number.

    Empty while one is filled in only half, or is not understood, which is refused when sent.
    """
    rows, sheet = rows_of(question), queries.orders_of(access)
    try:
        others = _orders_in_words(access, view, words, order_rows.read(rows, sheet.orders)[1])
        by_name = {str(number): order for number, order in enumerate(others)} | order_rows.by_row(rows, values)
    except (IllegalAction, LineRefused):
        return {}
    if not by_name:  # nothing is filled in, as on most pages; all facts there are would be made for nothing
        return {}
    trial = replace(sheet, orders=[replace(order, id=name) for name, order in by_name.items()])
    forecasts = access.game.rules.dry_run(view, trial, _giving(access, question, typed))
    say, facts = say_for(access.game), access.game.rules.vocabulary.facts(view)
    return {entry.order: (entry.does, forecast_words(entry, facts, say)) for entry in forecasts}


def _giving(access: Access, question: Question, typed: Posted) -> Answer | None:
    """The answer that was typed, if it is one beside which orders go: they come after it."""
    if question.decision.kind in GATHERINGS or not typed:
        return None
    action = decode(typed, question, say_for(access.game)).action
    answer = {name: value for name, value in (action or {}).items() if name != ORDERS}
    return answer if is_legal(question, answer) else None


def _orders_in_words(access: Access, view: object, words: str, left: Sequence[Order]) -> list[Order]:
    """The orders of a text, one a line; those that the seat has already stay what they are. Raises LineRefused."""
    by_line = _sentences(access, view, left)
    book: OrderBook | None = None
    orders = list[Order]()
    for line in filter(None, map(str.strip, words[:MOST_WORDS].splitlines())):
        if line in by_line:
            orders.append(by_line[line])
        else:
            book = book or empty_book(access.game, view)
            orders += order_lines.brought(line, access, book)
    return orders


def are_filled(posted: Posted) -> bool:
    """Whether something was filled in in a line, or written."""
    return any((name.startswith(_BLANK) or name == WORDS) and value.strip() for name, value in posted.items())


def posted_values(posted: Posted) -> Values:
    """The posted values of the blanks, for the rules to refuse what is not offered in words."""
    filled = {name.removeprefix(_BLANK): value for name, value in posted.items() if name.startswith(_BLANK) and value}
    return {name: int(value) if value.isdecimal() and len(value) < 4 else value[:80] for name, value in filled.items()}


def with_posted_orders(access: Access, view: object, decoded: Decoded, posted: Posted) -> Decoded:
    """The answer with the orders of its lines; what is missing in these is said too."""
    form = decoded.form
    if form is None or not form.takes_orders:
        return decoded
    orders = list(queries.orders_of(access).orders)
    try:
        posted_orders = _posted_orders(access, view, form.rows, posted, orders)
    except IllegalAction as error:
        return Decoded(form, None, [*decoded.messages, say_for(access.game)(error.text)])
    except LineRefused as error:
        return Decoded(form, None, [*decoded.messages, *str(error).splitlines()])
    # Only what is asked is answered.
    is_same = form.type not in GATHERED and posted_orders == msgspec.to_builtins(orders)
    if decoded.action is None or posted_orders is None or is_same:
        return decoded
    return Decoded(form, {**decoded.action, ORDERS: posted_orders}, decoded.messages)


def _posted_orders(
    access: Access, view: object, rows: Sequence[Row], posted: Posted, orders: list[Order]
) -> list[JsonObject] | None:
    """Returns the orders that come with the answer, as plain data; None if the form had no lines.

    Raises IllegalAction for a line filled in only half, LineRefused for words that are not understood.
    """
    if not posted.get(ROWS):
        return None
    if view is None:  # nothing is meant by them, and there were none
        return []
    left = order_rows.read(rows, orders)[1]
    others = _orders_in_words(access, view, posted[WORDS], left) if WORDS in posted else None
    data: list[JsonObject] = msgspec.to_builtins(order_rows.change(rows, posted_values(posted), orders, others))
    return data
