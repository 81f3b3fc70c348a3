"""Claimed deliveries handed over, one after the other.

Nothing here runs inside a transaction, so no lock is held while the network is waited for: what is claimed has been
committed (`claims` asks for a durable transaction, which fails inside another).
`finish_delivery` records the outcome.
"""

import contextlib
import logging
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from django.db import connections

from notifications.channels.base import Answer, ChannelError
from notifications.channels.registry import CHANNELS
from notifications.delivery import claims
from notifications.delivery.claims import Claim
from notifications.delivery.compose import RAISED, ComposedClaim, compose_claim
from notifications.delivery.finish_delivery import finish, give_back
from notifications.delivery.policy import Facts
from notifications.delivery.results import AttemptResult, ClaimOutcome, after_refusal
from notifications.models import AttemptOutcome, DeliveryState

log = logging.getLogger(__name__)

PATIENCE = 2.0  # seconds after which what was claimed together and not begun is given back, long before its lease ends
AHEAD = 0.05  # seconds for which some are composed before the first of them is handed over
FRESH = 1.0  # seconds after which that is done anew, for it may no longer be true


def deliver(now: datetime, most: int = claims.MOST, channel: str = "", *, failing: bool = True) -> int:
    """Claim due deliveries, send them one after the other, record what became of each; returns how many were tried.

    Must run outside any transaction: nothing is locked while the network is waited for.

    Arguments:
        channel, failing: as of `claims.claim`.
    """
    claimed = claims.claim(now, most, channel, failing=failing)
    return send_all(claimed, now) if claimed else 0


def deliver_one(now: datetime) -> bool:
    """The same with one delivery. Returns whether there was one."""
    return deliver(now, 1) == 1


def send_all(claimed: Sequence[Claim], now: datetime) -> int:
    """Send what was claimed together at `now`, each settled before the next is begun; returns how many were tried.

    What could not be begun in good time is given back, even while one is being sent, and so is what follows a message
    that was not taken because the other side takes nothing: others may try it, or let the channel rest.
    """
    begun, at, tried = time.monotonic(), now, 0
    with _Rest(claimed[1:]).given_back_in_time() as rest:  # the first is tried however long its words take
        for ready in _composed(claimed, now):
            if tried and not rest.begin_next():
                break
            ready.claim.attempt.started_at = at
            outcome = _hand_over(ready)
            seconds = time.monotonic() - begun
            at = now + timedelta(seconds=seconds)
            finish(ready.claim, outcome, at)
            tried += 1
            if seconds > PATIENCE or outcome.lead.is_general:
                rest.give_back()
    return tried


class _Rest:
    """What was claimed together and is not begun: its sender begins the next, or all that is left is given back."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        self._waiting = deque(claims)
        self._lock = threading.Lock()

    def begin_next(self) -> bool:
        """Returns False if nothing is left."""
        with self._lock:
            if not self._waiting:
                return False
            self._waiting.popleft()
            return True

    def give_back(self) -> None:
        """Lets others have all that is left."""
        with self._lock:
            left = list(self._waiting)
            self._waiting.clear()
        if left:
            give_back(left)

    @contextlib.contextmanager
    def given_back_in_time(self) -> "Iterator[_Rest]":
        """Within `with`: a timer gives back what is left when PATIENCE is over, whatever its sender waits for."""
        timer = threading.Timer(PATIENCE, self._give_back_in_thread)
        timer.daemon = True
        if self._waiting:
            timer.start()
        try:
            yield self
        finally:
            timer.cancel()

    def _give_back_in_thread(self) -> None:
        try:
            self.give_back()
        finally:
            connections.close_all()  # of this thread


def _composed(claims: Sequence[Claim], now: datetime) -> Iterator[ComposedClaim]:
    """Each when its turn comes; some are composed right after one another, before the first of them goes out.

    That takes half as long as for one after each wait for another process, which fills the processor's caches with
    what is its own.
    """
    facts = Facts.of(delivery for claim in claims for delivery in (claim.delivery, *claim.followers))
    begun, done = time.monotonic(), 0

    def words(claim: Claim) -> ComposedClaim:
        return compose_claim(claim, now + timedelta(seconds=time.monotonic() - begun), facts)

    while done < len(claims):
        since = time.monotonic()
        ready: list[tuple[ComposedClaim, float]] = []
        while done < len(claims) and (not ready or time.monotonic() - since < AHEAD):
            ready.append((words(claims[done]), time.monotonic()))
            done += 1
        for one, made_at in ready:
            yield one if time.monotonic() - made_at < FRESH else words(one.claim)


def _hand_over(ready: ComposedClaim) -> ClaimOutcome:
    if ready.packed is None:
        return ready.outcome
    delivery = ready.claim.delivery
    channel = CHANNELS[delivery.channel]
    try:
        answer = channel.send(delivery, ready.packed)
    except ChannelError as error:
        return ready.ended(after_refusal(delivery, error, ready.claim.channel_failures))
    except Exception as error:
        log.exception(RAISED, delivery.pk, delivery.notice.kind, len(ready.others))
        return ready.failed(error)
    said, excerpt = answer if isinstance(answer, Answer) else Answer(answer)
    if channel.returns_provider_id:
        return ready.ended(AttemptResult(AttemptOutcome.ACCEPTED, DeliveryState.ACCEPTED, said, provider_id=said))
    return ready.ended(AttemptResult(AttemptOutcome.ACCEPTED, DeliveryState.ACCEPTED, said, code=said, excerpt=excerpt))
