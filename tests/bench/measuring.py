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
        prepare: called before it, while nothing is measured.
        check: called after it, while nothing is measured: raises AssertionError unless all was done.
    """

    name: str
    turn: Callable[[int], float]
    prepare: Callable[[int], None] = lambda number: None
    check: Callable[[], None] = lambda: None
    seconds: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)
    units: list[float] = field(default_factory=list)

    @property
    def rates(self) -> list[float]:
        """Units per second of processor time, by round."""
        return [units / seconds for units, seconds in zip(self.units, self.seconds, strict=True)]

    @property
    def rates_by_clock(self) -> list[float]:
        """Units per second that went by, whoever had the processor."""
        return [units / seconds for units, seconds in zip(self.units, self.wall, strict=True)]


def merged(contestants: Sequence[Contestant]) -> Contestant:
    """One and the same thing that had several turns a round, as one."""
    whole = Contestant(contestants[0].name, contestants[0].turn)
    for one in contestants:
        whole.seconds += one.seconds
        whole.wall += one.wall
        whole.units += one.units
    return whole


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


def take_turns(
    contestants: Sequence[Contestant], rounds: int, others: Callable[[], float] | None = None, *, warming: int = 1
) -> int:
    """Every contestant once a round, in turn; returns how many disturbed turns were taken again.

    Arguments:
        warming: rounds before them, all with the number 0, which fill caches and are not counted.
        others: the seconds of processor time that other processes have used for what is measured; they count as well.
            Then no turn is taken again: waiting for each other is part of it.
    """
    again = 0
    for contestant in list(contestants) * warming:
        contestant.prepare(0)
        contestant.turn(0)
        contestant.check()
    for number in range(1, rounds + 1):
        for contestant in contestants:
            again += _take_turn(contestant, number, others)
    return again


def _take_turn(contestant: Contestant, number: int, others: Callable[[], float] | None) -> int:
    for attempt in range(MOST_AGAIN + 1):
        contestant.prepare(number)
        begun, used = time.perf_counter(), _used(others)
        units = contestant.turn(number)
        wall, processor = time.perf_counter() - begun, _used(others) - used
        contestant.check()
        if others is not None or wall <= processor * BUSY or attempt == MOST_AGAIN:
            contestant.units.append(units)
            contestant.seconds.append(processor)
            contestant.wall.append(wall)
            return attempt
    raise AssertionError


def _used(others: Callable[[], float] | None) -> float:
    return time.process_time() + (others() if others is not None else 0.0)


def ratios(one: Contestant, other: Contestant) -> Spread:
    """How much faster the one is than the other, round by round."""
    return Spread.of([a / b for a, b in zip(one.rates, other.rates, strict=True)])
