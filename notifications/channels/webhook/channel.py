"""The webhook channel: which webhooks are told of a notice, which may be called now, and how they are."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import Count, Exists, Expression, Model, OuterRef, Q, QuerySet, Subquery, Value
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from notifications import composers
from notifications.channels.base import Answer, Channel, Obstacle
from notifications.channels.webhook import KIND, sending, webhooks
from notifications.channels.webhook.models import Endpoint
from notifications.conversations import Conversations, preferred_channel
from notifications.database.compiled_query import compiled, pad_to_power_of_two
from notifications.ids import new_ref
from notifications.messages import Form, Message
from notifications.models import IS_OPEN, Delivery, DeliveryState, Notice, Recipient

if TYPE_CHECKING:
    from notifications.conversations import Conversations
    from notifications.delivery.sending import AttemptResult


# Which webhooks are told of a notice: its recipient's own, and those of its thread or of a wider one.

wider_threads: list[Callable[[Sequence[Expression]], QuerySet[Model]]] = []
"""Who writes notices says here which threads are part of a wider one, whose webhooks are told of them, too: a query of
at most one row for each thread, with `narrow` and `wider` as text."""


def listening_endpoints(recipient: int | OuterRef, thread: str | Value) -> QuerySet[Endpoint]:
    """Return the webhooks that are told what a recipient (by key) is told in a thread."""
    return _enabled([recipient], _with_wider(thread))


def _listeners(
    notice: Notice, endpoints: Collection[Endpoint], threads: Collection[str], conversations: Conversations
) -> list[Endpoint]:
    """The recipient's own, unless he wants to be told by another channel alone, and those of its threads."""
    event = composers.event_of(notice.kind)
    conversation = conversations.get((notice.recipient_id, notice.thread))
    is_unwanted = preferred_channel(notice.recipient, conversation) not in ("", KIND)
    return [
        endpoint
        for endpoint in endpoints
        if event not in endpoint.muted
        and (endpoint.thread in threads if endpoint.thread else endpoint.recipient_id == notice.recipient_id)
        and (endpoint.thread or not is_unwanted)
    ]


def _load_endpoints(notices: Collection[Notice]) -> tuple[list[Endpoint], Mapping[str, set[str]]]:
    """The webhooks that may be told of one of these notices; and by each thread those whose webhooks are."""
    if not notices:
        return [], {}
    recipients, threads = {notice.recipient_id for notice in notices}, {notice.thread for notice in notices} - {""}
    if len(threads) == 1:
        (thread,) = threads
        endpoints = _in_thread(thread, *pad_to_power_of_two(recipients))
        return endpoints, {thread: {endpoint.thread for endpoint in endpoints}}
    heard = {thread: {thread} for thread in threads}
    for find_wider in wider_threads if threads else ():
        for narrow, wider in find_wider([*map(Value, threads)]).values_list("narrow", "wider"):
            heard[narrow].add(wider)
    return list(_enabled(recipients, set().union(*heard.values()))), heard


@compiled()
def _in_thread(thread: str, *recipients: int) -> QuerySet[Endpoint]:
    return _enabled(recipients, _with_wider(thread))


def _with_wider(thread: str | Value) -> list[Value | Subquery]:
    """The thread and those that it is part of, for a query that finds them by itself."""
    narrow = Value(thread) if isinstance(thread, str) else thread
    return [narrow, *(Subquery(find_wider([narrow]).values("wider")) for find_wider in wider_threads)]


def _enabled(recipients: Collection[int | OuterRef], threads: Collection[str | Value | Subquery]) -> QuerySet[Endpoint]:
    wanted = Q(recipient__pk__in=recipients, thread="") | Q(~Q(thread=""), thread__in=threads)
    return Endpoint.objects.filter(wanted, is_enabled=True).order_by("pk")


# Which webhooks may be sent now, so that web servers that answer slowly do not keep all senders waiting.


def exclude_busy_webhooks(
    deliveries: QuerySet[Delivery], now: datetime | Value, at_once: int, *, failing: bool
) -> QuerySet[Delivery]:
    """Leave out deliveries to webhooks for which a sender is at work already.

    One sender for each owner; one for all owners of a webhook that fails; as many as `at_once` for the others.

    Arguments:
        at_once: how many claimers may hold some at a time; 0 for no limit.
        failing: whether webhooks are tried of somebody of whose webhooks one took nothing last time.
    """
    leased = Delivery.objects.filter(channel=KIND, lease_until__gt=now)
    served = Endpoint.objects.filter(recipient__in=leased.values("endpoint__recipient"))
    free = deliveries.exclude(endpoint__in=served.values("pk"))
    troubled = is_owner_troubled()
    free = free.exclude(troubled, Exists(leased.filter(troubled))) if failing else free.exclude(troubled)
    if at_once:
        claimers = leased.exclude(troubled).values("channel").annotate(count=Count("lease_owner", distinct=True))
        free = free.exclude(~troubled, Exists(claimers.filter(count__gte=at_once)), channel=KIND)
    return free


def is_owner_troubled() -> Exists:
    """Whether a delivery is to a webhook of somebody of whose webhooks one fails: the others may do so as well."""
    fails = Endpoint.objects.filter(is_enabled=True, failing_since__isnull=False)
    return Exists(fails.filter(recipient__endpoints=OuterRef("endpoint")))


