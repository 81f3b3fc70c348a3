"""Following another clock, such as the database's, without asking it every time.

Between two looks the process counts on with its monotonic clock, so that a step of the machine's own clock, forwards or
backwards, moves nothing.
"""

import logging
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from time import monotonic

from notifications.clock import present

logger = logging.getLogger(__name__)
LOOK_EVERY = 5.0  # seconds
LONGEST_LOOK = 1.0  # seconds; of a slower one it is not known when in that time the clock was read
ALARM = timedelta(seconds=1)  # a machine whose own clock is further off is worth a line in the log
ALARM_EVERY = 60.0  # seconds


class Follower:
    """A source for `present.go_by` that follows `look`.

    Arguments:
        look: asks the clock that counts, aware, in UTC; None when it cannot be asked just now.
        host: the clock of this machine, until the other one has been seen, and to measure how far it is off.
        count: seconds that only ever grow.
    """

    def __init__(
        self,
        look: Callable[[], datetime | None],
        host: present.Source = present.host,
        count: Callable[[], float] = monotonic,
    ) -> None:
        self._look, self._host, self._count = look, host, count
        self._lock = threading.Lock()
        self._seen: tuple[datetime, float] | None = None  # what the clock said, and the count at that moment
        self._looked_at = float("-inf")
        self._warned_at = float("-inf")
        self.skew = timedelta(0)
        """How far this machine's own clock was ahead when we looked last."""

    def __call__(self) -> datetime:
        """The present instant by the clock that is followed."""
        begun = self._count()
        if begun - self._looked_at >= LOOK_EVERY:
            self._look_again(begun)
        seen = self._seen
        if seen is None:
            return self._host()
        return seen[0] + timedelta(seconds=self._count() - seen[1])

    def _look_again(self, begun: float) -> None:
        if not self._lock.acquire(blocking=False):
            return  # another thread is looking; until then we count on
        try:
            told = self._look()
            self._looked_at = self._count()
            if told is not None and self._looked_at - begun <= LONGEST_LOOK:
                self._seen = (told, (begun + self._looked_at) / 2)
                self.skew = self._host() - self()
                self._warn()
        finally:
            self._lock.release()

    def _warn(self) -> None:
        if abs(self.skew) > ALARM and self._looked_at - self._warned_at >= ALARM_EVERY:
            self._warned_at = self._looked_at
            logger.warning("This machine's clock is off by %+.1f s; the database's counts", self.skew.total_seconds())
