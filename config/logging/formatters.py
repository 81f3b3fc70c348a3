"""Log formatters that redact tokens: a link that acts for a player must not be readable in a log."""

import logging
import re
import textwrap
from datetime import UTC, datetime
from types import TracebackType

from pythonjsonlogger.json import JsonFormatter

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
        return CONTROL.sub(lambda found: ascii(found[0])[1:-1], super().formatMessage(record))

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
