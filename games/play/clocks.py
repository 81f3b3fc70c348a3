"""The clocks of decisions, each by the calendar of its seat's player, and the hours that players choose.

A sealed question has one deadline for all its seats, the latest of theirs. It moves whether or not a seat has answered:
no clock reveals who has.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.errors import ServiceError
from games.people.models import User
from games.play import queries
from games.play.models import Decision, Extension, Vacation
from games.tables import pace
from games.tables.models import Game
from games.tables.seats import Seat
from notifications import preferences
from notifications.clock import calendar
from notifications.clock.calendar import LONGEST_QUIET, NOTHING, Calendar, Quiet, deadline, reminders, start_clock, used
from notifications.database.bulk_write import update
from notifications.database.compiled_query import compiled

WEEKEND = frozenset({5, 6})
FAIR = 4  # a clock that a moderator resumes has at least this part of the allowance left
FIELDS = ("due_at", "allowed_until", "remind_at", "steward_at", "steward_before", "left", "hour_left", "hours")
USUAL_NIGHT = Quiet(time(23), time(7))
NOT_RUNNING = {**dict.fromkeys(FIELDS), "hours": ""}
NONE = "-"
Calendars = Mapping[int, Calendar]  # by the primary key of the person


def asked(game: Game) -> QuerySet[Decision]:
    """The decisions the game waits on, with answered ones of sealed questions, and their related objects."""
    return queries.asked_rows(game).select_related("seat__user__recipient", "game")


def calendars(game: Game, users: Iterable[User], since: datetime) -> dict[int, Calendar]:
    """Returns the calendars of these users at this table, by primary key.

    Arguments:
        since: vacations that ended before are left out.
    """
    people = list(users)
    away: dict[int, list[Vacation]] = {user.pk: [] for user in people}
    is_live = pace.running(game).is_live
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
    """Returns the calendar of a decision's clock. Only for seats of people."""
    assert row.seat.user is not None, row
    return calendar_in(calendars(row.game, [row.seat.user], since), row)


def calendar_in(theirs: Calendars, row: Decision) -> Calendar:
    """Returns the calendar of a decision's clock, given those of all users concerned.

    A clock keeps the hours with which it started: changing one's hours later neither moves a deadline nor gains time.
    """
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
    """Starts or restarts the clocks of decisions that are asked together; the rows are not saved.

    In a paused game the clocks are set but do not run.
    """
    speed, theirs = pace.running(game), _of(game, rows, now)
    for row in rows:
        person = row.seat.user_id
        assert person is not None, row
        calendar = theirs[person]
        row.hours, row.hour_left = _hours(calendar), None
        allowance, bank = speed.allowance.on(calendar), bank_of(row)
        if game.paused_at:
            row.due_at = row.allowed_until = row.remind_at = None
            row.left = allowance + bank
        else:
            clock = start_clock(now, allowance, bank, calendar)
            row.due_at, row.allowed_until = clock.due_at, clock.allowed_until
        start_steward(row, calendar, now)
    finish(rows, theirs, now)


def start_steward(row: Decision, calendar: Calendar, now: datetime) -> None:
    """Starts the time after which the seat's steward may act: so many of its player's waking hours from now.

    No steward acts where that is not before the deadline. The row is not saved.
    """
    hours = row.seat.steward_hours
    row.steward_at = row.steward_before = None
    if hours is None:
        return
    if row.left is not None:
        row.steward_before = max(NOTHING, row.left - timedelta(hours=hours)) or None
    elif row.due_at is not None:
        acts_at = deadline(now, timedelta(hours=hours), waking(row, calendar))
        if acts_at < row.due_at:
            row.steward_at, row.steward_before = acts_at, used(acts_at, row.due_at, calendar)


def give_steward_back(row: Decision, start: datetime, end: datetime, calendar: Calendar) -> None:
    """Gives the time between two instants, in which the player could not answer, back to his steward's clock.

    The row is not saved.
    """
    if row.steward_at is not None and row.steward_at >= start:
        row.steward_at = deadline(end, used(start, row.steward_at, calendar), waking(row, calendar))


