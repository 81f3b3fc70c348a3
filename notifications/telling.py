"""Writing down what is owed: one notice, one mail, and one delivery for each webhook that listens."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet

from notifications import composers, holding, waker
from notifications.models import Channel, Delivery, DeliveryState, Endpoint, Notice, Recipient, Ways, new_ref


def tell(  # noqa: PLR0913  # each is one fact of a notice
    *,
    recipient: Recipient,
    kind: str,
    subject: str,
    dedupe_key: str,
    thread: str = "",
    data: dict[str, Any] | None = None,
    now: datetime,
    not_before: datetime | None = None,
    channels: Collection[str] = tuple(Channel.values),
    endpoint: Endpoint | None = None,
    unwanted: str = "",
) -> Notice:
    """Write a notice and one delivery per channel of the recipient; call it inside the transaction it belongs to.

    Arguments:
        channels: by mail alone goes what others must not even know that it was told.
        endpoint: the one webhook it is for; otherwise it goes to those that listen to its recipient or its thread.
        unwanted: why its recipient wants no mail of it (a msgid), whatever else he wishes; then only the ledger has it.

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
        wanted = [name for name in channels if composers.supports(kind, name)]
        hooks = [endpoint] if endpoint else _hooks(notice) if Channel.WEBHOOK in wanted else []
        made = [_mail(notice, now, due, hooks, unwanted)] if Channel.MAIL in wanted and endpoint is None else []
        Delivery.objects.bulk_create([*made, *(_hook(notice, one, due) for one in hooks)])
    if is_new or _owe_again(notice, due):
        waker.nudge_on_commit("deliver")
    return notice


def _owe_again(notice: Notice, due: datetime) -> int:
    dropped = notice.deliveries.filter(state=DeliveryState.STALE)
    return dropped.update(state=DeliveryState.WAITING, attempt_after=due, tries=0, reason="")


def listening(recipient: Recipient, thread: str) -> QuerySet[Endpoint]:
    """The webhooks that are told what a recipient is told in a thread: his own, and those of the thread."""
    wanted = Q(recipient=recipient, thread="")
    if thread:
        wanted |= Q(thread=thread)
    return Endpoint.objects.filter(wanted, is_enabled=True).order_by("pk")


def _hooks(notice: Notice) -> list[Endpoint]:
    """Those that are told of a notice: the recipient's own, unless he wants mail alone here, and the thread's."""
    event = composers.event_of(notice.kind)
    hooks = [hook for hook in listening(notice.recipient, notice.thread) if event not in hook.muted]
    if not any(not hook.thread for hook in hooks):
        return hooks
    is_mail_alone = holding.ways(notice.recipient, holding.conversation(notice.recipient, notice.thread)) == Ways.MAIL
    return [hook for hook in hooks if hook.thread or not is_mail_alone]


def _hook(notice: Notice, endpoint: Endpoint, due: datetime) -> Delivery:
    # Standard Webhooks forbids dots in the id: it is part of the signed text, whose parts are joined by dots.
    return Delivery(
        notice=notice,
        recipient=None if endpoint.thread else notice.recipient,
        channel=Channel.WEBHOOK,
        endpoint=endpoint,
        target=endpoint.target,
        attempt_after=due,
        message_id=f"msg_{new_ref()}",
    )


def _mail(notice: Notice, now: datetime, due: datetime, hooks: list[Endpoint], unwanted: str) -> Delivery:
    mail = Delivery(
        notice=notice,
        recipient=notice.recipient,
        channel=Channel.MAIL,
        attempt_after=due,
        message_id=f"<{new_ref()}@{settings.MAIL_DOMAIN}>",
    )
    wish = holding.Wish(unwanted) if unwanted else holding.wish(notice, now, hooks)
    if wish.unwanted:
        mail.state, mail.attempt_after, mail.reason = DeliveryState.DECLINED, None, wish.unwanted
    elif wish.hold is not None and wish.hold.until > due:
        mail.attempt_after, mail.reason = wish.hold.until, wish.hold.reason
    return mail
