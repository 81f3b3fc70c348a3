"""What is done again and again: by the task when a hint came, by every worker's ticker when none did."""

import math
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

from django.db import connections

from notifications.channels.registry import CHANNELS
from notifications.clock import present
from notifications.delivery import claims
from notifications.delivery.sending import deliver
from notifications.inbound.dispatch import handle_one

MOST = 100  # deliveries in one round: a round is short, so that a stopping worker is soon free
QUICK = 0.25  # seconds for a whole claim: then the next one may be larger
LOOK = 0.25  # seconds until a sender with nothing to do looks again, while another one is at work
SECONDS = 20.0  # after which nothing further is claimed; with one send, below the limit of 45 s
STALL = 15.0  # seconds that a webhook may cost which does not answer (the channel's TOTAL_SECONDS)


def handle_waiting_replies() -> int:
    """Handle the mails that wait, up to the same bounds; returns how many."""
    end = time.monotonic() + SECONDS
    for count in range(MOST):
        if time.monotonic() >= end or not handle_one(present.now()):
            return count
    return MOST


def deliver_due(channel: str = "", end: float = math.inf, *, failing: bool = True) -> int:
    """Deliver what is due, up to a bound of number and time; returns how many deliveries were tried.

    Arguments:
        channel: deliveries of this one alone; "" for those of all, one after the other.
        end: of `time.monotonic`; nothing is claimed from then on.
        failing: as of `claims.claim`. None of them is tried so late that its timeout might end after `end`.
    """
    end = min(end, time.monotonic() + SECONDS)
    count, most = 0, claims.MOST
    while count < MOST and (begun := time.monotonic()) < end:
        is_early = begun < end - STALL
        tried = deliver(present.now(), min(most, MOST - count), channel, failing=failing and is_early)
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
                tried = self._take_share(number) if count < MOST else self._take_more(number)
                count, is_idle = count + tried, not tried
        finally:
            connections.close_all()  # of this thread

    def _is_over(self, count: int, is_idle: bool) -> bool:
        is_done = (is_idle or count >= MOST) and not self._at_share
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
