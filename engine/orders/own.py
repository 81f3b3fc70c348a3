"""Answers that no game knows: passing for longer than once, and the plan before a boundary is crossed."""

from collections.abc import Mapping
from typing import Any

import msgspec

from engine.core import ActionForm, Choice, Decision, IllegalAction, Option, Question, Seat, Text
from engine.orders.model import Order
from engine.orders.vocabulary import Gathering, Vocabulary

PASS_UNTIL_SHOWN, PASS_UNTIL, PASS_ROUND = "pass_until_shown", "pass_until", "pass_round"
PLAN, PLAN_NOTHING = "plan", "plan_nothing"
TYPES = frozenset({PASS_UNTIL_SHOWN, PASS_UNTIL, PASS_ROUND, PLAN, PLAN_NOTHING})

ASK, QUIET, NEVER, ALL = "ask", "quiet", "never", "all"
"""What a plan does where no order speaks: asks; passes until others show a play; passes even then; all by default."""

COMFORT = "pass"
"""The id of the order that goes on passing: a seat has at most one."""


class OwnAction(msgspec.Struct, frozen=True):
    """An answer that is ours and not the game's: its type, and what was chosen in its fields."""

    type: str
    values: dict[str, str] = {}

    def entry(self) -> dict[str, str]:
        """The same in plain data."""
        return {"type": self.type, **self.values}


def parse(raw: Mapping[str, Any]) -> OwnAction:
    """The action of an answer whose type is one of `TYPES`. Raises IllegalAction for values that are no words."""
    values = {str(name): value for name, value in raw.items() if name != "type"}
    if not all(isinstance(value, str) for value in values.values()):
        raise IllegalAction("orders.malformed", detail=str(raw.get("type")))
    return OwnAction(str(raw["type"]), values)


# Passing for longer than once


def with_comfort(vocabulary: Vocabulary[Any], view: Any, question: Question) -> Question:
    """The question with the ways to pass for longer, if it is one in which one can pass."""
    passing = vocabulary.quiet.get(question.decision.kind)
    if passing is None or not question.actions:
        return question
    ahead = vocabulary.ahead(view, vocabulary.topic(view, question.decision))
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


# The plan


def plan_decision(gathering: Gathering, seat: Seat, *, is_ready: bool) -> Decision:
    """What everybody is asked at once before the boundary is crossed."""
    return Decision(gathering.id, seat, "plan", sealed=True, prompted=not is_ready)


def plan_question(gathering: Gathering, decision: Decision) -> Question:
    """Whether the orders are ready, and what to do where none of them speaks."""
    rest = [
        Option(QUIET, Text("orders.windows-quiet")),
        Option(NEVER, Text("orders.windows-never")),
        Option(ASK, Text("orders.windows-ask")),
    ]
    forms = [
        ActionForm(
            PLAN, Text("orders.do-plan"), [Choice("windows", Text("orders.field-windows"), rest)], gathering.hint
        ),
        ActionForm(PLAN_NOTHING, Text("orders.do-plan-nothing")),
    ]
    hint = Text("orders.hint-plan" if decision.prompted else "orders.hint-planned")
    return Question(decision, gathering.title, forms, Text("orders.default-plan"), hint)
