"""Emails that come back: what providers report, and when an address is not written to any more."""

import hashlib
import logging
from datetime import datetime, timedelta
from typing import Any

from anymail.signals import tracking
from django.db import transaction
from django.db.models import Q, QuerySet

from notifications.channels.base import ChannelError, NoMailbox
from notifications.channels.mail import KIND, refusals, suppressions
from notifications.channels.mail.refusals import Meaning
from notifications.clock import present
from notifications.database.compiled_query import compiled_rows
from notifications.models import Bounce, Delivery, DeliveryState
from notifications.reasons import in_english

FEWEST = 2  # addresses that fail beyond those whose mail is on its way, since one arrived: then it is not the addresses
MANY_ADDRESSES = 3  # so many are never thought dead at once; of fewer none is ours if another mail arrived meanwhile
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
    return failed.values("address_hash").distinct().count() >= MANY_ADDRESSES


def _has_any_arrived(since: datetime, until: datetime) -> bool:
    """Reads all mails if none has: few, for where there are many, many fail together."""
    taken = Delivery.objects.filter(channel=KIND, state=DeliveryState.ACCEPTED, accepted_at__range=(since, until))
    return taken.exists()


def forgive_bounce(mail: Delivery) -> bool:
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


# Mail that came back, and mail that was complained about: when an address is not written to any more.

log = logging.getLogger(__name__)

PATIENCE = timedelta(days=30)
MOST = 3  # days within it on which mails came back; then the address is given up


def record_bounce(
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
    record_bounce(address=address, kind=Bounce.Kind.BOUNCED, event=event, now=now, detail=detail, is_final=is_final)


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
    record_bounce(
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
    if excuse_addresses(now) or kind != Bounce.Kind.BOUNCED:
        return
    lately = Bounce.objects.filter(address_hash=address_hash, kind=Bounce.Kind.BOUNCED, created_at__gt=now - PATIENCE)
    if is_final or len({at.date() for at in lately.values_list("created_at", flat=True)}) >= MOST:
        suppressions.suppress_hash(address_hash, suppressions.BOUNCED)


def record_arrival(address: str) -> None:
    """A mail has arrived after all: what came back before says nothing any more."""
    Bounce.objects.filter(address_hash=suppressions.hash_address(address), kind__in=FAULTS).delete()


def reopen_address(address: str) -> None:
    """The owner of the address says so: forget what came back and write to it again."""
    address_hash = suppressions.hash_address(address)
    Bounce.objects.filter(address_hash=address_hash).delete()
    for reason in suppressions.REASONS:
        suppressions.lift_hash(address_hash, reason)


# What a mail provider reports of mails it took: django-anymail's tracking events, whoever the provider is.

KINDS = {"bounced": Bounce.Kind.BOUNCED, "rejected": Bounce.Kind.BOUNCED, "complained": Bounce.Kind.COMPLAINED}
# The provider did not even try, because of its own list or its own rules: that says nothing new about the address.
NOT_THE_ADDRESS = ("blocked", "spam", "timed_out", "other", "unsubscribed")
# What anymail's words for a bounce mean; where they leave it open, the mail server's own words say more.
REASONS = {"blocked": Meaning.SENDER, "spam": Meaning.SENDER, "timed_out": Meaning.LIMIT}
INVALID = "invalid"  # its word for an address that cannot exist


def connect_provider_events() -> None:
    """Listen, from start-up on."""
    tracking.connect(receive_event, dispatch_uid="notifications.channels.mail.provider_events")


@transaction.atomic
def receive_event(sender: Any, event: Any, esp_name: str, **kwargs: Any) -> None:
    """Take one event; one that comes twice, late or out of order changes nothing it should not."""
    if not event.recipient:
        return
    if event.event_type == "delivered":
        record_arrival(event.recipient)
    kind = KINDS.get(event.event_type)
    if kind is None or (event.event_type == "rejected" and event.reject_reason in NOT_THE_ADDRESS):
        return
    said = str(event.mta_response or event.description or event.reject_reason or "")
    meaning = REASONS.get(event.reject_reason) or refusals.classify("", said)
    if kind == Bounce.Kind.BOUNCED and meaning in (Meaning.SENDER, Meaning.MAIL, Meaning.LIMIT):
        log.warning("A mail came back: %s (%s)", event.reject_reason, esp_name)
        kind = Bounce.Kind.MISTRUSTED
    is_new = record_bounce(
        address=event.recipient,
        kind=kind,
        event=f"{esp_name}:{event.event_id or _event_name(event)}",
        now=present.now(),
        detail=said,
        is_final=meaning == Meaning.GONE or (meaning == Meaning.UNSURE and event.reject_reason == INVALID),
    )
    if is_new and kind != Bounce.Kind.COMPLAINED:
        _mark(event.message_id, event.recipient, said)


def _event_name(event: Any) -> str:
    """A name for events of providers that give them none."""
    return f"{event.message_id}:{event.event_type}:{event.recipient}"


def _mark(message_id: str, address: str, said: str) -> None:
    """Say in the ledger that the mail came back, for all that was in it."""
    if not message_id:
        return
    deliveries = Delivery.objects.filter(
        pk__in=[key for (key,) in _sent_as(message_id)],
        state=DeliveryState.ACCEPTED,
        notice__recipient__address__iexact=address,
    )
    deliveries.update(state=DeliveryState.RETURNED, reason=said[:200])


@compiled_rows("pk")
def _sent_as(message_id: str) -> QuerySet[Delivery]:
    return Delivery.objects.filter(~Q(provider_id=""), provider_id=message_id, channel=KIND)
