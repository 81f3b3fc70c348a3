"""Answers that every game with orders has: long passes, sheets and plans, and answers that bring orders along."""

from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace

from engine.core import ActionForm, Choice, Decision, Field, IllegalAction, JsonObject, Option, Question, Seat, Text
from engine.orders import checking
from engine.orders.model import (
    ALL,
    ASK,
    NEVER,
    QUIET,
    AnyVocabulary,
    Gathering,
    Order,
    OrderedState,
    SeatView,
    Sheet,
    open_sheets,
    sheet_of,
)
from engine.orders.running import is_suspended

PASS_UNTIL_SHOWN, PASS_UNTIL, PASS_ROUND = "pass_until_shown", "pass_until", "pass_round"
SHEET, PLAN, PLAN_NOTHING = "sheet", "plan", "plan_nothing"
SHEET_NOTHING = "sheet_nothing"
"""Leaves a whole round to the defaults. No question offers it: nobody gives it unless he says so in so many words."""
GATHERED = frozenset({SHEET, SHEET_NOTHING, PLAN, PLAN_NOTHING})
LONG_PASSES = frozenset({PASS_UNTIL_SHOWN, PASS_UNTIL, PASS_ROUND})
TYPES = LONG_PASSES | GATHERED
GATHERINGS = frozenset({SHEET, PLAN})
"""The kinds of decision that are ours: a sheet as a round begins, a plan before its tally."""

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
        orders = {} if self.orders is None else {ORDERS: msgspec.to_builtins(self.orders)}
        return {"type": self.type, **self.values, **orders}


class ActionWithOrders(msgspec.Struct, frozen=True):
    """An action of the game, and all orders of the seat from now on."""

    action: object
    orders: list[Order]


def parse_common(raw: JsonObject) -> CommonAction:
    """The action of an answer whose type is one of `TYPES`. Raises IllegalAction for values that are no words."""
    values = {str(name): value for name, value in raw.items() if name not in ("type", ORDERS)}
    if not all(isinstance(value, str) for value in values.values()):
        raise IllegalAction("orders.malformed", detail=str(raw.get("type")))
    return CommonAction(str(raw["type"]), values, parse_orders(raw) if ORDERS in raw else None)


def parse_orders(raw: JsonObject) -> list[Order]:
    """The orders that come with an answer. Raises IllegalAction, with the path."""
    return checking.parse({ORDERS: raw[ORDERS]}).orders


def give_orders(vocabulary: AnyVocabulary, state: OrderedState, seat: Seat, orders: Sequence[Order]) -> Sheet:
    """Gives a seat these orders, in place; the plays that were shown before suspend them no more."""
    period = vocabulary.period(state)
    sheet = open_sheets(state, period)[seat]
    sheet.orders = checking.numbered(sheet, orders)
    sheet.period = period
    sheet.forget_plays()
    return sheet


def taking_orders(vocabulary: AnyVocabulary, question: Question) -> Question:
    """The question, which says of its answers whether orders may go with them."""
    taking = vocabulary.brings.get(question.decision.kind)
    if taking is None:
        return question
    forms = [replace(form, takes_orders=True) if form.type == taking else form for form in question.actions]
    return replace(question, actions=forms)


# Passing for longer than once


def with_long_passes(vocabulary: AnyVocabulary, shown: OrderedState | SeatView, question: Question) -> Question:
    """The question, and if one can pass in it the ways to pass for longer. `shown` is the view or the state."""
    if question.decision.kind not in vocabulary.quiet or not question.actions:
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


# Sheets and plans: everybody answers at once before a phase boundary is crossed, and may give his orders with it


def gathering_decisions(vocabulary: AnyVocabulary, state: OrderedState, gathering: Gathering) -> list[Decision]:
    """One decision for each seat that is asked; prompted for those that have not answered."""
    return [
        Decision(
            gathering.id,
            seat,
            gathering.kind,
            sealed=True,
            prompted=not is_ready(vocabulary, sheet_of(state, seat), gathering),
        )
        for seat in gathering.seats
    ]


