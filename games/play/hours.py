"""A person's time zone, quiet hours and reminders."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.errors import ServiceError
from games.people.models import User
from games.play import clocks
from games.play.models import Decision
from games.tables.seats import Seat
from notifications.clock import zones
from notifications.clock.calendar import LONGEST_QUIET, Quiet

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
def change(*, user: User, hours: Hours, now: datetime) -> None:
    """Stores a person's hours. They apply to questions asked from now on; reminders change at once.

    Raises ServiceError for a zone that does not exist, and for hours that cannot be.
    """
    if hours.zone not in zones.known():
        raise ServiceError(_("There's no time zone called %(name)s.") % {"name": hours.zone})
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
    change(user=user, hours=kept, now=now)


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
        raise ServiceError(_("Quiet hours need a start and an end. Leave both empty for none."))
    if Quiet(start, until).length > LONGEST_QUIET:
        most = LONGEST_QUIET.total_seconds() / 3600
        raise ServiceError(_("Quiet hours can last at most %(most)d hours a day.") % {"most": most})


def checked_leads(minutes: Sequence[int] | None) -> list[int] | None:
    """The reminders in order, the earliest first. Raises ServiceError for too many, and for invalid times."""
    if minutes is None:
        return None
    leads = sorted(set(minutes), reverse=True)
    if len(leads) > MOST_REMINDERS:
        raise ServiceError(_("At most %(most)d reminders for one deadline.") % {"most": MOST_REMINDERS})
    if leads and not SHORTEST_LEAD <= leads[-1] <= leads[0] <= LONGEST_LEAD:
        raise ServiceError(_("A reminder must be between 15 minutes and 7 days before the deadline."))
    return leads


def _remind_anew(asked: QuerySet[Decision], now: datetime) -> None:
    rows = asked.filter(status=Decision.Status.OPEN, is_automatic=False, due_at__gt=now)
    rows = rows.exclude(seat__user=None).select_related("game", "seat__user__recipient")
    for row in rows.select_for_update(of=("self",)):
        row.remind_at = clocks.next_reminder(row, clocks.calendar_of(row, now), now)
        row.save(update_fields=["remind_at"])
