"""The webhook channel: public facts, posted to the addresses of a person or of a thread."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import Exists, QuerySet, Value
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from notifications import composers
from notifications.channels.base import Answer, Channel, Listening, Obstacle
from notifications.channels.webhook import KIND, fairness, listeners, sending, webhooks
from notifications.channels.webhook.endpoints import Endpoint
from notifications.ids import new_ref
from notifications.messages import Form, Message
from notifications.models import IS_OPEN, Delivery, DeliveryState, Notice, Recipient

if TYPE_CHECKING:
    from notifications.conversations import Conversations
    from notifications.delivery.results import AttemptResult
    from notifications.outbox import Notification


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
        return fairness.without_busy(deliveries, now, at_once, failing=failing)

    def is_troubled(self) -> Exists:
        """See `fairness.is_troubled`."""
        return fairness.is_troubled()

    def is_recovering(self, delivery: Delivery) -> bool:
        """The endpoint has failed until now."""
        return delivery.endpoint is not None and delivery.endpoint.failing_since is not None

    def address(
        self,
        notified: Sequence[tuple["Notification", Notice]],
        conversations: "Conversations",
        listening: Listening | None,
    ) -> Mapping[int, list[Delivery]]:
        """One call for each endpoint that listens to the recipient or the thread, or for the one that is meant."""
        announced = [one for one in notified if one[0].endpoint is None and self.form in one[0].wanted]
        heard = None if listening is None else listening[self.kind]
        found = listeners.find_listeners([notice for _one, notice in announced], conversations, heard)
        found |= {notice.pk: [one.endpoint] for one, notice in notified if one.endpoint is not None}
        return {
            notice.pk: [self._delivery(notice, endpoint) for endpoint in found.get(notice.pk, ())]
            for _one, notice in notified
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
        """The endpoint was switched off, or deleted."""
        if delivery.endpoint is None or not delivery.endpoint.is_enabled:
            return Obstacle(DeliveryState.FAILED, webhooks.SWITCHED_OFF)
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

    def pack(self, delivery: Delivery, message: Message | None) -> str:
        """See `sending.pack`."""
        return sending.pack(delivery, message)

    def send(self, delivery: Delivery, packed: str) -> Answer:
        """See `sending.send`."""
        return sending.send(delivery, packed)

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
