"""What counts as too late: when an answer reached us decides, not who got hold of the game (RELIABILITY check 48)."""

import datetime as dt

import pytest

from games.errors import Conflict
from games.models import Decision, Game, Heartbeat, Move, User
from games.play import deadline_rule, deadlines
from notifications.clock import present
from notifications.models import Inbound
from tests.games.conftest import answer, deliveries, fresh, open_rows, running, settle, to_placing

DAY = dt.timedelta(days=1)
MS = dt.timedelta(milliseconds=1)
GRACE = dt.timedelta(seconds=10)


@pytest.fixture(autouse=True)
def with_grace(settings: object) -> None:
    settings.DEADLINE_GRACE_SECONDS = 10  # type: ignore[attr-defined]


@pytest.fixture
def row(strict: Game, now: dt.datetime) -> Decision:
    """A question whose player was told at once, due in a day; somebody looks after deadlines."""
    (asked,) = open_rows(strict)
    taken = {"state": "accepted", "accepted_at": now, "attempt_after": None}
    deliveries().filter(notice__dedupe_key=asked.due_key).update(**taken)
    Heartbeat.objects.create(name=deadline_rule.HEART, beat_at=now + DAY)
    return asked


def is_passed(row: Decision) -> bool:
    return fresh(row.game).moves.filter(decision=row.code, source=Move.Source.DEADLINE).exists()


@pytest.mark.parametrize("late", [-MS, 0 * MS, MS, GRACE])
def test_an_answer_that_reached_us_in_time_counts_however_long_it_waited_for_its_turn(
    row: Decision, now: dt.datetime, late: dt.timedelta
) -> None:
    received = now + DAY + late
    waited = received + dt.timedelta(seconds=5)
    deadlines.expire_one(waited)  # a worker looks at the deadline meanwhile
    assert not is_passed(row)
    with present.going_by(lambda: waited):
        move = answer(row.game, row, received, dealt_at=waited)
    assert (move.received_at, move.made_at) == (received, waited)
    assert not is_passed(row)


def test_an_answer_after_the_grace_does_not_count_though_nobody_has_acted_on_the_deadline(
    row: Decision, now: dt.datetime
) -> None:
    seq = fresh(row.game).seq
    with pytest.raises(Conflict) as refusal:
        answer(row.game, row, now + DAY + GRACE + MS)
    assert "run out" in refusal.value.message
    row.refresh_from_db()
    assert (fresh(row.game).seq, row.status) == (seq, "open")
    assert deadlines.expire_one(now + DAY + 4 * GRACE)
    assert is_passed(row)


def test_nobody_is_passed_while_an_answer_that_came_in_time_may_still_wait(row: Decision, now: dt.datetime) -> None:
    assert not deadlines.expire_one(now + DAY + 4 * GRACE - MS)
    assert deadlines.expire_one(now + DAY + 4 * GRACE)


def test_what_a_late_answer_leads_to_begins_when_it_is_dealt_with(row: Decision, now: dt.datetime) -> None:
    received, dealt = now + DAY - MS, now + DAY + dt.timedelta(minutes=20)
    answer(row.game, row, received, source=Move.Source.MAIL, dealt_at=dealt)
    settle(dealt)
    (following,) = open_rows(row.game)
    assert following.due_at == dealt + DAY


def test_nobody_is_passed_before_the_replies_of_that_time_have_been_heard_check_32(
    row: Decision, now: dt.datetime
) -> None:
    heard = Heartbeat.objects.create(name="inbound:mail", beat_at=now + DAY - dt.timedelta(minutes=1))
    after = now + DAY + dt.timedelta(minutes=20)
    assert not deadlines.expire_one(after)
    move = answer(row.game, row, now + DAY - MS, source=Move.Source.MAIL, dealt_at=after)
    assert move.source == Move.Source.MAIL
    Heartbeat.objects.filter(pk=heard.pk).update(beat_at=after)
    assert not is_passed(row)


def test_once_they_have_been_heard_the_deadline_counts(row: Decision, now: dt.datetime) -> None:
    Heartbeat.objects.create(name="inbound:mail", beat_at=now + DAY + GRACE)
    assert deadlines.expire_one(now + DAY + 4 * GRACE)
    assert is_passed(row)


def test_a_mail_that_reached_us_in_time_is_heard_before_anybody_is_passed_check_32(
    row: Decision, now: dt.datetime
) -> None:
    """The workers were down; now one hears mails, and another looks at deadlines."""
    mail = {"recipient": row.seat.user.recipient, "subject": row.subject, "line": "pass", "key": "k"}  # type: ignore[union-attr]
    waiting = Inbound.objects.create(received_at=now + DAY + GRACE - MS, **mail)
    after = now + DAY + 5 * GRACE
    assert not deadlines.expire_one(after)
    Inbound.objects.filter(pk=waiting.pk).update(state=Inbound.State.ANSWERED)
    assert deadlines.expire_one(after), "it was heard, and was no answer"
    assert is_passed(row)


def test_a_late_answer_counts_while_nobody_looks_after_deadlines(row: Decision, now: dt.datetime) -> None:
    Heartbeat.objects.update(beat_at=now + DAY - dt.timedelta(hours=1))
    assert answer(row.game, row, now + DAY + dt.timedelta(hours=1)).source == Move.Source.WEB


def test_a_late_answer_counts_if_its_player_was_not_told_in_time(row: Decision, now: dt.datetime) -> None:
    deliveries().filter(notice__dedupe_key=row.due_key).update(accepted_at=now + DAY - dt.timedelta(hours=1))
    assert answer(row.game, row, now + DAY + dt.timedelta(minutes=1)).source == Move.Source.WEB


def test_a_late_answer_uses_up_the_excuse_it_needs(row: Decision, now: dt.datetime) -> None:
    Game.objects.update(is_first_miss_excused=True)
    answer(row.game, row, now + DAY + dt.timedelta(minutes=1))
    row.seat.refresh_from_db()
    assert row.seat.is_excused


@pytest.mark.parametrize("pace", ["daily", "brisk", "relaxed"])
def test_while_mail_is_down_for_three_days_nobody_is_passed_and_then_the_game_goes_on_by_itself_check_47(
    anna: User, ben: User, carla: User, now: dt.datetime, pace: str
) -> None:
    game = to_placing(running(anna, [ben, carla], now, is_first_miss_excused=False, pace=pace), now)
    (asked,) = open_rows(game)
    mail_is_back = now + 3 * DAY
    for hour in range(24 * 12):
        at = now + dt.timedelta(hours=hour, minutes=5)
        if at > mail_is_back:
            taken = {"state": "accepted", "accepted_at": mail_is_back, "attempt_after": None}
            deliveries().filter(notice__dedupe_key=asked.due_key).update(**taken)
        deadlines.expire_one(at)
        if is_passed(asked):
            assert at >= mail_is_back + dt.timedelta(hours=6)
            return
    raise AssertionError("the game does not go on")
