"""Limits on how long a web process and the ticker wait for PostgreSQL.

A frozen server keeps its connections open and answers nothing: its own timeouts do not run, and TCP sees no fault.
So `Connection.wait`, which every statement, commit and rollback of psycopg calls, is limited: a wait that is too long
closes the connection and raises OperationalError, which becomes a 503. For a moment afterwards no thread of the process
connects, so that queued requests fail at once.

A server that works ends long statements and lock waits itself, a little earlier (`SESSION`).
Commands, migrations and tasks have no limit, as some of their statements do take long.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from traceback import clear_frames
from typing import Any, TypeVar

from psycopg import Connection, OperationalError
from psycopg.abc import PQGen
from psycopg.errors import ConnectionTimeout, FeatureNotSupported

V = TypeVar("V")

ANSWER_SECONDS = 4.0  # for one answer of the server
DOUBTFUL_SECONDS = 0.5  # for one answer shortly after another did not come
PAUSE_SECONDS = 1.0  # after such a failure nobody connects
SESSION = {"statement_timeout": "3500ms", "lock_timeout": "3s"}


class _Process:
    """State shared by all threads of this process."""

    is_limited = False
    failed_at = float("-inf")  # seconds of the monotonic clock


_is_limited: ContextVar[bool] = ContextVar("is_limited", default=False)


def limit_process() -> None:
    """Limits the waits of all threads of this process, for good."""
    _Process.is_limited = True


@contextmanager
def limited() -> Iterator[None]:
    """Limits the waits of this thread until the block is left."""
    token = _is_limited.set(True)
    try:
        yield
    finally:
        _is_limited.reset(token)


def is_limited() -> bool:
    """Whether this thread waits no longer than ANSWER_SECONDS."""
    return _Process.is_limited or _is_limited.get()


def _has_just_failed() -> bool:
    return monotonic() - _Process.failed_at < PAUSE_SECONDS


class LimitedConnection(Connection[Any]):
    """A connection of psycopg's whose waits are limited where `is_limited` says so."""

    @classmethod
    def connect(cls, *args: Any, **kwargs: Any) -> Any:
        """Connects like psycopg; where waits are limited the server is told its own limits, unless a pooler is between.

        Raises OperationalError at once if the server has just failed to answer.
        """
        if is_limited() and _has_just_failed():
            raise OperationalError("The database did not answer a moment ago; nobody connects yet.")
        if is_limited() and "options" in kwargs:
            limits = " ".join(f"-c {name}={value}" for name, value in SESSION.items())
            kwargs["options"] = f"{kwargs['options']} {limits}"
        try:
            return super().connect(*args, **kwargs)
        except ConnectionTimeout as error:
            _Process.failed_at = monotonic()
            clear_frames(error.__traceback__)  # psycopg's frames hold the socket, and the error in a reference cycle
            raise

    def wait(self, gen: PQGen[V], interval: float = 0.1, timeout: float | None = None) -> V:
        """Waits like psycopg. Raises OperationalError and closes the connection if the answer comes too late, or if
        a migration has changed the type of a column since the statement was prepared: it is prepared anew then.
        """
        try:
            return self._wait(gen, interval, timeout)
        except FeatureNotSupported as error:  # "cached plan must not change result type"
            self.close()
            raise OperationalError(str(error)) from error

    def _wait(self, gen: PQGen[V], interval: float, timeout: float | None) -> V:
        if timeout is not None or not is_limited():
            return super().wait(gen, interval, timeout)
        seconds = DOUBTFUL_SECONDS if _has_just_failed() else ANSWER_SECONDS
        begun = monotonic()
        try:
            return super().wait(gen, interval, seconds)
        except OperationalError as error:
            if error.sqlstate is not None or monotonic() - begun < seconds:
                raise
            _Process.failed_at = monotonic()
            self.close()
            raise OperationalError(f"The database has not answered within {seconds:g} s.") from error
