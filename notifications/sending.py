"""Claimed deliveries, from the question whether each is still needed to what the other side said.

Nothing here runs inside a transaction, so no lock is held while the network is waited for; `settling` writes it down.
"""

import logging
import time
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from django.db import connection
from django.utils import translation
from django.utils.translation import gettext_noop

from notifications import composers, holding, schedule, suppressions
from notifications.channels import CHANNELS, Answer, ChannelError
from notifications.claims import Claim
from notifications.composers import Composer, MailMessage, WebhookMessage, composer_for
from notifications.models import AttemptOutcome, Channel, Delivery, DeliveryState, Endpoint
from notifications.readers import Readers
from notifications.results import Outcome, Result, after_error, after_refusal, cut_off, dropped
from notifications.settling import give_back, settle
from notifications.webhooks import SWITCHED_OFF

log = logging.getLogger(__name__)

NOTHING_TO_SAY = gettext_noop("nothing to say on this channel")
NO_ADDRESS = gettext_noop("there is no address")
PATIENCE = 5.0  # seconds after which what was claimed together and not begun is given back, long before its lease ends


def send_all(claims: Sequence[Claim], now: datetime) -> int:
    """Send what was claimed together at `now`, each settled before the next is begun; returns how many were tried.

    What could not be begun in good time is given back, and so is what follows a message that was not taken because
    the other side takes nothing: others may try it, or let the channel rest. Raises RuntimeError inside a transaction.
    """
    if any(not getattr(block, "_from_testcase", False) for block in connection.atomic_blocks):  # as durable=True asks
        raise RuntimeError("deliveries are sent outside transactions")
    readers = Readers.of(delivery.notice for delivery in _mails(claims))
    begun, at = time.monotonic(), now
    for number, claim in enumerate(claims, start=1):
        claim.attempt.started_at = at
        outcome = _try_all(claim, at, readers) if claim.followers else Outcome(_try(claim.delivery, at, readers))
        seconds = time.monotonic() - begun
        at = now + timedelta(seconds=seconds)
        settle(claim, outcome, at)
        rest = claims[number:]
        if rest and (seconds > PATIENCE or outcome.lead.is_general):
            give_back(rest)
            return number
    return len(claims)


def _mails(claims: Sequence[Claim]) -> Iterator[Delivery]:
    for claim in claims:
        if claim.delivery.channel == Channel.MAIL:
            yield claim.delivery
            yield from claim.followers


def _try(delivery: Delivery, now: datetime, readers: Readers) -> Result:
    """One delivery by itself."""
    try:
        unsent = why_not(delivery, now, readers)
        if unsent is not None:
            return unsent
        message = None if delivery.body else compose(delivery)
        if message is None and not delivery.body:
            return dropped(DeliveryState.STALE, NOTHING_TO_SAY)
        return _hand_over(delivery, message)
    except Exception as error:  # composers are the product's: one that raises must not stop anybody else's notices
        log.exception("Delivery %s (%s) raised", delivery.pk, delivery.notice.kind)
        return after_error(delivery, error)


def _try_all(claim: Claim, now: datetime, readers: Readers) -> Outcome:
    """Several notices in one mail or call, which goes out under the Message-ID or webhook-id of the one that leads."""
    lead, followers = claim.delivery, list(claim.followers)
    if lead.tries > schedule.tries_allowed(lead.channel):
        return Outcome(cut_off(), released=followers, is_split=True)  # which of them kills its senders?
    unsent = _checked(lead, now, readers)
    if unsent is not None and (lead.tries == 1 or unsent.held_until):
        # Nothing was sent yet under this Message-ID; or all of them wait as long as this one.
        return Outcome(unsent, released=followers if lead.tries == 1 else [])
    outcome = Outcome(unsent or dropped(DeliveryState.STALE, NOTHING_TO_SAY))
    current = [] if unsent else [lead]
    for delivery in followers:
        not_now = _checked(delivery, now, readers)
        if not_now is None:
            current.append(delivery)
        else:
            outcome.settled.append((delivery, not_now))
    return _send_together(lead, current, outcome) if current else outcome


