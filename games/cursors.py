"""Cursors: where the next page of a list begins, encrypted.

A cursor holds the key of the last row and is valid for its own list alone. The same row always has the same cursor, so
that an unchanged answer keeps its ETag.
"""

import base64
import hashlib
import json
from contextlib import suppress
from functools import lru_cache
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from django.conf import settings

Key = list[Any]  # by which the rows of a list are told apart: a public name and a time, or what the list is sorted by


class NotACursor(ValueError):
    """It is no cursor of ours, or one of another list."""


def seal(key: Key, listed: str) -> str:
    """Returns the cursor of a row.

    Arguments:
        listed: the name of the list.
    """
    cipher = _ciphers(tuple(settings.SEALING_KEYS))[0]
    return base64.urlsafe_b64encode(cipher.encrypt(json.dumps(key).encode(), [listed.encode()])).decode()


def unseal(cursor: str, listed: str) -> Key:
    """Returns the key in a cursor of this list. Raises NotACursor."""
    for cipher in _ciphers(tuple(settings.SEALING_KEYS)):
        with suppress(InvalidTag, ValueError):
            key: Key = json.loads(cipher.decrypt(base64.urlsafe_b64decode(cursor), [listed.encode()]))
            return key
    raise NotACursor(listed)


@lru_cache(maxsize=1)
def _ciphers(keys: tuple[str, ...]) -> list[AESSIV]:
    """Makes a cipher of each sealing key, for cursors only. It is deterministic: equal keys give equal cursors."""
    return [AESSIV(hashlib.sha512(f"cursor:{key}".encode()).digest()) for key in keys]
