"""The curve of a game as lines to draw: each seat's chance to win from the layout to the end."""

from dataclasses import dataclass

from engine.core import Seat
from engine.reviews.model import Point, Review

ALL = 1000  # a chance is counted in thousandths
LABELS = 6  # about so many moves are named below the chart


@dataclass(frozen=True)
class Frame:
    """The size of a drawing in its own units, and its margins."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int


PAGE = Frame(width=600, height=260, left=76, right=24, top=14, bottom=32)
LETTER = Frame(width=400, height=200, left=40, right=8, top=8, bottom=22)


@dataclass(frozen=True)
class CurveLine:
    """A seat's line, and the band in which it lies 19 times of 20; points as SVG writes them."""

    seat: Seat
    points: str
    band: str


@dataclass(frozen=True)
class CurveMark:
    """A number at an axis, and where it stands."""

    at: float
    number: int


@dataclass(frozen=True)
class ChanceCurve:
    """A chart of chances over moves."""

    lines: list[CurveLine]
    heights: list[CurveMark]
    moves: list[CurveMark]
    frame: Frame


def curve_of(review: Review, frame: Frame = PAGE) -> ChanceCurve | None:
    """The chart of a review; None for a game of a single move."""
    points = review.points
    if len(points) < 2:
        return None
    first, span = points[0].seq, points[-1].seq - points[0].seq

    def x(point: Point) -> float:
        return round(frame.left + (point.seq - first) * (frame.width - frame.left - frame.right) / span, 1)

    def y(chance: float) -> float:
        return round(frame.top + (ALL - chance) * (frame.height - frame.top - frame.bottom) / ALL, 1)

    lines = []
    for seat in range(review.seats):
        middle, high, low = (
            [f"{x(point)},{y(chances[seat])}" for point, chances in zip(points, column, strict=True)]
            for column in ([p.chances for p in points], [p.high for p in points], [p.low for p in points])
        )
        lines.append(CurveLine(seat, " ".join(middle), " ".join([*high, *reversed(low)])))
    every = max(1, len(points) // LABELS)
    heights = [CurveMark(y(share * ALL / 100), share) for share in (0, 25, 50, 75, 100)]
    return ChanceCurve(lines, heights, [CurveMark(x(point), point.seq) for point in points[::every]], frame)
