"""Claiming a delivery: a lease on one row, taken in a short transaction of its own."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, connection, transaction
from django.db.models import Exists, F, OuterRef, QuerySet

from notifications.models import IS_OPEN, OPEN_STATES, Attempt, Delivery, DeliveryState

LEASE = timedelta(seconds=60)  # longer than the longest send; a dead claimer's delivery comes back after this
RACES = 5  # how often a claim may be lost to somebody else in one call


@dataclass(frozen=True)
class Claim:
    """A leased delivery and the attempt that begins with it. The delivery's `lease_owner` names this claim alone."""

    delivery: Delivery
    attempt: Attempt


def claim_one(now: datetime) -> Claim | None:
    """Lease the oldest due delivery and note that an attempt begins, or return None if there is none to be had.

    The try is counted now: a process that dies in the middle has used one up. Raises RuntimeError inside a transaction.
    """
    for _ in range(RACES):
        candidate = due(now).values_list("pk", flat=True).first()
        if candidate is None:
            return None
        claimed = _claim(now)
        if claimed is not None:
            return claimed
    return None


def due(now: datetime) -> QuerySet[Delivery]:
    """Deliveries that may be claimed, oldest first: waiting ones whose time has come, and those with a lapsed lease.

    An endpoint gets one delivery after the other: nothing else while one that was begun is sent or waits for a retry.
    """
    begun = Delivery.objects.filter(IS_OPEN, endpoint=OuterRef("endpoint"), tries__gt=0).exclude(pk=OuterRef("pk"))
    open_now = Delivery.objects.filter(attempt_after__lte=now, state__in=OPEN_STATES)
    return open_now.filter(~Exists(begun)).order_by("attempt_after", "pk")


def _claim(now: datetime) -> Claim | None:
    try:
        with transaction.atomic(durable=True):
            return _lease_first(now)
    except IntegrityError:
        return None  # somebody else began to send to the same endpoint between our two statements


def _lease_first(now: datetime) -> Claim | None:
    candidates = due(now)
    if connection.features.has_select_for_update_skip_locked:
        candidates = candidates.select_for_update(skip_locked=True, of=("self",))
    pk = candidates.values_list("pk", flat=True).first()
    if pk is None:
        return None
    owner = secrets.token_hex(16)
    until = now + LEASE
    won = (
        due(now)
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
    return Claim(delivery, Attempt.objects.create(delivery=delivery, started_at=now))
