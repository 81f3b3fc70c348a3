"""The addresses people answer to: REPLY_ADDRESS with a token in it, made for one thing and one person."""

import re

from django.conf import settings

PLACE = "{token}"
LONGEST_LOCAL_PART = 64  # RFC 5321, 4.5.3.1.1
TOKEN = r"([a-z0-9-]{20,60})"  # noqa: S105  # a pattern; lower case, since mail servers may fold letters


def is_on() -> bool:
    """Whether mails can be answered at all."""
    return bool(settings.REPLY_ADDRESS)


def address_of(token: str) -> str:
    """The address that carries a token, or "" where mails cannot be answered."""
    return settings.REPLY_ADDRESS.replace(PLACE, token) if is_on() else ""


def token_in(address: str) -> str:
    """The token an address carries, or "" if it is none of ours."""
    if not is_on():
        return ""
    before, after = settings.REPLY_ADDRESS.lower().split(PLACE)
    found = re.fullmatch(re.escape(before) + TOKEN + re.escape(after), address.strip().strip("<>").lower())
    return found.group(1) if found else ""


def is_ours(address: str) -> bool:
    """Whether an address is one that we write from or are answered at: what comes from there is an echo."""
    sender = settings.DEFAULT_FROM_EMAIL.rpartition("<")[2].rstrip(">").strip().lower()
    return address.lower() == sender or bool(token_in(address))
