"""From scores to chances: how likely each seat is to win, as reviews of games reckon it."""

from collections.abc import Collection, Sequence
from math import exp

from engine.core.questions import Seat
from engine.core.rules import Outcome


def shares(scores: Sequence[float], resigned: Collection[Seat] = ()) -> list[float]:
    """Chances that make one together, in proportion to the exponentials of the scores; none for who has resigned."""
    highest = max(scores)
    weights = [0.0 if seat in resigned else exp(score - highest) for seat, score in enumerate(scores)]
    total = sum(weights) or 1.0
    return [weight / total for weight in weights]


def won(outcome: Outcome, seats: int) -> list[float]:
    """What each seat has won: 1 for the winner; those who won together share it."""
    return [(seat in outcome.winners) / len(outcome.winners) for seat in range(seats)]
