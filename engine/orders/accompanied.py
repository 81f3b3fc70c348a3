"""An answer of the game's own that brings its seat's orders with it: what is asked and what follows in one move."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from engine.core import Question, Row, Seat
from engine.orders import checking
from engine.orders.gatherings import open_sheets, sheet_of
from engine.orders.model import Order
from engine.orders.own import ORDERS
from engine.orders.running import AnyInner, sheets_of
from engine.orders.vocabulary import Vocabulary


class Accompanied(msgspec.Struct, frozen=True):
    """An action of the game, and all orders of the seat from now on."""

    action: Any
    orders: list[Order]


def parse(rules: AnyInner, raw: Mapping[str, Any]) -> Accompanied:
    """The action in what JSON gives. Raises IllegalAction, with the path."""
    orders = checking.parse({ORDERS: raw[ORDERS]}).orders
    return Accompanied(rules.parse({name: value for name, value in raw.items() if name != ORDERS}), orders)


def entry(rules: AnyInner, action: Accompanied) -> dict[str, Any]:
    """The same in plain data."""
    answer: dict[str, Any] = msgspec.json.decode(rules.dump_action(action.action))
    return {**answer, ORDERS: msgspec.to_builtins(action.orders)}


def check(rules: AnyInner, vocabulary: Vocabulary[Any], state: Any, seat: Seat, action: Accompanied) -> None:
    """Raises IllegalAction if the orders cannot be given; they are judged as if the answer had been given already."""
    view, answer = rules.view(state, seat), msgspec.json.decode(rules.dump_action(action.action))
    following = vocabulary.after(view, answer)
    checking.check(vocabulary, view if following is None else following, sheet_of(state, seat), action.orders)


def bring(vocabulary: Vocabulary[Any], state: Any, seat: Seat, orders: Sequence[Order]) -> None:
    """Gives the orders, in place."""
    open_sheets(vocabulary, state)
    sheet = sheets_of(state)[seat]
    sheet.orders = checking.numbered(sheet, orders)
    sheet.period = vocabulary.period(state)


def with_rows(vocabulary: Vocabulary[Any], view: Any, question: Question) -> Question:
    """The question with the sentences by which orders are written that may go with an answer to it."""
    marked = taking_orders(vocabulary, question)
    if not any(form.takes_orders for form in marked.actions):
        return question
    rows: Sequence[Row] = vocabulary.rows(view, question.decision.kind)
    forms = [replace(form, rows=list(rows)) if form.takes_orders else form for form in marked.actions]
    return replace(question, actions=forms)


def taking_orders(vocabulary: Vocabulary[Any], question: Question) -> Question:
    """The question, which says of its answers whether orders may go with them."""
    taking = vocabulary.brings.get(question.decision.kind)
    if taking is None:
        return question
    forms = [replace(form, takes_orders=True) if form.type == taking else form for form in question.actions]
    return replace(question, actions=forms)
