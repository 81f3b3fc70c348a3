"""Taking a mail in: whoever hands it over has our word for it when `receive` returns."""

import hashlib
import logging
from datetime import datetime

from notifications import worker_hints
from notifications.inbound import addresses, handling, returned
from notifications.inbound.reading import Read, read
from notifications.models import Inbound, Recipient

log = logging.getLogger(__name__)


def is_known(address: str) -> bool:
    """Whether an address is one people can answer to now, or one that a mail of ours comes back to.

    For mail servers: others are refused at the door.
    """
    return handling.whose(addresses.token_in(address)) is not None or returned.is_known(address)


def receive(*, content: bytes, to: str, envelope_sender: str | None, now: datetime) -> Inbound | None:
    """Store a mail to be handled; returns its row, or None for what is not: no address of ours, an automat, a report.

    The same mail again changes nothing. Raises raw.Refused for what no person writes.

    Arguments:
        to: the envelope's recipient; what the mail's head says about that is not believed.
    """
    found = handling.whose(addresses.token_in(to))
    if found is None:
        returned.take(content=content, to=to, now=now)
        return None
    subject, recipient = found
    heard = read(content, envelope_sender)
    if heard.automatic:
        log.info("A mail about %s was left alone: %s", subject, heard.automatic)
        return None
    return _store(heard, subject, recipient, now)


def _store(heard: Read, subject: str, recipient: Recipient, now: datetime) -> Inbound:
    is_his = heard.is_authentic and heard.sender == addresses.in_ascii(recipient.address.lower())
    row, is_new = Inbound.objects.get_or_create(
        key=hashlib.sha256(f"{heard.key}:{subject}:{recipient.pk}".encode()).hexdigest(),
        defaults={
            "recipient": recipient,
            "subject": subject,
            "line": heard.line,
            "message_id": heard.message_id,
            "is_authentic": is_his,
            "received_at": now,
        },
    )
    if is_new:
        worker_hints.hint_workers_on_commit("deliver")
    return row
