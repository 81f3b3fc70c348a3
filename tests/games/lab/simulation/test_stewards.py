"""Stewards in virtual time: when they act, and for whom."""

import datetime as dt

import pytest

from games.lab.simulation.people.habits import Habits
from games.lab.simulation.scenario import ROUGH, Scenario
from games.lab.simulation.simulated_game import play_one
from games.lab.simulation.workers import first_due
from games.models import Decision, Game, Move, Seat
from games.timing import pace

HOUR = dt.timedelta(hours=1)
BASIC = {"version": "basic", "tally": "plan"}


@pytest.mark.django_db(transaction=True)
def test_stewards_are_due_when_the_last_of_those_who_are_missing_may_act(game, now):
    rows = list(game.decisions.order_by("pk"))
    for number, row in enumerate(rows, 1):
        Decision.objects.filter(pk=row.pk).update(steward_at=now + number * HOUR)
    assert first_due()["steward"] == now + len(rows) * HOUR


@pytest.mark.django_db(transaction=True)
def test_stewards_wait_for_whoever_has_none(game, now):
    first, *others = game.decisions.order_by("pk")
    assert others
    Decision.objects.filter(pk=first.pk).update(steward_at=now + HOUR)
    assert "steward" not in first_due()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("speed", "share", "has_acted"), [("swift", 0.0, True), ("daily", 1.0, True), ("daily", 0.0, False)]
)
def test_stewards_answer_where_the_pace_has_them_or_people_want_them_and_nowhere_else(speed, share, has_acted):
    habits = Habits(steward=share, steward_hours=4, answer_hours=9.0)
    table = Scenario("aladdins-dragons", 3, BASIC, speed, {"proposals": "on"}, habits, "sultan", ROUGH)
    figures = play_one(table, 1)
    assert (figures.sheets_by_steward > 0) == has_acted
    hours = {pace.steward_hours(speed) or (4 if share else None)}
    assert set(Seat.objects.filter(game=Game.objects.get()).values_list("steward_hours", flat=True)) == hours
    assert Move.objects.filter(source=Move.Source.STEWARD).exists() == has_acted
