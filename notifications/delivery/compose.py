"""Claimed deliveries, put into words: whether each is still needed, and what its channel is to hand over."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils import translation
from django.utils.translation import gettext_noop

from notifications import composers, delivery_policy
from notifications.channels.base import ChannelError
from notifications.channels.mail import suppressions
from notifications.channels.registry import CHANNELS
from notifications.channels.webhook.webhooks import SWITCHED_OFF
from notifications.composers import Composer, MailMessage, WebhookMessage, composer_for
from notifications.delivery import retry_schedule
from notifications.delivery.claims import Claim
from notifications.delivery.readers import Readers
from notifications.delivery.results import Outcome, Result, after_error, after_refusal, cut_off, dropped
from notifications.models import AttemptOutcome, Channel, Delivery, DeliveryState, Endpoint

log = logging.getLogger(__name__)

RAISED = "Delivery %s (%s) raised together with %s others"
NOTHING_TO_SAY = dropped(DeliveryState.STALE, gettext_noop("nothing to say on this channel"))
NO_ADDRESS = gettext_noop("there is no address")


@dataclass
class ComposedClaim:
    """A claim that is ready to be handed over, or what has become of it without.

    Arguments:
        outcome: what is known before; all there is to say where nothing is packed.
        is_led: whether the delivery under whose id it goes out is in it; not if it went stale after it was tried.
        others: those that go out beside it.
        packed: what the channel hands over; None for nothing.
    """

    claim: Claim
    outcome: Outcome
    is_led: bool = False
    others: list[Delivery] = field(default_factory=list)
    packed: Any = None

    def ended(self, result: Result) -> Outcome:
        """What has become of the claim if this is what has become of its mail or call."""
        outcome = self.outcome
        if self.is_led or result.state is None:
            outcome.lead = result
        if result.state is not None:
            outcome.settled += [(delivery, result) for delivery in self.others]
        return outcome

    def failed(self, error: Exception) -> Outcome:
        """The same after an error of our own. Perhaps they are at odds with each other: the next time each is alone."""
        outcome = self.outcome
        if self.is_led:
            outcome.lead = after_error(self.claim.delivery, error)
        outcome.released, outcome.is_split = self.others, True
        return outcome


def compose_claim(claim: Claim, now: datetime, readers: Readers) -> ComposedClaim:
    """What is handed over for a claim at `now`; several notices go out under the id of the one that leads.

    It asks what is true at this moment, and writes nothing.
    """
    lead, followers = claim.delivery, list(claim.followers)
    if lead.tries > retry_schedule.tries_allowed(lead.channel):
        # Only a process that died in the middle leaves a try without a verdict: which of them kills its senders?
        return ComposedClaim(claim, Outcome(cut_off(), released=followers, is_split=True))
    unsent = _checked(lead, now, readers)
    if unsent is not None and (lead.tries == 1 or unsent.held_until):
        # Nothing was sent yet under this Message-ID; or all of them wait as long as this one.
        return ComposedClaim(claim, Outcome(unsent, released=followers if lead.tries == 1 else []))
    ready = ComposedClaim(claim, Outcome(unsent or NOTHING_TO_SAY), is_led=unsent is None)
    for delivery in followers:
        not_now = _checked(delivery, now, readers)
        if not_now is None:
            ready.others.append(delivery)
        else:
            ready.outcome.settled.append((delivery, not_now))
    if ready.is_led or ready.others:
        _pack(ready)
    return ready


def _pack(ready: ComposedClaim) -> None:
    lead, others = ready.claim.delivery, ready.others
    lead.shared_endpoints = [delivery.endpoint for delivery in others if delivery.endpoint is not None]
    try:
        message = None if lead.body else _words([lead, *others] if ready.is_led else others)
        if message is None and not lead.body:
            ready.outcome = ready.ended(NOTHING_TO_SAY)
        else:
            ready.packed = CHANNELS[lead.channel].pack(lead, message)
    except ChannelError as error:
        ready.outcome = ready.ended(after_refusal(lead, error, ready.claim.channel_failures))
    except Exception as error:  # composers are the product's: one that raises must not stop anybody else's notices
        log.exception(RAISED, lead.pk, lead.notice.kind, len(others))
        ready.outcome = ready.failed(error)


def _checked(delivery: Delivery, now: datetime, readers: Readers) -> Result | None:
    try:
        return why_not(delivery, now, readers)
    except Exception as error:
        log.exception(RAISED, delivery.pk, delivery.notice.kind, 0)
        return after_error(delivery, error)


def why_not(delivery: Delivery, now: datetime, readers: Readers) -> Result | None:
    """Why a claimed delivery is not sent now, or None."""
    notice = delivery.notice
    stale = "" if delivery.is_by_hand else composers.why_stale(notice, delivery.channel, now)
    if stale:
        return dropped(DeliveryState.STALE, stale)
    if delivery.channel == Channel.WEBHOOK:
        return _why_not_webhook(delivery.endpoint)
    return _why_not_mail(delivery, composer_for(notice.kind), now, readers)


def _why_not_mail(delivery: Delivery, composer: Composer, now: datetime, readers: Readers) -> Result | None:
    notice, recipient = delivery.notice, delivery.notice.recipient
    if not recipient.address:
        return dropped(DeliveryState.FAILED, NO_ADDRESS)
    if not composer.is_security:
        unwanted = readers.unwanted.get(recipient.address, "")
        topic = composers.topic_of(notice.kind)
        # Who asked for no more mail is still asked what others wait for; an address that fails is not used at all.
        if unwanted and not (unwanted == suppressions.ASKED and topic is not None and topic.is_needed):
            return dropped(DeliveryState.SUPPRESSED, unwanted)
    wish = delivery_policy.wish(notice, now, sides=readers.sides)
    if wish.unwanted:
        return dropped(DeliveryState.DECLINED, wish.unwanted)
    if wish.hold is None:
        return None
    return Result(AttemptOutcome.DROPPED, None, wish.hold.reason, held_until=wish.hold.until)


def _why_not_webhook(endpoint: Endpoint | None) -> Result | None:
    if endpoint is None or not endpoint.is_enabled:
        return dropped(DeliveryState.FAILED, SWITCHED_OFF)
    return None


def _words(current: Sequence[Delivery]) -> MailMessage | WebhookMessage | None:
    """One mail or call for all of them."""
    merge, notices = composers.merger(), [delivery.notice for delivery in current]
    if current[0].channel == Channel.WEBHOOK:
        return _hook(current)
    if len(notices) == 1 or merge is None:
        return compose(current[0])
    language = notices[0].recipient.language
    with translation.override(language):
        return merge(notices, language)


def _hook(current: Sequence[Delivery]) -> MailMessage | WebhookMessage | None:
    """One call for all; in the language of him whose webhook is called."""
    endpoint = current[0].endpoint
    assert endpoint is not None, current[0].pk
    language = endpoint.recipient.language
    notices = {delivery.notice_id: delivery.notice for delivery in current}
    with translation.override(language):
        return composers.hook_of(list(notices.values()), language)


def compose(delivery: Delivery) -> MailMessage | WebhookMessage | None:
    """Return what a delivery by itself says now, in its reader's language; None for no words. Raises UnknownKind."""
    if delivery.channel == Channel.WEBHOOK:
        return _hook([delivery])
    notice = delivery.notice
    composer: Composer = composer_for(notice.kind)
    with translation.override(notice.recipient.language):
        return composer.compose(notice, notice.recipient.language, delivery.channel)
