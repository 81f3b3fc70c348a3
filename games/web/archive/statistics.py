"""How a game that is over went, in numbers, with charts of what grew from round to round; and the latest tally."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from engine.core import Figures, Seat
from engine.orders.model import OrderFired
from games.play import history, queries, replay
from games.play.queries import Access
from games.web.play.table_page import access_game

WIDTH, HEIGHT, LEFT, BOTTOM = 600, 240, 40, 24  # of a chart in its own units, and of its margins
STEPS = (1, 2, 5)


@dataclass(frozen=True)
class ChartLine:
    """A seat's line in a chart: its points as SVG writes them, and where it ends."""

    seat: int
    points: str
    end: tuple[float, float]


@dataclass(frozen=True)
class Mark:
    """A number at an axis of a chart, and where it stands."""

    at: float
    number: int


@dataclass(frozen=True)
class Chart:
    """A figure that grows from round to round, one line for each seat."""

    lines: list[ChartLine]
    heights: list[Mark]
    rounds: list[Mark]


@dataclass(frozen=True)
class Cell:
    """A seat's number in a line, and the rank it gives where the line ranks; None for who is not ranked."""

    number: int
    rank: int | None = None


@dataclass(frozen=True)
class FiguresTable:
    """Numbers in words: a line for each row with a cell for each seat, and a chart if the rows are a course."""

    title: str
    rows: list[tuple[str, list[Cell]]]
    chart: Chart | None


@require_safe
def statistics(request: HttpRequest, ref: str) -> HttpResponse:
    """The statistics of a finished game, as its reader may know it; of any other the way leads to its table."""
    access = access_game(request, ref)
    game = access.game
    if not game.outcome:
        return redirect("table", ref=ref)
    events = [line.event for line in history.events_of(access, replay.standing_moves(game))]
    context = {
        "game": game,
        "result": queries.result(game),
        "names": game.seat_names(),
        "tables": [_table(access, one) for one in game.rules.figures(events, game.seat_count)],
        "fired": sum(isinstance(event, OrderFired) for event in events),  # one's own: nobody sees those of others
    }
    return render(request, "games/archive/statistics.html", context)


@require_safe
def last_tally(request: HttpRequest, ref: str) -> HttpResponse:
    """Shows what the latest tally revealed of each seat; redirects to the table if there was none."""
    access = access_game(request, ref)
    game = access.game
    if not (game.started_at and game.rules.has_tally):
        return redirect("table", ref=ref)
    told = list(history.events_of(access, replay.standing_moves(game)))
    found = game.rules.last_tally((line.event for line in told), game.seat_count)
    table = _table(access, found) if found is not None else None
    context = {"game": game, "names": game.seat_names(), "table": table, "begins": history.tally_begins(game, told)}
    return render(request, "games/archive/last_tally.html", context)


def _table(access: Access, figures: Figures) -> FiguresTable:
    ranks = figures.ranks or [[] for _line in figures.lines]
    lines = zip(figures.lines, ranks, strict=True)
    rows = [(queries.say(access.game, label), _cells(numbers, ranking)) for (label, numbers), ranking in lines]
    courses = [numbers for _label, numbers in figures.lines]
    chart = chart_of(courses) if figures.is_course and len(rows) > 1 else None
    return FiguresTable(queries.say(access.game, figures.title), rows, chart)


def _cells(numbers: list[int], ranking: list[Seat]) -> list[Cell]:
    places = {seat: place for place, seat in enumerate(ranking, start=1)}
    return [Cell(number, places.get(seat)) for seat, number in enumerate(numbers)]


def chart_of(rows: list[list[int]]) -> Chart:
    """The chart of two rows or more, with a number for each seat in each."""
    highest = max(1, *map(max, rows))
    step, low = _step(highest), min(0, *map(min, rows))
    top = step * -(-highest // step)

    def x(row: int) -> float:
        return round(LEFT + row * (WIDTH - LEFT - 10) / (len(rows) - 1), 1)

    def y(number: int) -> float:
        return round((HEIGHT - BOTTOM) - (number - low) * (HEIGHT - BOTTOM - 10) / (top - low), 1)

    lines = []
    for seat in range(len(rows[0])):
        spots = [(x(at), y(row[seat])) for at, row in enumerate(rows)]
        lines.append(ChartLine(seat, " ".join(f"{left},{height}" for left, height in spots), spots[-1]))
    every = max(1, len(rows) // 8)
    return Chart(
        lines,
        [Mark(y(number), number) for number in range(0, top + 1, step)],
        [Mark(x(at), at + 1) for at in range(0, len(rows), every)],
    )


def _step(most: int) -> int:
    """The distance of the lines of a chart: a round number, so that there are about four of them."""
    size = 1
    while True:
        for digit in STEPS:
            if most <= 4 * digit * size:
                return digit * size
        size *= 10
