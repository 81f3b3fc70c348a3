"""Addresses of ours with a token in them, made for one thing and one person.

People answer to REPLY_ADDRESS; what comes back of a mail comes to BOUNCE_ADDRESS (`bounce_reports`).
"""

import contextlib
import re

from django.conf import settings
from django.utils.encoding import punycode

PLACE = "{token}"
TOKEN = r"([a-z0-9-]{20,60})"  # noqa: S105  # a pattern; lower case, since mail servers may fold letters


def are_answered() -> bool:
    """Whether people can answer our mails by replying."""
    return bool(settings.REPLY_ADDRESS)


def address_of(token: str) -> str:
    """The address that carries a token, or "" where mails cannot be answered."""
    return str(settings.REPLY_ADDRESS).replace(PLACE, token)


def token_in(address: str) -> str:
    """The token an address carries, or "" if it is none that people answer to."""
    return token_within(settings.REPLY_ADDRESS, address)


def token_within(pattern: str, address: str) -> str:
    """The token that stands in an address where the pattern has its place; "" if the rest is another, or no pattern."""
    before, place, after = pattern.lower().partition(PLACE)
    found = re.fullmatch(re.escape(before) + TOKEN + re.escape(after), address.strip().strip("<>").lower())
    return found.group(1) if place and found else ""


def is_ours(address: str) -> bool:
    """Whether an address is one that we write from or are answered at: what comes from there is an echo."""
    sender = settings.DEFAULT_FROM_EMAIL.rpartition("<")[2].rstrip(">").strip().lower()
    is_made = any(token_within(pattern, address) for pattern in (settings.REPLY_ADDRESS, settings.BOUNCE_ADDRESS))
    return address.lower() == sender or is_made


def in_ascii(address: str) -> str:
    """An address with its domain as mail servers have it (RFC 5890); as it is where that cannot be said."""
    local, at, domain = address.rpartition("@")
    with contextlib.suppress(UnicodeError):
        return f"{local}{at}{punycode(domain)}"
    return address
