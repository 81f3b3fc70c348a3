"""What a mail provider reports of mails it took: django-anymail's tracking events, whoever the provider is."""

import logging
from typing import Any

from anymail.signals import tracking
from django.db import transaction
from django.db.models import Q, QuerySet

from notifications.channels.mail import KIND, refusals
from notifications.channels.mail.bouncing import bounces
from notifications.channels.mail.refusals import Meaning
from notifications.clock import present
from notifications.database.compiled_query import compiled_rows
from notifications.models import Bounce, Delivery, DeliveryState

log = logging.getLogger(__name__)
KINDS = {"bounced": Bounce.Kind.BOUNCED, "rejected": Bounce.Kind.BOUNCED, "complained": Bounce.Kind.COMPLAINED}
# The provider did not even try, because of its own list or its own rules: that says nothing new about the address.
NOT_THE_ADDRESS = ("blocked", "spam", "timed_out", "other", "unsubscribed")
# What anymail's words for a bounce mean; where they leave it open, the mail server's own words say more.
REASONS = {"blocked": Meaning.SENDER, "spam": Meaning.SENDER, "timed_out": Meaning.LIMIT}
INVALID = "invalid"  # its word for an address that cannot exist


def connect() -> None:
    """Listen, from start-up on."""
    tracking.connect(receive_event, dispatch_uid="notifications.channels.mail.provider_events")


@transaction.atomic
def receive_event(sender: Any, event: Any, esp_name: str, **kwargs: Any) -> None:
    """Take one event; one that comes twice, late or out of order changes nothing it should not."""
    if not event.recipient:
        return
    if event.event_type == "delivered":
        bounces.record_arrival(event.recipient)
    kind = KINDS.get(event.event_type)
    if kind is None or (event.event_type == "rejected" and event.reject_reason in NOT_THE_ADDRESS):
        return
    said = str(event.mta_response or event.description or event.reject_reason or "")
    meaning = REASONS.get(event.reject_reason) or refusals.classify("", said)
    if kind == Bounce.Kind.BOUNCED and meaning in (Meaning.SENDER, Meaning.MAIL, Meaning.LIMIT):
        log.warning("A mail came back: %s (%s)", event.reject_reason, esp_name)
        kind = Bounce.Kind.MISTRUSTED
    is_new = bounces.record(
        address=event.recipient,
        kind=kind,
        event=f"{esp_name}:{event.event_id or _name(event)}",
        now=present.now(),
        detail=said,
        is_final=meaning == Meaning.GONE or (meaning == Meaning.UNSURE and event.reject_reason == INVALID),
    )
    if is_new and kind != Bounce.Kind.COMPLAINED:
        _mark(event.message_id, event.recipient, said)


def _name(event: Any) -> str:
    """A name for events of providers that give them none."""
    return f"{event.message_id}:{event.event_type}:{event.recipient}"


def _mark(message_id: str, address: str, said: str) -> None:
    """Say in the ledger that the mail came back, for all that was in it."""
    if not message_id:
        return
    found = Delivery.objects.filter(
        pk__in=[key for (key,) in _sent_as(message_id)],
        state=DeliveryState.ACCEPTED,
        notice__recipient__address__iexact=address,
    )
    found.update(state=DeliveryState.RETURNED, reason=said[:200])


@compiled_rows("pk")
def _sent_as(message_id: str) -> QuerySet[Delivery]:
    return Delivery.objects.filter(~Q(provider_id=""), provider_id=message_id, channel=KIND)
