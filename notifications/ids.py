"""Random references and secrets."""

import secrets
from base64 import b64encode

REF_BYTES = 16  # 128 bits: a reference appears in URLs and must not be guessed


def new_ref() -> str:
    """A random reference that is safe in addresses."""
    return secrets.token_urlsafe(REF_BYTES)


def new_secret() -> str:
    """A webhook secret of 32 random bytes in the form Standard Webhooks asks for."""
    return "whsec_" + b64encode(secrets.token_bytes(32)).decode()
