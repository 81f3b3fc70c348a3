"""The curve of a rating as points of an SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from games.archive.player_profile import CurvePoint

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 600, 230, 76, 14, 16, 36  # of the picture in its own units
STEPS = (10, 20, 50, 100, 200, 500, 1000)
MOST_LINES = 5
FEWEST = 2


@dataclass(frozen=True)
class HeightLine:
    """A line across the picture, and the points that it stands for."""

    at: float
    points: int


@dataclass(frozen=True)
class Curve:
    """A curve: `line` as SVG writes points, the spot where it ends, the lines across, and the first and last day."""

    line: str
    end: tuple[float, float]
    heights: list[HeightLine]
    first: datetime
    last: datetime


def draw(course: Sequence[CurvePoint]) -> Curve | None:
    """The curve of a course, its time running to the right; None for fewer than two points."""
    if len(course) < FEWEST:
        return None
    numbers = [point.points for point in course]
    lowest, highest = min(numbers), max(numbers)
    step = next((step for step in STEPS if (highest - lowest) / step <= MOST_LINES - 2), STEPS[-1])
    low, top = lowest // step * step, -(-(highest + 1) // step) * step
    first, last = course[0].at, course[-1].at
    whole = (last - first).total_seconds() or 1.0

    def y(points: int) -> float:
        return round(HEIGHT - BOTTOM - (points - low) * (HEIGHT - BOTTOM - TOP) / (top - low), 1)

    def x(at: datetime) -> float:
        return round(LEFT + (at - first).total_seconds() * (WIDTH - LEFT - RIGHT) / whole, 1)

    spots = [(x(point.at), y(point.points)) for point in course]
    line = " ".join(f"{left},{height}" for left, height in spots)
    return Curve(line, spots[-1], [HeightLine(y(mark), mark) for mark in range(low, top + 1, step)], first, last)
