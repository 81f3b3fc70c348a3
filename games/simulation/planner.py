"""Answering in advance as ordinary people would: the rest of a round's placements, and simple wishes for its tally."""

from random import Random
from typing import Any

import msgspec

from engine.orders.model import MOST_ORDERS
from engine.registry import AnyRules
from games.models import Game, Seat

MOST_STEPS = 200  # of a placing part that is played on in mind
WISHES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("bribe", {"type": "bribe_up_to", "limit": 6, "spare": "none"}),
    ("buy", {"type": "buy_up_to", "limit": 18, "spare": "none"}),
    ("market", {"type": "exchange_for", "kind": "gold"}),
    ("camel", {"type": "leave_camel"}),
    ("ask", {"type": "default"}),
)
"""What people wish for who do not want to be asked, by kind of decision; what does not fit is asked all the same."""


def placements(game: Game, seat: Seat, bot: str, dice: Random) -> list[dict[str, Any]]:
    """Orders for the tokens still in hand, as the seat would place them if the others placed at random."""
    rules: AnyRules = game.rules
    state = rules.determinise(rules.view(game.load_state(), seat.number), dice)
    orders = []
    for _ in range(MOST_STEPS):
        asked = next((one for one in rules.decisions(state) if one.kind == "place" and one.prompted), None)
        if asked is None:
            break
        if asked.seat == seat.number:
            view = rules.view(state, seat.number)
            question = next(one for one in rules.questions(view) if one.decision.id == asked.id)
            action = rules.bots[bot].choose(view, question, dice)
            orders.append(_order("place", msgspec.json.decode(rules.dump_action(action))))
        else:
            action = rules.draw(state, asked, dice)
        rules.play(state, asked.seat, action)
    return orders[:MOST_ORDERS]


def wishes(game: Game, seat: Seat) -> list[dict[str, Any]]:
    """Orders for the tally, of the kinds the rules know."""
    rules: Any = game.rules
    known = {kind.name for kind in rules.order_kinds(rules.view(game.load_state(), seat.number))}
    return [_order(kind, wish) | {"stays": True} for kind, wish in WISHES if kind in known]


def _order(kind: str, answer: dict[str, Any]) -> dict[str, Any]:
    return {"kind": kind, "answers": [answer], "until": "round"}
