"""What may stand in a log: a link that acts for a player may not."""

import logging
import re

# A word of an address that is long enough to be a token; the first letters stay, to tell one from another.
TOKEN = re.compile(r"(?<=[/=])([A-Za-z0-9_-]{4})[A-Za-z0-9_:.~-]{16,}")


def redact(text: str) -> str:
    """The text with every token in an address cut short."""
    return TOKEN.sub(r"\1***", text)


class RedactTokens(logging.Filter):
    """Cuts tokens out of the arguments of a log record: Django logs the path of every refused request."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(redact(value) if isinstance(value, str) else value for value in record.args)
        return True
