"""One claimed delivery, from the question whether it is still needed to the record of what became of it.

Nothing here runs inside a transaction except the last step, so no lock is held while the network is waited for.
"""

import logging
import random
import time
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.utils import translation
from django.utils.translation import gettext_noop

from notifications import schedule, suppressions, switched_off
from notifications.channels import CHANNELS, ChannelError
from notifications.claims import Claim
from notifications.composers import Composer, MailMessage, WebhookMessage, composer_for
from notifications.models import Attempt, AttemptOutcome, Channel, Delivery, DeliveryState, Endpoint

log = logging.getLogger(__name__)

REASON_LENGTH = 200
SWITCHED_OFF = "the webhook is switched off"
SILENT = gettext_noop("it took nothing for three days")


@dataclass(frozen=True)
class Result:
    """What became of an attempt. Without a final `state` the delivery waits for its next try."""

    outcome: AttemptOutcome
    state: DeliveryState | None
    reason: str = ""
    code: str = ""
    retry_after: timedelta | None = None
    disables_endpoint: bool = False


def send(claim: Claim, now: datetime) -> None:
    """Send a delivery just claimed at `now`, and settle it. Raises RuntimeError inside a transaction."""
    if any(not getattr(block, "_from_testcase", False) for block in connection.atomic_blocks):  # as durable=True asks
        raise RuntimeError("deliveries are sent outside transactions")
    begun = time.monotonic()
    result = _try(claim.delivery)
    settle(claim, result, now + timedelta(seconds=time.monotonic() - begun))


def _try(delivery: Delivery) -> Result:
    try:
        unsent = _why_not(delivery)
        if unsent is not None:
            return unsent
        message = _message(delivery)
        if message is None:
            return _dropped(DeliveryState.STALE, "nothing to say on this channel")
        return Result(
            AttemptOutcome.ACCEPTED, DeliveryState.ACCEPTED, CHANNELS[delivery.channel].send(delivery, message)
        )
    except ChannelError as error:
        return _after_refusal(delivery, error)
    except Exception as error:  # composers are the product's: one that raises must not stop anybody else's notices
        log.exception("Delivery %s (%s) raised", delivery.pk, delivery.notice.kind)
        return _after_error(delivery, error)


def _why_not(delivery: Delivery) -> Result | None:
    if delivery.tries > schedule.tries_allowed(delivery.channel):
        # Only a process that died in the middle leaves a try without a verdict: this one kills its senders.
        return Result(AttemptOutcome.ERROR, DeliveryState.QUARANTINED, "every try was cut off")
    notice, recipient = delivery.notice, delivery.notice.recipient
    composer = composer_for(notice.kind)
    stale = composer.is_current(notice)
    if stale:
        return _dropped(DeliveryState.STALE, stale)
    if delivery.channel == Channel.WEBHOOK:
        return _why_not_webhook(delivery.endpoint)
    if not recipient.address:
        return _dropped(DeliveryState.FAILED, "no address")
    if not composer.is_security and suppressions.is_suppressed(recipient.address):
        return _dropped(DeliveryState.SUPPRESSED, "the address asked never to be written to")
    return None


def _why_not_webhook(endpoint: Endpoint | None) -> Result | None:
    if endpoint is None or not endpoint.is_enabled:
        return _dropped(DeliveryState.FAILED, SWITCHED_OFF)
    return None


def _dropped(state: DeliveryState, reason: str) -> Result:
    return Result(AttemptOutcome.DROPPED, state, reason)


def _message(delivery: Delivery) -> MailMessage | WebhookMessage | None:
    notice = delivery.notice
    composer: Composer = composer_for(notice.kind)
    with translation.override(notice.recipient.language):
        return composer.compose(notice, notice.recipient.language, delivery.channel)


def _after_refusal(delivery: Delivery, error: ChannelError) -> Result:
    is_last = delivery.tries >= schedule.tries_allowed(delivery.channel)
    if error.permanent:
        outcome, state = AttemptOutcome.REFUSED, DeliveryState.FAILED
    elif is_last:
        outcome, state = AttemptOutcome.REFUSED, DeliveryState.QUARANTINED
    else:
        outcome, state = AttemptOutcome.RETRY, None
    # An endpoint that failed through the whole table is dead: what waits behind would take as long again.
    disables = error.disables_endpoint or state == DeliveryState.QUARANTINED
    return Result(outcome, state, str(error), error.code, error.retry_after, disables)


def _after_error(delivery: Delivery, error: Exception) -> Result:
    # The class alone: the text of an unexpected error may hold anything. The log has the rest.
    given_up = DeliveryState.QUARANTINED if delivery.tries >= schedule.POISON_TRIES else None
    return Result(AttemptOutcome.ERROR, given_up, type(error).__name__)


def settle(claim: Claim, result: Result, ended_at: datetime) -> bool:
    """Record the result of an attempt that ended at `ended_at`; returns False if the lease was lost meanwhile."""
    delivery = claim.delivery
    with transaction.atomic(durable=True):
        is_ours = _close(delivery, result, ended_at)
        _close_attempt(claim.attempt, result, ended_at)
        if is_ours and result.disables_endpoint and delivery.endpoint is not None:
            _disable(delivery.endpoint, result.reason if result.state == DeliveryState.FAILED else SILENT)
            switched_off.tell_owner(delivery.endpoint, dedupe_key=f"webhook_off:{delivery.pk}", now=ended_at)
    if not is_ours:
        log.warning("Delivery %s was claimed by somebody else while it was sent", delivery.pk)
    elif result.state == DeliveryState.QUARANTINED:
        log.error("Delivery %s (%s) was given up: %s", delivery.pk, delivery.notice.kind, result.reason)
    return is_ours


def _close(delivery: Delivery, result: Result, ended_at: datetime) -> bool:
    mine = Delivery.objects.filter(pk=delivery.pk, state=DeliveryState.SENDING, lease_owner=delivery.lease_owner)
    return (
        mine.update(
            state=result.state or DeliveryState.WAITING,
            attempt_after=None if result.state else ended_at + _delay(delivery, result),
            accepted_at=ended_at if result.state == DeliveryState.ACCEPTED else None,
            lease_until=None,
            lease_owner="",
            reason=result.reason[:REASON_LENGTH],
        )
        == 1
    )


def _delay(delivery: Delivery, result: Result) -> timedelta:
    draw = random.random()  # noqa: S311  jitter keeps no secret
    wait = schedule.delay_after(delivery.channel, delivery.tries, draw=draw, retry_after=result.retry_after)
    return wait or timedelta(0)  # a last try is never repeated: its result has a state


def _close_attempt(attempt: Attempt, result: Result, ended_at: datetime) -> None:
    attempt.ended_at, attempt.outcome, attempt.code = ended_at, result.outcome, result.code
    attempt.detail = result.reason[: Attempt.DETAIL_LENGTH]
    attempt.save(update_fields=["ended_at", "outcome", "code", "detail"])


def _disable(endpoint: Endpoint, reason: str) -> None:
    Endpoint.objects.filter(pk=endpoint.pk).update(is_enabled=False, disabled_reason=reason[:REASON_LENGTH])
    Delivery.objects.filter(endpoint=endpoint, state=DeliveryState.WAITING).update(
        state=DeliveryState.FAILED, attempt_after=None, reason=SWITCHED_OFF
    )
