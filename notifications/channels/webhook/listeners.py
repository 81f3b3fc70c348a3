"""Which webhooks are told of a notice: its recipient's own, and those of its thread."""

from collections.abc import Collection

from django.db.models import OuterRef, Q, QuerySet

from notifications import composers
from notifications.channels.webhook import KIND
from notifications.channels.webhook.endpoints import Endpoint
from notifications.conversations import Conversations, preferred_channel
from notifications.database.compiled_query import compiled, pad_to_power_of_two
from notifications.models import Notice


def listening_endpoints(recipient: int | OuterRef, thread: str) -> QuerySet[Endpoint]:
    """Return the webhooks that are told what a recipient (by key) is told in a thread."""
    return _enabled([recipient], [thread])


def find_listeners(
    notices: Collection[Notice], conversations: Conversations, heard: Collection[int] | None
) -> dict[int, list[Endpoint]]:
    """Return by the notices' keys the webhooks that are told of each.

    Arguments:
        heard: the keys of the recipients whom a webhook listens to, where that is known.
    """
    endpoints = _load([notice for notice in notices if heard is None or notice.recipient_id in heard])
    return {notice.pk: _listeners(notice, endpoints, conversations) for notice in notices} if endpoints else {}


def _listeners(notice: Notice, endpoints: Collection[Endpoint], conversations: Conversations) -> list[Endpoint]:
    """The recipient's own, unless he wants to be told by another channel alone, and the thread's."""
    event = composers.event_of(notice.kind)
    conversation = conversations.get((notice.recipient_id, notice.thread))
    is_unwanted = preferred_channel(notice.recipient, conversation) not in ("", KIND)
    return [
        endpoint
        for endpoint in endpoints
        if event not in endpoint.muted
        and (endpoint.thread == notice.thread if endpoint.thread else endpoint.recipient_id == notice.recipient_id)
        and (endpoint.thread or not is_unwanted)
    ]


def _load(notices: Collection[Notice]) -> list[Endpoint]:
    """The webhooks that may be told of one of these notices."""
    if not notices:
        return []
    recipients, threads = {notice.recipient_id for notice in notices}, {notice.thread for notice in notices} - {""}
    if len(threads) == 1:
        return _in_thread(threads.pop(), *pad_to_power_of_two(recipients))
    return list(_enabled(recipients, threads))


@compiled()
def _in_thread(thread: str, *recipients: int) -> QuerySet[Endpoint]:
    return _enabled(recipients, [thread])


def _enabled(recipients: Collection[int | OuterRef], threads: Collection[str]) -> QuerySet[Endpoint]:
    wanted = Q(recipient__pk__in=recipients, thread="") | Q(~Q(thread=""), thread__in=threads)
    return Endpoint.objects.filter(wanted, is_enabled=True).order_by("pk")
