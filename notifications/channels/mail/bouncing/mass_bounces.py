"""Mails that fail for many addresses at once: then it is our mail server or our provider, and not the addresses."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet

from notifications.channels.mail import KIND, suppressions
from notifications.models import Bounce, Delivery, DeliveryState

FEWEST = 2  # addresses that fail beyond those whose mail is on its way, since one arrived: then it is not the addresses
MANY = 3  # so many are never thought dead at once; of fewer none is ours if another mail arrived meanwhile
TOGETHER = timedelta(hours=1)  # within which they fail
WINDOW = timedelta(days=30)  # in a house of two it may take days until the other one is written to
SETTLED = timedelta(minutes=5)  # a mail that was taken and has not come back by then has arrived
LOOKED_AT = 500  # of the newest mails, to see whether any arrived: there is no index on that
FAULTS = (Bounce.Kind.BOUNCED, Bounce.Kind.MISTRUSTED, Bounce.Kind.OURS)


def excuse_addresses(now: datetime) -> bool:
    """End the suppression of all addresses that failed together with others while nobody's mail arrived.

    Returns whether mails fail in this way now.
    """
    failed = Bounce.objects.filter(
        kind__in=FAULTS, created_at__gt=max(now - WINDOW, _last_arrival(now) or now - WINDOW)
    )
    hashes = set(failed.values_list("address_hash", flat=True))
    if len(hashes) - _on_their_way(now) < FEWEST:
        return False
    failed.update(kind=Bounce.Kind.OURS)
    for address_hash in hashes:
        suppressions.lift_hash(address_hash, suppressions.BOUNCED)
    return True


def is_of_one(mail: Delivery) -> bool:
    """Return whether the last that was heard of a mail's address is that it failed together with others.

    Two that fail alone may have dead addresses: then mails to others arrive between their being written and failing.
    """
    faults = Bounce.objects.filter(_of(mail), kind__in=FAULTS, created_at__gte=mail.notice.created_at)
    last = faults.order_by("-pk").first()
    if last is None or last.kind != Bounce.Kind.OURS:
        return False
    return _is_one_of_many(last) or not _has_any_arrived(mail.notice.created_at, last.created_at + SETTLED)


def _is_one_of_many(bounce: Bounce) -> bool:
    around = (bounce.created_at - TOGETHER, bounce.created_at + TOGETHER)
    failed = Bounce.objects.filter(kind=Bounce.Kind.OURS, created_at__range=around)
    return failed.values("address_hash").distinct().count() >= MANY


def _has_any_arrived(since: datetime, until: datetime) -> bool:
    """Reads all mails if none has: few, for where there are many, many fail together."""
    taken = Delivery.objects.filter(channel=KIND, state=DeliveryState.ACCEPTED, accepted_at__range=(since, until))
    return taken.exists()


def forgive(mail: Delivery) -> bool:
    """Delete the record of a mail's failure if it failed together with others, so that a further one is news.

    Returns whether it did.
    """
    if not is_of_one(mail):
        return False
    Bounce.objects.filter(_of(mail), kind=Bounce.Kind.OURS).delete()
    return True


def _of(mail: Delivery) -> Q:
    return Q(address_hash=suppressions.hash_address(mail.notice.recipient.address))


def _last_arrival(now: datetime) -> datetime | None:
    return max((at for at in _taken() if at <= now - SETTLED), default=None)


def _on_their_way(now: datetime) -> int:
    return sum(at > now - SETTLED for at in _taken())


def _taken() -> list[datetime]:
    """When each of the newest mails was taken that have not come back."""
    mails: QuerySet[Delivery, Any] = Delivery.objects.filter(channel=KIND).order_by("-pk")
    newest = mails.values_list("state", "accepted_at")[:LOOKED_AT]
    return [at for state, at in newest if state == DeliveryState.ACCEPTED and at is not None]
