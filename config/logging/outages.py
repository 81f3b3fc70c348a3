"""Logs one line when the database goes away and one when it is back, in each process.

Without it every statement that fails meanwhile would log a traceback: thousands in half an hour.
"""

import logging
import threading
import time

from django.db import InterfaceError
from django.db.backends.signals import connection_created
from psycopg import OperationalError as DriverError

logger = logging.getLogger(__name__)
SERVER_AWAY = ("08", "57P")  # SQLSTATE: connection exceptions, and a server that ends or begins


class OutageFilter(logging.Filter):
    """Lets the first record about an outage of the database pass, without its traceback, and drops the others."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._since: float | None = None  # seconds of the monotonic clock
        connection_created.connect(self.end)

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is written."""
        error = record.exc_info[1] if record.exc_info else None
        if error is None or not is_outage(error):
            return True
        with self._lock:
            if self._since is not None:
                return False
            self._since = time.monotonic()
        reason = str(error).strip().partition("\n")[0]
        record.msg, record.args = "The database is away, all that needs it is refused until it is back: %s", (reason,)
        record.levelno, record.levelname = logging.ERROR, "ERROR"
        record.exc_info = record.exc_text = None
        return True

    def end(self, **_: object) -> None:
        """Writes that the database is back, if it was away: there is a new connection."""
        with self._lock:
            since, self._since = self._since, None
        if since is not None:
            logger.warning("The database is back after %.0f s", time.monotonic() - since)


def is_outage(error: BaseException) -> bool:
    """Whether an error, or what it was raised from, says that the database cannot be reached."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, DriverError):
        cause = cause.__cause__
    if cause is None:
        return isinstance(error, InterfaceError)
    return cause.sqlstate is None or cause.sqlstate.startswith(SERVER_AWAY)
