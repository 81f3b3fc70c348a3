"""What counts as too late: the deadline, a moment's grace, and the reasons for which a missed one does not count."""

from datetime import datetime, timedelta

from django.conf import settings
from django.utils.translation import gettext as _

from games.errors import Conflict
from games.models import Decision, Extension, Heartbeat, Outage
from games.timing import clocks, reachability
from notifications.clock.calendar import NOTHING, deadline, used

OUTAGE = timedelta(minutes=2)  # a longer gap between two heartbeats is an outage
HEART = "ticker"
WEB = "web"  # the heartbeat of whatever takes answers by web; without it nobody asks whether there is any
SILENCE = timedelta(minutes=1)  # of the web, after which it counts as down
INBOUND = "inbound"  # heartbeats of whatever hears answers that come slowly, such as replies by mail, begin with this


def grace() -> timedelta:
    """How long after the deadline an answer still counts: what a slow line costs."""
    return timedelta(seconds=settings.DEADLINE_GRACE_SECONDS)


def patience() -> timedelta:
    """How long after the deadline nobody is passed yet: an answer that came in time may still wait for its turn."""
    return 4 * grace()


def why_not(row: Decision, now: datetime) -> str | None:
    """Why a deadline that has passed must not count; None if it counts."""
    reason = reachability.why_not(row, now)
    if reason is not None:
        return reason
    if row.game.is_first_miss_excused and not row.seat.is_excused:
        return Extension.Reason.EXCUSED
    return None


def to_be_told_by(row: Decision) -> datetime | None:
    """When a question must be handed over at the latest so that its deadline counts; None while no clock runs.

    A quarter earlier than that, since mail takes its time.
    """
    if row.due_at is None:
        return None
    calendar = clocks.calendar_of(row, row.opened_at)
    enough = reachability.enough(row, calendar)
    left = used(row.opened_at, row.due_at, calendar) - enough - enough / 4
    return deadline(row.opened_at, max(NOTHING, left), calendar)


def refuse_late(row: Decision, received_at: datetime) -> None:
    """Raises Conflict for an answer that reached us after the deadline and its grace, whether or not anybody has acted
    on the deadline by now: when it reached us decides, not who gets hold of the game first.

    It counts all the same where the deadline would not: then somebody who can act need not be given more time first.
    """
    if row.due_at is None or received_at <= row.due_at + grace() or not is_looked_after(received_at):
        return
    reason = why_not(row, received_at)
    if reason is None:
        raise Conflict(_("Your time for this has run out. The move is made for you; nothing was changed."))
    if reason == Extension.Reason.EXCUSED:
        row.seat.is_excused = True
        row.seat.save(update_fields=["is_excused"])


def is_looked_after(at: datetime) -> bool:
    """False while nobody looks after deadlines, in an outage, and until the time it took is given back."""
    return Heartbeat.objects.filter(name=HEART, beat_at__gte=at - OUTAGE).exists() and is_settled()


def is_settled() -> bool:
    """False while the time of an outage is being given back: somebody's deadline may not have been moved yet."""
    return not Outage.objects.filter(settled_at=None).exists()


def is_reachable(now: datetime) -> bool:
    """False while nobody can answer by web, and until the time that this takes is given back."""
    beats = dict(Heartbeat.objects.filter(name__in=(WEB, HEART)).values_list("name", "beat_at"))
    if WEB not in beats:
        return True
    return beats[WEB] >= now - SILENCE and beats.get(HEART, now) >= now - OUTAGE


def is_web_up(now: datetime) -> bool:
    """Whether the web has said lately that it is there, if it ever has."""
    return not Heartbeat.objects.filter(name=WEB, beat_at__lt=now - SILENCE).exists()


def is_heard(due_at: datetime) -> bool:
    """Whether every answer given by then has been heard: slow ways say how far they have listened."""
    return not Heartbeat.objects.filter(name__startswith=INBOUND, beat_at__lt=due_at + grace()).exists()
