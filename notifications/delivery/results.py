"""What a try at a delivery comes to, and when it is tried again."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple

from django.utils.translation import gettext_noop

from notifications.channels.base import CHANNELS, ChannelError, NoMailbox
from notifications.delivery.policy import DeliveryDecision
from notifications.models import AttemptOutcome, Delivery, DeliveryState
from notifications.reasons import declare

# When a failed delivery is tried again.

JITTER = 0.2  # at most this share is added, so that what failed together does not come back together
LONGEST_RETRY_AFTER = timedelta(hours=24)  # nobody may put us off for longer
POISON_TRIES = 5  # errors of our own are not cured by days of waiting


def tries_allowed(channel: str) -> int:
    """How often a delivery is tried on a channel before it is given up."""
    return len(CHANNELS[channel].retry_delays) + 1


def delay_after(channel: str, tries: int, *, draw: float, retry_after: timedelta | None = None) -> timedelta | None:
    """Return how long to wait after try number `tries` (from 1), or None when there is no further one.

    `draw` is a random number from 0 up to 1. `retry_after` is what the other side asked for: never tried sooner.
    """
    if tries >= tries_allowed(channel):
        return None
    delay = CHANNELS[channel].retry_delays[tries - 1] * (1 + JITTER * draw)
    return max(delay, min(retry_after or timedelta(0), LONGEST_RETRY_AFTER))


CUT_OFF = declare("cut_off", gettext_noop("every attempt was cut off"))


class AttemptResult(NamedTuple):
    """What became of an attempt. Without a final `state` the delivery waits: until `held_until`, or its next try."""

    outcome: AttemptOutcome
    state: DeliveryState | None
    reason: str = ""
    code: str = ""
    retry_after: timedelta | None = None
    disables_endpoint: bool = False
    held_until: datetime | None = None
    provider_id: str = ""
    is_address: bool = False  # the address takes no mail at all
    is_gone: bool = False  # nor will it ever
    excerpt: str = ""  # what the other side said
    is_general: bool = False  # nothing was taken, of whatever kind: the channel itself is in trouble
    is_probe: bool = False  # it only showed that the channel is still in trouble: it costs the delivery no try


@dataclass
class ClaimOutcome:
    """What became of a claim: of the delivery that leads, and of those that were to go out in its mail.

    Followers that are in neither list stay joined, for the next try of the same mail.
    """

    lead: AttemptResult
    settled: list[tuple[Delivery, AttemptResult]] = field(default_factory=list)
    released: list[Delivery] = field(default_factory=list)  # they wait for a mail without the one that leads
    is_split: bool = False  # those get a mail each: together they could not be composed


def not_sent(decision: DeliveryDecision) -> AttemptResult:
    """It is held, or need not or must not be sent."""
    return AttemptResult(AttemptOutcome.DROPPED, decision.state, decision.reason, held_until=decision.until)


def cut_off() -> AttemptResult:
    """The process died in each try: this delivery kills its senders."""
    return AttemptResult(AttemptOutcome.ERROR, DeliveryState.QUARANTINED, CUT_OFF)


def after_refusal(delivery: Delivery, error: ChannelError, channel_failures: int) -> AttemptResult:
    """The other side did not take it: for good, or once more later.

    Arguments:
        channel_failures: on its channel when this try began. With any, a try that fails because of the channel costs
            nothing. Without one it does: a message that makes a server hang up on it would be tried for ever.
    """
    if error.is_general and channel_failures:
        result = AttemptResult(AttemptOutcome.RETRY, None, str(error), error.code, is_general=True, is_probe=True)
        return result._replace(excerpt=error.excerpt)
    is_last = delivery.tries >= tries_allowed(delivery.channel)
    if error.permanent:
        outcome, state = AttemptOutcome.REFUSED, DeliveryState.FAILED
    elif is_last:
        outcome, state = AttemptOutcome.REFUSED, DeliveryState.QUARANTINED
    else:
        outcome, state = AttemptOutcome.RETRY, None
    return AttemptResult(
        outcome,
        state,
        str(error),
        error.code,
        error.retry_after,
        # An endpoint that failed through the whole table is dead: what waits behind would take as long again.
        disables_endpoint=error.disables_endpoint or state == DeliveryState.QUARANTINED,
        is_address=error.is_address,
        is_gone=isinstance(error, NoMailbox),
        is_general=error.is_general,
        excerpt=error.excerpt,
    )


def after_error(delivery: Delivery, error: Exception) -> AttemptResult:
    """An error of our own. The class alone is kept: the text may hold anything. The log has the rest."""
    given_up = DeliveryState.QUARANTINED if delivery.tries >= POISON_TRIES else None
    return AttemptResult(AttemptOutcome.ERROR, given_up, type(error).__name__)
