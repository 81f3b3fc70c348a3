"""How whole channels fare: their rate, the breaker that lets them rest, and numbers for alarms."""

import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count, F, Max, Min, Q, QuerySet

from notifications.channels.base import CHANNELS
from notifications.database.compiled_query import compiled_rows
from notifications.models import (
    IS_OPEN,
    OPEN_STATES,
    TO_EVERYBODY,
    ChannelHealth,
    Delivery,
    DeliveryState,
    Inbound,
    MailboxPosition,
    Notice,
)

log = logging.getLogger(__name__)
FAILURES = 2  # in a row, before a channel rests: the second confirms the first
REST = timedelta(seconds=30)  # then one claimer tries whether it works again; the others wait as long for him


@dataclass(frozen=True)
class Channels:
    """How the channels fare at an instant.

    Arguments:
        resting: those on which nothing is begun now.
        failures: how many tries in a row have failed, of those on which the last one did; after `FAILURES` of them a
            channel has rested.
        limited: those whose limit was used up lately, and on which something may wait for it.
    """

    resting: tuple[str, ...] = ()
    limited: tuple[str, ...] = ()
    failures: Mapping[str, int] = field(default_factory=dict)

    def only(self, channel: str) -> "Channels":
        """For whoever delivers on one channel: the others are left alone as if they rested."""
        others = {other for other in CHANNELS if other != channel}
        failures = {name: count for name, count in self.failures.items() if name == channel}
        limited = tuple({*self.limited} - others)
        return Channels(tuple(sorted({*self.resting, *others})), limited, failures)


def load_channels_health(now: datetime) -> Channels:
    """How they fare; one small query, for it is asked before each claim."""
    rows = _all(now)
    return Channels(
        resting=tuple(
            channel
            for channel, _failures, is_resting, _limited, *window in rows
            if is_resting or _is_full(channel, now, *window)
        ),
        limited=tuple(channel for channel, _failures, _resting, is_at_limit, *_sent in rows if is_at_limit),
        failures={channel: failures for channel, failures, *_more in rows if failures},
    )


@compiled_rows("channel", "failures", "is_resting", "is_at_limit", "minute", "sent")
def _all(now: datetime) -> QuerySet[ChannelHealth]:
    return ChannelHealth.objects.annotate(is_resting=Q(paused_until__gt=now))


def _is_full(channel: str, now: datetime, minute: datetime | None, count: int) -> bool:
    most = CHANNELS[channel].per_minute()
    return bool(most) and minute == _minute(now) and count >= most


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
    if most := CHANNELS[channel].per_minute():
        row, _new = ChannelHealth.objects.get_or_create(channel=channel)
        same = ChannelHealth.objects.filter(pk=row.pk, minute=_minute(now))
        if not same.update(sent=F("sent") + 1):
            ChannelHealth.objects.filter(pk=row.pk).update(minute=_minute(now), sent=1)
        if same.filter(sent__gte=most, is_at_limit=False).update(is_at_limit=True):
            log.warning("Channel %s: its limit of %s a minute is used up, what else is due waits", channel, most)
    if channels.failures.get(channel, 0) >= FAILURES:
        ChannelHealth.objects.filter(channel=channel, failures__gte=FAILURES).update(paused_until=now + REST)


def record_nothing_due(channels: Channels) -> None:
    """Nothing waits that could be sent: limits that were used up hold nothing back any more."""
    for channel in {*channels.limited} - {*channels.resting}:
        if ChannelHealth.objects.filter(channel=channel, is_at_limit=True).update(is_at_limit=False):
            log.warning("Channel %s: nothing waits for its limit any more", channel)


def record_success(channel: str) -> None:
    """The other side took something."""
    failing = ChannelHealth.objects.filter(channel=channel, failures__gt=0)
    if failing.filter(failures__gte=FAILURES).update(failures=0, paused_until=None):
        log.warning("Channel %s: messages are taken again", channel)
    else:
        failing.update(failures=0)


def record_failure(channel: str, now: datetime, earlier: int, why: str) -> None:
    """The other side took nothing, and not because of this one message: after some of these the channel rests.

    Arguments:
        earlier: the failures when this try began. Tries that were under way together are one failure: else a short
            outage under many workers would look like a long one.
        why: for the log, which hears of it once for each outage: nobody can be told of it by mail.
    """
    if not CHANNELS[channel].has_breaker:
        return
    failures = earlier + 1
    paused_until = now + REST if failures >= FAILURES else None
    row, _new = ChannelHealth.objects.get_or_create(channel=channel)
    news = ChannelHealth.objects.filter(pk=row.pk, failures=earlier)
    if news.update(failures=failures, paused_until=paused_until) and failures == FAILURES:
        log.warning("Channel %s: messages are not taken: %s", channel, why)


def rests(now: datetime) -> dict[str, datetime]:
    """Return the channels that rest, each with the time when it is tried again."""
    resting = ChannelHealth.objects.filter(failures__gte=FAILURES, paused_until__gt=now)
    return {row.channel: row.paused_until for row in resting if row.paused_until is not None}


