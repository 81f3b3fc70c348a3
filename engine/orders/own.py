"""Answers that no game knows: passing for longer than once, and sheets and plans before a boundary is crossed."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from engine.core import ActionForm, Choice, Decision, Field, IllegalAction, Option, Question, Seat, Text
from engine.orders import checking
from engine.orders.model import Order
from engine.orders.vocabulary import Gathering, Vocabulary

PASS_UNTIL_SHOWN, PASS_UNTIL, PASS_ROUND = "pass_until_shown", "pass_until", "pass_round"
SHEET, PLAN, PLAN_NOTHING = "sheet", "plan", "plan_nothing"
GATHERED = frozenset({SHEET, PLAN, PLAN_NOTHING})
COMFORTS = frozenset({PASS_UNTIL_SHOWN, PASS_UNTIL, PASS_ROUND})
TYPES = COMFORTS | GATHERED
GATHERINGS = frozenset({SHEET, PLAN})
"""The kinds of decision that are ours: a sheet as a round begins, a plan before its tally."""

ASK, QUIET, NEVER, ALL = "ask", "quiet", "never", "all"
"""What a plan does where no order speaks: asks; passes until others show a play; passes even then; all by default."""

SAME, LATER = "same", "later"
"""Whether a sheet is the plan for the tally as well, or that is asked in its time."""

ORDERS = "orders"
"""The name under which orders come with an answer."""

COMFORT = "pass"
"""The id of the order that goes on passing: a seat has at most one."""


class OwnAction(msgspec.Struct, frozen=True):
    """An answer that is ours and not the game's.

    Arguments:
        values: what was chosen in its fields.
        orders: those that come with it, all of the seat's; None if they stay as they are.
    """

    type: str
    values: dict[str, str] = {}
    orders: list[Order] | None = None

    def entry(self) -> dict[str, Any]:
        """The same in plain data."""
        given = {} if self.orders is None else {ORDERS: msgspec.to_builtins(self.orders)}
        return {"type": self.type, **self.values, **given}


def parse(raw: Mapping[str, Any]) -> OwnAction:
    """The action of an answer whose type is one of `TYPES`. Raises IllegalAction for values that are no words."""
    values = {str(name): value for name, value in raw.items() if name not in ("type", ORDERS)}
    if not all(isinstance(value, str) for value in values.values()):
        raise IllegalAction("orders.malformed", detail=str(raw.get("type")))
    orders = checking.parse({ORDERS: raw[ORDERS]}).orders if ORDERS in raw else None
    return OwnAction(str(raw["type"]), values, orders)


# Passing for longer than once


def with_comfort(vocabulary: Vocabulary[Any], shown: Any, question: Question) -> Question:
    """The question, and if one can pass in it the ways to pass for longer. `shown` is the view or the state."""
    passing = vocabulary.quiet.get(question.decision.kind)
    if passing is None or not question.actions:
        return question
    ahead = vocabulary.ahead(shown, vocabulary.topic(shown, question.decision))
    return msgspec.structs.replace(question, actions=[*question.actions, *comfort_forms(ahead)])


def comfort_forms(ahead: list[Option]) -> list[ActionForm]:
    """The ways to pass for longer; `ahead` are the places until which one can."""
    forms = [
        ActionForm(PASS_UNTIL_SHOWN, Text("orders.do-pass-until-shown")),
        ActionForm(PASS_ROUND, Text("orders.do-pass-round")),
    ]
    if ahead:
        until = Choice("until", Text("orders.field-until"), ahead)
        forms.insert(1, ActionForm(PASS_UNTIL, Text("orders.do-pass-until"), [until]))
    return forms


def comfort_order(vocabulary: Vocabulary[Any], kind: str, action: OwnAction) -> Order:
    """The order that goes on passing."""
    conditions = [vocabulary.before(action.values["until"])] if action.type == PASS_UNTIL else []
    return Order(
        id=COMFORT,
        kind=kind,
        answers=[dict(vocabulary.quiet[kind])],
        conditions=conditions,
        stays=True,
        even_so=action.type != PASS_UNTIL_SHOWN,
        until="round",
    )


def passing_last(orders: Iterable[Order]) -> list[Order]:
    """The orders, the one that goes on passing behind all others: else nothing that is ordered for a window after it
    would ever be reached."""
    return sorted(orders, key=lambda order: order.id == COMFORT)


# Sheets and plans


def is_gathering(decision: Decision) -> bool:
    """Is it a sheet or a plan, of which the game itself knows nothing?"""
    return decision.kind in GATHERINGS


def gathering_decision(gathering: Gathering, seat: Seat, *, is_ready: bool) -> Decision:
    """What everybody is asked at once before the boundary is crossed."""
    return Decision(gathering.id, seat, gathering.kind, sealed=True, prompted=not is_ready)


def gathering_question(gathering: Gathering, decision: Decision) -> Question:
    """The orders, if they are to come with the answer, and what to do where none of them speaks."""
    kind = gathering.kind
    fields: list[Field] = [_windows()] if gathering.has_windows else []
    if kind == SHEET:
        forms = [ActionForm(SHEET, Text("orders.do-sheet"), [*fields, _tally()], gathering.hint, takes_orders=True)]
    else:
        forms = [
            ActionForm(PLAN, Text("orders.do-plan"), fields, gathering.hint, takes_orders=True),
            ActionForm(PLAN_NOTHING, Text("orders.do-plan-nothing")),
        ]
    hint, hint_given, default = _WORDS[kind]
    return Question(decision, gathering.title, forms, Text(default), Text(hint if decision.prompted else hint_given))


_WORDS = {
    SHEET: ("orders.hint-sheet", "orders.hint-sheet-given", "orders.default-sheet"),
    PLAN: ("orders.hint-plan", "orders.hint-plan-given", "orders.default-plan"),
}


def _windows() -> Choice:
    rest = [
        Option(QUIET, Text("orders.windows-quiet")),
        Option(NEVER, Text("orders.windows-never")),
        Option(ASK, Text("orders.windows-ask")),
    ]
    return Choice("windows", Text("orders.field-windows"), rest, unsaid=QUIET)


def _tally() -> Choice:
    options = [Option(LATER, Text("orders.tally-later")), Option(SAME, Text("orders.tally-same"))]
    return Choice("tally", Text("orders.field-tally"), options, unsaid=LATER)


def silence(gathering: Gathering) -> OwnAction:
    """What the deadline answers: an empty sheet, by which placing is asked as the round goes on; an empty tally."""
    if gathering.kind == PLAN:
        return OwnAction(PLAN_NOTHING)
    return OwnAction(SHEET, {**({"windows": QUIET} if gathering.has_windows else {}), "tally": LATER})


def bot_answer(question: Question) -> OwnAction:
    """What a bot answers. It is never late, so it writes nothing in advance, and is asked wherever it may act."""
    wanted = {"windows": ASK, "tally": LATER}
    form = question.actions[0]
    return OwnAction(form.type, {field.name: wanted[field.name] for field in form.fields})
