"""How a whole channel fares: a rate it keeps to, and a breaker that lets it rest when the other side is down.

A mail server that is down would otherwise use up the tries of every mail there is. Webhooks have an other side each;
what is dead there is switched off one by one.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import F, Q

from notifications.models import Channel, ChannelHealth

MINUTE = timedelta(minutes=1)
FAILURES = 5  # in a row, before a channel rests
SHORTEST = timedelta(seconds=30)
LONGEST = timedelta(minutes=15)
PROBE = timedelta(seconds=60)  # one claimer tries whether it works again; the others wait this long for him


def resting(now: datetime) -> list[str]:
    """The channels on which nothing is begun now."""
    rests = Q(paused_until__gt=now)
    if settings.MAIL_PER_MINUTE:
        rests |= Q(channel=Channel.MAIL, minute=_minute(now), sent__gte=settings.MAIL_PER_MINUTE)
    return list(ChannelHealth.objects.filter(rests).values_list("channel", flat=True))


def began(channel: str, now: datetime) -> None:
    """Count a try that begins. Where a channel has rested, this try finds out for all whether it works again."""
    if channel != Channel.MAIL:
        return
    if settings.MAIL_PER_MINUTE:
        row, _new = ChannelHealth.objects.get_or_create(channel=channel)
        same = ChannelHealth.objects.filter(pk=row.pk, minute=_minute(now))
        if not same.update(sent=F("sent") + 1):
            ChannelHealth.objects.filter(pk=row.pk).update(minute=_minute(now), sent=1)
    tired = ChannelHealth.objects.filter(channel=channel, failures__gte=FAILURES)
    tired.update(paused_until=now + PROBE)


def went_well(channel: str) -> None:
    """The other side took something."""
    ChannelHealth.objects.filter(channel=channel, failures__gt=0).update(failures=0, paused_until=None)


def went_wrong(channel: str, now: datetime) -> None:
    """The other side took nothing, and not because of this one message: after some of these the channel rests."""
    if channel != Channel.MAIL:
        return
    row, _new = ChannelHealth.objects.get_or_create(channel=channel)
    ChannelHealth.objects.filter(pk=row.pk).update(failures=F("failures") + 1)
    row.refresh_from_db()
    if row.failures >= FAILURES:
        rest = min(SHORTEST * 2 ** min(row.failures - FAILURES, 10), LONGEST)
        ChannelHealth.objects.filter(pk=row.pk).update(paused_until=now + rest)


def _minute(now: datetime) -> datetime:
    return now.replace(second=0, microsecond=0)
