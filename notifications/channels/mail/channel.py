"""The email channel: one letter to a person's address, or one for several notices that wait for that person."""

import logging
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from notifications import composers
from notifications.channels.base import Answer, Channel, Obstacle
from notifications.channels.mail import KIND, bounces, refusals, sending, suppressions
from notifications.ids import new_ref
from notifications.messages import Form, Message
from notifications.models import AttemptOutcome, ChannelHealth, Delivery, DeliveryState, Notice
from notifications.reasons import declare, in_english

if TYPE_CHECKING:
    from notifications.conversations import Conversations
    from notifications.delivery.sending import AttemptResult

log = logging.getLogger(__name__)

TELLS_INSTEAD = declare("told_by_email", gettext_noop("you were told by email instead"))
NEWEST = 100  # mails among which we look for one that was taken
NO_ADDRESS = declare("no_address", gettext_noop("there is no address"))


class MailChannel(Channel):
    """Hands mails to the server that EMAIL_BACKEND talks to."""

    kind = KIND
    label = _("email")
    form = Form.LETTER
    # Quick at first, since a mail server that greylists wants to be asked again; two days in all, as mail servers do.
    retry_delays = (
        timedelta(seconds=15),
        timedelta(minutes=1),
        timedelta(minutes=5),
        timedelta(minutes=15),
        timedelta(hours=1),
        timedelta(hours=3),
        timedelta(hours=6),
        timedelta(hours=12),
        timedelta(hours=24),
    )
    heeds_preferences = True
    has_breaker = True
    says_instead = TELLS_INSTEAD
    resting = refusals.NOT_NOW
    is_batched_by_recipient = True

    def start(self) -> None:
        """Listen to what mail providers report of mails they took."""
        bounces.connect_provider_events()

    def per_minute(self) -> int:
        """How many mails our mail server takes in a minute."""
        return int(settings.MAIL_PER_MINUTE)

    def address(self, notices: Sequence[Notice], conversations: "Conversations") -> Mapping[int, list[Delivery]]:
        """One mail to each recipient who has an address."""
        return {
            notice.pk: [
                Delivery(
                    notice=notice,
                    recipient=notice.recipient,
                    channel=self.kind,
                    message_id=f"<{new_ref()}@{settings.MAIL_DOMAIN}>",
                )
            ]
            for notice in notices
            if self.carries(notice) and notice.recipient.address
        }

    def find_closed(self, deliveries: Collection[Delivery]) -> Mapping[str, str]:
        """Addresses that asked for no more mail, or to which mail failed."""
        return suppressions.find_reasons(delivery.notice.recipient.address for delivery in deliveries)

    def obstacle(self, delivery: Delivery, closed: Mapping[str, str], now: datetime) -> Obstacle | None:
        """No address, or a closed one. Who asked for no more mail is still asked what others wait for."""
        address = delivery.notice.recipient.address
        if not address:
            return Obstacle(DeliveryState.FAILED, NO_ADDRESS)
        if reason := closed.get(address, ""):
            is_request = reason == suppressions.ASKED
            return Obstacle(DeliveryState.SUPPRESSED, reason, spares_security=True, spares_needed=is_request)
        return None

    def reaches(self, notice: Notice, deliveries: Collection[Delivery] | None) -> bool:
        """A person with an address gets a mail."""
        return bool(notice.recipient.address)

    def compose(self, deliveries: Sequence[Delivery]) -> Message | None:
        """One letter, in its reader's language."""
        notices = [delivery.notice for delivery in deliveries]
        language, merge = notices[0].recipient.language, composers.merger()
        with translation.override(language):
            if len(notices) == 1 or merge is None:
                return composers.composer_for(notices[0].kind).compose(notices[0], language, self.form)
            return merge(notices, language)

    def send(self, delivery: Delivery, message: Message | None) -> Answer:
        """See `sending.pack` and `sending.send`."""
        return Answer(provider_id=sending.send(sending.pack(delivery, message)))

    def record_result(self, delivery: Delivery, result: "AttemptResult", ended_at: datetime) -> None:
        """Close an address that takes no mail."""
        if result.outcome == AttemptOutcome.REFUSED and result.state != DeliveryState.QUARANTINED:
            log.warning(
                "Mail %s (%s) was refused: %s (%s)",
                delivery.pk,
                delivery.notice.kind,
                in_english(result.reason),
                result.code,
            )
        if result.is_address:
            address = delivery.notice.recipient.address
            bounces.record_refusal(address, delivery.message_id, result.reason, ended_at, is_final=result.is_gone)

    def is_kept_back(self, delivery: Delivery, now: datetime, since: datetime) -> bool:
        """Late with nothing tried, put off while our mail server took nothing, or returned with everybody's."""
        if delivery.attempt_after is None:
            return bounces.is_of_one(delivery)
        is_begun = delivery.state == DeliveryState.SENDING
        is_late = is_begun or delivery.attempt_after <= now
        if delivery.tries <= is_begun:  # no try of it has ended
            return is_late
        return (is_late or self._is_failing()) and not self._took_others(delivery, since)

    def forgive(self, delivery: Delivery) -> bool:
        """A mail that failed together with everybody's is sent again."""
        return bounces.forgive_bounce(delivery)

    def _took_others(self, delivery: Delivery, since: datetime) -> bool:
        """Whether our mail server took a mail for somebody else: then it is this reader's host that is away."""
        others = Delivery.objects.filter(channel=self.kind).exclude(recipient=delivery.recipient_id)
        newest = others.order_by("-pk").values_list("accepted_at", flat=True)[:NEWEST]
        return any(accepted_at is not None and accepted_at >= since for accepted_at in newest)

    def _is_failing(self) -> bool:
        """Whether the last that the mail server did was to take nothing, for whomever it was."""
        return ChannelHealth.objects.filter(channel=self.kind, failures__gt=0).exists()


CHANNEL = MailChannel()
