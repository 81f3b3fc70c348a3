"""What time it is: the one place this product asks.

A process may put another source in its place: the database's clock where several machines share one database, a virtual
clock in a simulation. Durations within one process are no business of this module: `time.monotonic` measures them.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

Source = Callable[[], datetime]


def host() -> datetime:
    """What this machine's own clock says, in UTC."""
    return datetime.now(UTC)


class _Sources:
    """Which clock this process goes by."""

    chosen: Source = staticmethod(host)


def now() -> datetime:
    """The present instant, aware, in UTC."""
    return _Sources.chosen()


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
