"""Claimed deliveries composed, handed over one after the other, and what became of them written down.

Nothing here runs inside a transaction while the network is waited for, so no lock is held: what is claimed has been
committed (`claims` asks for a durable transaction, which fails inside another). `deliver_side_by_side` is called by the
task when a hint came, and by every worker's ticker when none did."""

import contextlib
import logging
import math
import random
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, connections, transaction
from django.db.models import F

from notifications.channels.base import CHANNELS, Answer, ChannelError
from notifications.clock import present
from notifications.database.compiled_query import as_parameter
from notifications.delivery import claims, health, results
from notifications.delivery.claims import Claim
from notifications.delivery.policy import NOTHING_TO_SAY, DeliveryDecision, Facts, Verdict, decide
from notifications.delivery.results import AttemptResult, ClaimOutcome, after_error, after_refusal, cut_off, not_sent
from notifications.inbound.receiving import handle_one
from notifications.models import Attempt, AttemptOutcome, Delivery, DeliveryState
from notifications.reasons import in_english

# Composing what a claim sends: which of its deliveries go out now, and what their channel hands over.

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
    if lead.tries > results.tries_allowed(lead.channel):
        # Only a process that died in the middle leaves a try without a verdict: which of them kills its senders?
        return ComposedClaim(claim, ClaimOutcome(cut_off(), released=followers, is_split=True))
    unsent = _decided(lead, now, facts)
    if unsent is not None and (lead.tries == 1 or unsent.held_until):
        # Nothing was sent yet under this Message-ID; or all of them wait as long as this one.
        return ComposedClaim(claim, ClaimOutcome(unsent, released=followers if lead.tries == 1 else []))
    ready = ComposedClaim(claim, ClaimOutcome(unsent or UNSAID), is_led=unsent is None)
    for delivery in followers:
        not_now = _decided(delivery, now, facts)
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


def _decided(delivery: Delivery, now: datetime, facts: Facts) -> AttemptResult | None:
    try:
        decision = decide(delivery, now, facts)
    except Exception as error:
        log.exception(RAISED, delivery.pk, delivery.notice.kind, 0)
        return after_error(delivery, error)
    return None if decision.verdict is Verdict.SEND else not_sent(decision)


# Writing down what became of a claim: of the delivery that leads, of those in its mail, and of the channel.

REASON_LENGTH = 200
PROBE_DELAY = timedelta(seconds=5)  # what waits longer goes first: one delivery is not the only probe
CLOSE_MINE = """
    UPDATE notifications_delivery
    SET state = %s, attempt_after = %s, accepted_at = %s, lease_until = NULL, lease_owner = '',
        body = %s, reason = %s, provider_id = %s, tries = tries - %s
    WHERE id = %s AND state = 'sending' AND lease_owner = %s
"""
CLOSE_ATTEMPT = """
    UPDATE notifications_attempt
    SET started_at = %s, ended_at = %s, outcome = %s, code = %s, detail = %s, excerpt = %s WHERE id = %s
"""
# Both at once, for a database that can: most of what it costs to settle is to be asked.
CLOSE_BOTH = f"""
    WITH mine AS ({CLOSE_MINE} RETURNING id), tried AS ({CLOSE_ATTEMPT}) SELECT count(*) FROM mine
"""  # noqa: S608  of the two above


def finish(claim: Claim, outcome: ClaimOutcome, ended_at: datetime) -> bool:
    """Record what became of a claim by `ended_at`; returns False, and changes little, if the lease was lost."""
    delivery, result = claim.delivery, outcome.lead
    if connection.vendor == "postgresql" and _is_all(claim, result):
        is_ours = _close_both(claim, result, ended_at)  # a statement is a transaction
    else:
        with transaction.atomic(durable=True):
            is_ours = _close(delivery, result, ended_at)
            _close_attempt(claim.attempt, result, ended_at)
            if is_ours:
                if claim.followers:
                    _finish_followers(claim, outcome, ended_at)
                _conclude(claim, result, ended_at)
    if not is_ours:
        log.warning("Delivery %s was claimed by somebody else while it was sent", delivery.pk)
    elif result.state == DeliveryState.QUARANTINED:
        log.error("Delivery %s (%s) was given up: %s", delivery.pk, delivery.notice.kind, in_english(result.reason))
    return is_ours


