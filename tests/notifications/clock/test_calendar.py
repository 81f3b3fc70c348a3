"""Deadlines in the time in which a player's clock runs, over every change of clocks there is (RELIABILITY check 46)."""

from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from itertools import islice, pairwise
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from notifications.clock.calendar import (
    Calendar,
    Quiet,
    Span,
    day_span,
    deadline,
    is_running,
    on_the_wall,
    playable,
    used,
)

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MADRID = ZoneInfo("Europe/Madrid")
NIGHT = Quiet(time(23), time(7))
PLAIN = Calendar(ZoneInfo("UTC"))


def at(text: str, zone: str = "Europe/Madrid") -> datetime:
    """An instant by the wall clock of a zone."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


@cache
def jumps() -> list[tuple[str, datetime]]:
    """Every change of clocks from 2025 to 2030 in every zone this machine knows: (zone, instant)."""
    start, found = datetime(2025, 1, 1, tzinfo=UTC), []
    for name in sorted(available_timezones()):
        zone = ZoneInfo(name)
        low = start
        for week in range(1, 52 * 6):
            high = start + week * 7 * DAY
            if low.astimezone(zone).utcoffset() != high.astimezone(zone).utcoffset():
                found.append((name, exact(low, high, zone)))
            low = high
    return found


def exact(low: datetime, high: datetime, zone: ZoneInfo) -> datetime:
    """The instant of the change between two, to the minute."""
    while high - low > timedelta(minutes=1):
        middle = low + (high - low) // timedelta(minutes=2) * timedelta(minutes=1)
        is_same = middle.astimezone(zone).utcoffset() == low.astimezone(zone).utcoffset()
        low, high = (middle, high) if is_same else (low, middle)
    return high


minutes = st.times().map(lambda moment: moment.replace(second=0, microsecond=0))
quiets = st.builds(Quiet, minutes, minutes).filter(lambda quiet: quiet.length <= 14 * HOUR)
lengths = st.integers(0, 12 * 86_400).map(lambda count: timedelta(seconds=count))
changes = st.deferred(lambda: st.sampled_from(jumps()))


@st.composite
def scenes(draw: st.DrawFn) -> tuple[Calendar, datetime]:
    """Somebody's calendar, and an instant within two days of a change of his clocks."""
    name, jump = draw(changes)
    start = jump + timedelta(seconds=draw(st.integers(-2 * 86_400, 2 * 86_400)))
    spans = draw(st.lists(st.tuples(lengths, lengths), max_size=2))
    away = tuple(Span(start + wait - DAY, start + wait - DAY + length) for wait, length in spans)
    days_off = draw(st.sampled_from([frozenset(), frozenset({5, 6}), frozenset({4})]))
    return Calendar(ZoneInfo(name), draw(st.none() | quiets), days_off, away), start


@pytest.mark.slow
@given(scenes(), lengths)
def test_no_window_is_shorter_than_promised_and_every_second_of_it_is_given(scene, allowance):
    calendar, start = scene
    end = deadline(start, allowance, calendar)
    assert end >= start + allowance
    assert used(start, end, calendar) == allowance
    assert is_running(end, calendar)


@pytest.mark.slow
@given(scenes())
def test_playing_and_resting_take_turns(scene):
    calendar, start = scene
    runs = list(islice(playable(calendar, start), 8))
    assert runs[0].begin >= start
    assert (runs[0].begin == start) == is_running(start, calendar)
    for one, following in pairwise(runs):
        assert one.begin < one.end <= following.begin
        assert is_running(one.begin, calendar)
        if one.end < following.begin:  # an absence may be of no length
            assert not is_running(one.end, calendar)
            assert not is_running(following.begin - timedelta(seconds=1), calendar)


@example(("America/Havana", datetime(2025, 11, 2, 5, tzinfo=UTC)), -1, 0)  # midnight comes twice
@given(changes, st.integers(-3, 3), st.integers(0, 3))
def test_days_follow_each_other_without_gap_or_overlap(change, offset, more):
    name, jump = change
    zone = ZoneInfo(name)
    day = jump.astimezone(zone).date() + timedelta(days=offset)
    span, following = day_span(day, zone), day_span(day + timedelta(days=1), zone)
    assert span.end == following.begin > span.begin
    last = day + timedelta(days=more)
    assert day_span(day, zone, last=last) == Span(span.begin, day_span(last, zone).end)


@pytest.mark.slow
@given(scenes(), lengths, lengths)
def test_more_time_and_a_later_beginning_never_end_sooner(scene, allowance, more):
    calendar, start = scene
    end = deadline(start, allowance, calendar)
    assert deadline(start, allowance + more, calendar) >= end
    assert deadline(start + more, allowance, calendar) >= end


@pytest.mark.slow
@given(scenes(), lengths, lengths)
def test_a_clock_that_is_stopped_and_goes_on_at_once_ends_when_it_would_have(scene, allowance, wait):
    calendar, start = scene
    end = deadline(start, allowance, calendar)
    pause = min(start + wait, end)
    left = allowance - used(start, pause, calendar)
    assert left == used(pause, end, calendar)
    assert deadline(pause, left, calendar) == end


@pytest.mark.slow
@given(scenes(), lengths, lengths)
def test_time_adds_up(scene, first, second):
    calendar, start = scene
    middle, end = start + first, start + first + second
    assert used(start, middle, calendar) + used(middle, end, calendar) == used(start, end, calendar)
    assert used(start, end, calendar) <= first + second


@pytest.mark.slow
@given(scenes(), lengths, lengths, lengths)
def test_an_absence_never_brings_a_deadline_nearer(scene, allowance, wait, length):
    calendar, start = scene
    span = Span(start + wait, start + wait + length)
    longer = Calendar(calendar.zone, calendar.quiet, calendar.days_off, (*calendar.away, span))
    assert deadline(start, allowance, longer) >= deadline(start, allowance, calendar)


