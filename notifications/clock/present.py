"""The present time: the one place where this product asks for it.

A process may put another source in its place: the database's clock where several machines share one database, a virtual
clock in a simulation. Durations within one process are no business of this module: `time.monotonic` measures them.
"""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from time import monotonic

Source = Callable[[], datetime]


def host() -> datetime:
    """Returns the time of this machine's own clock, in UTC."""
    return datetime.now(UTC)


class _Sources:
    """Which clock this process goes by."""

    chosen: Source = staticmethod(host)


def now() -> datetime:
    """The present instant, aware, in UTC."""
    return _Sources.chosen()


def as_text(instant: datetime) -> str:
    """Returns an instant as programs read it everywhere: in UTC, with a Z (RFC 3339)."""
    return instant.astimezone(UTC).isoformat().replace("+00:00", "Z")


def go_by(source: Source) -> None:
    """From now on this process goes by another clock.

    Arguments:
        source: gives the present instant, aware, in UTC; called from any thread.
    """
    _Sources.chosen = staticmethod(source)


@contextmanager
def going_by(source: Source) -> Iterator[None]:
    """Goes by another clock until the block is left. For the whole process, all its threads."""
    before = _Sources.chosen
    go_by(source)
    try:
        yield
    finally:
        go_by(before)


# Following another clock, such as the database's, without asking it every time.

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
        host: Source = host,
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
        reading = self._seen
        if reading is None:
            return self._host()
        return reading[0] + timedelta(seconds=self._count() - reading[1])

    def _look_again(self, begun: float) -> None:
        if not self._lock.acquire(blocking=False):
            return  # another thread is looking; until then we count on
        try:
            answer = self._look()
            self._looked_at = self._count()
            if answer is not None and self._looked_at - begun <= LONGEST_LOOK:
                self._seen = (answer, (begun + self._looked_at) / 2)
                self.skew = self._host() - self()
                self._warn()
        finally:
            self._lock.release()

    def _warn(self) -> None:
        if abs(self.skew) > ALARM and self._looked_at - self._warned_at >= ALARM_EVERY:
            self._warned_at = self._looked_at
            logger.warning("This machine's clock is off by %+.1f s; the database's counts", self.skew.total_seconds())
