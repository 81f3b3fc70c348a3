"""Whether a player was asked in time, and whose fault it is if he was not."""

from datetime import datetime, timedelta

from games.models import Decision, Extension
from games.timing import clocks, pace
from notifications import outbox
from notifications.clock.calendar import Calendar, used
from notifications.delivery import outages

TOLD_BEFORE = timedelta(hours=6)  # of the player's own time before the deadline; or half of his time, if that is less
MOST_EXTENSIONS = 3  # for a player who cannot be reached at all; then the game goes on without him


def why_not(row: Decision, now: datetime) -> Extension.Reason | None:
    """Why the deadline of a player who was not asked in time must not count; None if it counts.

    OUTAGE, as often as it takes, while it is our fault: our mail server's outage is our outage. So it is for one who
    was asked only when the outage was over, and has not had his full time since. NOT_TOLD, so many times, if it is his
    address alone.
    """
    if was_told_in_time(row):
        return None
    if _is_first_told_after_outage(row) or outages.is_our_fault(row.due_key, now):
        return Extension.Reason.OUTAGE
    count = row.extensions.filter(reason=Extension.Reason.NOT_TOLD).count()
    return Extension.Reason.NOT_TOLD if count < MOST_EXTENSIONS else None


def was_told_in_time(row: Decision) -> bool:
    """True if the question reached a mail server or webhook long enough before the deadline, in the player's time.

    A bot account asks by itself: that it was told is not ours to see to.
    """
    if row.seat.owner_id is not None:
        return True
    accepted = outbox.accepted_at(row.due_key)
    if accepted is None or row.due_at is None:
        return False
    calendar = clocks.calendar_of(row, accepted)
    is_late = _was_given_time_before(row, accepted)
    return used(accepted, row.due_at, calendar) >= (_allowance(row, calendar) if is_late else enough(row, calendar))


def enough(row: Decision, calendar: Calendar) -> timedelta:
    """How long before its deadline a question must be handed over."""
    return min(TOLD_BEFORE, _allowance(row, calendar) / 2)


def _allowance(row: Decision, calendar: Calendar) -> timedelta:
    return pace.find(row.game.pace).allowance.on(calendar)


def _is_first_told_after_outage(row: Decision) -> bool:
    accepted = outbox.accepted_at(row.due_key)
    return accepted is not None and _was_given_time_before(row, accepted)


def _was_given_time_before(row: Decision, accepted: datetime) -> bool:
    """Whether its clock was started anew, since we could not ask, before the question was handed over."""
    outages = row.extensions.filter(reason=Extension.Reason.OUTAGE)
    return outages.filter(created_at__gte=row.opened_at, created_at__lte=accepted).exists()
