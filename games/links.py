"""Absolute addresses of pages, and the signatures of those that need no sign-in.

A token is 26 characters of base32, 128 bits of HMAC-SHA256 under LINK_KEY; nothing secret is stored. It is good for one
purpose and one object, and becomes void when its object closes, when the seat gets another player, or when the seat's
`link_generation` is raised. Which links there are the rooms say."""

import base64
import hmac

from django.conf import settings
from django.urls import reverse
from django.utils.crypto import constant_time_compare


def page_url(name: str, *args: object) -> str:
    """Returns the absolute address of a page, by its name in games/urls.py and what its path holds."""
    return f"{settings.SITE_URL}{reverse(name, args=args)}"


def rules_schema_url(name: str, version: int) -> str:
    """Returns the address of the JSON Schema of a version of some rules."""
    return page_url("api_rules_schema", name, version)


def by_mail_url(language: str) -> str:
    """The guide to playing by email."""
    return page_url("by_mail_in", language)


TOKEN_LENGTH = 26
TOKEN_BYTES = 20  # of which it is made; what base32 makes of all 32 begins with the same characters


def sign(purpose: str, *facts: object) -> str:
    """Computes the token for these facts and this purpose."""
    message = "|".join([purpose, *map(str, facts)]).encode()
    digest = hmac.digest(settings.LINK_KEY.encode(), message, "sha256")
    return base64.b32encode(digest[:TOKEN_BYTES]).decode().lower()[:TOKEN_LENGTH]


def is_signed(token: str, purpose: str, *facts: object) -> bool:
    """Checks a token for these facts, in constant time."""
    return constant_time_compare(token, sign(purpose, *facts))
