"""Each seat's chance to win as a round has ended, judged from the board alone: where playouts of reviews stop.

The weights were fitted to games of `quick` and `greedy` players. How well they hold is measured on other games:
docs/reviews.md.
"""

from math import log

from engine.aladdins_dragons.board.model import Boundary, State
from engine.aladdins_dragons.cards.deck import ALL_CARDS
from engine.core import Seat
from engine.core.chances import shares

BASIC = (0.80, 0.87, 2.10, 0.80, 0.14, 0.0)
MAGIC = (0.60, 0.80, 1.60, 0.60, 0.15, 0.25)
"""What counts: artifacts; artifacts, the more the fewer are left; treasure; treasure, the more the fewer are left; the
camel; what the artifacts can do."""

A_FEW = 8.0  # treasure: the first pieces count most


def chances(state: State) -> list[float] | None:
    """The chance of each seat to win; None in the midst of a round."""
    if state.outcome is not None or not isinstance(state.agenda[-1], Boundary) or state.agenda[-1].after != "round":
        return None
    left = sum(map(len, state.stacks.values())) / state.seats
    weights = MAGIC if state.has_magic else BASIC
    scores = [
        sum(weight * fact for weight, fact in zip(weights, _facts(state, seat, left), strict=True))
        for seat in range(state.seats)
    ]
    return shares(scores, set(state.resigned))


def _facts(state: State, seat: Seat, left: float) -> list[float]:
    """What is known of a seat, in the order of the weights.

    Arguments:
        left: artifacts that can still be bought, for each seat.
    """
    artifacts, to_buy, near = len(state.artifacts[seat]), min(1.0, left), 1 / (0.5 + left)
    treasure = to_buy * log(1 + sum(state.hoards[seat].values()) / A_FEW)
    tools = to_buy * sum(ALL_CARDS[tile].keep for tile in state.artifacts[seat]) if state.has_magic else 0.0
    return [artifacts, artifacts * near, treasure, treasure * near, float(state.camel == seat), tools]
