"""A recipient's side of a thread: what he chose for it, and when he last looked at what it is about."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from notifications.database.compiled_query import compiled, pad_to_power_of_two
from notifications.models import Conversation, Notice, Recipient, Ways

Conversations = Mapping[tuple[int, str], Conversation]  # by recipient and thread; who chose nothing there has none
LOOKING = timedelta(seconds=settings.LOOKING_SECONDS)  # who looked less than this ago is taken to be looking still


def find_conversation(recipient: Recipient, thread: str) -> Conversation | None:
    """Return the recipient's side of a thread, or None if he never chose anything for it nor looked at it."""
    return next(iter(_query(1)(thread, recipient.pk)), None) if thread else None


def load_conversations(notices: Collection[Notice]) -> Conversations:
    """Return the sides of the recipients of these notices in their threads; one statement for all."""
    threads = {notice.thread for notice in notices if notice.thread}
    if not threads:
        return {}
    keys, recipients = pad_to_power_of_two(threads), pad_to_power_of_two({notice.recipient_id for notice in notices})
    rows = _query(len(keys))(*keys, *recipients)
    return {(row.recipient_id, row.thread): row for row in rows}


def preferred_channel(recipient: Recipient, conversation: Conversation | None) -> str:
    """Return the kind of the only channel by which a recipient wants to be told of a thread; "" for all."""
    chosen = (conversation.ways if conversation is not None else "") or recipient.ways
    return "" if chosen == Ways.BOTH else chosen


def record_view(recipient: Recipient, thread: str, now: datetime) -> None:
    """Record that the recipient looks at what a thread is about; written at most every half minute."""
    conversation = find_conversation(recipient, thread)
    if conversation is None:
        first = Conversation(recipient=recipient, thread=thread, seen_at=now)
        Conversation.objects.bulk_create([first], ignore_conflicts=True)  # two tabs at once
    elif conversation.seen_at is None or now - conversation.seen_at > LOOKING / 4:
        Conversation.objects.filter(pk=conversation.pk).update(seen_at=now)


@cache
def _query(count: int) -> Callable[..., list[Conversation]]:
    """Return what asks for the conversations in so many threads of some recipients."""

    @compiled()
    def ask(*values: Any) -> QuerySet[Conversation]:
        return Conversation.objects.filter(recipient__pk__in=values[count:], thread__in=values[:count])

    return ask
