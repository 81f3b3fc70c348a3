"""Claiming a delivery: a lease on one row, taken in a short transaction of its own."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, connection, transaction
from django.db.models import Exists, F, OuterRef, QuerySet

from notifications import composers, health
from notifications.models import IS_OPEN, OPEN_STATES, Attempt, Channel, Delivery, DeliveryState

LEASE = timedelta(seconds=60)  # longer than the longest send; a dead claimer's delivery comes back after this
MOST_JOINED = 40  # deliveries in one mail, beside the one that leads
RACES = 5  # how often a claim may be lost to somebody else in one call


@dataclass(frozen=True)
class Claim:
    """A leased delivery and the attempt that begins with it. The delivery's `lease_owner` names this claim alone.

    `followers` go out in the same mail. They were joined to it at its first claim and stay so at each later one: what
    is sent again under the same Message-ID holds nothing new, which a reader's mail program might take for known.
    """

    delivery: Delivery
    attempt: Attempt
    followers: tuple[Delivery, ...] = ()


def claim_one(now: datetime) -> Claim | None:
    """Lease the oldest due delivery and note that an attempt begins, or return None if there is none to be had.

    The try is counted now: a process that dies in the middle has used one up. Raises RuntimeError inside a transaction.
    """
    for _ in range(RACES):
        resting = health.resting(now)
        candidate = due(now, resting).values_list("pk", flat=True).first()
        if candidate is None:
            return None
        claimed = _claim(now, resting)
        if claimed is not None:
            return claimed
    return None


def due(now: datetime, resting: Sequence[str] = ()) -> QuerySet[Delivery]:
    """Deliveries that may be claimed, oldest first: waiting ones whose time has come, and those with a lapsed lease.

    None on a channel that rests. An endpoint gets one delivery after the other: nothing else while one that was begun
    is sent or waits for a retry.
    """
    begun = Delivery.objects.filter(IS_OPEN, endpoint=OuterRef("endpoint"), tries__gt=0).exclude(pk=OuterRef("pk"))
    open_now = Delivery.objects.filter(attempt_after__lte=now, state__in=OPEN_STATES)
    if resting:
        open_now = open_now.exclude(channel__in=resting)
    return open_now.filter(~Exists(begun)).order_by("attempt_after", "pk")


def _claim(now: datetime, resting: list[str]) -> Claim | None:
    try:
        with transaction.atomic(durable=True):
            return _lease_first(now, resting)
    except IntegrityError:
        return None  # somebody else began to send to the same endpoint between our two statements


def _lease_first(now: datetime, resting: list[str]) -> Claim | None:
    candidates = due(now, resting)
    if connection.features.has_select_for_update_skip_locked:
        candidates = candidates.select_for_update(skip_locked=True, of=("self",))
    pk = candidates.values_list("pk", flat=True).first()
    if pk is None:
        return None
    owner = secrets.token_hex(16)
    until = now + LEASE
    won = (
        due(now, resting)
        .filter(pk=pk)
        .order_by()
        .update(
            state=DeliveryState.SENDING,
            lease_owner=owner,
            lease_until=until,
            attempt_after=until,
            tries=F("tries") + 1,
        )
    )
    if won != 1:
        return None
    delivery = Delivery.objects.select_related("notice__recipient", "endpoint").get(pk=pk)
    health.began(delivery.channel, now)
    attempt = Attempt.objects.create(delivery=delivery, started_at=now)
    return Claim(delivery, attempt, _followers(delivery, now))


def _followers(leader: Delivery, now: datetime) -> tuple[Delivery, ...]:
    """What goes out in the leader's mail, oldest first; at its first try, what else waits for the same recipient."""
    if leader.channel != Channel.MAIL or composers.topic_of(leader.notice.kind) is None:
        return ()
    if leader.tries == 1 and not _join(leader, now):
        return ()
    joined = leader.followers.filter(state=DeliveryState.JOINED).select_related("notice__recipient")
    return tuple(joined.order_by("pk"))


def _join(leader: Delivery, now: datetime) -> bool:
    """Join what may go out with it; returns whether there was anything."""
    kinds = composers.kinds_to_merge()
    if leader.recipient_id is None or leader.notice.kind not in kinds or composers.merger() is None:
        return False
    waiting = Delivery.objects.filter(
        recipient=leader.recipient_id,
        channel=Channel.MAIL,
        state=DeliveryState.WAITING,
        attempt_after__lte=now,
        tries=0,
        notice__kind__in=kinds,
    )
    if connection.features.has_select_for_update_skip_locked:
        waiting = waiting.select_for_update(skip_locked=True, of=("self",))
    keys = list(waiting.order_by("pk").values_list("pk", flat=True)[:MOST_JOINED])
    if keys:
        Delivery.objects.filter(pk__in=keys, state=DeliveryState.WAITING).update(
            state=DeliveryState.JOINED, leader=leader, attempt_after=None, reason=""
        )
    return bool(keys)
