"""The outbox: `tell` writes what is owed inside the caller's transaction, `deliver_one` pays it back later.

Promise: every notice of a committed transaction is handed over at least once on each of its channels, or visibly marked
as undeliverable. A crash in one narrow window repeats a message; the repeat carries the same id (RFC 1047 tells why no
more can be promised).
"""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Min

from notifications import claims, composers, sending, waker
from notifications.models import OPEN_STATES, Channel, Delivery, DeliveryState, Endpoint, Notice, Recipient, new_ref


def tell(
    *,
    recipient: Recipient,
    kind: str,
    subject: str,
    dedupe_key: str,
    thread: str = "",
    data: dict[str, Any] | None = None,
    now: datetime,
    not_before: datetime | None = None,
) -> Notice:
    """Write a notice and one delivery per channel of the recipient; call it inside the transaction it belongs to.

    `subject` and `thread` are opaque keys of the caller's; `data` is small, JSON and never secret. The same
    `dedupe_key` again returns the notice that is there and writes nothing.
    """
    notice, is_new = Notice.objects.get_or_create(
        dedupe_key=dedupe_key,
        defaults={
            "recipient": recipient,
            "kind": kind,
            "subject": subject,
            "thread": thread,
            "data": data or {},
            "created_at": now,
            "not_before": not_before,
        },
    )
    if is_new:
        Delivery.objects.bulk_create(_deliveries(notice, due=max(now, not_before or now)))
        waker.nudge_on_commit("deliver")
    return notice


def deliver_one(now: datetime) -> bool:
    """Claim one due delivery, send it, record what became of it. Returns whether there was one.

    Must run outside any transaction: nothing is locked while the network is waited for.
    """
    claim = claims.claim_one(now)
    if claim is None:
        return False
    sending.send(claim, now)
    return True


def accepted_at(dedupe_key: str) -> datetime | None:
    """Return when the first channel took the notice over, or None."""
    found = Delivery.objects.filter(notice__dedupe_key=dedupe_key).aggregate(first=Min("accepted_at"))
    first: datetime | None = found["first"]
    return first


def is_undeliverable(dedupe_key: str) -> bool:
    """Whether the notice reached nobody and never will: no delivery is open or accepted. False for an unknown key."""
    states = set(Delivery.objects.filter(notice__dedupe_key=dedupe_key).values_list("state", flat=True))
    return bool(states) and states.isdisjoint({*OPEN_STATES, DeliveryState.ACCEPTED})


def _deliveries(notice: Notice, due: datetime) -> list[Delivery]:
    mail = Delivery(
        notice=notice, channel=Channel.MAIL, attempt_after=due, message_id=f"<{new_ref()}@{settings.MAIL_DOMAIN}>"
    )
    endpoint = Endpoint.objects.filter(recipient=notice.recipient, is_enabled=True).first()
    if endpoint is None or not composers.supports(notice.kind, Channel.WEBHOOK):
        return [mail]
    # Standard Webhooks forbids dots in the id: it is part of the signed text, whose parts are joined by dots.
    hook = Delivery(
        notice=notice, channel=Channel.WEBHOOK, endpoint=endpoint, attempt_after=due, message_id=f"msg_{new_ref()}"
    )
    return [mail, hook]
