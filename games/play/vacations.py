"""Vacations: days on which a person's clocks stand still, from a budget for each calendar year."""

from collections import Counter
from collections.abc import Iterable
from datetime import date, datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.errors import Conflict, NotFound, ServiceError
from games.people.models import User
from games.play import clocks
from games.play.models import Decision, Extension, Vacation
from games.tables.models import Game
from notifications.clock.calendar import day_span, used

FARTHEST = timedelta(days=366)  # how far ahead one may plan


@transaction.atomic
def plan(*, user: User, first_day: date, last_day: date, now: datetime) -> Vacation:
    """Plans a vacation from the first to the last day, both included, in the person's time zone.

    One that begins today begins now. Deadlines that would fall into it move.

    Raises ServiceError for impossible days, Conflict for days that are planned already or exceed the budget.
    """
    User.objects.select_for_update().get(pk=user.pk)  # two plans at once would not see each other
    zone = user.recipient.zone_info
    today = now.astimezone(zone).date()
    _check_days(first_day, last_day, today)
    planned = list(Vacation.objects.filter(user=user))
    if any(one.first_day <= last_day and first_day <= one.last_day for one in planned):
        raise Conflict(_("Some of these days overlap with another of your vacations."))
    _check_budget(first_day, last_day, planned)
    span = day_span(first_day, zone, last=last_day)
    before = [(game, clocks.calendars(game, [user], now)) for game in _games(user)]
    vacation = Vacation.objects.create(
        user=user,
        first_day=first_day,
        last_day=last_day,
        begins_at=max(span.begin, now),
        ends_at=span.end,
        created_at=now,
    )
    for game, without in before:
        _move(game, user, without, now)
    return vacation


@transaction.atomic
def end(*, user: User, ref: str, now: datetime) -> None:
    """Ends or cancels a vacation. Unused days return to the budget, unless it has moved a deadline that is still open.

    Such a deadline was announced to the table: it stays, and so do the days that it cost.

    Raises NotFound for somebody else's vacation, Conflict for one that is over.
    """
    User.objects.select_for_update().get(pk=user.pk)
    vacation = Vacation.objects.filter(user=user, ref=ref).first()
    if vacation is None:
        raise NotFound(_("There's no such vacation."))
    if vacation.ends_at <= now:
        raise Conflict(_("This vacation has already ended."))
    is_used = _has_moved_a_deadline(user, vacation, now)
    if vacation.begins_at > now and not is_used:
        vacation.delete()
        return
    if not is_used:
        today = now.astimezone(user.recipient.zone_info).date()
        vacation.last_day = min(vacation.last_day, max(today, vacation.first_day))
    vacation.ends_at = max(vacation.begins_at, now)
    vacation.save(update_fields=["last_day", "ends_at"])


def days_left(user: User, year: int) -> int:
    """Returns how many days of the budget of a calendar year are not planned yet."""
    return int(settings.VACATION_DAYS_PER_YEAR) - _days_by_year(Vacation.objects.filter(user=user))[year]


def upcoming(user: User, now: datetime) -> list[Vacation]:
    """The vacations that are not over, in order."""
    return list(Vacation.objects.filter(user=user, ends_at__gt=now).order_by("begins_at"))


def _check_days(first_day: date, last_day: date, today: date) -> None:
    if last_day < first_day:
        raise ServiceError(_("The last day is before the first."))
    if first_day < today:
        raise ServiceError(_("A vacation can't start before today."))
    if last_day > today + FARTHEST:
        raise ServiceError(_("You can plan vacations up to twelve months ahead."))


def _check_budget(first_day: date, last_day: date, planned: Iterable[Vacation]) -> None:
    budget, taken = int(settings.VACATION_DAYS_PER_YEAR), _days_by_year(planned)
    wanted = _days_by_year([Vacation(first_day=first_day, last_day=last_day)])
    for year, days in sorted(wanted.items()):
        left = budget - taken[year]
        if days > left:
            text = ngettext(
                "You have %(left)s vacation day left in %(year)s; this would use %(days)s.",
                "You have %(left)s vacation days left in %(year)s; this would use %(days)s.",
                left,
            )
            raise Conflict(text % {"left": left, "year": year, "days": days})


def _days_by_year(vacations: Iterable[Vacation]) -> Counter[int]:
    return Counter((one.first_day + timedelta(days=number)).year for one in vacations for number in range(one.days))


def _games(user: User) -> list[Game]:
    """The running games whose clocks a vacation of this person stops."""
    rows = Game.objects.filter(
        seats__user=user, seats__status="active", status=Game.Status.RUNNING, allows_vacation=True
    )
    return list(rows.select_for_update(of=("self",)).order_by("pk"))


def _move(game: Game, user: User, before: clocks.Calendars, now: datetime) -> None:
    """Recomputes the deadlines of a person after his vacations changed: each clock keeps the running time it has left.

    Deadlines of sealed questions move for all their seats, answered or not: they must not reveal who has answered.
    """
    rows = [row for row in clocks.asked(game).filter(is_automatic=False) if row.due_at is not None]
    old = {row.pk: row.due_at for row in rows if row.due_at is not None}
    people = {row.seat.user for row in rows if row.seat.user is not None}
    theirs = clocks.calendars(game, people, now)
    for row in rows:
        row.game = game
        if row.seat.user_id == user.pk and old[row.pk] > now:
            left = used(now, old[row.pk], clocks.calendar_in(before, row))
            clocks.set_left(row, left, clocks.calendar_in(theirs, row), now)
    codes = {row.code for row in rows if row.due_at != old[row.pk]}
    touched = [row for row in rows if row.code in codes]
    clocks.finish(touched, theirs, now)
    for row in touched:
        if row.due_at != old[row.pk]:
            row.save(update_fields=clocks.FIELDS)
            clocks.record_extension(row, Extension.Reason.VACATION, old[row.pk], now)


def _has_moved_a_deadline(user: User, vacation: Vacation, now: datetime) -> bool:
    """True if an open deadline of the person was computed with the vacation, being later than its beginning."""
    rows = Decision.objects.filter(seat__user=user, game__status=Game.Status.RUNNING, game__allows_vacation=True)
    return rows.filter(status=Decision.Status.OPEN, due_at__gt=max(vacation.begins_at, now)).exists()