class WebhookChannel(Channel):
    """Posts messages to endpoints."""

    kind = KIND
    label = _("webhook")
    form = Form.ANNOUNCEMENT
    # The table of Standard Webhooks 1.0.0: ten tries over 75 h 35 m.
    retry_delays = (
        timedelta(seconds=5),
        timedelta(minutes=5),
        timedelta(minutes=30),
        timedelta(hours=2),
        timedelta(hours=5),
        timedelta(hours=10),
        timedelta(hours=14),
        timedelta(hours=20),
        timedelta(hours=24),
    )
    says_instead = webhooks.TELLS_INSTEAD
    senders = 2  # one may wait for a web server, so there is another one
    is_serial = True
    settings_template = "channels/webhook_settings.html"

    def settings_context(self, recipient: Recipient) -> Mapping[str, object]:
        """The recipient's own endpoints, to say which are switched off."""
        return {"endpoints": Endpoint.objects.filter(recipient=recipient, thread="").order_by("pk")}

    def most_senders(self) -> int:
        """Web servers that take their time to answer must not keep everybody who sends waiting."""
        return int(settings.WEBHOOKS_AT_ONCE)

    def without_busy(
        self, deliveries: QuerySet[Delivery], now: datetime | Value, at_once: int, *, failing: bool
    ) -> QuerySet[Delivery]:
        """See `fairness.without_busy`."""
        return exclude_busy_webhooks(deliveries, now, at_once, failing=failing)

    def is_troubled(self) -> Exists:
        """See `fairness.is_troubled`."""
        return is_owner_troubled()

    def is_recovering(self, delivery: Delivery) -> bool:
        """The endpoint has failed until now."""
        return delivery.endpoint is not None and delivery.endpoint.failing_since is not None

    def address(self, notices: Sequence[Notice], conversations: "Conversations") -> Mapping[int, list[Delivery]]:
        """One call for each endpoint that listens to the recipient or a thread of his, or for the one that is meant."""
        announced = [notice for notice in notices if self.carries(notice)]
        endpoints, heard = _load_endpoints(announced)
        listeners = {
            notice.pk: _listeners(notice, endpoints, heard.get(notice.thread, ()), conversations)
            for notice in announced
        }
        keys = {notice.pk: key for notice in notices if (key := notice.pending["endpoint"]) is not None}
        if keys:
            named = Endpoint.objects.in_bulk(keys.values())
            listeners |= {pk: [named[key]] for pk, key in keys.items() if key in named}
        return {
            notice.pk: [self._delivery(notice, endpoint) for endpoint in listeners.get(notice.pk, ())]
            for notice in notices
        }

    def _delivery(self, notice: Notice, endpoint: Endpoint) -> Delivery:
        # Standard Webhooks forbids dots in the id: it is part of the signed text, whose parts are joined by dots.
        return Delivery(
            notice=notice,
            recipient=None if endpoint.thread else notice.recipient,
            channel=self.kind,
            endpoint=endpoint,
            target=endpoint.target,
            message_id=f"msg_{new_ref()}",
        )

    def obstacle(self, delivery: Delivery, closed: Mapping[str, str], now: datetime) -> Obstacle | None:
        """The endpoint was switched off, or deleted; or the chat already shows what came later."""
        if delivery.endpoint is None or not delivery.endpoint.is_enabled:
            return Obstacle(DeliveryState.FAILED, webhooks.SWITCHED_OFF)
        if sending.is_outdated(delivery):
            return Obstacle(DeliveryState.STALE, sending.NEWER)
        return None

    def reaches(self, notice: Notice, deliveries: Collection[Delivery] | None) -> bool:
        """One of the recipient's own endpoints is told of it, and works."""
        if deliveries is None:
            deliveries = notice.deliveries.filter(channel=self.kind).select_related("endpoint")
        return any(
            endpoint.recipient_id == notice.recipient_id
            and not endpoint.thread
            and endpoint.is_enabled
            and endpoint.failing_since is None
            for delivery in deliveries
            if (endpoint := delivery.endpoint) is not None
        )

    def compose(self, deliveries: Sequence[Delivery]) -> Message | None:
        """One announcement, in the language of the endpoint's owner."""
        endpoint = deliveries[0].endpoint
        assert endpoint is not None, deliveries[0].pk
        language = endpoint.recipient.language
        notices = {delivery.notice_id: delivery.notice for delivery in deliveries}
        with translation.override(language):
            return composers.announce(list(notices.values()), language)

    def send(self, delivery: Delivery, message: Message | None) -> Answer:
        """See `sending.send`."""
        return sending.send(delivery, message)

    def record_result(self, delivery: Delivery, result: "AttemptResult", ended_at: datetime) -> None:
        """Note that the endpoint works or fails, and switch off one that is dead."""
        webhooks.record_result(delivery, result, ended_at)

    def is_kept_back(self, delivery: Delivery, now: datetime, since: datetime) -> bool:
        """Late, and never tried; one that waits behind another to the same address waits for its owner's."""
        if delivery.attempt_after is None or delivery.tries:
            return False
        is_late = delivery.state == DeliveryState.SENDING or delivery.attempt_after <= now
        begun = Delivery.objects.filter(IS_OPEN, target=delivery.target, tries__gt=0)
        return is_late and not begun.exists()

    def destination_of(self, delivery: Delivery) -> str:
        """The host: the rest of the address is a secret of its owner."""
        return delivery.endpoint.host if delivery.endpoint is not None else ""

    def name_of(self, delivery: Delivery) -> str:
        """With the name of the endpoint."""
        return f"{self.label} {delivery.endpoint}" if delivery.endpoint is not None else str(self.label)


CHANNEL = WebhookChannel()
