"""Claimed deliveries sent one after the other, and what became of each written down.

Nothing here runs inside a transaction while the network is waited for, so no lock is held: what is claimed has been
committed (`claims` asks for a durable transaction, which fails inside another). A round is begun by the task when a
hint came, and by every worker's ticker when none did."""

import logging
import math
import random
import threading
import time
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import connection, connections, transaction
from django.db.models import F
from django.utils.translation import gettext_noop

from notifications.channels.base import CHANNELS, ChannelError, NoMailbox
from notifications.clock import present
from notifications.database.compiled_query import as_parameter
from notifications.delivery import claims, health
from notifications.delivery.claims import Claim
from notifications.delivery.policy import NOTHING_TO_SAY, Facts, Verdict, decide
from notifications.inbound.receiving import handle_one
from notifications.models import Attempt, AttemptOutcome, Delivery, DeliveryState
from notifications.reasons import declare, in_english

log = logging.getLogger(__name__)


class AttemptResult(NamedTuple):
    """The result of an attempt. Without a final `state` the delivery waits: until `held_until`, or its next try."""

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
    is_split: bool = False  # it could not be composed together with others, and is tried alone


CUT_OFF = declare("cut_off", gettext_noop("every attempt was cut off"))
RAISED = "Delivery %s (%s) raised together with %s others"
UNSAID = AttemptResult(AttemptOutcome.DROPPED, DeliveryState.STALE, NOTHING_TO_SAY)

# When a failed delivery is tried again.

JITTER = 0.2  # at most this share is added, so that what failed together does not come back together
LONGEST_RETRY_AFTER = timedelta(hours=24)  # nobody may put us off for longer
POISON_TRIES = 5  # errors of our own are not cured by days of waiting
PROBE_DELAY = timedelta(seconds=5)  # what waits longer goes first: one delivery is not the only probe


def tries_allowed(channel: str) -> int:
    """Return how often a delivery is tried on a channel before it is given up."""
    return len(CHANNELS[channel].retry_delays) + 1


def delay_after(channel: str, tries: int, *, draw: float, retry_after: timedelta | None = None) -> timedelta | None:
    """Return how long to wait after try number `tries` (from 1), or None when there is no further one.

    `draw` is a random number from 0 up to 1. `retry_after` is what the other side asked for: never tried sooner.
    """
    if tries >= tries_allowed(channel):
        return None
    delay = CHANNELS[channel].retry_delays[tries - 1] * (1 + JITTER * draw)
    return max(delay, min(retry_after or timedelta(0), LONGEST_RETRY_AFTER))


# Sending a claim: which of its deliveries go out now, in which words, and what the other side says.


def send(claim: Claim, now: datetime, facts: Facts) -> dict[Delivery, AttemptResult]:
    """Compose and hand over a claim at `now`; several notices go out under the id of the delivery that leads.

    Returns what became of each delivery. Followers that are not in it stay joined, for the next try of the same mail.
    """
    lead, followers = claim.delivery, claim.followers
    waits = AttemptResult(AttemptOutcome.DROPPED, None, held_until=claim.attempt.started_at)
    alone = waits._replace(is_split=True)
    if lead.tries > tries_allowed(lead.channel):
        # Only a process that died in the middle leaves a try without a verdict: which of them kills its senders?
        cut_off = AttemptResult(AttemptOutcome.ERROR, DeliveryState.QUARANTINED, CUT_OFF)
        return {lead: cut_off, **dict.fromkeys(followers, alone)}
    unsent = _why_unsent(lead, now, facts)
    if unsent is not None and lead.tries == 1:  # nothing was sent yet under this Message-ID
        return {lead: unsent, **dict.fromkeys(followers, waits)}
    if unsent is not None and unsent.held_until:  # all of them wait as long as this one
        return {lead: unsent}
    decided = {lead: unsent} | {delivery: _why_unsent(delivery, now, facts) for delivery in followers}
    results = {delivery: result for delivery, result in decided.items() if result is not None}
    batch = [delivery for delivery in decided if delivery not in results]
    if not batch:
        return results
    try:
        result = _hand_over(lead, batch)
    except ChannelError as error:
        result = _after_refusal(lead, error, claim.channel_failures)
    except Exception as error:  # composers are the product's: one that raises must not stop anybody else's notices
        log.exception(RAISED, lead.pk, lead.notice.kind, len(batch) - (lead in batch))
        failed = {delivery: alone for delivery in batch if delivery is not lead}  # perhaps they are at odds
        return {lead: _after_error(lead, error)} | results | failed
    return results | ({lead: result} if result.state is None else dict.fromkeys(batch, result))


