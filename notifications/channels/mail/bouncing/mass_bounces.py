"""Mails that fail for many addresses at once: then it is our mail server or our provider, and not the addresses."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet

from notifications.channels.mail import KIND, suppressions
from notifications.models import Bounce, Delivery, DeliveryState

FEWEST = 3  # addresses that fail together, and nobody's mail arrives: then it is not the addresses
WINDOW = timedelta(hours=1)  # in which they do
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
    if len(hashes) < FEWEST or _on_their_way(now) >= len(hashes):
        return False
    failed.update(kind=Bounce.Kind.OURS)
    for address_hash in hashes:
        suppressions.lift_hash(address_hash, suppressions.BOUNCED)
    return True


def is_of_one(mail: Delivery) -> bool:
    """Return whether the last that was heard of a mail's address is that it failed together with others."""
    last = Bounce.objects.filter(_of(mail), kind__in=FAULTS, created_at__gte=mail.notice.created_at).order_by("-pk")
    return last.values_list("kind", flat=True).first() == Bounce.Kind.OURS


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
