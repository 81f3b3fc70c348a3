"""Who we are to a push service: a token that it can verify, signed with a key of ours (VAPID, RFC 8292)."""

from functools import lru_cache
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid02
from py_vapid.utils import b64urlencode

GOOD_FOR = 12 * 3600  # seconds; RFC 8292 allows 24 hours, and clocks differ
RENEWED_EVERY = 3600  # seconds in which one token serves all messages to a push service
MOST_KEPT = 50  # push services whose token is kept


def public_key() -> str:
    """Return the key by which browsers and push services know us (`applicationServerKey`)."""
    return _public_key(settings.VAPID_PRIVATE_KEY)


def authorization(url: str, now: float) -> str:
    """Return the header that proves to the push service of an address who sends.

    Arguments:
        now: seconds since 1970.
    """
    parts = urlsplit(url)
    period = int(now) // RENEWED_EVERY
    return _signed(f"{parts.scheme}://{parts.netloc}", period, settings.VAPID_PRIVATE_KEY, settings.VAPID_CONTACT)


@lru_cache(maxsize=2)
def _key(private: str) -> Vapid02:
    return Vapid02.from_raw(private.encode())


@lru_cache(maxsize=2)
def _public_key(private: str) -> str:
    point = _key(private).public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return str(b64urlencode(point))


@lru_cache(maxsize=MOST_KEPT)
def _signed(origin: str, period: int, private: str, contact: str) -> str:
    claims = {"aud": origin, "exp": period * RENEWED_EVERY + GOOD_FOR, "sub": contact}
    return str(_key(private).sign(claims)["Authorization"])
