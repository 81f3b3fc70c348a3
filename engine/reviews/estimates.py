"""Means of samples between 0 and 1, and how sure they are."""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

CONFIDENCE = 1.96  # standard deviations for 95 %
LEAST_SPREAD = 0.004  # squares added to those that were seen: a few samples that happen to agree prove little


class Interval(NamedTuple):
    """A chance, and the bounds between which it lies 19 times of 20 as far as the samples tell."""

    chance: float
    low: float
    high: float


def wilson(share: float, count: float) -> Interval:
    """Wilson's interval of a share of so many independent trials."""
    weight = CONFIDENCE**2 / count
    middle, reach = share + weight / 2, CONFIDENCE * sqrt(max(0.0, share * (1 - share) + weight / 4) / count)
    return Interval(share, max(0.0, (middle - reach) / (1 + weight)), min(1.0, (middle + reach) / (1 + weight)))


class ChanceEstimate:
    """The mean of what playouts of a position came to, for each seat."""

    def __init__(self, seats: int, known: Sequence[float] | None = None) -> None:
        self.count = 0
        self.known = known
        self._sums = [0.0] * seats
        self._squares = [0.0] * seats

    def add(self, values: Sequence[float]) -> None:
        """One more playout."""
        self.count += 1
        for seat, value in enumerate(values):
            self._sums[seat] += value
            self._squares[seat] += value * value

    def mean(self, seat: int) -> float:
        """The chance of a seat. With few playouts, it is not worth much."""
        return self.known[seat] if self.known is not None else self._sums[seat] / self.count

    def variance(self, seat: int) -> float:
        """Of the mean; 0 for what is known."""
        if self.known is not None:
            return 0.0
        mean = self.mean(seat)
        return (max(0.0, self._squares[seat] - self.count * mean * mean) + LEAST_SPREAD) / self.count**2

    def interval(self, seat: int) -> Interval:
        """Wilson's, with so many trials as would leave the mean as unsure as it is."""
        mean = self.mean(seat)
        if self.known is not None:
            return Interval(mean, mean, mean)
        inside = min(max(mean, 0.005), 0.995)
        return wilson(mean, inside * (1 - inside) / self.variance(seat))
