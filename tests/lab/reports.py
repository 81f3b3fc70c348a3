"""Reports simulated games: figures of one, summaries of many, the critical path, populations side by side."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from math import log
from random import Random
from statistics import mean, median, quantiles
from typing import TYPE_CHECKING, Any, NamedTuple
from zoneinfo import ZoneInfo

import msgspec

from games.models import Decision, Game, Move, Seat
from games.tables import pace
from notifications.clock.calendar import Calendar, Quiet, deadline
from tests.lab.people import ZONES, Habits

if TYPE_CHECKING:
    from tests.lab.simulation import Scenario, SimulatedGame

# The critical path of a game: the questions on which it stood, one after the other, and whom it waited for.

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
ONE_VISIT = timedelta(minutes=10)
"""A question that is answered so soon was answered in the visit in which it came up: nobody waited for it."""
BLOCK = 3  # hours that are counted together
IN_TIME = "in time"  # how the last answer came: from the person, or as the move's source says


class Wait(NamedTuple):
    """A question, or several put at once, on which the game stood.

    Arguments:
        last: how the last answer came: in time, by the deadline, ...
        seat: whose answer came last; None if it was withdrawn.
    """

    kind: str
    begins: datetime
    ends: datetime
    last: str
    seat: int | None

    @property
    def days(self) -> float:
        """For how long the game stood on it."""
        return (self.ends - self.begins) / DAY


def waits_of(game: Game, moves: Sequence[Move]) -> list[Wait]:
    """The waits of a finished game; a simultaneous question is one, and ends with its last answer."""
    assert game.finished_at is not None
    together: dict[str, list[Decision]] = defaultdict(list)
    for row in game.decisions.filter(is_automatic=False).exclude(status=Decision.Status.WITHDRAWN):
        together[row.code].append(row)
    answers = {move.decision: move for move in moves if move.kind == Move.Kind.ANSWER}  # the last of each question
    return one_after_the_other(_wait(rows, answers.get(code), game.finished_at) for code, rows in together.items())


def one_after_the_other(waits: Iterable[Wait]) -> list[Wait]:
    """The waits without the time in which the game stood on another one anyway, such as treasures beside a sheet."""
    found: list[Wait] = []
    for wait in sorted(waits, key=lambda wait: (wait.begins, -wait.ends.timestamp())):
        begins = max(wait.begins, found[-1].ends) if found else wait.begins
        if begins < wait.ends or not found:
            found.append(wait._replace(begins=begins))
    return found


def _wait(rows: Sequence[Decision], answer: Move | None, end: datetime) -> Wait:
    begins, ends = min(row.opened_at for row in rows), max(row.closed_at or end for row in rows)
    if answer is None:
        return Wait(rows[0].kind, begins, ends, "withdrawn", None)
    return Wait(rows[0].kind, begins, ends, IN_TIME if answer.is_by_person else answer.source, answer.seat)


def count_by_kind(waits: Iterable[Wait]) -> dict[str, int]:
    """How many of each kind somebody waited for, longer than one visit lasts."""
    return dict(Counter(wait.kind for wait in waits if wait.ends - wait.begins > ONE_VISIT))


def days_by(waits: Iterable[Wait], zones: Mapping[int, str]) -> dict[str, dict[str, float]]:
    """The days the game stood: by kind of question, by how the last answer came, by person and by hour.

    Persons are the slowest of the game, the second slowest and so on; hours are by the clock of who answered last.
    """
    found: dict[str, dict[str, float]] = {name: defaultdict(float) for name in ("kind", "last", "hour")}
    people: dict[int, float] = defaultdict(float)
    for wait in waits:
        found["kind"][wait.kind] += wait.days
        found["last"][wait.last] += wait.days
        if wait.seat is not None:
            people[wait.seat] += wait.days
            for block, days in _by_hour(wait, ZoneInfo(zones[wait.seat])):
                found["hour"][block] += days
    slowest = sorted(people.values(), reverse=True)
    found["person"] = {f"slowest {number}": days for number, days in enumerate(slowest, 1)}
    return {name: dict(days) for name, days in found.items()}


def _by_hour(wait: Wait, zone: ZoneInfo) -> Iterator[tuple[str, float]]:
    """The parts of a wait by block of hours of the day, in days."""
    begins = wait.begins
    while begins < wait.ends:
        ends = min(wait.ends, begins.replace(minute=0, second=0, microsecond=0) + HOUR)
        first = begins.astimezone(zone).hour // BLOCK * BLOCK
        yield f"{first:02}-{first + BLOCK:02} h", (ends - begins) / DAY
        begins = ends


ORDERED = "OrderFired"  # the event of an answer that an order gave
DAY_SECONDS = 86_400


class GameFigures(NamedTuple):
    """The figures of one game.

    Arguments:
        days: calendar days from the start to the end.
        rounds: of the rules, the last one included; turns of all where the rules know no rounds.
        waits: questions, simultaneous ones together, that people were waited for one after the other.
        waits_by_kind: the same by kind of decision.
        days_by: for how long the game stood on them, by kind, last answer, person and hour; see `critical_path`.
        mails: sent to all players together.
        accepted: answers of people that were proposals as they were.
        passed: answers given by deadlines.
        given: answers given by people, in time.
        ordered: answers given by orders and plans.
        sheets, sheets_by_steward: round sheets that were answered, and those of them that a steward answered.
        crashes, outages: of the workers.
        refused: answers of people that came too late.
        trace: a hash of every move and its instant: the same seed must give the same.
    """

    seed: int
    players: int
    days: float
    rounds: int
    waits: int
    waits_by_kind: Mapping[str, int]
    days_by: Mapping[str, Mapping[str, float]]
    mails: int
    passed: int
    given: int
    accepted: int
    ordered: int
    sheets: int
    sheets_by_steward: int
    crashes: int
    outages: int
    refused: int
    trace: str


def measure_game(simulated: SimulatedGame) -> GameFigures:
    """Measures a finished game."""
    game, moves = simulated.game, simulated.checker.moves
    assert game.finished_at is not None
    assert game.started_at is not None
    waits = waits_of(game, moves)
    counts = count_by_kind(waits)
    sheets = _sheets(game, moves)
    rules: Any = game.rules
    return GameFigures(
        seed=simulated.seed,
        players=game.seat_count,
        days=(game.finished_at - game.started_at).total_seconds() / DAY_SECONDS,
        rounds=max(1, rules.vocabulary.period(game.load_state())),
        waits=sum(counts.values()),
        waits_by_kind=counts,
        days_by=days_by(waits, {seat.number: seat.user.recipient.zone for seat in _seats(game) if seat.user}),
        mails=simulated.transport.mails.total(),
        passed=sum(move.source == Move.Source.DEADLINE for move in moves),
        given=sum(move.kind == Move.Kind.ANSWER and move.is_by_person for move in moves),
        accepted=sum(person.accepted for person in simulated.people.values()),
        ordered=sum(event["type"] == ORDERED for move in moves for event in _events(move)),
        sheets=len(sheets),
        sheets_by_steward=sum(move.source == Move.Source.STEWARD for move in sheets),
        crashes=simulated.workers.crashes,
        outages=simulated.workers.outages,
        refused=sum(person.door.refused for person in simulated.people.values()),
        trace=sha256("".join(map(_describe, moves)).encode()).hexdigest(),
    )


def _seats(game: Game) -> Iterable[Seat]:
    return game.seats.select_related("user__recipient")


def _sheets(game: Game, moves: Iterable[Move]) -> list[Move]:
    """The answers to round sheets."""
    codes = set(game.decisions.filter(kind="sheet").values_list("code", flat=True))
    return [move for move in moves if move.kind == Move.Kind.ANSWER and move.decision in codes]


def _describe(move: Move) -> str:
    """Describes a move without what is really random, such as the table's reference."""
    return f"{move.seat} {move.decision} {move.source} {move.action} {move.events} {move.made_at.isoformat()}\n"


