"""Random references for URLs: they reveal neither order nor number."""

import secrets

from django.conf import settings

ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"  # 32 characters that are hard to confuse, safe in mail addresses
LENGTH = 12  # 60 bits: unique, not a secret
OF_BYTES = (ALPHABET * (256 // len(ALPHABET))).encode()  # maps each byte to a character; uniform, since 32 divides 256


def random_ref() -> str:
    """A new 12-character reference, such as "k3v9pq2mzt7a"; with settings.REF_PREFIX at its beginning."""
    prefix, random = str(settings.REF_PREFIX), secrets.token_bytes(LENGTH).translate(OF_BYTES).decode()
    return prefix + random[len(prefix) :]
