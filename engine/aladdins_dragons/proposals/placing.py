"""Where the tokens go that a seat has in hand, as orders that hold for the round."""

from random import Random

from engine.aladdins_dragons import waves
from engine.aladdins_dragons.board.effects import may_be_entered
from engine.aladdins_dragons.board.facts import GUARD
from engine.aladdins_dragons.board.model import View
from engine.aladdins_dragons.bots.lookahead.placing import PlacingSearch, Plan
from engine.aladdins_dragons.views.determinise import determinise
from engine.core import Seat
from engine.orders.model import Entry

TRIALS = 600  # layouts tried for eight tokens
OTHERWISE = (GUARD, "caravanserai", "market")
"""Where a token goes whose space has been closed since."""


def plan_of(view: View, seat: Seat, random: Random) -> Plan:
    """The space of each token in hand."""
    world = waves.as_seen(determinise(view, Random(0)), seat)  # only what the seat sees is read from it
    return PlacingSearch(view, seat, view.hand or [], may_be_entered(world, seat), TRIALS, random).plan()


def rows_of(view: View, seat: Seat, plan: Plan) -> dict[str, list[int]]:
    """The seat's tokens by space once the plan is carried out."""
    rows = {
        space: [token.value for token in row if token.seat == seat and token.value is not None]
        for space, row in view.spaces.items()
    }
    for token, space in plan.items():
        rows[space].append(token)
    return rows


def placing_orders(plan: Plan) -> list[Entry]:
    """The plan as orders, the weakest token first: the strong ones tell most."""
    return [
        {
            "kind": "place",
            "answers": [{"type": "place", "token": token, "space": space} for space in _spaces_to_try(plan[token])],
            "even_so": True,
            "until": "round",
        }
        for token in sorted(plan)
    ]


def _spaces_to_try(space: str) -> list[str]:
    return [space, *(other for other in OTHERWISE if other != space)]
