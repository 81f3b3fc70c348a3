"""The clocks of open decisions: started, stopped, set going again; each by the calendar of its seat's player.

A question that is put to several seats in secret has one deadline for all of them, the latest of theirs, and what moves
it moves it whether or not somebody has answered: no clock tells who has.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db.models import QuerySet

from games.models import Decision, Extension, Game, User, Vacation
from games.play import queries
from games.timing import pace
from notifications.clock.calendar import NOTHING, Calendar, Quiet, deadline, used
from notifications.clock.reckoning import reminders, start_clock
from notifications.database.bulk_write import update
from notifications.database.compiled_query import compiled

WEEKEND = frozenset({5, 6})
FAIR = 4  # nobody is left with less than this part of the time when a clock goes on that others had stopped
FIELDS = ("due_at", "allowed_until", "remind_at", "left", "hours")
NOT_RUNNING = {"due_at": None, "allowed_until": None, "remind_at": None, "left": None, "hours": ""}
NONE = "-"
Calendars = Mapping[int, Calendar]  # by the primary key of the person


def asked(game: Game) -> QuerySet[Decision]:
    """The decisions the game waits on, those of a sealed question that are answered included, ready for this module."""
    return queries.asked_rows(game).select_related("seat__user__recipient", "game")


def calendars(game: Game, users: Iterable[User], since: datetime) -> dict[int, Calendar]:
    """When the clocks of these people run at this table.

    Arguments:
        since: vacations that were over by then do not matter.
    """
    people = list(users)
    away: dict[int, list[Vacation]] = {user.pk: [] for user in people}
    is_live = pace.find(game.pace).is_live
    if game.allows_vacation and not is_live:
        gone = [user.pk for user in people if user.may_be_away(since)]
        for vacation in _vacations(since, *gone) if gone else ():
            away[vacation.user_id].append(vacation)
    return {user.pk: _calendar(game, user, away[user.pk], is_live) for user in people}


@compiled()
def _vacations(since: datetime, *users: int) -> QuerySet[Vacation]:
    return Vacation.objects.filter(user__pk__in=users, ends_at__gt=since)


def _calendar(game: Game, user: User, away: Iterable[Vacation], is_live: bool) -> Calendar:
    recipient = user.recipient
    if is_live:
        return Calendar(recipient.zone_info)
    return Calendar(
        recipient.zone_info,
        quiet=recipient.quiet if game.stops_at_night else None,
        days_off=WEEKEND if game.stops_on_weekends else frozenset(),
        away=tuple(vacation.span for vacation in away),
    )


def _of(game: Game, rows: Iterable[Decision], since: datetime) -> Calendars:
    return calendars(game, {user for row in rows if (user := row.seat.user) is not None}, since)


def calendar_of(row: Decision, since: datetime) -> Calendar:
    """When the clock of this decision runs. Only for seats of people."""
    assert row.seat.user is not None, row
    return calendar_in(calendars(row.game, [row.seat.user], since), row)


def calendar_in(theirs: Calendars, row: Decision) -> Calendar:
    """The same, from the calendars of everybody concerned. A clock keeps the hours it was started with: whoever changes
    his own later moves no deadline, and wins no time when it is stopped and goes on."""
    person = row.seat.user_id
    assert person is not None, row
    calendar = theirs[person]
    if not row.hours or row.hours == _hours(calendar):
        return calendar
    zone, start, until, days = row.hours.split(" ")
    quiet = Quiet(time.fromisoformat(start), time.fromisoformat(until)) if start != NONE else None
    days_off = frozenset(map(int, days)) if days != NONE else frozenset()
    return replace(calendar, zone=ZoneInfo(zone), quiet=quiet, days_off=days_off)


def _hours(calendar: Calendar) -> str:
    """A calendar without its absences, as a decision keeps it: "Europe/Madrid 23:00:00 07:00:00 56"."""
    quiet = calendar.quiet
    ends = (quiet.start.isoformat(), quiet.until.isoformat()) if quiet else (NONE, NONE)
    return " ".join((calendar.zone.key, *ends, "".join(map(str, sorted(calendar.days_off))) or NONE))


def start(game: Game, rows: Sequence[Decision], now: datetime) -> None:
    """Starts the clocks of decisions that are asked of people together, or starts them anew; the rows are not saved.

    In a paused game the clocks are set but stand still.
    """
    speed, theirs = pace.find(game.pace), _of(game, rows, now)
    for row in rows:
        person = row.seat.user_id
        assert person is not None, row
        calendar = theirs[person]
        row.hours = _hours(calendar)
        allowance, bank = speed.allowance.on(calendar), bank_of(row)
        if game.paused_at:
            row.due_at = row.allowed_until = row.remind_at = None
            row.left = allowance + bank
        else:
            clock = start_clock(now, allowance, bank, calendar)
            row.due_at, row.allowed_until = clock.due_at, clock.allowed_until
    finish(rows, theirs, now)


def stop(rows: Sequence[Decision], now: datetime) -> None:
    """Stops the clocks of a game's decisions; they remember what was left."""
    theirs = _of(rows[0].game, rows, now) if rows else {}
    for row in rows:
        if row.due_at is not None:
            row.left = used(now, row.due_at, calendar_in(theirs, row))
            row.due_at = row.allowed_until = row.remind_at = None


