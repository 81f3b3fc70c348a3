"""Writing down what became of a claim: of the delivery that leads, of those in its mail, and of the channel."""

import logging
import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import F

from notifications.channels.registry import CHANNELS
from notifications.database.compiled_query import as_parameter
from notifications.delivery import channel_health, retry_schedule
from notifications.delivery.claims import Claim
from notifications.delivery.results import AttemptResult, ClaimOutcome
from notifications.models import Attempt, Delivery, DeliveryState
from notifications.reasons import in_english

log = logging.getLogger(__name__)

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
            channel_health.record_success(delivery.channel)
    elif result.is_general:
        why = f"{in_english(result.reason)} ({result.excerpt or result.code})"
        channel_health.record_failure(delivery.channel, ended_at, claim.channel_failures, why)
    CHANNELS[delivery.channel].record_result(delivery, result, ended_at)


def _delay(delivery: Delivery, result: AttemptResult) -> timedelta:
    if result.is_probe:
        return PROBE_DELAY  # due as soon as the channel's rest is over
    draw = random.random()  # noqa: S311  jitter keeps no secret
    tries = max(1, delivery.tries)
    wait = retry_schedule.delay_after(delivery.channel, tries, draw=draw, retry_after=result.retry_after)
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