def _events(move: Move) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = msgspec.json.decode(move.events)
    return found


# A lower bound for the days of a game, from the people's habits alone.

DRAWS = 500
YEAR = timedelta(days=365)


def floor(scenario: Scenario, rounds: float, begins: datetime) -> dict[str, float]:
    """Days that one simultaneous question takes at this table; and a game with one, two and three of them a round."""
    dice = Random(f"limit:{scenario.players}")
    days = days_per_wait(scenario.habits, scenario.players, scenario.pace, begins, dice)
    games = {f"days_with_{count}_a_round": round(rounds * count * days, 1) for count in (1, 2, 3)}
    return {"days_per_simultaneous_wait": round(days, 2), **games}


def days_per_wait(habits: Habits, people: int, speed: str, begins: datetime, dice: Random) -> float:
    """Mean days until all of so many people, in zones of their own, have answered a question asked at any time.

    Arguments:
        speed: the table's pace; who is not done by its deadline is passed then.
        begins: questions are asked in the year after it.
    """
    return mean(_one(habits, people, speed, begins + dice.random() * YEAR, dice) / DAY for _ in range(DRAWS))


def _one(habits: Habits, people: int, speed: str, asked: datetime, dice: Random) -> timedelta:
    latest = asked
    for _ in range(people):
        calendar = Calendar(ZoneInfo(dice.choice(ZONES)), Quiet(habits.sleeps, habits.wakes))
        hours = dice.lognormvariate(log(habits.answer_hours), habits.spread)
        passed = asked + pace.find(speed).allowance.on(Calendar(calendar.zone))
        latest = max(latest, min(deadline(asked, timedelta(hours=hours), calendar), passed))
    return latest - asked