def waking(row: Decision, calendar: Calendar) -> Calendar:
    """Returns the calendar of the hours in which a player is awake, also where clocks run at night.

    Who has chosen no quiet hours sleeps as most people do.
    """
    assert row.seat.user is not None, row
    if row.seat.hides_name:  # when a steward acts would tell when its player sleeps, and so who he is
        return calendar
    return replace(calendar, quiet=calendar.quiet or row.seat.user.recipient.quiet or USUAL_NIGHT)


def stop(rows: Sequence[Decision], now: datetime) -> None:
    """Stops the clocks of a game's decisions and stores the time left."""
    theirs = _of(rows[0].game, rows, now) if rows else {}
    for row in rows:
        if row.due_at is not None:
            row.left = used(now, row.due_at, calendar_in(theirs, row))
            row.due_at = row.allowed_until = row.remind_at = row.steward_at = None


def go_on(game: Game, rows: Sequence[Decision], now: datetime, *, is_topped_up: bool = True) -> None:
    """Resumes stopped clocks with the time left.

    Arguments:
        is_topped_up: whether nobody has less than a fair share of the allowance.
    """
    allowance, theirs = pace.running(game).allowance, _of(game, rows, now)
    for row in rows:
        if row.left is not None:
            calendar = calendar_in(theirs, row)
            fair = allowance.on(calendar) / FAIR if is_topped_up else NOTHING
            set_left(row, max(row.left, fair), calendar, now)
            row.left = None
    finish(rows, theirs, now)


def start_hour(game: Game, rows: Sequence[Decision], now: datetime) -> None:
    """Starts stopped clocks by the pace of an hour together, and keeps what they showed; the rows are not saved."""
    shown = [(row.left, row.steward_before) for row in rows]
    for row in rows:
        row.left = None
    start(game, rows, now)
    for row, (left, steward_before) in zip(rows, shown, strict=True):
        row.hour_left, row.steward_before = left, steward_before


def end_hour(game: Game, rows: Sequence[Decision], began: datetime, now: datetime) -> None:
    """Starts the clocks by the table's own pace again; the rows are not saved.

    What was asked before has its old deadline, but at least the live allowance or all that was left if that was less.
    What was asked meanwhile gets its whole time.
    """
    start(game, [row for row in rows if row.hour_left is None], now)
    theirs = _of(game, rows, now)
    for row in rows:
        if row.hour_left is not None and row.seat.user_id is not None:
            calendar = theirs[row.seat.user_id]
            row.hours = _hours(calendar)
            least = min(row.hour_left, pace.find(pace.LIVE).allowance.on(calendar))
            set_left(row, max(row.hour_left - used(began, now, calendar), least), calendar, now)
            row.hour_left = None
    finish(rows, theirs, now)


def run_on(row: Decision, now: datetime) -> None:
    """Sets the clock of a sealed decision that opens again: it never stopped, and ends with the others.

    The row is not saved.
    """
    if not row.is_automatic:
        row.due_at = queries.public_due_at(row)
        calendar = calendar_of(row, now)
        row.remind_at = next_reminder(row, calendar, now)
        start_steward(row, calendar, now)


def set_left(row: Decision, left: timedelta, calendar: Calendar, now: datetime) -> None:
    """Sets the deadline to this much running time from now, of which the seat's time bank is the last part.

    Its steward acts as long before the deadline as he would have.
    """
    row.due_at = deadline(now, left, calendar)
    row.allowed_until = deadline(now, max(NOTHING, left - bank_of(row)), calendar)
    if row.steward_before is not None:
        row.steward_at = deadline(now, max(NOTHING, left - row.steward_before), waking(row, calendar))