def give_back(claims: Sequence[Claim]) -> None:
    """Let others have what was claimed together and not begun: it has lost no try, and what goes with it is let go.

    What somebody else has taken over meanwhile is left alone.
    """
    due = claims[0].attempt.started_at
    keys = [claim.delivery.pk for claim in claims]
    mine = Delivery.objects.filter(pk__in=keys, lease_owner=claims[0].delivery.lease_owner)
    with transaction.atomic(durable=True):
        mine.filter(state=DeliveryState.SENDING).update(
            state=DeliveryState.WAITING, attempt_after=due, lease_until=None, lease_owner="", tries=F("tries") - 1
        )
        Attempt.objects.filter(pk__in=[claim.attempt.pk for claim in claims]).delete()
        led = [delivery.pk for claim in claims for delivery in claim.followers]
        if led:
            Delivery.objects.filter(pk__in=led, state=DeliveryState.JOINED, leader__state=DeliveryState.WAITING).update(
                state=DeliveryState.WAITING, attempt_after=due, leader=None
            )


def _is_all(claim: Claim, result: AttemptResult) -> bool:
    """Whether nothing is to be written but that one delivery was taken, as nearly always."""
    channel = CHANNELS[claim.delivery.channel]
    is_news = claim.channel_failures or channel.is_recovering(claim.delivery)
    return result.state == DeliveryState.ACCEPTED and not claim.followers and not is_news


def _close_both(claim: Claim, result: AttemptResult, ended_at: datetime) -> bool:
    values = [*_closed(claim.delivery, result, ended_at), *_tried(claim.attempt, result, ended_at)]
    with connection.cursor() as cursor:
        cursor.execute(CLOSE_BOTH, values)
        return bool(cursor.fetchone()[0] == 1)


def _close(delivery: Delivery, result: AttemptResult, ended_at: datetime) -> bool:
    """Written as SQL: for each delivery Django would take longer to put it into words than the database to do it."""
    with connection.cursor() as cursor:
        cursor.execute(CLOSE_MINE, _closed(delivery, result, ended_at))
        return bool(cursor.rowcount == 1)


def _closed(delivery: Delivery, result: AttemptResult, ended_at: datetime) -> list[Any]:
    """The values of CLOSE_MINE."""
    after = None if result.state else result.held_until or ended_at + _delay(delivery, result)
    # Never back to no try: what went out under this Message-ID, perhaps unheard, is joined by nothing more.
    is_free = result.held_until or (result.is_probe and delivery.tries > 1)
    return [
        (result.state or DeliveryState.WAITING).value,
        *map(as_parameter, (after, _accepted_at(delivery, result, ended_at))),
        delivery.body,
        result.reason[:REASON_LENGTH],
        result.provider_id[:REASON_LENGTH],
        1 if is_free else 0,
        delivery.pk,
        delivery.lease_owner,
    ]


def _accepted_at(delivery: Delivery, result: AttemptResult, ended_at: datetime) -> datetime | None:
    """When it was first taken: what is sent again by hand has been told all the same."""
    return delivery.accepted_at or (ended_at if result.state == DeliveryState.ACCEPTED else None)


def _finish_followers(claim: Claim, outcome: ClaimOutcome, ended_at: datetime) -> None:
    for delivery, result in outcome.settled:
        Delivery.objects.filter(pk=delivery.pk, state=DeliveryState.JOINED).update(
            state=result.state or DeliveryState.WAITING,
            attempt_after=None if result.state else result.held_until or ended_at + _delay(delivery, result),
            accepted_at=ended_at if result.state == DeliveryState.ACCEPTED else None,
            leader=F("leader") if result.state == DeliveryState.ACCEPTED else None,
            reason=result.reason[:REASON_LENGTH],
            provider_id=result.provider_id[:REASON_LENGTH],
        )
    keys = [delivery.pk for delivery in outcome.released]
    # What was tried together is tried alone. On a serial channel one is begun at a time: each waits for its turn.
    is_begun = outcome.is_split and not CHANNELS[claim.delivery.channel].is_serial
    Delivery.objects.filter(pk__in=keys, state=DeliveryState.JOINED).update(
        state=DeliveryState.WAITING,
        attempt_after=claim.attempt.started_at,
        leader=None,
        tries=1 if is_begun else 0,
    )


def _conclude(claim: Claim, result: AttemptResult, ended_at: datetime) -> None:
    """What the result says of the channel, and of the address."""
    delivery = claim.delivery
    if result.state == DeliveryState.ACCEPTED:
        if claim.channel_failures:
            health.record_success(delivery.channel)
    elif result.is_general:
        why = f"{in_english(result.reason)} ({result.excerpt or result.code})"
        health.record_failure(delivery.channel, ended_at, claim.channel_failures, why)
    CHANNELS[delivery.channel].record_result(delivery, result, ended_at)


def _delay(delivery: Delivery, result: AttemptResult) -> timedelta:
    if result.is_probe:
        return PROBE_DELAY  # due as soon as the channel's rest is over
    draw = random.random()  # noqa: S311  jitter keeps no secret
    tries = max(1, delivery.tries)
    wait = results.delay_after(delivery.channel, tries, draw=draw, retry_after=result.retry_after)
    return wait or timedelta(0)  # a last try is never repeated: its result has a state


