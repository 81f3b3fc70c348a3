"""Where the tokens go that a seat has in hand, as orders that hold for the round."""

from random import Random

from engine.aladdins_dragons import waves
from engine.aladdins_dragons.board.effects import may_be_entered
from engine.aladdins_dragons.board.facts import CAVES, cave_kind
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.bots.lookahead.placing import PlacingSearch, Plan
from engine.aladdins_dragons.bots.lookahead.worlds import World
from engine.aladdins_dragons.views.determinise import determinise
from engine.core import Seat
from engine.orders.model import Entry

TRIALS = 600  # layouts tried for eight tokens


class Layout:
    """How the seat's tokens should lie at the end of placing, and the worlds in which that did best.

    Arguments:
        plan: the space of each token in hand.
        rows: the seat's tokens by space once the plan is carried out.
    """

    def __init__(self, view: View, seat: Seat, random: Random, *, is_placing: bool = True) -> None:
        world = waves.as_seen(determinise(view, Random(0)), seat)  # only what the seat sees is read from it
        spaces, tokens = may_be_entered(world, seat), (view.hand or []) if is_placing else []
        search = PlacingSearch(view, seat, tokens, spaces, TRIALS, random)
        self.view, self.seat = view, seat
        self.plan: Plan = search.plan() if tokens else {}
        self.worlds: list[World] = search.worlds
        self.harvest = search.harvest
        self.rows = {space: _own(view, seat, space) for space in view.spaces}
        for token, space in self.plan.items():
            self.rows[space].append(token)

    def rank(self, space: str) -> int:
        """How many rivals are mostly before the seat there."""
        strength = sum(self.rows[space])
        ranks = sorted(sum(bar > strength for bar in world.bars[space]) for world in self.worlds)
        return ranks[len(ranks) // 2]

    def treasure(self) -> dict[str, int]:
        """What the seat will mostly hold by kind once the caves are tallied."""
        held = dict(self.view.hoards[self.seat] or {})
        for space in CAVES:
            shelves = self.view.caves[cave_kind(space)]
            if self.rows[space] and space not in self.view.tallied and self.rank(space) < len(shelves):
                held[cave_kind(space)] += shelves[self.rank(space)]
        return held


def _own(view: View, seat: Seat, space: str) -> list[int]:
    return [token.value for token in view.spaces[space] if token.seat == seat and token.value is not None]


def placing_orders(view: View, plan: Plan) -> list[Entry]:
    """The plan as orders, the weakest token first: the strong ones tell most."""
    steady = {"even_so": True} if view.has_magic else {}
    return [
        {
            "kind": "place",
            "answers": [{"type": "place", "token": token, "space": plan[token]}],
            "until": "round",
            **steady,
        }
        for token in sorted(plan)
    ]
