"""The measuring process of `growth`: `python -m tests.bench.growing`.

One database grows: first running games, then finished ones, then one log. At each size a few moves, pages, lists and
ticks are measured, in turns with a page that needs no data. How cost, counted in such pages, goes with size is said as
an exponent: 0 is not at all, 1 is twice as much for twice as many. Between two sizes minutes go by, and a machine that
is slower by then would look like growth.
"""

import os
import random
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from math import log
from typing import TYPE_CHECKING

import django

from tests.bench.measuring import Contestant, Spread, take_turns
from tests.bench.processes import parent_of, processor_time_of
from tests.bench.report import Goal, heading, note

if TYPE_CHECKING:
    from tests.bench.grown import Grown

ROUNDS = 9
RUNNING = (10, 100, 1_000, 10_000)
FINISHED = (1_000, 10_000, 100_000)
MILLION = 1_000_000  # the last size if GROWTH_MILLION is set: it takes a quarter of an hour to make
LOG = (20, 100, 500, 2_000)
GOAL = Goal("P11", most=0.1)
DRAWN = 1_000  # samples from which the interval of an exponent is taken


@dataclass
class Curve:
    """One thing that is done, and what it cost at each size.

    Arguments:
        seconds: of processor time for one, by size, a value a round.
        shares: the same in yardsticks of the same round.
        blocks: that the database looked at for one, by size.
    """

    name: str
    seconds: dict[int, Sequence[float]] = field(default_factory=dict)
    shares: dict[int, Sequence[float]] = field(default_factory=dict)
    blocks: dict[int, float] = field(default_factory=dict)

    def exponent(self) -> Spread:
        """How cost grows with size; in 95 of 100 samples of the rounds it is in the range."""
        dice = random.Random(1)
        drawn = sorted(_slope(self._drawn(dice)) for _ in range(DRAWN))
        middle = _slope([(size, statistics.median(values)) for size, values in self.shares.items()])
        return Spread(middle, drawn[DRAWN // 40], drawn[-DRAWN // 40])

    def _drawn(self, dice: random.Random) -> list[tuple[int, float]]:
        again = {size: dice.choices(values, k=len(values)) for size, values in self.shares.items()}
        return [(size, statistics.median(values)) for size, values in again.items()]


def _slope(points: Sequence[tuple[int, float]]) -> float:
    """Of the straight line through them, both axes logarithmic."""
    return statistics.linear_regression([log(x) for x, _y in points], [log(y) for _x, y in points]).slope


def main() -> None:
    """Prints the part."""
    django.setup()
    from tests.bench.grown import TABLES, Grown

    grown = Grown()
    _table("running games", RUNNING, grown, grown.run)
    sizes = (*FINISHED, MILLION) if os.environ.get("GROWTH_MILLION") else FINISHED
    _table(f"finished games, beside {RUNNING[-1]:,} running ones", sizes, grown, grown.finish)
    _table("moves in the log", LOG, grown, grown.lengthen, at_once=TABLES)
    moves, size = grown.whole_game()
    note(f"a game that was played to its end has {moves} moves and {size / 1000:,.0f} kB, without indexes")


def _table(title: str, sizes: Sequence[int], grown: "Grown", grow: Callable[[int], None], at_once: int = 1) -> None:
    heading(f"Processor time and blocks by number of {title}")
    curves: dict[str, Curve] = {}
    stored = []
    for size in sizes:
        grow(size)
        stored.append(grown.bytes_stored())
        yardstick, contestants = _measure(grown)
        for place, (contestant, blocks) in enumerate(contestants):
            curve = curves.setdefault(contestant.name, Curve(contestant.name))
            pages = yardstick.rates[place :: len(contestants)]  # of the turn before each of its own
            curve.seconds[size] = [1 / rate for rate in contestant.rates]
            curve.shares[size] = [page / rate for rate, page in zip(contestant.rates, pages, strict=True)]
            curve.blocks[size] = blocks
    print(f"  {'':<22}" + "".join(f"{size:>22,}" for size in sizes) + f"{'exponent':>26}")
    for curve in curves.values():
        _line(curve, sizes)
    one = (stored[-1] - stored[-2]) / (at_once * (sizes[-1] - sizes[-2]))
    note(f"the database has {stored[-1] / 1e6:,.0f} MB at last; one more takes {one / 1000:,.1f} kB, with its indexes")


def _measure(grown: "Grown") -> tuple[Contestant, list[tuple[Contestant, float]]]:
    """The yardstick, which has a turn before each of the contestants; and these, the database's share in their time,
    with the blocks that it looked at in the last round."""
    from django.db import connection

    connection.ensure_connection()
    others = processor_time_of(parent_of(connection.connection.info.backend_pid))
    yardstick, contestants = grown.yardstick(), grown.contestants()
    take_turns([one for pair in zip(repeat(yardstick), contestants, strict=False) for one in pair], ROUNDS, others)
    return yardstick, [(one, _blocks(one)) for one in contestants]


def _blocks(contestant: Contestant) -> float:
    from tests.bench import counted

    contestant.prepare(ROUNDS + 1)
    counted.begin()
    units = contestant.turn(ROUNDS + 1)
    return counted.end().blocks / units


def _line(curve: Curve, sizes: Sequence[int]) -> None:
    cells = [f"{1000 * statistics.median(curve.seconds[size]):,.1f} ms {curve.blocks[size]:,.0f} bl" for size in sizes]
    found = curve.exponent()
    print(
        f"  {curve.name:<22}" + "".join(f"{cell:>22}" for cell in cells)
        + f"{found.median:>8.3f} ({found.low:.3f} .. {found.high:.3f})  {GOAL.verdict(round(found.median, 3))}"
    )  # fmt: skip


if __name__ == "__main__":
    main()
    note("of one move, page or tick; bl: blocks of 8 kB the database looked at")
    note("the range of an exponent holds it in 95 of 100 samples of the rounds")
