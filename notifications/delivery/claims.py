"""Claiming deliveries: a lease on some rows, taken in a short transaction of its own."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet, Value

from notifications import composers
from notifications.bulk_write import insert
from notifications.compiled_query import Row, RowQuery, Slot, as_parameter, compiled, compiled_rows, pad_to_power_of_two
from notifications.delivery import batching, channel_health
from notifications.delivery.batching import RELATED
from notifications.models import IS_OPEN, OPEN_STATES, Attempt, Channel, Delivery, DeliveryState, Endpoint

LEASE = timedelta(seconds=60)  # longer than the longest send; a dead claimer's deliveries come back after this
MOST = 20  # deliveries leased at once; a process that dies delays so many by a lease, and repeats one of them at most
MOST_QUICK = 80  # the same where the other side takes them quickly: each claim costs as much as some mails
# What is filled in is SQL that Django has composed; the values are parameters.
LEASE_FREE = """
    WITH free(id) AS MATERIALIZED (%s)
    UPDATE notifications_delivery
    SET state = %%s, lease_owner = %%s, lease_until = %%s, attempt_after = %%s, tries = tries + 1
    WHERE id IN (SELECT id FROM free) RETURNING id
"""
RACES = 5  # how often a claim may be lost to somebody else in one call
ALONE = "SELECT pg_try_advisory_xact_lock(8467201533)"  # who claims webhooks; any number that nobody else uses


@dataclass(frozen=True)
class Claim:
    """A leased delivery and the attempt that begins with it. The delivery's `lease_owner` names who leased it.

    `followers` go out in the same mail. They were joined to it at its first claim and stay so at each later one: what
    is sent again under the same Message-ID holds nothing new, which a reader's mail program might take for known.
    `channel_failures`: so many tries in a row had failed on its channel; with any it is news if this one succeeds.
    """

    delivery: Delivery
    attempt: Attempt
    followers: tuple[Delivery, ...] = ()
    channel_failures: int = 0


def claim_one(now: datetime) -> Claim | None:
    """Lease the oldest due delivery, or return None if there is none to be had; see `claim`."""
    return next(iter(claim(now, 1)), None)


def claim(now: datetime, most: int = MOST, channel: str = "") -> list[Claim]:
    """Lease the oldest due deliveries and note that an attempt at each begins; [] if there are none to be had.

    Several at once only at their first try, and where nothing is known to be in trouble: what follows one that kills
    its sender, or waits for one that does not answer, is a claim of its own. The try is counted now: a process that
    dies in the middle has used one up. Raises RuntimeError inside a transaction.

    Arguments:
        channel: deliveries of this one alone; "" for those of all.
    """
    for _ in range(RACES):
        channels = channel_health.of_channels(now)
        if channel:
            channels = channels.only(channel)
        first = _first_due(channels.resting, settings.WEBHOOKS_AT_ONCE)(now)
        if not first:  # most looks find nothing: they open no transaction
            return []
        _pk, tries = first[0]
        is_bounded = settings.MAIL_PER_MINUTE and channel != Channel.WEBHOOK
        is_calm = not tries and not channels.failures and not is_bounded
        # One that several of were not looked for may still be had by itself.
        claimed = _claim(now, channels, most if is_calm else 1) or _claim(now, channels, 1)
        if claimed:
            return claimed
    return []


def due(now: datetime | Value, resting: Sequence[str] = (), webhooks: int = 0) -> QuerySet[Delivery]:
    """Deliveries that may be claimed, oldest first: waiting ones whose time has come, and those with a lapsed lease.

    None on a channel that rests. The address of a webhook gets one delivery after the other, whoever gave it to us:
    nothing else while one that was begun is sent or waits for a retry.

    Arguments:
        webhooks: none while so many claimers hold some: web servers that take their time to answer shall not keep
            everybody who sends waiting, for then no mail would go out. 0: however many do.
    """
    begun = Delivery.objects.filter(IS_OPEN, tries__gt=0, target__isnull=False).values("target")
    open_now = Delivery.objects.filter(attempt_after__lte=now, state__in=OPEN_STATES)
    if resting:
        open_now = open_now.exclude(channel__in=resting)
    if webhooks:
        held = Delivery.objects.filter(channel=Channel.WEBHOOK, lease_until__gt=now).values("channel")
        enough = held.annotate(claimers=Count("lease_owner", distinct=True)).filter(claimers__gte=webhooks)
        open_now = open_now.exclude(Exists(enough), channel=Channel.WEBHOOK)
    is_next = Q(tries__gt=0) | Q(target=None) | ~Q(target__in=begun)  # of one address one is begun at most
    return open_now.filter(is_next).order_by("attempt_after", "pk")


@cache
def _first_due(resting: tuple[str, ...], webhooks: int) -> Callable[[datetime], list[Row]]:
    return compiled_rows("pk", "tries")(lambda now: due(now, resting, webhooks)[:1])


@cache
def _free_query(resting: tuple[str, ...], webhooks: int, kinds: tuple[str, ...], most: int) -> RowQuery:
    return RowQuery(_free(Value(Slot(0)), resting, webhooks, kinds, most), ["pk"])


def _free(
    now: datetime | Value, resting: tuple[str, ...], webhooks: int, kinds: tuple[str, ...], most: int
) -> QuerySet[Delivery]:
    """The first of them, without those that somebody else is claiming, where the database can tell.

    Of several only those that nothing older goes before: to the same webhook, or in the same mail.
    """
    candidates = due(now, resting, webhooks)
    if most > 1:
        fresh = Delivery.objects.filter(IS_OPEN, attempt_after__lte=now, tries=0)
        is_first = Q(target=None) | Q(pk__in=_first_of_each(fresh.filter(target__isnull=False), "target"))
        fails = Endpoint.objects.filter(pk=OuterRef("endpoint"), failing_since__isnull=False)
        is_well = Q(endpoint=None) | ~Exists(fails)
        candidates = candidates.filter(is_first, is_well, tries=0)
        if kinds:
            mails = fresh.filter(channel=Channel.MAIL, notice__kind__in=kinds)
            is_alone = ~Q(channel=Channel.MAIL) | ~Q(notice__kind__in=kinds) | Q(recipient=None)
            candidates = candidates.filter(is_alone | Q(pk__in=_first_of_each(mails, "recipient")))
    if connection.features.has_select_for_update_skip_locked:
        candidates = candidates.select_for_update(skip_locked=True, of=("self",))
    return candidates[:most]


def _first_of_each(deliveries: QuerySet[Delivery], what: str) -> QuerySet[Delivery, Any]:
    """The keys of the oldest for each target, or each recipient.

    Found once for all, and not for each candidate whether anything goes before it: nearly always hardly any delivery is
    open, so PostgreSQL looks for others by whatever index and reads all that are open, each time. After an outage that
    would be thousands of thousands.
    """
    groups: QuerySet[Delivery, Any] = deliveries.order_by().values(what)
    return groups.annotate(first=Min("pk")).values("first")


def _claim(now: datetime, channels: channel_health.Channels, most: int) -> list[Claim]:
    try:
        with transaction.atomic(durable=True):
            return _lease_free(now, channels, most)
    except IntegrityError:
        return []  # somebody else began to send to the same address between our two statements


def _lease_free(now: datetime, channels: channel_health.Channels, most: int) -> list[Claim]:
    keys = _lease(secrets.token_hex(16), now, _resting(channels), most)
    if not keys:
        return []
    leased = _leased(*pad_to_power_of_two(keys))
    for delivery in leased:
        channel_health.record_try(delivery.channel, now, channels)
    attempts = insert([Attempt(delivery=delivery, started_at=now) for delivery in leased])
    followers = batching.followers(leased, now)
    claims = [
        Claim(delivery, attempt, followers[delivery.pk], channels.failures.get(delivery.channel, 0))
        for delivery, attempt in zip(leased, attempts, strict=True)
    ]
    # A web server that does not answer shall keep no mail waiting.
    return sorted(claims, key=lambda claim: claim.delivery.channel == Channel.WEBHOOK)


@compiled(*RELATED)
def _leased(*keys: int) -> QuerySet[Delivery]:
    return Delivery.objects.filter(pk__in=keys).order_by("pk")


def _resting(channels: channel_health.Channels) -> tuple[str, ...]:
    """Webhooks, too, while somebody else may be claiming some: of two at the same moment neither would see the other.

    Nobody waits here. SQLite has one writer at a time anyway.
    """
    is_free = not settings.WEBHOOKS_AT_ONCE or Channel.WEBHOOK.value in channels.resting
    if connection.vendor != "postgresql" or is_free:
        return channels.resting
    with connection.cursor() as cursor:
        cursor.execute(ALONE)
        is_alone = cursor.fetchone()[0]
    return channels.resting if is_alone else (*channels.resting, Channel.WEBHOOK.value)


def _lease(owner: str, now: datetime, resting: tuple[str, ...], most: int) -> list[int]:
    """Lease what is free and return its primary keys; one statement, so that nobody comes in between."""
    free = _free_query(resting, settings.WEBHOOKS_AT_ONCE, composers.kinds_to_merge(), most)
    until = as_parameter(now + LEASE)
    with connection.cursor() as cursor:
        cursor.execute(
            LEASE_FREE % free.sql,
            [*[as_parameter(now) for _slot in free.slots], DeliveryState.SENDING.value, owner, until, until],
        )
        return [row[0] for row in cursor.fetchall()]
