"""What is done again and again: by the task when a hint came, by every worker's ticker when none did."""

import time

from notifications import claims
from notifications.clock import present
from notifications.inbound.handling import handle_one
from notifications.outbox import deliver

MOST = 100  # deliveries in one round: a round is short, so that a stopping worker is soon free
QUICK = 0.25  # seconds for a whole claim: then the next one may be larger
SECONDS = 20.0  # after which nothing further is claimed; with 5 s for what was, and one send, below the limit of 45 s


def hear_waiting() -> int:
    """Handle the mails that wait, up to the same bounds; returns how many."""
    end = time.monotonic() + SECONDS
    for count in range(MOST):
        if time.monotonic() >= end or not handle_one(present.now()):
            return count
    return MOST


def deliver_due() -> int:
    """Deliver what is due, up to a bound of number and time; returns how many deliveries were tried."""
    end = time.monotonic() + SECONDS
    count, most = 0, claims.MOST
    while count < MOST and (begun := time.monotonic()) < end:
        tried = deliver(present.now(), min(most, MOST - count))
        if not tried:
            break
        count += tried
        is_quick = tried == most and time.monotonic() - begun < QUICK
        most = claims.MOST_QUICK if is_quick else claims.MOST
    return count
