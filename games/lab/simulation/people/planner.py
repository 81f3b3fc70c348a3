"""Plans orders as people would: where the tokens go, and what to do in the tally."""

from collections.abc import Mapping, Sequence
from random import Random

import msgspec

from engine.core import ActionForm, JsonObject, Question
from engine.orders.model import MOST_ANSWERS, MOST_ORDERS
from engine.registry import AnyRules
from games.lab.simulation.people.habits import Habits

MOST_STEPS = 200  # of a placing part that is played on in mind
Given = JsonObject  # an order
TALLY_ORDERS: Mapping[str, Sequence[Given]] = {
    "bribe": ({"type": "bribe_up_to", "limit": 8, "spare": "none"}, {"type": "stay_out"}),
    "buy": ({"type": "buy_up_to", "limit": 30, "spare": "none"}, {"type": "decline"}),
    "market": ({"type": "exchange_for", "kind": "gold"}, {"type": "keep"}),
    "camel": ({"type": "leave_camel"},),
    "ask": ({"type": "default"},),
}
"""Orders for the tally by kind of decision: the first that fits applies."""
KEY: Given = {
    "kind": "bribe",
    "answers": [{"type": "card", "card": "key"}, *TALLY_ORDERS["bribe"]],
    "conditions": [{"type": "guard", "is": "at_least", "value": 5}],
    "until": "round",
}
"""An order to play the Key where the guard costs 5 or more."""


class Planner:
    """Chooses the orders of one player from their habits.

    Arguments:
        mind: the bot that stands for how the player thinks.
        dice: the person's.
    """

    def __init__(self, habits: Habits, mind: str, dice: Random) -> None:
        self._habits, self._mind, self._dice = habits, mind, dice

    def _draws(self, share: float) -> bool:
        return self._dice.random() < share

    def plan_sheet(self, rules: AnyRules, view: object, question: Question) -> JsonObject:
        """The answer to a round sheet or a plan, with the orders it carries."""
        habits, form = self._habits, question.actions[0]
        fields = {field.name for field in form.fields}
        if question.decision.kind == "sheet" and not self._draws(habits.sheets):
            rest = {"windows": "quiet", "tally": "later"}
            return {"type": form.type} | {name: rest[name] for name in sorted(fields)}
        orders: list[Given] = []
        is_ahead = self._draws(habits.ahead)
        if question.decision.kind == "sheet":
            placed = self.placements(rules, view, question.decision.seat)
            orders += placed if self._draws(habits.ordered) else placed[: len(placed) // 2]
        if question.decision.kind == "plan" or is_ahead:
            orders += self._tally(rules, view)
        windows = "never" if self._draws(habits.even_so) else "quiet"
        if windows == "never":
            orders = [order | {"even_so": True} for order in orders]
        said = {"windows": windows, "tally": "same" if is_ahead else "later"}
        return {"type": form.type, **{name: said[name] for name in sorted(fields)}, "orders": orders[:MOST_ORDERS]}

    def placements(self, rules: AnyRules, view: object, seat: int) -> list[Given]:
        """Orders for the tokens still in hand, as the seat would place them if the others placed at random."""
        state = rules.determinise(view, self._dice)
        orders: list[Given] = []
        for _ in range(MOST_STEPS):
            if rules.is_advance_pending(state):
                if orders:
                    break
                state, _events = rules.advance(state)
            asked = next((one for one in rules.decisions(state) if one.prompted), None)
            if asked is None or asked.kind == "plan":
                break
            if asked.kind != "place":
                action = rules.default(state, asked)
            elif asked.seat != seat:
                action = rules.draw(state, asked, self._dice)
            else:
                mine = rules.view(state, seat)
                question = next(one for one in rules.questions(mine) if one.decision.id == asked.id)
                action = rules.bots[self._mind].choose(mine, question, self._dice)
                orders.append(_order("place", [msgspec.json.decode(rules.dump_action(action))]))
            rules.play(state, asked.seat, action)
        return orders

    def _tally(self, rules: AnyRules, view: object) -> list[Given]:
        """Orders for the tally of the kinds that the rules have; perhaps one place at which to be asked."""
        kinds = {kind.name: kind for kind in rules.order_kinds(view)}
        orders: list[Given] = []
        if "window" in kinds and self._draws(self._habits.asks):
            topic = str(self._dice.choice(kinds["window"].topics).value)
            orders.append({"kind": "window", "answers": [], "topic": topic, "until": "round"})
        if not self._draws(self._habits.plans):
            return orders
        if "window" in kinds:
            orders.append(KEY)
        orders += [_order(kind, wishes) | {"stays": True} for kind, wishes in TALLY_ORDERS.items() if kind in kinds]
        if "tent" in kinds:
            orders.append(self._tent(kinds["tent"].answers))
        return orders

    def _tent(self, forms: Sequence[ActionForm]) -> Given:
        """An order for the Tent: preferred cards in order, then any card if the rules allow it."""
        cards = next(form.fields[0].options for form in forms if form.fields)
        wishes = [_keeping(option.value) for option in self._dice.sample(cards, MOST_ANSWERS - 1)]
        return _order("tent", [*wishes, *({"type": form.type} for form in forms if not form.fields)])

    def prefer_lasting_pass(self, question: Question, answer: JsonObject) -> JsonObject:
        """Returns the answer, or instead of a single pass perhaps a lasting one."""
        forms = {form.type for form in question.actions}
        lasting = "pass_round" if self._draws(self._habits.even_so) else "pass_until_shown"
        if answer["type"] == "pass" and lasting in forms and self._draws(self._habits.comfort):
            return {"type": lasting}
        return answer


def _keeping(card: str | int) -> Given:
    return {"type": "keep_spell", "card": card}


def _order(kind: str, answers: Sequence[Given]) -> Given:
    return {"kind": kind, "answers": list(answers), "until": "round"}