def _why_unsent(delivery: Delivery, now: datetime, facts: Facts) -> AttemptResult | None:
    try:
        decision = decide(delivery, now, facts)
    except Exception as error:
        log.exception(RAISED, delivery.pk, delivery.notice.kind, 0)
        return _after_error(delivery, error)
    if decision.verdict is Verdict.SEND:
        return None
    return AttemptResult(AttemptOutcome.DROPPED, decision.state, decision.reason, held_until=decision.until)


def _hand_over(lead: Delivery, batch: Sequence[Delivery]) -> AttemptResult:
    """Raises ChannelError, and whatever a composer raises."""
    channel = CHANNELS[lead.channel]
    lead.shared_endpoints = [row.endpoint for row in batch if row is not lead and row.endpoint is not None]
    message = None if lead.body else channel.compose(batch)
    if message is None and not lead.body:
        return UNSAID
    answer = channel.send(lead, message)
    return AttemptResult(
        AttemptOutcome.ACCEPTED,
        DeliveryState.ACCEPTED,
        answer.code or answer.provider_id,
        code=answer.code,
        excerpt=answer.excerpt,
        provider_id=answer.provider_id,
    )


def _after_refusal(delivery: Delivery, error: ChannelError, channel_failures: int) -> AttemptResult:
    """The other side did not take it: for good, or once more later.

    Arguments:
        channel_failures: on its channel when this try began. With any, a try that fails because of the channel costs
            nothing. Without one it does: a message that makes a server hang up on it would be tried for ever.
    """
    result = AttemptResult(AttemptOutcome.RETRY, None, str(error), error.code, excerpt=error.excerpt)
    if error.is_general and channel_failures:
        return result._replace(is_general=True, is_probe=True)
    if error.permanent:
        result = result._replace(outcome=AttemptOutcome.REFUSED, state=DeliveryState.FAILED)
    elif delivery.tries >= tries_allowed(delivery.channel):
        result = result._replace(outcome=AttemptOutcome.REFUSED, state=DeliveryState.QUARANTINED)
    return result._replace(
        retry_after=error.retry_after,
        # An endpoint that failed through the whole table is dead: what waits behind would take as long again.
        disables_endpoint=error.disables_endpoint or result.state == DeliveryState.QUARANTINED,
        is_address=error.is_address,
        is_gone=isinstance(error, NoMailbox),
        is_general=error.is_general,
    )


def _after_error(delivery: Delivery, error: Exception) -> AttemptResult:
    """An error of our own. The class alone is kept: the text may hold anything. The log has the rest."""
    given_up = DeliveryState.QUARANTINED if delivery.tries >= POISON_TRIES else None
    return AttemptResult(AttemptOutcome.ERROR, given_up, type(error).__name__)


# Writing down what became of a claim: of the delivery that leads, of those in its mail, and of the channel.

REASON_LENGTH = 200
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


def finish(claim: Claim, results: Mapping[Delivery, AttemptResult], ended_at: datetime) -> bool:
    """Record what became of a claim by `ended_at`; returns False, and changes little, if the lease was lost.

    Written as SQL: for each delivery Django would take longer to put it into words than the database to do it.
    """
    delivery, attempt, result = claim.delivery, claim.attempt, results[claim.delivery]
    is_accepted, is_probe = result.state == DeliveryState.ACCEPTED, result.is_probe
    mine = [
        (result.state or DeliveryState.WAITING).value,
        as_parameter(_next_try(delivery, result, ended_at)),
        # When it was first taken: what is sent again by hand has been told all the same.
        as_parameter(delivery.accepted_at or (ended_at if is_accepted else None)),
        delivery.body,
        result.reason[:REASON_LENGTH],
        result.provider_id[:REASON_LENGTH],
        # Never back to no try: what went out under this Message-ID, perhaps unheard, is joined by nothing more.
        1 if result.held_until or (is_probe and delivery.tries > 1) else 0,
        delivery.pk,
        delivery.lease_owner,
    ]
    tried = [
        *map(as_parameter, (attempt.started_at, ended_at)),
        result.outcome.value,
        result.code,
        result.reason[: Attempt.DETAIL_LENGTH],
        result.excerpt,
        attempt.pk,
    ]
    is_all = connection.vendor == "postgresql" and is_accepted and not claim.followers and not claim.channel_failures
    if is_all and not CHANNELS[delivery.channel].is_recovering(delivery):
        with connection.cursor() as cursor:  # as nearly always; a statement is a transaction
            cursor.execute(CLOSE_BOTH, [*mine, *tried])
            is_ours = bool(cursor.fetchone()[0] == 1)
    else:
        with transaction.atomic(durable=True), connection.cursor() as cursor:
            cursor.execute(CLOSE_MINE, mine)
            is_ours = bool(cursor.rowcount == 1)
            if result.held_until or is_probe:  # nothing was tried, or nothing new was heard: an outage of days
                attempt.delete()  # would fill the ledger of one delivery with thousands of tries
            else:
                cursor.execute(CLOSE_ATTEMPT, tried)
            if is_ours:
                _finish_followers(delivery, results, ended_at)
                _conclude(claim, result, ended_at)
    if not is_ours:
        log.warning("Delivery %s was claimed by somebody else while it was sent", delivery.pk)
    elif result.state == DeliveryState.QUARANTINED:
        log.error("Delivery %s (%s) was given up: %s", delivery.pk, delivery.notice.kind, in_english(result.reason))
    return is_ours


