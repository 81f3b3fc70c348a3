"""When a player's clock runs (zone, quiet hours, days off, absences), and how much of that time a decision has.

All instants are aware; all durations are absolute (seconds that pass, not hands that move). Only the edges of quiet
hours and days off are read off the wall clock: where it shows a time twice the rest begins with the first and ends with
the second, and a time it leaves out is the instant at which it jumps. Both favour the player (PEP 495).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from heapq import merge
from itertools import count
from typing import NamedTuple
from zoneinfo import ZoneInfo, available_timezones

DAY = timedelta(days=1)
FOREVER = datetime.max.replace(tzinfo=UTC)
LONGEST_QUIET = timedelta(hours=14)  # of a day
MOST_DAYS_OFF = 3  # of a week
NOTHING = timedelta(0)
AHEAD_OF_REST = timedelta(minutes=30)  # how long before a rest a reminder comes that would fall into it
SHARE_REMINDED = 0.8  # of the time has gone when a player is reminded who chose no times himself
SHORTEST_REMINDED = timedelta(minutes=10)  # of less time a reminder would only be noise


class Span(NamedTuple):
    """The time from `begin` on and before `end`."""

    begin: datetime
    end: datetime


class Quiet(NamedTuple):
    """Quiet hours of every day by the wall clock; past midnight if `until` is not after `start`."""

    start: time
    until: time

    @property
    def length(self) -> timedelta:
        """How long they last on a day without a change of clocks; 0 .. 24 hours, 24 if both times are the same."""
        span = datetime.combine(date.min, self.until) - datetime.combine(date.min, self.start)
        return span if span > NOTHING else span + DAY


@dataclass(frozen=True)
class Calendar:
    """When a clock runs.

    Arguments:
        zone: whose wall clock the rest goes by.
        quiet: hours of every day in which the clock stands still.
        days_off: weekdays on which it stands still, Monday 0.
        away: spans in which it stands still, in any order.
    Raises ValueError for a calendar that leaves too little time to play.
    """

    zone: ZoneInfo
    quiet: Quiet | None = None
    days_off: frozenset[int] = frozenset()
    away: tuple[Span, ...] = ()

    def __post_init__(self) -> None:
        if self.quiet and self.quiet.length > LONGEST_QUIET:
            raise ValueError(f"quiet for longer than {LONGEST_QUIET}")
        if len(self.days_off) > MOST_DAYS_OFF:
            raise ValueError(f"more than {MOST_DAYS_OFF} days off in a week")

    @property
    def day(self) -> timedelta:
        """How much of an ordinary day the clock runs."""
        return DAY - self.quiet.length if self.quiet else DAY


def deadline(start: datetime, allowance: timedelta, calendar: Calendar) -> datetime:
    """When a clock that is started at `start` has run for `allowance`.

    It is an instant at which the clock runs: time that ends with the beginning of a rest ends after the rest instead.
    So it is never earlier than `start + allowance`, it grows with both, and `used` gives the allowance back exactly.
    """
    left = allowance
    for span in playable(calendar, start):
        if left < span.end - span.begin:
            return span.begin + left
        left -= span.end - span.begin
    raise AssertionError("time does not end")


def used(start: datetime, end: datetime, calendar: Calendar) -> timedelta:
    """How long the clock runs between two instants; zero if `end` is not after `start`."""
    total = NOTHING
    for span in playable(calendar, start):
        if span.begin >= end:
            break
        total += min(span.end, end) - span.begin
    return total


def is_running(at: datetime, calendar: Calendar) -> bool:
    """Whether the clock runs at this instant."""
    return next(playable(calendar, at)).begin == at


def playable(calendar: Calendar, start: datetime) -> Iterator[Span]:
    """The spans in which the clock runs, from `start` on, in order; the last one of a calendar may never end."""
    at = start.astimezone(UTC)
    for rest in rests(calendar, at):
        if rest.begin > at:
            yield Span(at, rest.begin)
        at = max(at, rest.end)
    yield Span(at, FOREVER)


def rests(calendar: Calendar, start: datetime) -> Iterator[Span]:
    """The spans in which it stands still and that end after `start`, by their beginning; they may overlap."""
    away = sorted(Span(span.begin.astimezone(UTC), span.end.astimezone(UTC)) for span in calendar.away)
    spans: Iterable[Span] = merge(away, _habits(calendar, start)) if calendar.quiet or calendar.days_off else away
    return (span for span in spans if span.end > start)


def _habits(calendar: Calendar, start: datetime) -> Iterator[Span]:
    """Quiet hours and days off, day by day, without end."""
    first = start.astimezone(calendar.zone).date() - 2 * DAY  # clocks have jumped by a whole day
    for number in count():
        day = first + number * DAY
        if day.weekday() in calendar.days_off:
            yield day_span(day, calendar.zone)
        if calendar.quiet:
            yield _quiet_span(day, calendar.quiet, calendar.zone)


def _quiet_span(day: date, quiet: Quiet, zone: ZoneInfo) -> Span:
    last = day if quiet.until > quiet.start else day + DAY
    begin = on_the_wall(day, quiet.start, zone)
    return Span(begin, max(begin, on_the_wall(last, quiet.until, zone, second=True)))


def day_span(day: date, zone: ZoneInfo, last: date | None = None) -> Span:
    """A day of a zone, or all days up to `last`: from its midnight to that of the next; the first of two."""
    return Span(on_the_wall(day, time.min, zone), on_the_wall((last or day) + DAY, time.min, zone))


def on_the_wall(day: date, at: time, zone: ZoneInfo, *, second: bool = False) -> datetime:
    """The instant at which the wall clock shows this; UTC.

    Arguments:
        second: of a time that is shown twice, take the second one. One that is never shown is the instant of the jump.
    """
    wall = datetime.combine(day, at)
    first, again = (wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    if again < first:  # PEP 495: in a gap the two change places
        return _jump(again, first, zone)
    return again if second else first


def _jump(low: datetime, high: datetime, zone: ZoneInfo) -> datetime:
    """The instant between two at which a zone's offset changes, by halving; to the second, as zones have it."""
    before = low.astimezone(zone).utcoffset()
    while high - low > timedelta(seconds=1):
        middle = low + timedelta(seconds=(high - low) // timedelta(seconds=2))
        if middle.astimezone(zone).utcoffset() == before:
            low = middle
        else:
            high = middle
    return high


@dataclass(frozen=True)
class Allowance:
    """The time for one decision: so many days of the player's own, and so many hours; both only while his clock runs.

    Arguments:
        days: each as long as his clock runs on an ordinary day, so that a day is a day whatever hours he sleeps.
        hours: of running time.
    """

    days: int = 0
    hours: float = 0

    def on(self, calendar: Calendar) -> timedelta:
        """How long the clock runs for it."""
        return self.days * calendar.day + timedelta(hours=self.hours)


@dataclass(frozen=True)
class Bank:
    """A seat's reserve of time: it runs when the allowance of a decision is used up, and grows with answers in time.

    Arguments:
        start: what is in it when the game begins.
        increment: what an answer within the allowance adds.
        cap: the most it may hold.
    """

    start: timedelta
    increment: timedelta
    cap: timedelta

    def after(self, left: timedelta, overtime: timedelta) -> timedelta:
        """Returns the time left in it after an answer.

        Arguments:
            left: what was in it when the question was asked.
            overtime: how long the clock ran beyond the allowance; zero for an answer in time.
        """
        if overtime > NOTHING:
            return max(NOTHING, left - overtime)
        return max(left, min(self.cap, left + self.increment))


@dataclass(frozen=True)
class Clock:
    """The clock of one decision. The allowance ends at `allowed_until`, then the bank runs until `due_at`."""

    allowed_until: datetime
    due_at: datetime


def start_clock(opened_at: datetime, allowance: timedelta, bank: timedelta, calendar: Calendar) -> Clock:
    """The clock of a decision that is opened now, or started anew.

    Arguments:
        allowance: running time for this decision.
        bank: running time in reserve.
    """
    return Clock(deadline(opened_at, allowance, calendar), deadline(opened_at, allowance + bank, calendar))


def reminders(
    opened_at: datetime, due_at: datetime, calendar: Calendar, before: Iterable[timedelta] | None = None
) -> list[datetime]:
    """When a player is reminded of a decision, in order.

    One that would fall into a rest comes half an hour before it; one that would come before the question is left out.

    Arguments:
        before: how long before the deadline, as the player chose; None for once, when most of his time has gone.
    """
    window = used(opened_at, due_at, calendar)
    if window < SHORTEST_REMINDED:
        return []
    if before is None:
        return [deadline(opened_at, window * SHARE_REMINDED, calendar)]
    times = {_awake(due_at - lead, opened_at, calendar) for lead in before}
    return sorted(at for at in times if opened_at < at < due_at)


def _awake(at: datetime, opened_at: datetime, calendar: Calendar) -> datetime:
    """This instant if the clock runs, else shortly before the rest it falls into."""
    if is_running(at, calendar):
        return at
    rest = opened_at
    for span in playable(calendar, opened_at):
        if span.begin > at:
            break
        rest = span.end
    return rest - AHEAD_OF_REST


# The time zones that somebody can live in.

# What a machine's own folder of zones holds beside them: its own zone, whatever that is, and stand-ins for none.
NO_ZONES = ("localtime", "posixrules", "Factory")


@cache
def known() -> frozenset[str]:
    """Their names by IANA. A name that each machine takes for its own zone is none: every clock reads it alike."""
    return frozenset(available_timezones().difference(NO_ZONES))