def finish(rows: Iterable[Decision], theirs: Calendars, now: datetime) -> None:
    """Sets one deadline for all seats of a sealed question, and the next reminder of every running clock.

    When stewards act stays: the deadline of a seat may only have moved away from that.
    """
    latest: dict[str, datetime] = {}
    for row in rows:
        if row.is_sealed and row.due_at is not None:
            latest[row.code] = max(row.due_at, latest.get(row.code, row.due_at))
    for row in rows:
        if row.due_at is not None:
            row.due_at = latest.get(row.code, row.due_at)
        if row.due_at is not None and row.steward_at is not None:
            row.steward_before = used(row.steward_at, row.due_at, calendar_in(theirs, row))
        row.remind_at = next_reminder(row, calendar_in(theirs, row), now)


def record_extension(row: Decision, reason: str, old: datetime, now: datetime) -> None:
    """Records publicly that a deadline has moved, and why; nothing if it has not."""
    if row.due_at is not None and row.due_at != old:
        Extension.objects.create(decision=row, reason=reason, old_due_at=old, new_due_at=row.due_at, created_at=now)


def next_reminder(row: Decision, calendar: Calendar, after: datetime) -> datetime | None:
    """Returns when the player is reminded next, at the times he chose; None for no more.

    Also for a player who wants no reminders: at that time his ledger records that he got none, and why.
    """
    if row.due_at is None or not row.is_open or row.seat.user is None:
        return None
    chosen = leads_of(row)
    before = [timedelta(minutes=minutes) for minutes in chosen] if chosen else None
    return next(iter(reminders(after, row.due_at, calendar, before)), None)


def leads_of(row: Decision) -> list[int] | None:
    """Returns how many minutes before deadlines the player wants reminders at this table.

    None for one reminder at the default time; [] for none.
    """
    seat = row.seat
    here: list[int] | None = seat.remind_before
    everywhere: list[int] | None = seat.user.remind_before if seat.user is not None else None
    return everywhere if here is None else here


def settle_bank(row: Decision, received_at: datetime) -> None:
    """Updates the seat's time bank: less what the answer used of it, plus what an answer in time earns."""
    speed, seat = pace.running(row.game), row.seat
    if speed.bank is None or seat.bank is None or row.allowed_until is None or not row.is_on_bank:
        return
    over = used(row.allowed_until, received_at, calendar_of(row, row.allowed_until))
    seat.bank = speed.bank.after(seat.bank, over)
    update(seat, "bank")


def bank_of(row: Decision) -> timedelta:
    """Returns how much the seat's time bank adds to this decision."""
    return row.seat.bank or NOTHING if row.is_on_bank and not row.game.is_live_hour else NOTHING


# A person's time zone, quiet hours and reminders

MOST_REMINDERS = 3
SHORTEST_LEAD, LONGEST_LEAD = 15, 7 * 24 * 60  # minutes


@dataclass(frozen=True)
class Hours:
    """A person's quiet hours and reminders.

    Arguments:
        quiet_from, quiet_until: in the person's time zone, possibly past midnight; None for no quiet hours.
        remind_before: minutes before a deadline; None for one reminder at the default time; [] for none.
    """

    zone: str
    quiet_from: time | None
    quiet_until: time | None
    remind_before: Sequence[int] | None


@transaction.atomic
def change_hours(*, user: User, hours: Hours, now: datetime) -> None:
    """Stores a person's hours. They apply to questions asked from now on; reminders change at once.

    Raises ServiceError for a zone that does not exist, and for hours that cannot be.
    """
    if hours.zone not in calendar.known():
        raise ServiceError(
            _("There's no time zone called %(name)s.") % {"name": hours.zone}, code="no-such-zone", field="zone"
        )
    check_quiet(hours.quiet_from, hours.quiet_until)
    recipient = user.recipient
    recipient.zone, recipient.quiet_from, recipient.quiet_until = hours.zone, hours.quiet_from, hours.quiet_until
    recipient.save(update_fields=["zone", "quiet_from", "quiet_until"])
    user.remind_before = checked_leads(hours.remind_before)
    user.save(update_fields=["remind_before"])
    _remind_anew(Decision.objects.filter(seat__user=user), now)


