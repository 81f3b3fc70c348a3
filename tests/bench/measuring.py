"""Turns taken side by side: medians, ranges and ratios, and turns taken again when another process had the core."""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

BUSY = 1.15  # wall time over processor time from which on a turn was disturbed
MOST_AGAIN = 3  # times a disturbed turn is taken again before it counts all the same


@dataclass
class Contestant:
    """Something measured. `turn` does its work once and says how much of it there was.

    Arguments:
        name: as it is printed.
        turn: called with the number of the round; returns how many units it did.
    """

    name: str
    turn: Callable[[int], float]
    seconds: list[float] = field(default_factory=list)
    units: list[float] = field(default_factory=list)

    @property
    def rates(self) -> list[float]:
        """Units per second of processor time, by round."""
        return [units / seconds for units, seconds in zip(self.units, self.seconds, strict=True)]


@dataclass(frozen=True)
class Spread:
    """A median with its range."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        """Of at least one value."""
        return cls(statistics.median(values), min(values), max(values))


def take_turns(contestants: Sequence[Contestant], rounds: int) -> int:
    """Every contestant once a round, in turn; returns how many disturbed turns were taken again.

    The first round warms up caches and is not counted.
    """
    again = 0
    for contestant in contestants:
        contestant.turn(0)
    for number in range(1, rounds + 1):
        for contestant in contestants:
            again += _take_turn(contestant, number)
    return again


def _take_turn(contestant: Contestant, number: int) -> int:
    for attempt in range(MOST_AGAIN + 1):
        wall, processor = time.perf_counter(), time.process_time()
        units = contestant.turn(number)
        wall, processor = time.perf_counter() - wall, time.process_time() - processor
        if wall <= processor * BUSY or attempt == MOST_AGAIN:
            contestant.units.append(units)
            contestant.seconds.append(processor)
            return attempt
    raise AssertionError


def ratios(one: Contestant, other: Contestant) -> Spread:
    """How much faster the one is than the other, round by round."""
    return Spread.of([a / b for a, b in zip(one.rates, other.rates, strict=True)])
