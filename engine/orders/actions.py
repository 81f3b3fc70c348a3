"""Answers that every game has: passing for longer than once, sheets and plans, and answers that bring orders along."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from engine.core import ActionForm, Choice, IllegalAction, JsonObject, Option, Question, Rules, Seat, Text
from engine.orders import checking
from engine.orders.model import Order, OrderedState, SeatView, open_sheets, sheet_of
from engine.orders.vocabulary import AnyVocabulary
from engine.orders.words.lines import form_lines

InnerRules: TypeAlias = Rules[OrderedState, object, object, SeatView]
"""The rules of a game, around which orders go."""

PASS_UNTIL_SHOWN, PASS_UNTIL, PASS_ROUND = "pass_until_shown", "pass_until", "pass_round"
SHEET, PLAN, PLAN_NOTHING = "sheet", "plan", "plan_nothing"
SHEET_NOTHING = "sheet_nothing"
"""Leaves a whole round to the defaults. No question offers it: nobody gives it unless he says so in so many words."""
GATHERED = frozenset({SHEET, SHEET_NOTHING, PLAN, PLAN_NOTHING})
LONG_PASSES = frozenset({PASS_UNTIL_SHOWN, PASS_UNTIL, PASS_ROUND})
TYPES = LONG_PASSES | GATHERED
GATHERINGS = frozenset({SHEET, PLAN})
"""The kinds of decision that are ours: a sheet as a round begins, a plan before its tally."""

ASK, QUIET, NEVER, ALL = "ask", "quiet", "never", "all"
"""What a plan does where no order speaks: asks; passes until others show a play; passes even then; all by default."""

SAME, LATER = "same", "later"
"""Whether a sheet is the plan for the tally as well, or that is asked in its time."""

ORDERS = "orders"
"""The name under which orders come with an answer."""

PASSING_ORDER = "pass"
"""The id of the order that goes on passing: a seat has at most one."""


class CommonAction(msgspec.Struct, frozen=True):
    """An answer that is ours and not the game's.

    Arguments:
        values: what was chosen in its fields.
        orders: those that come with it, all of the seat's; None if they stay as they are.
    """

    type: str
    values: dict[str, str] = {}
    orders: list[Order] | None = None

    def answer(self) -> JsonObject:
        """The action in plain data."""
        given = {} if self.orders is None else {ORDERS: msgspec.to_builtins(self.orders)}
        return {"type": self.type, **self.values, **given}


def parse(raw: JsonObject) -> CommonAction:
    """The action of an answer whose type is one of `TYPES`. Raises IllegalAction for values that are no words."""
    values = {str(name): value for name, value in raw.items() if name not in ("type", ORDERS)}
    if not all(isinstance(value, str) for value in values.values()):
        raise IllegalAction("orders.malformed", detail=str(raw.get("type")))
    orders = checking.parse({ORDERS: raw[ORDERS]}).orders if ORDERS in raw else None
    return CommonAction(str(raw["type"]), values, orders)


# Passing for longer than once


def with_long_passes(vocabulary: AnyVocabulary, shown: OrderedState | SeatView, question: Question) -> Question:
    """The question, and if one can pass in it the ways to pass for longer. `shown` is the view or the state."""
    passing = vocabulary.quiet.get(question.decision.kind)
    if passing is None or not question.actions:
        return question
    ahead = vocabulary.ahead(shown, vocabulary.topic(shown, question.decision))
    return replace(question, actions=[*question.actions, *long_pass_forms(ahead)])


def long_pass_forms(ahead: list[Option]) -> list[ActionForm]:
    """The ways to pass for longer; `ahead` are the places until which one can."""
    forms = [
        ActionForm(PASS_UNTIL_SHOWN, Text("orders.do-pass-until-shown")),
        ActionForm(PASS_ROUND, Text("orders.do-pass-round")),
    ]
    if ahead:
        until = Choice("until", Text("orders.field-until"), ahead)
        forms.insert(1, ActionForm(PASS_UNTIL, Text("orders.do-pass-until"), [until]))
    return forms


def long_pass_order(vocabulary: AnyVocabulary, kind: str, action: CommonAction) -> Order:
    """The order that goes on passing."""
    conditions = [vocabulary.before(action.values["until"])] if action.type == PASS_UNTIL else []
    return Order(
        id=PASSING_ORDER,
        kind=kind,
        answers=[dict(vocabulary.quiet[kind])],
        conditions=conditions,
        stays=True,
        even_so=action.type != PASS_UNTIL_SHOWN,
        any_play=action.type == PASS_UNTIL_SHOWN and bool(vocabulary.weighs),
        until="round",
    )


def passing_last(orders: Iterable[Order]) -> list[Order]:
    """The orders, the one that goes on passing behind all others: else nothing that is ordered for a window after it
    would ever be reached."""
    return sorted(orders, key=lambda order: order.id == PASSING_ORDER)


# Answers that bring orders along


class ActionWithOrders(msgspec.Struct, frozen=True):
    """An action of the game, and all orders of the seat from now on."""

    action: object
    orders: list[Order]


def parse_with_orders(rules: InnerRules, raw: JsonObject) -> ActionWithOrders:
    """The action in what JSON gives. Raises IllegalAction, with the path."""
    orders = checking.parse({ORDERS: raw[ORDERS]}).orders
    return ActionWithOrders(rules.parse({name: value for name, value in raw.items() if name != ORDERS}), orders)


def answer_with_orders(rules: InnerRules, action: ActionWithOrders) -> JsonObject:
    """The action in plain data."""
    answer: JsonObject = msgspec.json.decode(rules.dump_action(action.action))
    return {**answer, ORDERS: msgspec.to_builtins(action.orders)}


def check_with_orders(
    rules: InnerRules, vocabulary: AnyVocabulary, state: OrderedState, seat: Seat, action: ActionWithOrders
) -> None:
    """Raises IllegalAction if the orders cannot be given; they are judged as if the answer had been given already."""
    view, answer = rules.view(state, seat), msgspec.json.decode(rules.dump_action(action.action))
    following = vocabulary.after(view, answer)
    checking.check(vocabulary, view if following is None else following, sheet_of(state, seat), action.orders)


def give_orders(vocabulary: AnyVocabulary, state: OrderedState, seat: Seat, orders: Sequence[Order]) -> None:
    """Gives the orders, in place."""
    period = vocabulary.period(state)
    sheet = open_sheets(state, period)[seat]
    sheet.orders = checking.numbered(sheet, orders)
    sheet.period = period
    sheet.forget_plays()  # given in view of all that was shown


def with_rows(vocabulary: AnyVocabulary, view: SeatView, question: Question) -> Question:
    """The question with the lines in which orders are written that may go with an answer to it."""
    marked = taking_orders(vocabulary, question)
    if not any(form.takes_orders for form in marked.actions):
        return question
    rows = form_lines(vocabulary.written(view, question.decision.kind), {*vocabulary.brings, *vocabulary.quiet})
    forms = [replace(form, rows=rows) if form.takes_orders else form for form in marked.actions]
    return replace(question, actions=forms)


def taking_orders(vocabulary: AnyVocabulary, question: Question) -> Question:
    """The question, which says of its answers whether orders may go with them."""
    taking = vocabulary.brings.get(question.decision.kind)
    if taking is None:
        return question
    forms = [replace(form, takes_orders=True) if form.type == taking else form for form in question.actions]
    return replace(question, actions=forms)