@transaction.atomic
def change_zone(*, user: User, zone: str, now: datetime) -> None:
    """Stores a person's time zone and leaves quiet hours and reminders as they are by the clock of the new one.

    Raises ServiceError for a zone that does not exist.
    """
    recipient = user.recipient
    kept = Hours(zone, recipient.quiet_from, recipient.quiet_until, user.remind_before)
    change_hours(user=user, hours=kept, now=now)


@transaction.atomic
def change_reminders(*, seat: Seat, remind_before: Sequence[int] | None, now: datetime) -> None:
    """Stores when the player of a seat is reminded at this table; None for the usual times.

    Raises ServiceError for invalid times.
    """
    seat.remind_before = checked_leads(remind_before)
    seat.save(update_fields=["remind_before"])
    _remind_anew(Decision.objects.filter(seat=seat), now)


def check_quiet(start: time | None, until: time | None) -> None:
    """Raises ServiceError for quiet hours with one end only, of no length, or that leave too little of the day."""
    if start is None and until is None:
        return
    if start is None or until is None:
        raise ServiceError(
            _("Quiet hours need a start and an end. Leave both empty for none."), code="half-given", field="quiet_until"
        )
    if Quiet(start, until).length > LONGEST_QUIET:
        most = LONGEST_QUIET.total_seconds() / 3600
        raise ServiceError(
            _("Quiet hours can last at most %(most)d hours a day.") % {"most": most},
            code="out-of-range",
            field="quiet_until",
        )


def checked_leads(minutes: Sequence[int] | None) -> list[int] | None:
    """The reminders in order, the earliest first. Raises ServiceError for too many, and for invalid times."""
    if minutes is None:
        return None
    leads = sorted(set(minutes), reverse=True)
    if len(leads) > MOST_REMINDERS:
        raise ServiceError(
            _("At most %(most)d reminders for one deadline.") % {"most": MOST_REMINDERS},
            code="out-of-range",
            field="remind_before",
        )
    if leads and not SHORTEST_LEAD <= leads[-1] <= leads[0] <= LONGEST_LEAD:
        raise ServiceError(
            _("A reminder must be between 15 minutes and 7 days before the deadline."),
            code="out-of-range",
            field="remind_before",
        )
    return leads


def _remind_anew(decisions: QuerySet[Decision], now: datetime) -> None:
    rows = decisions.filter(status=Decision.Status.OPEN, is_automatic=False, due_at__gt=now)
    rows = rows.exclude(seat__user=None).select_related("game", "seat__user__recipient")
    for row in rows.select_for_update(of=("self",)):
        row.remind_at = next_reminder(row, calendar_of(row, now), now)
        row.save(update_fields=["remind_at"])


@dataclass(frozen=True)
class TablePreferences:
    """A player's notification preferences for one table.

    Arguments:
        rhythm, ways: a Rhythm and Ways, "" for what he wants in all games.
        muted: topics, beside those that are muted in all games.
        remind_before: minutes before a deadline; None for what he wants in all games, empty for never.
        hears_all_talk: whether he is told of every message at the table, not of mentions alone; None for as it is.
        hears_next: whether he is told when the seat before his is asked; None for as it is.
    """

    rhythm: str
    ways: str
    muted: Collection[str]
    remind_before: Sequence[int] | None
    hears_all_talk: bool | None = None
    hears_next: bool | None = None


@transaction.atomic
def choose_for_table(*, seat: Seat, chosen: TablePreferences, now: datetime) -> None:
    """Stores them, for waiting deliveries as well. Raises ServiceError for reminders that make no sense."""
    assert seat.user is not None
    change_reminders(seat=seat, remind_before=chosen.remind_before, now=now)
    if chosen.hears_all_talk is not None:
        seat.hears_all_talk = chosen.hears_all_talk
        seat.save(update_fields=["hears_all_talk"])
    if chosen.hears_next is not None:
        seat.hears_next = chosen.hears_next
        seat.save(update_fields=["hears_next"])
    preferences.choose_for(
        seat.user.recipient,
        seat.game.thread,
        rhythm=chosen.rhythm,
        muted=chosen.muted,
        ways=chosen.ways,
        now=now,
    )