def _close_attempt(attempt: Attempt, result: AttemptResult, ended_at: datetime) -> None:
    if result.held_until or result.is_probe:  # nothing was tried, or nothing new was heard: an outage of days
        attempt.delete()  # would fill the ledger of one delivery with thousands of tries
        return
    with connection.cursor() as cursor:
        cursor.execute(CLOSE_ATTEMPT, _tried(attempt, result, ended_at))


def _tried(attempt: Attempt, result: AttemptResult, ended_at: datetime) -> list[Any]:
    """The values of CLOSE_ATTEMPT."""
    detail = result.reason[: Attempt.DETAIL_LENGTH]
    return [
        *map(as_parameter, (attempt.started_at, ended_at)),
        result.outcome.value,
        result.code,
        detail,
        result.excerpt,
        attempt.pk,
    ]


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


# What is done again and again: by the task when a hint came, by every worker's ticker when none did.

MOST_IN_ROUND = 100  # deliveries in one round: a round is short, so that a stopping worker is soon free
QUICK = 0.25  # seconds for a whole claim: then the next one may be larger
LOOK = 0.25  # seconds until a sender with nothing to do looks again, while another one is at work
SECONDS = 20.0  # after which nothing further is claimed; with one send, below the limit of 45 s
STALL = 15.0  # seconds that a webhook may cost which does not answer (the channel's TOTAL_SECONDS)


def handle_waiting_replies() -> int:
    """Handle the mails that wait, up to the same bounds; returns how many."""
    end = time.monotonic() + SECONDS
    for count in range(MOST_IN_ROUND):
        if time.monotonic() >= end or not handle_one(present.now()):
            return count
    return MOST_IN_ROUND


def deliver_due(channel: str = "", end: float = math.inf, *, failing: bool = True) -> int:
    """Deliver what is due, up to a bound of number and time; returns how many deliveries were tried.

    Arguments:
        channel: deliveries of this one alone; "" for those of all, one after the other.
        end: of `time.monotonic`; nothing is claimed from then on.
        failing: as of `claims.claim`. None of them is tried so late that its timeout might end after `end`.
    """
    end = min(end, time.monotonic() + SECONDS)
    count, most = 0, claims.MOST
    while count < MOST_IN_ROUND and (begun := time.monotonic()) < end:
        is_early = begun < end - STALL
        tried = deliver(present.now(), min(most, MOST_IN_ROUND - count), channel, failing=failing and is_early)
        if not tried:
            break
        count += tried
        is_quick = tried == most and time.monotonic() - begun < QUICK
        most = claims.MOST_QUICK if is_quick else claims.MOST
    return count


def deliver_side_by_side() -> int:
    """Deliver what is due, by several threads: no channel waits for another, and no webhook for another one's web
    server. Returns how many were tried."""
    senders = _Senders()
    with ThreadPoolExecutor(len(senders.kinds), thread_name_prefix="deliver") as threads:
        # Each in the context of this thread, which says how long may be waited for the database.
        begun = [threads.submit(copy_context().run, senders.deliver, number) for number in range(len(senders.kinds))]
        return sum(one.result() for one in begun)


class _Senders:
    """The threads of one round, and the channel of each. A thread ends when it has nothing left or has had its share.

    While another one is at its share, who has nothing left looks again, and who has had his share goes on: so what is
    slow takes no sender from the others, and a round does not end with a single one at work.
    """

    def __init__(self) -> None:
        self._end = time.monotonic() + SECONDS
        self._changed = threading.Condition()
        self.kinds = [kind for kind, channel in CHANNELS.items() for _ in range(channel.senders)]
        self._at_share = {self.kinds.index(kind) for kind in CHANNELS}  # spare ones come in when that takes long

    def deliver(self, number: int) -> int:
        """What one of them does; returns how many deliveries it tried."""
        count, is_idle = 0, number not in self._at_share
        try:
            while True:
                with self._changed:
                    if is_idle:
                        self._changed.wait_for(lambda: not self._at_share, LOOK)
                    if self._is_over(count, is_idle):
                        return count
                tried = self._take_share(number) if count < MOST_IN_ROUND else self._take_more(number)
                count, is_idle = count + tried, not tried
        finally:
            connections.close_all()  # of this thread

    def _is_over(self, count: int, is_idle: bool) -> bool:
        is_done = (is_idle or count >= MOST_IN_ROUND) and not self._at_share
        return is_done or time.monotonic() >= self._end

    def _take_share(self, number: int) -> int:
        with self._changed:
            self._at_share.add(number)
        try:
            return deliver_due(self.kinds[number], self._end)
        finally:
            with self._changed:
                self._at_share.discard(number)
                self._changed.notify_all()

    def _take_more(self, number: int) -> int:
        return deliver_due(self.kinds[number], self._end, failing=False)
