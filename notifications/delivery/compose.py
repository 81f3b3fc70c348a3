"""Composing what a claim sends: which of its deliveries go out now, and what their channel hands over."""

import logging
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from notifications.channels.base import ChannelError
from notifications.channels.registry import CHANNELS
from notifications.delivery import retry_schedule
from notifications.delivery.claims import Claim
from notifications.delivery.policy import NOTHING_TO_SAY, DeliveryDecision, Facts, Verdict, decide
from notifications.delivery.results import AttemptResult, ClaimOutcome, after_error, after_refusal, cut_off, not_sent
from notifications.models import Delivery

log = logging.getLogger(__name__)

RAISED = "Delivery %s (%s) raised together with %s others"
UNSAID = not_sent(DeliveryDecision(Verdict.DROP, NOTHING_TO_SAY))


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
    outcome: ClaimOutcome
    is_led: bool = False
    others: list[Delivery] = field(default_factory=list)
    packed: Any = None

    def ended(self, result: AttemptResult) -> ClaimOutcome:
        """What has become of the claim if this is what has become of its mail or call."""
        outcome = self.outcome
        if self.is_led or result.state is None:
            outcome.lead = result
        if result.state is not None:
            outcome.settled += [(delivery, result) for delivery in self.others]
        return outcome

    def failed(self, error: Exception) -> ClaimOutcome:
        """The same after an error of our own. Perhaps they are at odds with each other: the next time each is alone."""
        outcome = self.outcome
        if self.is_led:
            outcome.lead = after_error(self.claim.delivery, error)
        outcome.released, outcome.is_split = self.others, True
        return outcome


def compose_claim(claim: Claim, now: datetime, facts: Facts) -> ComposedClaim:
    """What is handed over for a claim at `now`; several notices go out under the id of the one that leads.

    It asks what is true at this moment, and writes nothing.
    """
    lead, followers = claim.delivery, list(claim.followers)
    if lead.tries > retry_schedule.tries_allowed(lead.channel):
        # Only a process that died in the middle leaves a try without a verdict: which of them kills its senders?
        return ComposedClaim(claim, ClaimOutcome(cut_off(), released=followers, is_split=True))
    unsent = _checked(lead, now, facts)
    if unsent is not None and (lead.tries == 1 or unsent.held_until):
        # Nothing was sent yet under this Message-ID; or all of them wait as long as this one.
        return ComposedClaim(claim, ClaimOutcome(unsent, released=followers if lead.tries == 1 else []))
    ready = ComposedClaim(claim, ClaimOutcome(unsent or UNSAID), is_led=unsent is None)
    for delivery in followers:
        not_now = _checked(delivery, now, facts)
        if not_now is None:
            ready.others.append(delivery)
        else:
            ready.outcome.settled.append((delivery, not_now))
    if ready.is_led or ready.others:
        _pack(ready)
    return ready


def _pack(ready: ComposedClaim) -> None:
    lead, others = ready.claim.delivery, ready.others
    channel = CHANNELS[lead.channel]
    lead.shared_endpoints = [delivery.endpoint for delivery in others if delivery.endpoint is not None]
    try:
        message = None if lead.body else channel.compose([lead, *others] if ready.is_led else others)
        if message is None and not lead.body:
            ready.outcome = ready.ended(UNSAID)
        else:
            ready.packed = channel.pack(lead, message)
    except ChannelError as error:
        ready.outcome = ready.ended(after_refusal(lead, error, ready.claim.channel_failures))
    except Exception as error:  # composers are the product's: one that raises must not stop anybody else's notices
        log.exception(RAISED, lead.pk, lead.notice.kind, len(others))
        ready.outcome = ready.failed(error)


def _checked(delivery: Delivery, now: datetime, facts: Facts) -> AttemptResult | None:
    try:
        decision = decide(delivery, now, facts)
    except Exception as error:
        log.exception(RAISED, delivery.pk, delivery.notice.kind, 0)
        return after_error(delivery, error)
    return None if decision.verdict is Verdict.SEND else not_sent(decision)
