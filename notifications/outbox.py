"""The outbox: `tell` writes what is owed inside the caller's transaction, `deliver` pays it back later.

The promise: at least once, repeats recognisable. Every notice of a committed transaction is handed over at least once
on each of its channels, or visibly marked as undeliverable; a crash in one narrow window repeats a message, and the
repeat carries the same id (RFC 1047 tells why no more can be promised).
"""

from datetime import datetime

from django.db.models import Min

from notifications import claims, sending, waker
from notifications.models import OPEN_STATES, TO_EVERYBODY, Delivery, DeliveryState
from notifications.telling import Audience, News, listening, tell, tell_all

__all__ = [
    "Audience",
    "News",
    "accepted_at",
    "deliver",
    "deliver_one",
    "is_undeliverable",
    "listening",
    "tell",
    "tell_all",
    "try_again",
]


def deliver(now: datetime, most: int = claims.MOST, channel: str = "") -> int:
    """Claim due deliveries, send them one after the other, record what became of each; returns how many were tried.

    Must run outside any transaction: nothing is locked while the network is waited for.

    Arguments:
        channel: as of `claims.claim`.
    """
    claimed = claims.claim(now, most, channel)
    return sending.send_all(claimed, now) if claimed else 0


def deliver_one(now: datetime) -> bool:
    """The same with one delivery. Returns whether there was one."""
    return deliver(now, 1) == 1


def accepted_at(dedupe_key: str) -> datetime | None:
    """Return when the first channel of its recipient took the notice over, or None. What came back was never taken."""
    taken = Delivery.objects.filter(~TO_EVERYBODY, notice__dedupe_key=dedupe_key).exclude(state=DeliveryState.RETURNED)
    first: datetime | None = taken.aggregate(first=Min("accepted_at"))["first"]
    return first


def is_undeliverable(dedupe_key: str) -> bool:
    """Whether the notice reached nobody and never will: no delivery is open or accepted. False for an unknown key."""
    states = set(Delivery.objects.filter(~TO_EVERYBODY, notice__dedupe_key=dedupe_key).values_list("state", flat=True))
    return bool(states) and states.isdisjoint({*OPEN_STATES, DeliveryState.ACCEPTED})


def try_again(delivery: Delivery, now: datetime) -> bool:
    """Try once more what was given up; returns False if it was not. It is dropped if it is of no use any more."""
    given_up = Delivery.objects.filter(pk=delivery.pk, state=DeliveryState.QUARANTINED)
    is_done = given_up.update(state=DeliveryState.WAITING, attempt_after=now, tries=0, reason="") == 1
    if is_done:
        waker.nudge_on_commit("deliver")
    return is_done