# Reports many games of one scenario in a few figures, beside the same games without orders.


def summarise(games: Sequence[GameFigures]) -> dict[str, Any]:
    """Medians and 90th percentiles over at least one game."""

    def middle(value: Callable[[GameFigures], float], digits: int = 1) -> float:
        return round(median(map(value, games)), digits)

    def ninth(value: Callable[[GameFigures], float], digits: int = 1) -> float:
        return round(_p90([value(game) for game in games]), digits)

    return {
        "games": len(games),
        "days_median": middle(lambda game: game.days),
        "days_p90": ninth(lambda game: game.days),
        "rounds_median": middle(lambda game: game.rounds),
        "rounds_p90": ninth(lambda game: game.rounds),
        "days_per_round_median": middle(lambda game: game.days / game.rounds, 2),
        "days_per_round_p90": ninth(lambda game: game.days / game.rounds, 2),
        "waits_per_game": middle(lambda game: game.waits),
        "waits_per_round": middle(lambda game: game.waits / game.rounds, 2),
        "waits_per_round_p90": ninth(lambda game: game.waits / game.rounds, 2),
        "waits_per_round_by_kind": _per_round(games, lambda game: game.waits_by_kind),
        "days_per_round_by_kind": _per_round(games, lambda game: game.days_by["kind"]),
        "mails_per_player_and_day": middle(_mails, 2),
        "mails_per_player_and_day_p90": ninth(_mails, 2),
        "answered_by_orders": middle(lambda game: game.ordered / max(1, game.given + game.passed + game.ordered), 3),
        "proposals_accepted": round(_share(games, lambda game: game.accepted, lambda game: game.given), 3),
        "sheets_by_steward": round(_share(games, lambda game: game.sheets_by_steward, lambda game: game.sheets), 3),
        "passed_per_game": middle(lambda game: game.passed),
        "passed_share": middle(lambda game: game.passed / max(1, game.given + game.passed), 3),
        "refused_as_late": sum(game.refused for game in games),
        "crashes": sum(game.crashes for game in games),
        "outages": sum(game.outages for game in games),
    }


def break_down(games: Sequence[GameFigures]) -> dict[str, dict[str, float]]:
    """The days a round for which the games stood, by what they stood on."""
    return {
        "kind": _per_round(games, lambda game: game.days_by["kind"]),
        "last_answer": _per_round(games, lambda game: game.days_by["last"]),
        "last_waiter": _per_round(games, lambda game: game.days_by["person"]),
        "hour_of_the_last_waiter": dict(sorted(_per_round(games, lambda game: game.days_by["hour"]).items())),
    }


