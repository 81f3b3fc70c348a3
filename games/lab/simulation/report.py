"""Reports many games of one scenario in a few figures, beside the same games without orders and a lower bound.

The lower bound is how long people drawn from the same habits take to answer, with no game at all: a simultaneous
question ends with its slowest answer, or with the deadline. So rounds times simultaneous questions a round is a floor
under the days of a game, whatever orders and plans answer.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from math import log
from random import Random
from statistics import mean, median, quantiles
from typing import Any
from zoneinfo import ZoneInfo

from games.lab.simulation.figures import GameFigures
from games.lab.simulation.scenario import ZONES, Habits, Scenario
from games.timing import pace
from notifications.clock.calendar import Calendar, Quiet, deadline


def summarise(games: Sequence[GameFigures]) -> dict[str, Any]:
    """Medians and 90th percentiles over at least one game."""

    def middle(value: Callable[[GameFigures], float], digits: int = 1) -> float:
        return round(median(value(game) for game in games), digits)

    return {
        "games": len(games),
        "days_median": middle(lambda game: game.days),
        "days_p90": round(_p90([game.days for game in games]), 1),
        "rounds_median": middle(lambda game: game.rounds),
        "waits_per_game": middle(lambda game: game.waits),
        "waits_per_round": middle(lambda game: game.waits / game.rounds, 2),
        "waits_per_round_by_kind": _by_kind(games, lambda game: game.waits_by_kind),
        "days_per_round_by_kind": _by_kind(games, lambda game: game.days_by_kind),
        "mails_per_player_and_day": middle(lambda game: game.mails / game.players / max(game.days, 1), 2),
        "answered_by_orders": middle(lambda game: game.ordered / max(1, game.given + game.passed + game.ordered), 3),
        "passed_per_game": middle(lambda game: game.passed),
        "passed_share": middle(lambda game: game.passed / max(1, game.given + game.passed), 3),
        "refused_as_late": sum(game.refused for game in games),
        "crashes": sum(game.crashes for game in games),
        "outages": sum(game.outages for game in games),
    }


def _by_kind(games: Sequence[GameFigures], of: Callable[[GameFigures], Mapping[str, float]]) -> dict[str, float]:
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
    return "\n".join(lines)


DRAWS = 500
YEAR = timedelta(days=365)
DAY = timedelta(days=1)


def floor(scenario: Scenario, rounds: float, begins: datetime) -> dict[str, float]:
    """Days that one simultaneous question takes at this table; and a game with one, two and three of them a round."""
    dice = Random(f"limit:{scenario.players}")  # noqa: S311  the same each time
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
