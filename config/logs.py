"""What may stand in a log: a link that acts for a player may not."""

import logging
import re
from datetime import UTC, datetime

from pythonjsonlogger.json import JsonFormatter

# A word of an address that is long enough to be a token; the first letters stay, to tell one from another. Not a file
# in a traceback.
TOKEN = re.compile(r"(?<=[/=])(?!\w+\.py\b)([A-Za-z0-9_-]{4})[A-Za-z0-9_:.~-]{16,}")


def redact(text: str) -> str:
    """The text with every token in an address cut short."""
    return TOKEN.sub(r"\1***", text)


class Line(logging.Formatter):
    """A line for people. What leaves it is redacted as a whole: message, arguments and traceback."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}", style="{")

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line, with its traceback below it."""
        return redact(super().format(record))


class Json(JsonFormatter):
    """An object for programs: time, level, logger, message, exc_info, and what the record carries beside."""

    def __init__(self) -> None:
        names = {"levelname": "level", "name": "logger", "asctime": "time"}
        super().__init__("{asctime}{levelname}{name}{message}", style="{", rename_fields=names)

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802  logging's name
        """ISO 8601, in UTC."""
        return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line of JSON."""
        return redact(super().format(record))
