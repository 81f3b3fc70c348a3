"""Writing down what is owed: one notice, and one delivery for each channel of its recipient."""

from datetime import datetime
from typing import Any

from django.conf import settings

from notifications import composers, holding, waker
from notifications.models import Channel, Delivery, DeliveryState, Endpoint, Notice, Recipient, new_ref


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
    `dedupe_key` again returns the notice that is there and writes nothing; what was dropped of it because it was not
    needed at that moment is owed again, for now somebody says that it is.
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
    due = max(now, not_before or now)
    if is_new:
        Delivery.objects.bulk_create(_deliveries(notice, now, due))
    if is_new or _owe_again(notice, due):
        waker.nudge_on_commit("deliver")
    return notice


def _owe_again(notice: Notice, due: datetime) -> int:
    dropped = notice.deliveries.filter(state=DeliveryState.STALE)
    return dropped.update(state=DeliveryState.WAITING, attempt_after=due, tries=0, reason="")


def _deliveries(notice: Notice, now: datetime, due: datetime) -> list[Delivery]:
    endpoint = Endpoint.objects.filter(recipient=notice.recipient, is_enabled=True).first()
    if endpoint is None or not composers.supports(notice.kind, Channel.WEBHOOK):
        return [_mail(notice, now, due)]
    # Standard Webhooks forbids dots in the id: it is part of the signed text, whose parts are joined by dots.
    hook = Delivery(
        notice=notice,
        recipient=notice.recipient,
        channel=Channel.WEBHOOK,
        endpoint=endpoint,
        attempt_after=due,
        message_id=f"msg_{new_ref()}",
    )
    return [_mail(notice, now, due), hook]


def _mail(notice: Notice, now: datetime, due: datetime) -> Delivery:
    mail = Delivery(
        notice=notice,
        recipient=notice.recipient,
        channel=Channel.MAIL,
        attempt_after=due,
        message_id=f"<{new_ref()}@{settings.MAIL_DOMAIN}>",
    )
    wish = holding.wish(notice, now)
    if wish.is_muted:
        mail.state, mail.attempt_after, mail.reason = DeliveryState.DECLINED, None, holding.MUTED
    elif wish.hold is not None and wish.hold.until > due:
        mail.attempt_after, mail.reason = wish.hold.until, wish.hold.reason
    return mail
