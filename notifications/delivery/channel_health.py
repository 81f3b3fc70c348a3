"""How a whole channel fares: a rate it keeps to, a breaker that lets it rest, and what was lost by our fault.

Without the breaker a mail server that is down would use up the tries of every mail there is. The rest is short and does
not grow: one try each half minute costs a server that is back nothing, and it is noticed at once. Webhooks have an
other side each; what is dead there is switched off one by one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import F, Q, QuerySet

from notifications.channels.registry import CHANNELS
from notifications.database.compiled_query import compiled_rows
from notifications.models import TO_EVERYBODY, ChannelHealth, Delivery, DeliveryState

FAILURES = 2  # in a row, before a channel rests: the second confirms the first
REST = timedelta(seconds=30)  # then one claimer tries whether it works again; the others wait as long for him


@dataclass(frozen=True)
class Channels:
    """How the channels fare at an instant.

    Arguments:
        resting: those on which nothing is begun now.
        failures: how many tries in a row have failed, of those on which the last one did; after `FAILURES` of them a
            channel has rested.
    """

    resting: tuple[str, ...] = ()
    failures: Mapping[str, int] = field(default_factory=dict)

    def only(self, channel: str) -> "Channels":
        """For whoever delivers on one channel: the others are left alone as if they rested."""
        others = {other for other in CHANNELS if other != channel}
        failures = {name: count for name, count in self.failures.items() if name == channel}
        return Channels(tuple(sorted({*self.resting, *others})), failures)


def of_channels(now: datetime) -> Channels:
    """How they fare; one small query, for it is asked before each claim."""
    rows = _all(now)
    if not rows:
        return Channels()
    full = [kind for kind in CHANNELS if _is_minute_full(kind, now)]
    return Channels(
        resting=tuple({*full, *(channel for channel, _failures, is_resting in rows if is_resting)}),
        failures={channel: failures for channel, failures, _resting in rows if failures},
    )


@compiled_rows("channel", "failures", "is_resting")
def _all(now: datetime) -> QuerySet[ChannelHealth]:
    return ChannelHealth.objects.annotate(is_resting=Q(paused_until__gt=now))


def failing_channels() -> list[ChannelHealth]:
    """The channels that rest, or are being tried after a rest."""
    return list(ChannelHealth.objects.filter(failures__gte=FAILURES).order_by("channel"))


def end_rest(channel: str) -> bool:
    """Let the next claimer try a channel at once; returns False if it does not rest."""
    return ChannelHealth.objects.filter(channel=channel, failures__gte=FAILURES).update(paused_until=None) == 1


def record_try(channel: str, now: datetime, channels: Channels) -> None:
    """Count a try that begins. Where a channel has rested, this try finds out for all whether it works again."""
    if not CHANNELS[channel].has_breaker:
        return
    if CHANNELS[channel].per_minute():
        row, _new = ChannelHealth.objects.get_or_create(channel=channel)
        same = ChannelHealth.objects.filter(pk=row.pk, minute=_minute(now))
        if not same.update(sent=F("sent") + 1):
            ChannelHealth.objects.filter(pk=row.pk).update(minute=_minute(now), sent=1)
    if channels.failures.get(channel, 0) >= FAILURES:
        ChannelHealth.objects.filter(channel=channel, failures__gte=FAILURES).update(paused_until=now + REST)


def record_success(channel: str) -> None:
    """The other side took something."""
    ChannelHealth.objects.filter(channel=channel, failures__gt=0).update(failures=0, paused_until=None)


def record_failure(channel: str, now: datetime, known: int) -> None:
    """The other side took nothing, and not because of this one message: after some of these the channel rests.

    Arguments:
        known: the failures when this try began. Tries that were under way together are one failure: else a short
            outage under many workers would look like a long one.
    """
    if not CHANNELS[channel].has_breaker:
        return
    failures = known + 1
    paused_until = now + REST if failures >= FAILURES else None
    row, _new = ChannelHealth.objects.get_or_create(channel=channel)
    news = ChannelHealth.objects.filter(pk=row.pk, failures=known)
    news.update(failures=failures, paused_until=paused_until)


def rests(now: datetime) -> dict[str, datetime]:
    """Return the channels that rest, each with the time when it is tried again."""
    resting = ChannelHealth.objects.filter(failures__gte=FAILURES, paused_until__gt=now)
    return {row.channel: row.paused_until for row in resting if row.paused_until is not None}


def _is_minute_full(channel: str, now: datetime) -> bool:
    most = CHANNELS[channel].per_minute()
    full = ChannelHealth.objects.filter(channel=channel, minute=_minute(now), sent__gte=most)
    return bool(most) and full.exists()


def _minute(now: datetime) -> datetime:
    return now.replace(second=0, microsecond=0)


def is_our_fault(dedupe_key: str, now: datetime) -> bool:
    """Return whether a notice that no channel has taken over was kept back by us, and not by its recipient's address.

    What he holds back himself (quiet hours, a daily mail) is not our fault, nor is a mailbox that is full.
    """
    rows = Delivery.objects.filter(~TO_EVERYBODY, notice__dedupe_key=dedupe_key).select_related("leader")
    sent_as = [row.leader if row.state == DeliveryState.JOINED else row for row in rows]
    return any(row is not None and CHANNELS[row.channel].is_kept_back(row, now) for row in sent_as)


def send_again(dedupe_key: str, now: datetime) -> None:
    """Open the deliveries of a notice again that came back, or were refused, by our fault."""
    rows = Delivery.objects.filter(notice__dedupe_key=dedupe_key, attempt_after=None)
    for row in rows.exclude(state=DeliveryState.JOINED).select_related("notice__recipient"):
        if CHANNELS[row.channel].forgive(row):
            rows.filter(pk=row.pk).update(
                state=DeliveryState.WAITING, attempt_after=now, tries=0, accepted_at=None, leader=None, reason=""
            )
