"""Seals other people's secrets: whoever reads the database, or a backup of it, cannot use them.

Sealed with Fernet (AES-128-CBC and HMAC-SHA256) under the first of SEALING_KEYS and opened under any of them, so that a
key can be changed: put the new one first, save what is to be sealed anew, drop the old one.
"""

import base64
import hashlib
import logging
from functools import lru_cache
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.db import models

log = logging.getLogger(__name__)
MOST_KEPT = 1500  # values that a process keeps open: the same few are read for each call, a session for each request


def _keys() -> MultiFernet:
    return _made_of(tuple(settings.SEALING_KEYS))


@lru_cache(maxsize=1)
def _made_of(keys: tuple[str, ...]) -> MultiFernet:
    secrets = [base64.urlsafe_b64encode(hashlib.sha256(key.encode()).digest()) for key in keys]
    return MultiFernet([Fernet(key) for key in secrets])


def seal(text: str) -> str:
    """The text, readable only with one of our keys; "" stays ""."""
    return _keys().encrypt(text.encode()).decode() if text else ""


def unseal(sealed: str) -> str:
    """Returns the unsealed text; "" if none of our keys opens it, which is said in the log."""
    if not sealed:
        return ""
    try:
        return _opened(tuple(settings.SEALING_KEYS), sealed)
    except InvalidToken:
        log.error("A sealed value cannot be opened: is a key missing from SEALING_KEYS?")
        return ""


@lru_cache(maxsize=MOST_KEPT)
def _opened(keys: tuple[str, ...], sealed: str) -> str:
    """Raises InvalidToken, which is not kept."""
    return _made_of(keys).decrypt(sealed.encode()).decode()


class SealedField(models.TextField):  # type: ignore[type-arg]  # generic in the stubs only
    """A text that is sealed in the database and plain in Python. It cannot be searched for."""

    def get_prep_value(self, value: Any) -> Any:
        """Seal on the way in."""
        return value if value is None else seal(str(value))

    def from_db_value(self, value: str | None, *_: Any) -> str | None:
        """Open on the way out."""
        return value if value is None else unseal(value)
