"""A lower bound for the days of a game, from the people's habits alone.

It is how long people drawn from the habits take to answer, with no game at all: a simultaneous question ends with its
slowest answer, or with the deadline. So rounds times simultaneous questions a round is a floor under the days of a
game, whatever orders and plans answer.
"""

from datetime import datetime, timedelta
from math import log
from random import Random
from statistics import mean
from zoneinfo import ZoneInfo

from games.lab.simulation.people.habits import ZONES, Habits
from games.lab.simulation.scenario import Scenario
from games.timing import pace
from notifications.clock.calendar import Calendar, Quiet, deadline

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
