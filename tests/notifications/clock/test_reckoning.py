"""Allowance, bank and reminders."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notifications.clock.calendar import Allowance, Bank, Calendar, Quiet, is_running, reminders, start_clock, used
from tests.notifications.clock.test_calendar import lengths, scenes

HOUR, DAY, NOTHING = timedelta(hours=1), timedelta(days=1), timedelta(0)
PLAIN = Calendar(ZoneInfo("UTC"))
SLEEPER = Calendar(ZoneInfo("UTC"), Quiet(time(23), time(7)))
NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
BANK = Bank(start=12 * HOUR, increment=HOUR, cap=24 * HOUR)


def test_a_day_is_a_day_however_long_somebody_sleeps_and_an_hour_is_an_hour_awake():
    assert Allowance(days=3).on(PLAIN) == 3 * DAY
    assert Allowance(days=3).on(SLEEPER) == 48 * HOUR
    assert Allowance(hours=12).on(SLEEPER) == 12 * HOUR


def test_the_bank_runs_when_the_allowance_is_used_up():
    clock = start_clock(NOON, 12 * HOUR, 5 * HOUR, SLEEPER)
    assert clock.allowed_until == datetime(2026, 3, 5, 8, 0, tzinfo=UTC)
    assert clock.due_at == datetime(2026, 3, 5, 13, 0, tzinfo=UTC)


@pytest.mark.slow
@given(scenes(), lengths, lengths, lengths)
def test_what_is_left_of_the_bank_is_what_was_not_used(scene, allowance, bank, wait):
    calendar, start = scene
    clock = start_clock(start, allowance, bank, calendar)
    answered = min(start + wait, clock.due_at)
    over = used(clock.allowed_until, answered, calendar)
    assert NOTHING <= over <= bank
    if over:
        assert BANK.after(bank, over) == bank - over


def test_an_answer_in_time_adds_the_increment_up_to_the_cap():
    assert BANK.after(5 * HOUR, NOTHING) == 6 * HOUR
    assert BANK.after(23.5 * HOUR, NOTHING) == 24 * HOUR
    assert BANK.after(5 * HOUR, HOUR) == 4 * HOUR
    assert BANK.after(5 * HOUR, 6 * HOUR) == NOTHING


@given(st.integers(0, 100), st.integers(0, 100))
def test_a_bank_never_falls_below_nothing_nor_rises_above_its_cap(left, over):
    after = BANK.after(min(left * HOUR, BANK.cap), over * HOUR)
    assert NOTHING <= after <= BANK.cap


def test_who_chose_no_times_is_reminded_when_four_fifths_have_gone():
    assert reminders(NOON, NOON + DAY, PLAIN) == [NOON + 0.8 * DAY]
    assert reminders(NOON, NOON + 9 * timedelta(minutes=1), PLAIN) == []


def test_reminders_come_at_the_times_the_player_chose_and_never_before_the_question():
    assert reminders(NOON, NOON + DAY, PLAIN, [48 * HOUR, 3 * HOUR, 12 * HOUR]) == [
        NOON + 12 * HOUR,
        NOON + 21 * HOUR,
    ]
    assert reminders(NOON, NOON + DAY, PLAIN, []) == []


def test_a_reminder_that_would_fall_into_the_night_comes_before_it():
    due = datetime(2026, 3, 5, 8, 0, tzinfo=UTC)
    assert reminders(NOON, due, SLEEPER, [3 * HOUR]) == [datetime(2026, 3, 4, 22, 30, tzinfo=UTC)]
    asked_late = datetime(2026, 3, 4, 22, 45, tzinfo=UTC)
    assert reminders(asked_late, due, SLEEPER, [3 * HOUR]) == []


@pytest.mark.slow
@given(scenes(), lengths, st.none() | st.lists(lengths, max_size=3))
def test_reminders_come_after_the_question_and_before_the_deadline_and_wake_nobody(scene, allowance, before):
    calendar, start = scene
    clock = start_clock(start, allowance, NOTHING, calendar)
    found = reminders(start, clock.due_at, calendar, before)
    assert found == sorted(set(found))
    assert all(start < at < clock.due_at for at in found)
    if calendar.quiet is None or (calendar.quiet.length < 9 * HOUR and not calendar.away and not calendar.days_off):
        assert all(is_running(at, calendar) for at in found)
