"""Logs and error reports: their settings, how records are written without tokens, and what Sentry is told."""

import logging
import re
import textwrap
import threading
import time
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

from django.conf import settings
from django.db import InterfaceError
from django.db.backends.signals import connection_created
from psycopg import OperationalError as DriverError
from pythonjsonlogger.json import JsonFormatter

# Log formatters that redact tokens: a link that acts for a player must not be readable in a log.

# A word of an address that is long enough to be a token; the first letters stay, to tell one from another. Not a file
# in a traceback.
TOKEN = re.compile(r"(?<=[/=])(?!\w+\.py\b)([A-Za-z0-9_-]{4})[A-Za-z0-9_:.~-]{16,}")

ExceptionInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def redact(text: str) -> str:
    """The text with every token in an address cut short."""
    return TOKEN.sub(r"\1***", text)


# Characters that begin another line or turn the direction of the text.
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


class LineFormatter(logging.Formatter):
    """Formats a record as a line for people; message, arguments and traceback are redacted.

    Control characters are escaped, so that a message stays one line, and tracebacks are indented.
    """

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}", style="{")

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line, with its traceback below it."""
        return redact(super().format(record))

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  logging's name
        """The line without a traceback."""
        return CONTROL.sub(lambda control: ascii(control[0])[1:-1], super().formatMessage(record))

    def formatException(self, ei: ExceptionInfo) -> str:  # noqa: N802  logging's name
        """The traceback, each line of it indented."""
        return textwrap.indent(super().formatException(ei), "  ")


class JsonLineFormatter(JsonFormatter):
    """Formats a record as a JSON object: time, level, logger, message, exc_info, and the record's extra fields."""

    def __init__(self) -> None:
        names = {"levelname": "level", "name": "logger", "asctime": "time"}
        super().__init__("{asctime}{levelname}{name}{message}", style="{", rename_fields=names)

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802  logging's name
        """ISO 8601, in UTC."""
        return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line of JSON."""
        return redact(super().format(record))


# Logs one line when the database goes away and one when it is back, in each process.

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


# Django's LOGGING.


def logging_settings(form: str, level: str) -> dict[str, Any]:
    """Everything to the standard error stream, without tokens.

    Arguments:
        form: "line" for people, "json" for programs.
        level: the lowest that is written, such as "INFO".
    """
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {"()": "config.logging.LineFormatter"},
            "json": {"()": "config.logging.JsonLineFormatter"},
        },
        "filters": {
            "outage": {"()": "config.logging.OutageFilter"},
            "probes": {"()": "django.utils.log.CallbackFilter", "callback": is_no_probe},
        },
        "loggers": {"django.request": {"filters": ["probes"]}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": form, "filters": ["outage"]}},
        "root": {"handlers": ["console"], "level": level},
    }


def is_no_probe(record: logging.LogRecord) -> bool:
    """Leave out what a health check was told, every few seconds: what is wrong has a line of its own."""
    return getattr(getattr(record, "request", None), "path", "") != "/readyz"


# Reports errors to Sentry, if SENTRY_DSN is set, without secrets and personal data.

REPORTED = ("method", "url")  # of a request, without its body, cookies and headers


def start_sentry() -> None:
    """Starts Sentry's client if SENTRY_DSN is set."""
    if not settings.SENTRY_DSN:
        return
    import sentry_sdk  # here: its import takes a third of a second

    sentry_sdk.init(
        dsn=settings.SENTRY_DSN,
        environment=settings.SITE_HOST,
        include_local_variables=False,  # they hold states and seeds
        max_request_body_size="never",
        max_breadcrumbs=0,  # they hold queries and log lines
        before_send=scrub,
    )


def scrub(event: Any, hint: object = None) -> Any:
    """Returns the event without requests' contents, people and tokens.

    Arguments:
        event: as Sentry describes it, a tree of plain data.
        hint: what it was made from; not used.
    """
    event = {name: value for name, value in event.items() if name not in ("user", "extra", "breadcrumbs")}
    if "request" in event:
        event["request"] = {name: event["request"][name] for name in REPORTED if name in event["request"]}
    return {name: _redacted(value) for name, value in event.items()}


def _redacted(value: object) -> object:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {name: _redacted(inner) for name, inner in value.items()}
    return [_redacted(inner) for inner in value] if isinstance(value, list | tuple) else value