def _send_together(lead: Delivery, current: list[Delivery], outcome: Outcome) -> Outcome:
    others = [delivery for delivery in current if delivery is not lead]
    try:
        message = None if lead.body else _merged(current)
    except Exception as error:
        log.exception("Delivery %s raised together with %s others", lead.pk, len(others))
        if lead in current:
            outcome.lead = after_error(lead, error)
        outcome.released, outcome.is_split = others, True
        return outcome
    lead.cosigners = [delivery.endpoint for delivery in others if delivery.endpoint is not None]
    if message is None and not lead.body:
        result = dropped(DeliveryState.STALE, NOTHING_TO_SAY)
    else:
        result = _hand_over(lead, message)
    if lead in current or result.state is None:
        outcome.lead = result
    if result.state is not None:
        outcome.settled += [(delivery, result) for delivery in others]
    return outcome


def _checked(delivery: Delivery, now: datetime, readers: Readers) -> Result | None:
    try:
        return why_not(delivery, now, readers)
    except Exception as error:
        log.exception("Delivery %s (%s) raised", delivery.pk, delivery.notice.kind)
        return after_error(delivery, error)


def _merged(current: list[Delivery]) -> MailMessage | WebhookMessage | None:
    if current[0].channel == Channel.WEBHOOK:
        return _hook(current)
    merge, notices = composers.merger(), [delivery.notice for delivery in current]
    if len(notices) == 1 or merge is None:
        message = compose(current[0])
    else:
        language = notices[0].recipient.language
        with translation.override(language):
            message = merge(notices, language)
    if not isinstance(message, MailMessage):
        raise TypeError("no mail was composed")
    return message


def _hook(current: list[Delivery]) -> MailMessage | WebhookMessage | None:
    """One call for all; in the language of him whose webhook is called."""
    endpoint = current[0].endpoint
    assert endpoint is not None, current[0].pk
    language = endpoint.recipient.language
    notices = {delivery.notice_id: delivery.notice for delivery in current}
    with translation.override(language):
        return composers.hook_of(list(notices.values()), language)


def _hand_over(delivery: Delivery, message: MailMessage | WebhookMessage | None) -> Result:
    try:
        answer = CHANNELS[delivery.channel].send(delivery, message)
    except ChannelError as error:
        return after_refusal(delivery, error)
    said, excerpt = answer if isinstance(answer, Answer) else Answer(answer)
    if delivery.channel == Channel.MAIL:
        return Result(AttemptOutcome.ACCEPTED, DeliveryState.ACCEPTED, said, provider_id=said)
    return Result(AttemptOutcome.ACCEPTED, DeliveryState.ACCEPTED, said, code=said, excerpt=excerpt)


def why_not(delivery: Delivery, now: datetime, readers: Readers) -> Result | None:
    """Why a claimed delivery is not sent now, or None."""
    if delivery.tries > schedule.tries_allowed(delivery.channel):
        # Only a process that died in the middle leaves a try without a verdict: this one kills its senders.
        return cut_off()
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
    wish = holding.wish(notice, now, sides=readers.sides)
    if wish.unwanted:
        return dropped(DeliveryState.DECLINED, wish.unwanted)
    if wish.hold is None:
        return None
    return Result(AttemptOutcome.DROPPED, None, wish.hold.reason, held_until=wish.hold.until)


def _why_not_webhook(endpoint: Endpoint | None) -> Result | None:
    if endpoint is None or not endpoint.is_enabled:
        return dropped(DeliveryState.FAILED, SWITCHED_OFF)
    return None


def compose(delivery: Delivery) -> MailMessage | WebhookMessage | None:
    """Return what a delivery by itself says now, in its reader's language; None for no words. Raises UnknownKind."""
    if delivery.channel == Channel.WEBHOOK:
        return _hook([delivery])
    notice = delivery.notice
    composer: Composer = composer_for(notice.kind)
    with translation.override(notice.recipient.language):
        return composer.compose(notice, notice.recipient.language, delivery.channel)
