"""What is done again and again: by the task when a hint came, by every worker's ticker when none did."""

import time

from notifications.clock import present
from notifications.inbound.handling import handle_one
from notifications.outbox import deliver

MOST = 100  # deliveries in one round: a round is short, so that a stopping worker is soon free
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
    count = 0
    while count < MOST and time.monotonic() < end and (tried := deliver(present.now(), MOST - count)):
        count += tried
    return count
