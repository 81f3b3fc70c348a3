"""What a game stood on, whom it waited for, and at what time of day."""

import datetime as dt

import pytest

from games.models import Decision, Game, Move
from tests.lab.reports import Wait, count_by_kind, days_by, one_after_the_other, waits_of

EVENING = dt.datetime(2026, 3, 2, 22, 0, tzinfo=dt.UTC)
HOUR = dt.timedelta(hours=1)


def test_the_days_of_a_wait_are_counted_by_kind_answer_person_and_hour_of_whoever_was_last():
    waits = [
        Wait("sheet", EVENING, EVENING + 12 * HOUR, "in time", 0),
        Wait("bribe", EVENING, EVENING + 6 * HOUR, "deadline", 1),
    ]
    found = days_by(waits, {0: "UTC", 1: "Asia/Tokyo"})  # where it is nine hours later
    assert found["kind"] == {"sheet": 0.5, "bribe": 0.25}
    assert found["last"] == {"in time": 0.5, "deadline": 0.25}
    assert found["person"] == {"slowest 1": 0.5, "slowest 2": 0.25}
    hours = {block: round(days * 24) for block, days in found["hour"].items()}
    assert hours == {"21-24 h": 2, "00-03 h": 3, "03-06 h": 3, "06-09 h": 3 + 2, "09-12 h": 1 + 3, "12-15 h": 1}


def test_what_is_asked_beside_something_else_that_takes_longer_is_no_wait_of_its_own():
    sheet = Wait("sheet", EVENING, EVENING + 9 * HOUR, "in time", 0)
    beside = Wait("take_treasures", EVENING, EVENING + 5 * HOUR, "in time", 1)
    longer = Wait("window", EVENING + 8 * HOUR, EVENING + 12 * HOUR, "in time", 2)
    assert one_after_the_other([beside, sheet, longer]) == [sheet, longer._replace(begins=sheet.ends)]


def test_a_question_answered_in_the_visit_in_which_it_came_up_is_no_wait():
    minute = dt.timedelta(minutes=1)
    quick, slow = (Wait("buy", EVENING, EVENING + time, "in time", 0) for time in (minute, HOUR))
    assert count_by_kind([quick, slow, slow]) == {"buy": 2}


@pytest.mark.django_db(transaction=True)
def test_a_simultaneous_question_is_one_wait_and_ends_with_its_last_answer(game, now):
    rows = list(game.decisions.order_by("seat__number"))
    assert len({row.code for row in rows}) == 1
    assert len(rows) > 1
    for row in rows:
        Decision.objects.filter(pk=row.pk).update(opened_at=now, closed_at=now + (1 + row.seat.number) * HOUR)
    Game.objects.filter(pk=game.pk).update(finished_at=now + 9 * HOUR)
    game.refresh_from_db()
    answers = [
        Move(kind=Move.Kind.ANSWER, decision=row.code, seat=row.seat.number, source=source)
        for row, source in zip(rows, ["web"] * (len(rows) - 1) + ["deadline"], strict=True)
    ]
    (wait,) = waits_of(game, answers)
    assert (wait.begins, wait.ends) == (now, now + len(rows) * HOUR)
    assert (wait.last, wait.seat) == ("deadline", len(rows) - 1)