def _next_try(delivery: Delivery, result: AttemptResult, ended_at: datetime) -> datetime | None:
    if result.state or result.held_until:
        return result.held_until if result.state is None else None
    if result.is_probe:
        return ended_at + PROBE_DELAY  # due as soon as the channel's rest is over
    draw = random.random()  # noqa: S311  jitter keeps no secret
    tries = max(1, delivery.tries)
    wait = delay_after(delivery.channel, tries, draw=draw, retry_after=result.retry_after)
    return ended_at + (wait or timedelta(0))  # a last try is never repeated: its result has a state


def _finish_followers(lead: Delivery, results: Mapping[Delivery, AttemptResult], ended_at: datetime) -> None:
    for delivery, result in results.items():
        if delivery is lead:
            continue
        is_accepted = result.state == DeliveryState.ACCEPTED
        # What was tried together is tried alone. On a serial channel one is begun at a time: each waits for its turn.
        is_begun = result.is_split and not CHANNELS[lead.channel].is_serial
        Delivery.objects.filter(pk=delivery.pk, state=DeliveryState.JOINED).update(
            state=result.state or DeliveryState.WAITING,
            attempt_after=_next_try(delivery, result, ended_at),
            accepted_at=ended_at if is_accepted else None,
            leader=F("leader") if is_accepted else None,
            reason=result.reason[:REASON_LENGTH],
            provider_id=result.provider_id[:REASON_LENGTH],
            tries=1 if is_begun else F("tries"),
        )


def _conclude(claim: Claim, result: AttemptResult, ended_at: datetime) -> None:
    """Record what the result says of the channel, and of the address."""
    delivery = claim.delivery
    if result.state == DeliveryState.ACCEPTED and claim.channel_failures:
        health.record_success(delivery.channel)
    elif result.is_general:
        why = f"{in_english(result.reason)} ({result.excerpt or result.code})"
        health.record_failure(delivery.channel, ended_at, claim.channel_failures, why)
    CHANNELS[delivery.channel].record_result(delivery, result, ended_at)


# A claim after the other: by the task when a hint came, by every worker's ticker when none did.

PATIENCE = 2.0  # seconds after which what was claimed together and not begun is given back, long before its lease ends
MOST_IN_ROUND = 100  # deliveries in one round: a round is short, so that a stopping worker is soon free
QUICK = 0.25  # seconds for a whole claim: then the next one may be larger
LOOK = 0.25  # seconds until a sender with nothing to do looks again, while another one is at work
SECONDS = 20.0  # after which nothing further is claimed; with one send, below the limit of 45 s
ROUNDS = 2  # of a process that are on a channel at a time
STALL = 15.0  # seconds that a webhook may cost which does not answer (the channel's TOTAL_SECONDS)

_senders: "Counter[str]" = Counter()
"""How many threads of this process are on each channel."""
_senders_lock = threading.Lock()


def deliver(now: datetime, most: int = claims.MOST, channel: str = "", *, failing: bool = True) -> int:
    """Claim due deliveries, send them one after the other, record what became of each; returns how many were tried.

    Must run outside any transaction: nothing is locked while the network is waited for.

    Arguments:
        channel, failing: as of `claims.claim`.
    """
    claimed = claims.claim(now, most, channel, failing=failing)
    return send_all(claimed, now) if claimed else 0


