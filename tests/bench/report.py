"""What a part prints: one line a figure, with its goal and whether it is reached."""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.bench.measuring import Contestant, Spread, ratios


@dataclass(frozen=True)
class Goal:
    """A figure to reach, such as P6: `least` or `most` of the unit it is printed in."""

    name: str
    least: float | None = None
    most: float | None = None

    def verdict(self, value: float) -> str:
        """In words."""
        if self.least is not None and value < self.least:
            return f"{self.name}: MISSED, at least {self.least:g}"
        if self.most is not None and value > self.most:
            return f"{self.name}: MISSED, at most {self.most:g}"
        bound = f"at least {self.least:g}" if self.least is not None else f"at most {self.most:g}"
        return f"{self.name}: reached, {bound}"


def heading(title: str) -> None:
    """Of a part, or of a table in it."""
    print(f"\n{title}\n{'-' * len(title)}", flush=True)


def rate_lines(contestants: Sequence[Contestant], unit: str) -> None:
    """Units per second of each."""
    for contestant in contestants:
        spread = Spread.of(contestant.rates)
        print(f"  {contestant.name:<46}{spread.median:>12,.0f} {unit}  ({spread.low:,.0f} .. {spread.high:,.0f})")


def ratio_line(one: Contestant, other: Contestant, goal: Goal | None = None) -> None:
    """One beside another, from turns of the same round."""
    spread = ratios(one, other)
    verdict = f"  {goal.verdict(spread.median)}" if goal else ""
    print(f"  {one.name} / {other.name}: {spread.median:.2f} ({spread.low:.2f} .. {spread.high:.2f}){verdict}")


def time_line(contestant: Contestant, goal: Goal | None = None) -> None:
    """Microseconds for one unit."""
    spread = Spread.of([1e6 / rate for rate in contestant.rates])
    verdict = f"  {goal.verdict(spread.median)}" if goal else ""
    print(f"  {contestant.name:<46}{spread.median:>12,.1f} µs  ({spread.low:,.1f} .. {spread.high:,.1f}){verdict}")


def note(text: str) -> None:
    """A fact beside the figures."""
    print(f"  {text}")
