"""The web push channel: a few words on the screens of those devices on which a person has asked for them."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from time import monotonic
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import Exists, QuerySet, Value
from django.utils import translation
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from notifications import composers
from notifications.channels.base import Answer, Channel, Obstacle
from notifications.channels.push import KIND, devices, sending
from notifications.channels.push.models import PushSubscription
from notifications.channels.push.sending import NEWS_FOR
from notifications.clock import present
from notifications.composers import pushed_topics
from notifications.ids import new_ref
from notifications.messages import Form, Message
from notifications.models import Delivery, DeliveryState, Notice, Recipient
from notifications.reasons import declare

if TYPE_CHECKING:
    from notifications.conversations import Conversations
    from notifications.delivery.sending import AttemptResult

LOST = (DeliveryState.FAILED, DeliveryState.QUARANTINED, DeliveryState.STALE, DeliveryState.DECLINED)
TOO_OLD = declare("too_old", gettext_noop("it's too old to be worth a notification"))


class PushChannel(Channel):
    """Hands messages to the push services of browsers."""

    kind = KIND
    label = _("notification on your devices")
    form = Form.LETTER
    # Quick at first: what is asked in a live game is of no use in an hour. Eight hours in all; a push service that is
    # down is tried by one message for all.
    retry_delays = (
        timedelta(seconds=5),
        timedelta(seconds=30),
        timedelta(minutes=2),
        timedelta(minutes=5),
        timedelta(minutes=15),
        timedelta(minutes=30),
        timedelta(hours=1),
        timedelta(hours=2),
        timedelta(hours=4),
    )
    heeds_preferences = True
    interrupts = True
    chooses_topics = True
    says_instead = devices.TELLS_INSTEAD
    senders = 2  # one may wait for a push service, so there is another one
    is_serial = True
    settings_template = "channels/push_settings.html"

    def settings_context(self, recipient: Recipient) -> Mapping[str, object]:
        """The recipient's devices, each with the topics it shows; our key, "" where nothing is sent."""
        shown = [
            (device, [(topic, topic.name not in device.muted) for topic in pushed_topics()])
            for device in devices.of([recipient.pk])
        ]
        return {"devices": shown, "public_key": sending.public_key() if settings.PUSH_ENABLED else ""}

    def address(self, notices: Sequence[Notice], conversations: "Conversations") -> Mapping[int, list[Delivery]]:
        """One message to each device of the recipient that wants the topic."""
        carried = [notice for notice in notices if self.carries(notice) and composers.has_push(notice.kind)]
        if not carried or not settings.PUSH_ENABLED:
            return {}
        subscriptions = devices.of({notice.recipient_id for notice in carried})
        return {
            notice.pk: [self._delivery(notice, device) for device in subscriptions if self._is_wanted(notice, device)]
            for notice in carried
        }

    def _is_wanted(self, notice: Notice, device: PushSubscription) -> bool:
        topic = composers.topic_of(notice.kind)
        return device.recipient_id == notice.recipient_id and topic is not None and topic.name not in device.muted

    def _delivery(self, notice: Notice, device: PushSubscription) -> Delivery:
        return Delivery(
            notice=notice,
            recipient=notice.recipient,
            channel=self.kind,
            target=device.target,
            message_id=f"push_{new_ref()}",
        )

    def without_busy(
        self, deliveries: QuerySet[Delivery], now: datetime | Value, at_once: int, *, failing: bool
    ) -> QuerySet[Delivery]:
        """See `devices.without_resting`."""
        return devices.without_resting(deliveries, now, failing=failing)

    def is_troubled(self) -> Exists:
        """See `devices.is_troubled`."""
        return devices.is_service_troubled()

    def is_recovering(self, delivery: Delivery) -> bool:
        """The device was not used lately, or it or its push service has failed until now."""
        return delivery.addressee is None or devices.is_news(delivery.addressee, present.now())

    def find_closed(self, deliveries: Collection[Delivery]) -> Mapping[str, str]:
        """Devices that are gone."""
        return devices.without_device({delivery.target for delivery in deliveries if delivery.target})

    def obstacle(self, delivery: Delivery, closed: Mapping[str, str], now: datetime) -> Obstacle | None:
        """The device is gone, or it is old news."""
        if reason := closed.get(delivery.target or "", ""):
            return Obstacle(DeliveryState.FAILED, reason)
        topic = composers.topic_of(delivery.notice.kind)
        is_needed = topic is not None and topic.is_needed
        if not is_needed and now - delivery.notice.created_at > NEWS_FOR:
            return Obstacle(DeliveryState.STALE, TOO_OLD)
        return None

    def reaches(self, notice: Notice, deliveries: Collection[Delivery] | None) -> bool:
        """One of the recipient's devices is told of it, and its push service works."""
        if deliveries is None:
            deliveries = notice.deliveries.filter(channel=self.kind)
        mine = {
            delivery.target for delivery in deliveries if delivery.channel == self.kind and delivery.state not in LOST
        }
        if not mine:
            return False
        return PushSubscription.objects.filter(~devices.is_service_failing(), target__in=mine, refusals=0).exists()

    def compose(self, deliveries: Sequence[Delivery]) -> Message | None:
        """A few words, in the recipient's language; of several the last says what is true."""
        notice = deliveries[-1].notice
        with translation.override(notice.recipient.language):
            return composers.push(notice, notice.recipient.language)

    def send(self, delivery: Delivery, message: Message | None) -> Answer:
        """Encrypt and post it; notes whether that took long."""
        packed, begun = sending.pack(delivery, message), monotonic()
        answer = sending.send(packed)
        if delivery.addressee is not None:
            delivery.addressee.was_slow = monotonic() - begun > devices.SLOW_SECONDS
        return answer

    def record_result(self, delivery: Delivery, result: "AttemptResult", ended_at: datetime) -> None:
        """Forget a device that is gone, and let a push service rest that takes nothing."""
        devices.record_result(delivery, result, ended_at)

    def is_kept_back(self, delivery: Delivery, now: datetime, since: datetime) -> bool:
        """Late, and never tried."""
        if delivery.attempt_after is None or delivery.tries:
            return False
        return delivery.state == DeliveryState.SENDING or delivery.attempt_after <= now

    def destination_of(self, delivery: Delivery) -> str:
        """The push service: the rest of the address belongs to one browser."""
        device = devices.at(delivery.target or "")
        return device.host if device is not None else ""


CHANNEL = PushChannel()
