"""Claiming a delivery: a lease on one row, taken in a short transaction of its own."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from notifications import composers, health
from notifications.models import IS_OPEN, OPEN_STATES, Attempt, Channel, Delivery, DeliveryState
from notifications.prepared import rows_of, sql_of

LEASE = timedelta(seconds=60)  # longer than the longest send; a dead claimer's delivery comes back after this
MOST_JOINED = 40  # deliveries in one mail, beside the one that leads
RELATED = ("notice__recipient", "endpoint__recipient")  # what sending reads
# What is filled in is SQL that Django has made, without a value in it; the values are parameters.
LEASE_FIRST = """
    UPDATE notifications_delivery
    SET state = %%s, lease_owner = %%s, lease_until = %%s, attempt_after = %%s, tries = tries + 1
    WHERE id = (%s) RETURNING id
"""
RACES = 5  # how often a claim may be lost to somebody else in one call


@dataclass(frozen=True)
class Claim:
    """A leased delivery and the attempt that begins with it. The delivery's `lease_owner` names this claim alone.

    `followers` go out in the same mail. They were joined to it at its first claim and stay so at each later one: what
    is sent again under the same Message-ID holds nothing new, which a reader's mail program might take for known.
    `is_channel_failing`: the last try of somebody on the same channel failed, so that it is news if this one succeeds.
    """

    delivery: Delivery
    attempt: Attempt
    followers: tuple[Delivery, ...] = ()
    is_channel_failing: bool = False


def claim_one(now: datetime) -> Claim | None:
    """Lease the oldest due delivery and note that an attempt begins, or return None if there is none to be had.

    The try is counted now: a process that dies in the middle has used one up. Raises RuntimeError inside a transaction.
    """
    for _ in range(RACES):
        channels = health.of_channels(now)
        if not rows_of(_first_due, now, channels.resting):  # most looks find nothing: they open no transaction
            return None
        claimed = _claim(now, channels)
        if claimed is not None:
            return claimed
    return None


def due(now: datetime, resting: Sequence[str] = ()) -> QuerySet[Delivery]:
    """Deliveries that may be claimed, oldest first: waiting ones whose time has come, and those with a lapsed lease.

    None on a channel that rests. The address of a webhook gets one delivery after the other, whoever gave it to us:
    nothing else while one that was begun is sent or waits for a retry.
    """
    begun = Delivery.objects.filter(IS_OPEN, target=OuterRef("target"), tries__gt=0).exclude(pk=OuterRef("pk"))
    open_now = Delivery.objects.filter(attempt_after__lte=now, state__in=OPEN_STATES)
    if resting:
        open_now = open_now.exclude(channel__in=resting)
    return open_now.filter(~Exists(begun)).order_by("attempt_after", "pk")


def _first_due(now: datetime, resting: tuple[str, ...]) -> QuerySet[Delivery, Any]:
    return due(now, resting).values("pk")[:1]


def _first_free(now: datetime, resting: tuple[str, ...]) -> QuerySet[Delivery, Any]:
    """The same, without those that somebody else is claiming, where the database can tell."""
    candidates = due(now, resting)
    if connection.features.has_select_for_update_skip_locked:
        candidates = candidates.select_for_update(skip_locked=True, of=("self",))
    return candidates.values("pk")[:1]


def _claim(now: datetime, channels: health.Channels) -> Claim | None:
    try:
        with transaction.atomic(durable=True):
            return _lease_first(now, channels)
    except IntegrityError:
        return None  # somebody else began to send to the same address between our two statements


def _lease_first(now: datetime, channels: health.Channels) -> Claim | None:
    owner = secrets.token_hex(16)
    pk = _lease(owner, now, channels.resting)
    if pk is None:
        return None
    delivery = Delivery.objects.select_related(*RELATED).get(pk=pk)
    health.began(delivery.channel, now, channels)
    attempt = Attempt.objects.create(delivery=delivery, started_at=now)
    return Claim(delivery, attempt, _followers(delivery, now), delivery.channel in channels.failing)


def _lease(owner: str, now: datetime, resting: tuple[str, ...]) -> int | None:
    """Lease the first that is free and return its primary key; one statement, so that nobody comes in between."""
    first, params = sql_of(_first_free, now, resting)
    until = connection.ops.adapt_datetimefield_value(now + LEASE)
    with connection.cursor() as cursor:
        cursor.execute(LEASE_FIRST % first, [DeliveryState.SENDING.value, owner, until, until, *params])
        row = cursor.fetchone()
    return row[0] if row else None


def _followers(leader: Delivery, now: datetime) -> tuple[Delivery, ...]:
    """What goes out with the leader, oldest first: in the same mail, or in the same call to the same address."""
    if leader.tries == 1 and not _join(leader, now):
        return ()
    joined = leader.followers.filter(state=DeliveryState.JOINED).select_related(*RELATED)
    return tuple(joined.order_by("pk"))


def _join(leader: Delivery, now: datetime) -> bool:
    """Join what may go out with it, at its first try; returns whether there was anything."""
    alike = _alike_hook(leader) if leader.channel == Channel.WEBHOOK else _alike_mail(leader)
    if alike is None:
        return False
    waiting = Delivery.objects.filter(
        alike, channel=leader.channel, state=DeliveryState.WAITING, attempt_after__lte=now, tries=0
    )
    if connection.features.has_select_for_update_skip_locked:
        waiting = waiting.select_for_update(skip_locked=True, of=("self",))
    keys = list(waiting.order_by("pk").values_list("pk", flat=True)[:MOST_JOINED])
    if keys:
        Delivery.objects.filter(pk__in=keys, state=DeliveryState.WAITING).update(
            state=DeliveryState.JOINED, leader=leader, attempt_after=None, reason=""
        )
    return bool(keys)


def _alike_mail(leader: Delivery) -> Q | None:
    """What waits for the same recipient."""
    kinds = composers.kinds_to_merge()
    if leader.recipient_id is None or leader.notice.kind not in kinds or composers.merger() is None:
        return None
    return Q(recipient=leader.recipient_id, notice__kind__in=kinds)


def _alike_hook(leader: Delivery) -> Q | None:
    """What the same address is to be told of the same moment, on behalf of others or of another seat."""
    notice = leader.notice
    if not notice.thread or leader.is_by_hand:
        return None
    same = {"kind": notice.kind, "thread": notice.thread, "created_at": notice.created_at}
    return Q(target=leader.target, is_by_hand=False, **{f"notice__{name}": value for name, value in same.items()})