@pytest.mark.slow
@given(scenes())
def test_the_clock_never_runs_in_quiet_hours_on_days_off_or_while_the_player_is_away(scene):
    calendar, start = scene
    for span in islice(playable(calendar, start), 20):
        middle = span.begin + min(span.end - span.begin, HOUR) / 2
        for instant in (span.begin, middle):
            local = instant.astimezone(calendar.zone)
            assert local.weekday() not in calendar.days_off
            assert not any(away.begin <= instant < away.end for away in calendar.away)
            if calendar.quiet and not local.fold:  # in the hour that comes twice the wall clock alone does not tell
                assert not is_quiet(local.time(), calendar.quiet)


def is_quiet(moment: time, quiet: Quiet) -> bool:
    if quiet.start < quiet.until:
        return quiet.start <= moment < quiet.until
    return moment >= quiet.start or moment < quiet.until


@given(changes, st.integers(-180, 180))
def test_what_the_wall_shows_is_found_again(change, offset):
    name, jump = change
    zone = ZoneInfo(name)
    local = (jump + offset * timedelta(minutes=1)).astimezone(zone)
    found = on_the_wall(local.date(), local.time(), zone, second=bool(local.fold))
    assert found == local.astimezone(UTC)


def test_a_time_the_clocks_leave_out_is_the_instant_at_which_they_jump():
    jump = datetime(2026, 3, 29, 1, 0, tzinfo=UTC)
    for second in (False, True):
        assert on_the_wall(date(2026, 3, 29), time(2, 30), MADRID, second=second) == jump


def test_of_a_time_shown_twice_a_rest_begins_with_the_first_and_ends_with_the_second():
    first, second = datetime(2026, 10, 25, 0, 30, tzinfo=UTC), datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
    day = date(2026, 10, 25)
    assert on_the_wall(day, time(2, 30), MADRID) == first
    assert on_the_wall(day, time(2, 30), MADRID, second=True) == second
    late = Calendar(MADRID, Quiet(time(22), time(2, 30)))
    assert not is_running(first, late)
    assert is_running(second, late)


def test_lord_howe_moves_its_clocks_by_half_an_hour():
    calendar = Calendar(ZoneInfo("Australia/Lord_Howe"), NIGHT)
    start = at("2026-04-04T22:00", "Australia/Lord_Howe")  # the clocks go back at 2 o'clock
    assert deadline(start, 2 * HOUR, calendar) == at("2026-04-05T08:00", "Australia/Lord_Howe")
    assert deadline(start, 2 * HOUR, calendar) - start == 10.5 * HOUR


def test_a_zone_whose_midnight_does_not_exist_begins_its_day_at_the_jump():
    havana = ZoneInfo("America/Havana")  # at 0:00 on the second Sunday of March it is 1:00
    span = day_span(date(2026, 3, 8), havana)
    assert (span.begin.astimezone(havana).hour, span.end - span.begin) == (1, 23 * HOUR)


def test_without_habits_a_day_is_24_hours_whatever_the_clocks_do():
    start = at("2026-03-28T14:00")
    assert deadline(start, DAY, Calendar(MADRID)) - start == DAY


def test_with_quiet_hours_a_day_of_playable_time_ends_at_the_same_time_of_the_next_day():
    calendar = Calendar(MADRID, NIGHT)
    assert calendar.day == 16 * HOUR
    for day in ("2026-03-04", "2026-03-28", "2026-10-24"):  # an ordinary night, and the two in which clocks change
        start = at(f"{day}T14:00")
        end = deadline(start, calendar.day, calendar).astimezone(MADRID)
        assert (end.hour, end.day) == (14, start.day + 1)


def test_time_that_ends_with_the_beginning_of_the_night_ends_after_it():
    calendar = Calendar(MADRID, NIGHT)
    assert deadline(at("2026-03-04T20:00"), 3 * HOUR, calendar) == at("2026-03-05T07:00")
    assert deadline(at("2026-03-04T02:00"), calendar.day, calendar) == at("2026-03-05T07:00")


def test_a_weekend_is_the_players_own():
    samoa, hawaii = (
        Calendar(ZoneInfo(name), days_off=frozenset({5, 6})) for name in ("Pacific/Apia", "Pacific/Honolulu")
    )
    friday = datetime(2026, 3, 6, 12, 0, tzinfo=UTC)  # Saturday in Samoa
    assert not is_running(friday, samoa)
    assert is_running(friday, hawaii)
    assert deadline(friday, HOUR, samoa) == at("2026-03-09T01:00", "Pacific/Apia")


def test_a_long_absence_stops_the_clock_once_however_it_overlaps_with_nights():
    calendar = Calendar(MADRID, NIGHT, away=(day_span(date(2026, 3, 5), MADRID, last=date(2026, 3, 18)),))
    start = at("2026-03-04T22:00")
    assert deadline(start, 2 * HOUR, calendar) == at("2026-03-19T08:00")


@pytest.mark.parametrize(
    "habits",
    [{"quiet": Quiet(time(8), time(8))}, {"quiet": Quiet(time(6), time(21))}, {"days_off": frozenset({0, 1, 2, 3})}],
)
def test_a_calendar_that_leaves_too_little_time_is_refused(habits):
    with pytest.raises(ValueError):
        Calendar(MADRID, **habits)


def test_the_end_before_the_beginning_is_no_time_at_all():
    start = at("2026-03-04T12:00")
    assert used(start, start - HOUR, PLAIN) == used(start, start, PLAIN) == timedelta(0)
