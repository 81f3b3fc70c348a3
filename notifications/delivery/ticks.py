"""What is done again and again: by the task when a hint came, by every worker's ticker when none did."""

import math
import time
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial

from django.db import connections

from notifications.clock import present
from notifications.delivery import claims
from notifications.delivery.sending import deliver
from notifications.inbound.handling import handle_one
from notifications.models import Channel

MOST = 100  # deliveries in one round: a round is short, so that a stopping worker is soon free
QUICK = 0.25  # seconds for a whole claim: then the next one may be larger
LOOK = 0.25  # seconds until a channel with nothing due is looked at again, while another one delivers
SECONDS = 20.0  # after which nothing further is claimed; with 5 s for what was, and one send, below the limit of 45 s


def handle_waiting_replies() -> int:
    """Handle the mails that wait, up to the same bounds; returns how many."""
    end = time.monotonic() + SECONDS
    for count in range(MOST):
        if time.monotonic() >= end or not handle_one(present.now()):
            return count
    return MOST


def deliver_due(channel: str = "", end: float = math.inf) -> int:
    """Deliver what is due, up to a bound of number and time; returns how many deliveries were tried.

    Arguments:
        channel: deliveries of this one alone; "" for those of all, one after the other.
        end: of `time.monotonic`; nothing is claimed from then on.
    """
    end = min(end, time.monotonic() + SECONDS)
    count, most = 0, claims.MOST
    while count < MOST and (begun := time.monotonic()) < end:
        tried = deliver(present.now(), min(most, MOST - count), channel)
        if not tried:
            break
        count += tried
        is_quick = tried == most and time.monotonic() - begun < QUICK
        most = claims.MOST_QUICK if is_quick else claims.MOST
    return count


def deliver_side_by_side() -> int:
    """Deliver what is due, each channel in a thread of its own: none waits for another. Returns how many were tried.

    Ends when each channel has nothing left or has had its share. Until then the others go on, so that a slow channel
    takes no sender from them.
    """
    is_busy = dict.fromkeys(Channel.values, True)
    deliver_on = partial(_keep_delivering, is_busy=is_busy, end=time.monotonic() + SECONDS)
    with ThreadPoolExecutor(len(is_busy), thread_name_prefix="deliver") as threads:
        # Each in the context of this thread, which says how long may be waited for the database.
        begun = [threads.submit(copy_context().run, deliver_on, channel) for channel in is_busy]
        return sum(one.result() for one in begun)


def _keep_delivering(channel: str, *, is_busy: dict[str, bool], end: float) -> int:
    count = 0
    try:
        while True:
            tried = deliver_due(channel, end)
            count += tried
            is_busy[channel] = tried > 0 and count < MOST
            if time.monotonic() >= end or not any(is_busy.values()):
                return count
            if not tried:
                time.sleep(LOOK)
    finally:
        is_busy[channel] = False
        connections.close_all()  # of this thread