def send_all(claimed: Sequence[Claim], now: datetime) -> int:
    """Send what was claimed together at `now`, each settled before the next is begun; returns how many were tried.

    What could not be begun in good time is given back, even while one is being sent, and so is what follows a message
    that was not taken because the other side takes nothing: others may try it, or let the channel rest.
    """
    begun, at, tried, waiting = time.monotonic(), now, 0, deque(claimed)
    facts = Facts.of(delivery for claim in claimed for delivery in (claim.delivery, *claim.followers))
    claim = _pop(waiting)  # the first is tried however long its words take
    timer = threading.Timer(PATIENCE, _give_back_in_thread, [waiting])
    timer.daemon = True
    if waiting:
        timer.start()
    try:
        while claim is not None:
            claim.attempt.started_at = at
            results = send(claim, at, facts)
            seconds = time.monotonic() - begun
            at = now + timedelta(seconds=seconds)
            finish(claim, results, at)
            tried += 1
            if seconds > PATIENCE or results[claim.delivery].is_general:
                give_back(waiting)
            claim = _pop(waiting)
    finally:
        timer.cancel()
    return tried


def _pop(waiting: "deque[Claim]") -> Claim | None:
    """Take the next claim, or None; of two threads one gets it, so that each claim is begun or given back."""
    try:
        return waiting.popleft()
    except IndexError:
        return None


def _give_back_in_thread(waiting: "deque[Claim]") -> None:
    try:
        give_back(waiting)
    finally:
        connections.close_all()  # of this thread


def give_back(waiting: "deque[Claim]") -> None:
    """Let others have what was claimed together and not begun: it has lost no try, and what goes with it is let go.

    What somebody else has taken over meanwhile is left alone.
    """
    left = list(iter(lambda: _pop(waiting), None))
    if not left:
        return
    due = left[0].attempt.started_at
    keys = [claim.delivery.pk for claim in left]
    mine = Delivery.objects.filter(pk__in=keys, lease_owner=left[0].delivery.lease_owner)
    with transaction.atomic(durable=True):
        mine.filter(state=DeliveryState.SENDING).update(
            state=DeliveryState.WAITING, attempt_after=due, lease_until=None, lease_owner="", tries=F("tries") - 1
        )
        Attempt.objects.filter(pk__in=[claim.attempt.pk for claim in left]).delete()
        led = [delivery.pk for claim in left for delivery in claim.followers]
        if led:
            Delivery.objects.filter(pk__in=led, state=DeliveryState.JOINED, leader__state=DeliveryState.WAITING).update(
                state=DeliveryState.WAITING, attempt_after=due, leader=None
            )


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
    """Begin a round and wait for its end. Returns how many deliveries were tried."""
    return sum(share.result() for share in begin_round())


def begin_round() -> "list[Future[int]]":
    """Deliver what is due by threads, `Channel.senders` for each channel, each on connections of its own: no channel
    waits for another, and no webhook for another one's web server. Returns how many each of them will have tried.

    While one is at its share, who has nothing left looks again, and who has had his share goes on: so what is slow
    takes no thread from the others, and a round does not end with a single one at work. Of a process ROUNDS at a time
    are on a channel: one whose server does not answer gets no further threads, and the others have new rounds.
    """
    now = present.now()
    claims.make_deliveries(now)  # before the threads look, each for those of its channel
    if not claims.is_any_due(now):
        health.record_nothing_due(health.load_channels_health(now))
        return []
    end = time.monotonic() + SECONDS
    kinds = [kind for kind, channel in CHANNELS.items() for _ in range(channel.senders) if _may_begin(kind)]
    busy, changed = {kinds.index(kind) for kind in kinds}, threading.Condition()

    def work(number: int) -> int:
        count, is_idle = 0, number not in busy  # further threads of a channel come in when its first takes long
        try:
            while time.monotonic() < end:
                with changed:
                    if (is_idle and changed.wait_for(lambda: not busy, LOOK)) or (count >= MOST_IN_ROUND and not busy):
                        break
                    if count < MOST_IN_ROUND:
                        busy.add(number)
                tried = deliver_due(kinds[number], end, failing=count < MOST_IN_ROUND)
                count, is_idle = count + tried, not tried
                with changed:
                    busy.discard(number)
                    changed.notify_all()
            return count
        finally:
            with changed:
                busy.discard(number)
                changed.notify_all()
            with _senders_lock:
                _senders[kinds[number]] -= 1
            connections.close_all()  # of this thread

    # Each in the context of this thread, which says how long may be waited for the database.
    pool = ThreadPoolExecutor(max(1, len(kinds)), thread_name_prefix="deliver")
    shares = [pool.submit(copy_context().run, work, number) for number in range(len(kinds))]
    pool.shutdown(wait=False)
    return shares


def _may_begin(kind: str) -> bool:
    """Whether one more thread of this process may be on a channel, which it then is."""
    with _senders_lock:
        if _senders[kind] >= ROUNDS * CHANNELS[kind].senders:
            return False
        _senders[kind] += 1
        return True