def gathering_question(gathering: Gathering, decision: Decision) -> Question:
    """The orders, if they are to come with the answer, and what to do where none of them speaks."""
    fields: list[Field] = []
    if gathering.has_windows:
        windows = [
            Option(QUIET, Text("orders.windows-quiet")),
            Option(NEVER, Text("orders.windows-never")),
            Option(ASK, Text("orders.windows-ask")),
        ]
        fields.append(Choice("windows", Text("orders.field-windows"), windows, unsaid=QUIET))
    if gathering.kind == SHEET:
        tally = [Option(LATER, Text("orders.tally-later")), Option(SAME, Text("orders.tally-same"))]
        fields.append(Choice("tally", Text("orders.field-tally"), tally, unsaid=LATER))
        forms = [ActionForm(SHEET, Text("orders.do-sheet"), fields, gathering.hint, takes_orders=True)]
    else:
        forms = [
            ActionForm(PLAN, Text("orders.do-plan"), fields, gathering.hint, takes_orders=True),
            ActionForm(PLAN_NOTHING, Text("orders.do-plan-nothing")),
        ]
    hint = f"orders.hint-{gathering.kind}{'' if decision.prompted else '-given'}"
    return Question(decision, gathering.title, forms, Text(f"orders.default-{gathering.kind}"), Text(hint))


def silence(gathering: Gathering) -> CommonAction:
    """The deadline's answer: an empty sheet, by which placing is asked as the round goes on; an empty tally."""
    if gathering.kind == PLAN:
        return CommonAction(PLAN_NOTHING)
    return CommonAction(SHEET, {**({"windows": QUIET} if gathering.has_windows else {}), "tally": LATER})


def bot_answer(question: Question) -> CommonAction:
    """A bot's answer. It is never late, so it writes nothing in advance, and is asked wherever it may act."""
    wanted = {"windows": ASK, "tally": LATER}
    form = question.actions[0]
    return CommonAction(form.type, {field.name: wanted[field.name] for field in form.fields})


def record_gathered(
    vocabulary: AnyVocabulary,
    state: OrderedState,
    gathering: Gathering,
    seat: Seat,
    action: CommonAction,
    *,
    has_looked: bool = True,
) -> None:
    """Keeps an answer to a sheet or a plan, sealed, in place, until everybody has given his.

    Arguments:
        has_looked: the seat's player answers himself, so he has seen what was shown until now.
    """
    period = vocabulary.period(state)
    sheet = open_sheets(state, period)[seat]
    sheet.ready, sheet.period = gathering.id, period
    if has_looked:
        sheet.forget_plays()
    windows = action.values.get("windows", QUIET)
    is_nothing = action.type in (PLAN_NOTHING, SHEET_NOTHING)
    sheet.quiet = ALL if is_nothing else "" if windows == ASK else windows
    if gathering.kind == SHEET:
        sheet.ahead = gathering.next if is_nothing or action.values["tally"] == SAME else ""
    if action.orders is not None:
        give_orders(vocabulary, state, seat, action.orders)
        orders = [replace(order, id="") for order in sheet.orders]
        if action.type == SHEET:
            sheet.given = orders
        if action.type == PLAN or sheet.ahead:
            sheet.planned = orders


def is_ready(vocabulary: AnyVocabulary, sheet: Sheet, gathering: Gathering) -> bool:
    """Has the seat answered, now or before? An earlier answer counts until a play touches it.

    A plan that is asked again answers the window it is asked in as well, which any play in it touches.
    """
    if sheet.ready == gathering.id:
        return True
    if not gathering.is_again and sheet.ahead != gathering.id:
        return False
    if not sheet.plays or sheet.quiet in (NEVER, ALL):
        return True
    if not vocabulary.weighs:
        return False
    if gathering.is_again:
        return not sheet.touched and not any(order.any_play for order in sheet.orders)
    return not any(is_suspended(vocabulary, order, order.topic, sheet) for order in sheet.orders)