def _minute(now: datetime) -> datetime:
    return now.replace(second=0, microsecond=0)


def is_our_fault(dedupe_key: str, now: datetime, since: datetime) -> bool:
    """Return whether a notice that no channel has taken over was kept back by us, and not by its recipient's address.

    What he holds back himself (quiet hours, a daily mail) is not our fault, nor is a mailbox that is full.
    """
    if Notice.objects.filter(dedupe_key=dedupe_key, pending__isnull=False).exists():
        return True  # no worker has made its deliveries
    rows = Delivery.objects.filter(~TO_EVERYBODY, notice__dedupe_key=dedupe_key).select_related("leader")
    sent_as = [row.leader if row.state == DeliveryState.JOINED else row for row in rows]
    return any(row is not None and CHANNELS[row.channel].is_kept_back(row, now, since) for row in sent_as)


def send_again(dedupe_key: str, now: datetime) -> None:
    """Open the deliveries of a notice again that came back, or were refused, by our fault."""
    rows = Delivery.objects.filter(notice__dedupe_key=dedupe_key, attempt_after=None)
    for row in rows.exclude(state=DeliveryState.JOINED).select_related("notice__recipient"):
        if CHANNELS[row.channel].forgive(row):
            rows.filter(pk=row.pk).update(
                state=DeliveryState.WAITING, attempt_after=now, tries=0, accepted_at=None, leader=None, reason=""
            )


# How telling and hearing fare, in numbers: for alarms, never for decisions.

NOTHING = timedelta(0)
SILENCE = timedelta(minutes=15)  # of a mailbox, at which IDLE is begun anew more often
LAST = 1000  # enough to see that many fail, however many there have been


@dataclass(frozen=True)
class HealthMetrics:
    """The figures of waiting and stopped deliveries.

    Arguments:
        oldest_due: how long the oldest delivery waits beyond its time, by channel; zero if none does. What has no
            deliveries yet waits on all of them.
        waiting: deliveries that are not settled, by channel.
        quarantined: deliveries that were given up and wait for somebody to look.
        resting: channels that rest after failures in a row, or are being tried after that.
        lately: the last `LAST` deliveries that were written, by channel and what became of them.
        oldest_heard: how long the oldest answer by mail waits to be read.
        mailbox_looked: how long ago the mailbox for answers was looked at; zero if there is none.
    """

    oldest_due: dict[str, timedelta]
    waiting: dict[str, int]
    quarantined: int
    resting: list[str]
    lately: dict[tuple[str, str], int]
    oldest_heard: timedelta
    mailbox_looked: timedelta


def measure_health(now: datetime) -> HealthMetrics:
    """The numbers of this moment; a constant number of queries, each on an index of what is open."""
    open_now = Delivery.objects.filter(IS_OPEN)
    due = open_now.filter(attempt_after__lte=now, state__in=OPEN_STATES)
    new = Notice.objects.filter(pending__isnull=False).aggregate(at=Min("created_at"))["at"]
    oldest = dict(due.values_list("channel").annotate(Min("attempt_after")).order_by("channel"))
    heard = Inbound.objects.filter(state=Inbound.State.WAITING).aggregate(at=Min("received_at"))["at"]
    return HealthMetrics(
        oldest_due={channel: max(_since(oldest.get(channel), now), _since(new, now)) for channel in CHANNELS},
        waiting=dict(open_now.values_list("channel").annotate(Count("pk")).order_by("channel")),
        quarantined=Delivery.objects.filter(state=DeliveryState.QUARANTINED).count(),
        lately=dict(Counter(Delivery.objects.order_by("-pk").values_list("channel", "state")[:LAST])),
        resting=[row.channel for row in failing_channels()],
        oldest_heard=_since(heard, now),
        mailbox_looked=_since(MailboxPosition.objects.aggregate(at=Max("looked_at"))["at"], now),
    )


def oldest_waiting(now: datetime) -> timedelta:
    """Returns how long the oldest delivery, or the oldest answer by mail, waits beyond its time."""
    due = Delivery.objects.filter(IS_OPEN, attempt_after__lte=now, state__in=OPEN_STATES)
    heard = Inbound.objects.filter(state=Inbound.State.WAITING).aggregate(at=Min("received_at"))["at"]
    return max(_since(due.aggregate(at=Min("attempt_after"))["at"], now), _since(heard, now))


def is_mailbox_silent(now: datetime) -> bool:
    """Whether answers are read from a mailbox, and nobody has looked into it lately."""
    looked_at = MailboxPosition.objects.aggregate(at=Max("looked_at"))["at"] if settings.REPLY_MAILBOX else now
    return looked_at is None or now - looked_at > SILENCE


def _since(then: datetime | None, now: datetime) -> timedelta:
    return max(NOTHING, now - then) if then else NOTHING