def go_on(game: Game, rows: Sequence[Decision], now: datetime) -> None:
    """Sets clocks going that were stopped: with what was left, but at least with a fair share, from now on."""
    allowance, theirs = pace.find(game.pace).allowance, _of(game, rows, now)
    for row in rows:
        if row.left is not None:
            calendar = calendar_in(theirs, row)
            set_left(row, max(row.left, allowance.on(calendar) / FAIR), calendar, now)
            row.left = None
    finish(rows, theirs, now)


def run_on(row: Decision, now: datetime) -> None:
    """The clock of a sealed question whose answer is taken back: it has never stopped, and ends with those of the
    others; the row is open, and not saved."""
    if not row.is_automatic:
        row.due_at = queries.public_due_at(row)
        row.remind_at = next_reminder(row, calendar_of(row, now), now)


def set_left(row: Decision, left: timedelta, calendar: Calendar, now: datetime) -> None:
    """Lets a clock end when it has run that much longer; the last part of it is the bank's."""
    row.due_at = deadline(now, left, calendar)
    row.allowed_until = deadline(now, max(NOTHING, left - bank_of(row)), calendar)


def finish(rows: Iterable[Decision], theirs: Calendars, now: datetime) -> None:
    """Gives sealed questions one deadline for all, and every running clock its next reminder."""
    latest: dict[str, datetime] = {}
    for row in rows:
        if row.is_sealed and row.due_at is not None:
            latest[row.code] = max(row.due_at, latest.get(row.code, row.due_at))
    for row in rows:
        if row.due_at is not None:
            row.due_at = latest.get(row.code, row.due_at)
        row.remind_at = next_reminder(row, calendar_in(theirs, row), now)


def record_extension(row: Decision, reason: str, old: datetime, now: datetime) -> None:
    """Writes down publicly that a deadline has moved, and why; nothing if it has not."""
    if row.due_at is not None and row.due_at != old:
        Extension.objects.create(decision=row, reason=reason, old_due_at=old, new_due_at=row.due_at, created_at=now)


def next_reminder(row: Decision, calendar: Calendar, after: datetime) -> datetime | None:
    """When its player is reminded of a decision next, at the times he chose; None for no more.

    Who wants no reminders has that instant as well: it is written down then that he got none, and why.
    """
    if row.due_at is None or not row.is_open or row.seat.user is None:
        return None
    chosen = leads_of(row)
    before = [timedelta(minutes=minutes) for minutes in chosen] if chosen else None
    return next(iter(reminders(after, row.due_at, calendar, before)), None)


def leads_of(row: Decision) -> list[int] | None:
    """How many minutes before deadlines its player wants to be reminded at this table.

    None for once, by itself; [] for never.
    """
    seat = row.seat
    here: list[int] | None = seat.remind_before
    everywhere: list[int] | None = seat.user.remind_before if seat.user is not None else None
    return everywhere if here is None else here


def settle_bank(row: Decision, received_at: datetime) -> None:
    """Takes from the seat's time bank what an answer has used of it, or adds what one in time earns."""
    speed, seat = pace.find(row.game.pace), row.seat
    if speed.bank is None or seat.bank is None or row.allowed_until is None or not row.is_on_bank:
        return
    over = used(row.allowed_until, received_at, calendar_of(row, row.allowed_until))
    seat.bank = speed.bank.after(seat.bank, over)
    update(seat, "bank")


def bank_of(row: Decision) -> timedelta:
    """What the seat's time bank adds to this decision."""
    return row.seat.bank or NOTHING if row.is_on_bank else NOTHING
