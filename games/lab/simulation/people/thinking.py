"""How a simulated person comes to an answer: on his own, or from what the rules propose."""

from collections.abc import Mapping
from enum import Enum, auto
from random import Random
from typing import Any, NamedTuple

import msgspec

from engine.core import Question
from engine.orders.actions import GATHERINGS, ORDERS, SHEET
from engine.registry import AnyRules
from games.lab.simulation.people.habits import Habits
from games.lab.simulation.people.planner import Given, Planner
from games.lab.simulation.timeline import InvariantBroken
from games.models import Decision

CHANGED = 2  # tokens of a proposed sheet that somebody places elsewhere
Answer = dict[str, Any]


class SeenQuestion(NamedTuple):
    """What a person looks at: nothing but the view of the seat, and the question.

    Arguments:
        kept: the orders the seat has given before.
    """

    rules: AnyRules
    view: Any
    question: Question
    kept: list[Given]


def look_at(row: Decision) -> SeenQuestion:
    """The position in which a decision is asked. Raises InvariantBroken if the rules do not ask it."""
    rules, state, seat = row.game.rules, row.game.load_state(), row.seat.number
    view = rules.view(state, seat)
    question = next((found for found in rules.questions(view) if found.decision.id == row.code), None)
    if question is None:
        raise InvariantBroken(f"the service asks {row.code} of seat {seat}, the rules do not")
    return SeenQuestion(rules, view, question, msgspec.to_builtins(rules.orders(state, seat).orders))


class Reaction(Enum):
    """What somebody does with a proposal: take it as it is, change it, or answer on his own."""

    ACCEPT = auto()
    EDIT = auto()
    IGNORE = auto()


def react(habits: Habits, dice: Random) -> Reaction:
    """What a person of these habits does with one proposal."""
    drawn = dice.random()
    if drawn < habits.accepts:
        return Reaction.ACCEPT
    return Reaction.EDIT if drawn < habits.accepts + habits.edits else Reaction.IGNORE


class Thinker:
    """One person's mind.

    Arguments:
        mind: the bot that stands for it.
        dice: the person's.
    """

    def __init__(self, habits: Habits, mind: str, dice: Random) -> None:
        self._habits, self._mind, self._dice = habits, mind, dice
        self._planner = Planner(habits, mind, dice)

    def respond(self, position: SeenQuestion, proposed: Mapping[str, Any] | None) -> tuple[Answer | None, list[Given]]:
        """The person's answer, and the orders to give before it; None in place of an answer to accept the proposal."""
        reaction = react(self._habits, self._dice) if proposed else Reaction.IGNORE
        if reaction is Reaction.ACCEPT:
            return None, []
        if proposed and reaction is Reaction.EDIT:
            return self.edit(position, proposed), []
        answer, ordered = self.decide(position)
        if proposed and answer["type"] == SHEET and not answer.get(ORDERS):
            # Before an empty sheet is sent its player says what he means by it; the proposal stands beside that.
            return (None if self._dice.random() < self._habits.accepts else answer), []
        return answer, ordered

    def decide(self, position: SeenQuestion) -> tuple[Answer, list[Given]]:
        """An answer of the person's own, and the orders to give before it."""
        rules, view, question, kept = position
        if question.decision.kind in GATHERINGS:
            return self._planner.plan_sheet(rules, view, question), []
        is_ahead = question.decision.kind == "place" and self._dice.random() < self._habits.rest
        thought = self._planner.placements(rules, view, view.seat) if is_ahead else []
        if not thought:  # with nothing to place ahead only the question is answered
            return self._planner.prefer_lasting_pass(question, self._choose(position)), []
        first, *ordered = thought
        orders = [*(order for order in kept if order["kind"] != "place"), *ordered]
        answer: Answer = first["answers"][0]
        return ({**answer, "orders": orders}, []) if _takes_orders(question, answer) else (answer, orders)

    def _choose(self, position: SeenQuestion) -> Answer:
        rules, view, question, _kept = position
        if self._dice.random() < self._habits.whim:
            action = rules.sample(question, self._dice)
        else:
            action = rules.bots[self._mind].choose(view, question, self._dice)
        chosen: Answer = msgspec.json.decode(rules.dump_action(action))
        return chosen

    def edit(self, position: SeenQuestion, proposed: Mapping[str, Any]) -> Answer:
        """What is proposed, with a few tokens where the person wants them; where none is placed, an own answer."""
        orders = [dict(order) for order in proposed.get("orders", ())]
        placing = [order for order in orders if order["kind"] == "place"]
        if position.question.decision.kind not in GATHERINGS:
            own = self._choose(position)
            return {**proposed, "space": own.get("space", proposed["space"])} if placing else own
        placed = self._planner.placements(position.rules, position.view, position.view.seat) if placing else []
        spaces = {answer["token"]: answer["space"] for order in placed for answer in order["answers"]}
        for order in self._dice.sample(placing, min(CHANGED, len(placing))):
            first, *others = order["answers"]
            order["answers"] = [{**first, "space": spaces.get(first["token"], first["space"])}, *others]
        return {**proposed, "orders": orders}


def _takes_orders(question: Question, answer: Answer) -> bool:
    return next(form.takes_orders for form in question.actions if form.type == answer["type"])
