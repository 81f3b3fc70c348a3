"""Mail that came back, and mail that was complained about: when an address is not written to any more.

An address that surely does not exist is given up at once, one that is full, or of which nobody can be sure, when mails
came back on some days of a month (`refusals`). Its owner sees it on his pages and can say that it works again.
"""

import hashlib
import logging
from datetime import datetime, timedelta

from django.db.models import Q

from notifications.channels.base import ChannelError, NoMailbox
from notifications.channels.mail import suppressions
from notifications.channels.mail.bouncing import mass_bounces
from notifications.models import Bounce, Delivery, DeliveryState
from notifications.reasons import in_english

log = logging.getLogger(__name__)

PATIENCE = timedelta(days=30)
MOST = 3  # days within it on which mails came back; then the address is given up


def record(
    *, address: str, kind: Bounce.Kind, event: str, now: datetime, detail: str = "", is_final: bool = False
) -> bool:
    """Write down what was reported; a report that is known changes nothing. Returns whether it was new.

    Arguments:
        event: names the report, so that one that comes twice is known.
        is_final: no mail to this address will ever arrive.
    """
    address_hash = suppressions.hash_address(address)
    _row, is_new = Bounce.objects.get_or_create(
        event=event[:200],
        defaults={
            "address_hash": address_hash,
            "kind": kind,
            "detail": detail[:200],
            "is_final": is_final,
            "created_at": now,
        },
    )
    if is_new:
        _judge(address_hash, kind, is_final, now)
    return is_new


def record_refusal(address: str, message_id: str, detail: str, now: datetime, *, is_final: bool) -> None:
    """The mail server of the address refused a mail because of the address, while we were handing it over."""
    event = "refused:" + hashlib.sha256(message_id.encode()).hexdigest()
    record(address=address, kind=Bounce.Kind.BOUNCED, event=event, now=now, detail=detail, is_final=is_final)


def record_returned(mail: Delivery, status: str, refusal: ChannelError, now: datetime) -> None:
    """A mail that was taken, and all that went out in it, came back; the same report again changes nothing."""
    rows = Delivery.objects.filter(Q(pk=mail.pk) | Q(leader=mail.pk), state=DeliveryState.ACCEPTED)
    if not rows.update(state=DeliveryState.RETURNED, reason=str(refusal)):
        return
    if not refusal.is_address:
        # A reader's server that mistrusts us says so of all our mails to it: nobody's address is closed for it.
        log.warning("A mail came back: %s (%s)", in_english(str(refusal)), status)
    event = "returned:" + hashlib.sha256(mail.message_id.encode()).hexdigest()
    is_final = isinstance(refusal, NoMailbox)
    address = mail.notice.recipient.address
    record(
        address=address,
        kind=Bounce.Kind.BOUNCED if refusal.is_address else Bounce.Kind.MISTRUSTED,
        event=event,
        now=now,
        detail=f"{refusal} ({status})",
        is_final=is_final,
    )


def _judge(address_hash: str, kind: Bounce.Kind, is_final: bool, now: datetime) -> None:
    if kind == Bounce.Kind.COMPLAINED:
        suppressions.suppress_hash(address_hash, suppressions.COMPLAINED)
        return
    if mass_bounces.excuse_addresses(now) or kind != Bounce.Kind.BOUNCED:
        return
    lately = Bounce.objects.filter(address_hash=address_hash, kind=Bounce.Kind.BOUNCED, created_at__gt=now - PATIENCE)
    if is_final or len({at.date() for at in lately.values_list("created_at", flat=True)}) >= MOST:
        suppressions.suppress_hash(address_hash, suppressions.BOUNCED)


def record_arrival(address: str) -> None:
    """A mail has arrived after all: what came back before says nothing any more."""
    Bounce.objects.filter(address_hash=suppressions.hash_address(address), kind__in=mass_bounces.FAULTS).delete()


def reopen_address(address: str) -> None:
    """The owner of the address says so: forget what came back and write to it again."""
    address_hash = suppressions.hash_address(address)
    Bounce.objects.filter(address_hash=address_hash).delete()
    for reason in suppressions.REASONS:
        suppressions.lift_hash(address_hash, reason)
