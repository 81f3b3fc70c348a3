"""What a seat has at the end of a round, for comparing answers."""

from math import log

from engine.aladdins_dragons.board.model import State
from engine.aladdins_dragons.cards.deck import ALL_CARDS
from engine.aladdins_dragons.judging.worth import ARTIFACT, CAMEL, RIVALRY, SATURATION, SPELL, VICTORY
from engine.core import Seat


def standing(state: State, seat: Seat) -> float:
    """How the seat stands, less how its rivals do; in treasure."""
    if state.outcome is not None:
        return VICTORY if seat in state.outcome.winners else -VICTORY
    thrift = min(1.0, sum(map(len, state.stacks.values())) / (1.5 * state.seats))
    stands = [_stand(state, other, thrift) for other in range(state.seats)]
    own = stands.pop(seat)
    return own + CAMEL * (state.camel == seat) - RIVALRY * sum(stands) / len(stands)


def _stand(state: State, seat: Seat, thrift: float) -> float:
    """Artifacts, what they and the cards in hand can do, and treasure as far as there is something left to buy."""
    found = ARTIFACT * len(state.artifacts[seat])
    found += thrift * SATURATION * log(1 + sum(state.hoards[seat].values()) / SATURATION)
    if state.has_magic:
        found += thrift * (
            sum(ALL_CARDS[tile].keep for tile in state.artifacts[seat]) + SPELL * len(state.magic.spells[seat])
        )
    return found
