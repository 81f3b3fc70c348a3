"""How telling and hearing fare, in numbers: for alarms, never for decisions."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Min

from notifications.channels.registry import CHANNELS
from notifications.delivery import channel_health
from notifications.models import IS_OPEN, OPEN_STATES, Delivery, DeliveryState, Inbound

NOTHING = timedelta(0)
LAST = 1000  # enough to see that many fail, however many there have been


@dataclass(frozen=True)
class HealthMetrics:
    """What waits and what stands still.

    Arguments:
        oldest_due: how long the oldest delivery waits beyond its time, by channel; zero if none does.
        waiting: deliveries that are not settled, by channel.
        quarantined: deliveries that were given up and wait for somebody to look.
        resting: channels that rest after failures in a row, or are being tried after that.
        lately: the last `LAST` deliveries that were written, by channel and what became of them.
        oldest_heard: how long the oldest answer by mail waits to be read.
    """

    oldest_due: dict[str, timedelta]
    waiting: dict[str, int]
    quarantined: int
    resting: list[str]
    lately: dict[tuple[str, str], int]
    oldest_heard: timedelta


def measure(now: datetime) -> HealthMetrics:
    """The numbers of this moment; a constant number of queries, each on an index of what is open."""
    open_now = Delivery.objects.filter(IS_OPEN)
    due = open_now.filter(attempt_after__lte=now, state__in=OPEN_STATES)
    oldest = dict(due.values_list("channel").annotate(Min("attempt_after")).order_by("channel"))
    heard = Inbound.objects.filter(state=Inbound.State.WAITING).aggregate(at=Min("received_at"))["at"]
    return HealthMetrics(
        oldest_due={channel: _since(oldest.get(channel), now) for channel in CHANNELS},
        waiting=dict(open_now.values_list("channel").annotate(Count("pk")).order_by("channel")),
        quarantined=Delivery.objects.filter(state=DeliveryState.QUARANTINED).count(),
        lately=dict(Counter(Delivery.objects.order_by("-pk").values_list("channel", "state")[:LAST])),
        resting=[row.channel for row in channel_health.failing_channels()],
        oldest_heard=_since(heard, now),
    )


def _since(then: datetime | None, now: datetime) -> timedelta:
    return max(NOTHING, now - then) if then else NOTHING
