"""Claiming deliveries: a lease on some rows, taken in a short transaction of its own."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, reduce
from operator import or_
from typing import Any, TypeAlias

from django.db import IntegrityError, connection, transaction
from django.db.models import BooleanField, Min, Q, QuerySet, Value
from django.db.models.expressions import Combinable

from notifications import composers
from notifications.channels.registry import CHANNELS, kinds_batched_by_recipient, serial_kinds
from notifications.database.bulk_write import insert
from notifications.database.compiled_query import (
    Row,
    RowQuery,
    Slot,
    as_parameter,
    compiled,
    compiled_rows,
    pad_to_power_of_two,
)
from notifications.delivery import batching, channel_health
from notifications.delivery.batching import RELATED
from notifications.models import IS_OPEN, OPEN_STATES, Attempt, Delivery, DeliveryState

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
ALONE = "SELECT pg_try_advisory_xact_lock(8467201533)"  # to claim on serial channels; a number nobody else uses
Limits: TypeAlias = tuple[tuple[str, int], ...]  # by channel, hashable: a compiled query is kept for each


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


def claim(now: datetime, most: int = MOST, channel: str = "", *, failing: bool = True) -> list[Claim]:
    """Lease the oldest due deliveries and note that an attempt at each begins; [] if there are none to be had.

    Several at once only at their first try, and where nothing is known to be in trouble: what follows one that kills
    its sender, or waits for one that does not answer, is a claim of its own, and so is what goes to somebody
    whose address fails. The try is counted now: a process that dies in the middle has used one up. Raises
    RuntimeError inside a transaction.

    Arguments:
        channel: deliveries of this one alone; "" for those of all.
        failing: whether deliveries are tried that go to somebody whose address took nothing last time; each may cost
            its sender a whole timeout.
    """
    for _ in range(RACES):
        channels = channel_health.of_channels(now)
        if channel:
            channels = channels.only(channel)
        first = _first_due(channels.resting, _limits(), failing)(now)
        if not first:  # most looks find nothing: they open no transaction
            channel_health.record_nothing_due(channels)
            return []
        _pk, tries, is_troubled = first[0]
        is_bounded = any(CHANNELS[kind].per_minute() for kind in ([channel] if channel else CHANNELS))
        is_calm = not tries and not is_troubled and not channels.failures and not is_bounded
        # One that several of were not looked for may still be had by itself.
        claimed = _claim(now, channels, most if is_calm else 1, failing) or _claim(now, channels, 1, failing)
        if claimed:
            return claimed
    return []


def due(
    now: datetime | Value, resting: Sequence[str] = (), limits: Limits = (), failing: bool = True
) -> QuerySet[Delivery]:
    """Deliveries that may be claimed, oldest first: waiting ones whose time has come, and those with a lapsed lease.

    None on a channel that rests. On a serial channel each target gets one delivery after the other: nothing else while
    one that was begun is sent or waits for a retry.

    Arguments:
        limits: by serial channel how many claimers may hold some of its deliveries at a time; 0 for no limit.
        failing: as of `claim`.
    """
    begun = Delivery.objects.filter(IS_OPEN, tries__gt=0, target__isnull=False).values("target")
    open_now = Delivery.objects.filter(attempt_after__lte=now, state__in=OPEN_STATES)
    if resting:  # by name those that do not rest: an index begins with them
        open_now = open_now.filter(channel__in=[kind for kind in CHANNELS if kind not in resting])
    for kind in serial_kinds():
        if kind not in resting:
            open_now = CHANNELS[kind].without_busy(open_now, now, dict(limits).get(kind, 0), failing=failing)
    is_next = Q(tries__gt=0) | Q(target=None) | ~Q(target__in=begun)  # of one address one is begun at most
    return open_now.filter(is_next).order_by("attempt_after", "pk")


def _is_troubled() -> Combinable:
    """Whether a delivery goes to somebody whose address fails, as its channel knows."""
    conditions = [condition for channel in CHANNELS.values() if (condition := channel.is_troubled()) is not None]
    return reduce(or_, conditions) if conditions else Value(False, BooleanField())


def _limits() -> Limits:
    return tuple((kind, CHANNELS[kind].most_senders()) for kind in serial_kinds())


@cache
def _first_due(resting: tuple[str, ...], limits: Limits, failing: bool) -> Callable[[datetime], list[Row]]:
    def build(now: Any) -> QuerySet[Delivery]:
        return due(now, resting, limits, failing).annotate(is_troubled=_is_troubled())[:1]

    return compiled_rows("pk", "tries", "is_troubled")(build)


@cache
def _free_query(resting: tuple[str, ...], limits: Limits, failing: bool, kinds: tuple[str, ...], most: int) -> RowQuery:
    return RowQuery(_free(Value(Slot(0)), resting, limits, failing, kinds, most), ["pk"])


def _free(
    now: datetime | Value, resting: tuple[str, ...], limits: Limits, failing: bool, kinds: tuple[str, ...], most: int
) -> QuerySet[Delivery]:
    """The first of them, without those that somebody else is claiming, where the database can tell.

    Of several only those that nothing older goes before: to the same target, or in the same mail.
    """
    candidates = due(now, resting, limits, failing)
    if most > 1:
        fresh = Delivery.objects.filter(IS_OPEN, attempt_after__lte=now, tries=0)
        is_first = Q(target=None) | Q(pk__in=_first_of_each(fresh.filter(target__isnull=False), "target"))
        candidates = candidates.filter(is_first, ~_is_troubled(), tries=0)
        if kinds:
            is_batched = Q(channel__in=kinds_batched_by_recipient())
            mails = fresh.filter(is_batched, notice__kind__in=kinds)
            is_alone = ~is_batched | ~Q(notice__kind__in=kinds) | Q(recipient=None)
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


def _claim(now: datetime, channels: channel_health.Channels, most: int, failing: bool) -> list[Claim]:
    try:
        with transaction.atomic(durable=True):
            return _lease_free(now, channels, most, failing)
    except IntegrityError:
        return []  # somebody else began to send to the same address between our two statements


def _lease_free(now: datetime, channels: channel_health.Channels, most: int, failing: bool) -> list[Claim]:
    keys = _lease(secrets.token_hex(16), now, _resting(channels), most, failing)
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
    return sorted(claims, key=lambda claim: CHANNELS[claim.delivery.channel].is_serial)


@compiled(*RELATED)
def _leased(*keys: int) -> QuerySet[Delivery]:
    return Delivery.objects.filter(pk__in=keys).order_by("pk")


def _resting(channels: channel_health.Channels) -> tuple[str, ...]:
    """Return the channels on which nothing is claimed now: serial ones, too, while somebody else may be claiming there.

    Of two claimers at the same moment neither would see the other. Nobody waits here, and SQLite has one writer at a
    time anyway.
    """
    if connection.vendor != "postgresql" or {*serial_kinds()} <= {*channels.resting}:
        return channels.resting
    with connection.cursor() as cursor:
        cursor.execute(ALONE)
        is_alone = cursor.fetchone()[0]
    return channels.resting if is_alone else (*channels.resting, *serial_kinds())


def _lease(owner: str, now: datetime, resting: tuple[str, ...], most: int, failing: bool) -> list[int]:
    """Lease what is free and return its primary keys; one statement, so that nobody comes in between."""
    free = _free_query(resting, _limits(), failing, composers.kinds_to_merge(), most)
    until = as_parameter(now + LEASE)
    with connection.cursor() as cursor:
        cursor.execute(
            LEASE_FREE % free.sql,
            [*[as_parameter(now) for _slot in free.slots], DeliveryState.SENDING.value, owner, until, until],
        )
        return [row[0] for row in cursor.fetchall()]