def _mails(game: GameFigures) -> float:
    return game.mails / game.players / max(game.days, 1)


Count = Callable[[GameFigures], int]


def _share(games: Sequence[GameFigures], part: Count, whole: Count) -> float:
    return sum(map(part, games)) / max(1, sum(map(whole, games)))


def _per_round(games: Sequence[GameFigures], of: Callable[[GameFigures], Mapping[str, float]]) -> dict[str, float]:
    """The mean per round of every kind, the largest first."""
    kinds = {kind for game in games for kind in of(game)}
    means = {kind: mean(of(game).get(kind, 0) / game.rounds for game in games) for kind in kinds}
    return {kind: round(means[kind], 2) for kind in sorted(kinds, key=lambda kind: (-means[kind], kind))}


def compare(games: Sequence[GameFigures], naive: Sequence[GameFigures]) -> dict[str, float]:
    """How many times fewer waits and days than naive asking."""
    if not naive:
        return {}
    ours, theirs = summarise(games), summarise(naive)
    return {
        "fewer_waits": round(theirs["waits_per_round"] / ours["waits_per_round"], 1),
        "fewer_days": round(theirs["days_median"] / ours["days_median"], 1),
    }


def _p90(values: Sequence[float]) -> float:
    return quantiles(values, n=10, method="inclusive")[-1] if len(values) > 1 else values[0]


def format_report(report: Mapping[str, Any]) -> str:
    """Formats the report as a table of a few lines."""
    columns = {name: report[name] for name in ("played", "naive") if report.get(name)}
    lines = [report["title"], f"  {'':<28}" + "".join(f"{name:>12}" for name in columns)]
    for name, value in report["played"].items():
        if not isinstance(value, dict):
            cells = "".join(f"{column[name]:>12}" for column in columns.values())
            lines.append(f"  {name.replace('_', ' '):<28}{cells}")
    for name, column in columns.items():
        for figure, value in column.items():
            if isinstance(value, dict):
                found = ", ".join(f"{kind} {amount}" for kind, amount in value.items())
                lines.append(f"  {name}, {figure.replace('_', ' ')}: {found}")
    lines += [f"  {name.replace('_', ' ')}: {value} times" for name, value in report.get("compared", {}).items()]
    lines += [f"  floor, {name.replace('_', ' ')}: {value}" for name, value in report.get("floor", {}).items()]
    for name, amounts in report.get("breakdown", {}).items():
        lines += [f"  days a round by {name.replace('_', ' ')}:"]
        lines += [f"    {what:<26}{amount:>12}" for what, amount in amounts.items()]
    return "\n".join(lines)


# Populations side by side: one row for each table, one column for each population, as Markdown.

Figures = Mapping[str, Any]  # as `summarise` gives them
SHOWN: Mapping[str, Sequence[str]] = {
    "days, median (p90)": ("days_median", "days_p90"),
    "rounds": ("rounds_median", "rounds_p90"),
    "days a round": ("days_per_round_median", "days_per_round_p90"),
    "waits a round": ("waits_per_round", "waits_per_round_p90"),
    "mails per player and day": ("mails_per_player_and_day", "mails_per_player_and_day_p90"),
    "sheets by the steward": ("sheets_by_steward",),
    "games": ("games",),
}
"""What stands in a table, under its name: a median, and a 90th percentile if there is one."""


def format_table(cells: Mapping[tuple[str, str], Figures]) -> str:
    """Formats the figures by (table, population)."""
    rows, columns = list(dict.fromkeys(row for row, _ in cells)), list(dict.fromkeys(column for _, column in cells))
    lines = [_line(["", "", *columns]), _line(["---"] * (len(columns) + 2))]
    for row in rows:
        for name, keys in SHOWN.items():
            found = [_cell(cells.get((row, column)), keys) for column in columns]
            lines.append(_line([row, name, *found]))
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(figures: Figures | None, keys: Sequence[str]) -> str:
    if figures is None:
        return ""
    first, *others = (str(figures[key]) for key in keys)
    return f"{first} ({others[0]})" if others else first
