"""A push message: encrypted for one browser (RFC 8291), with what its push service needs to know of it (RFC 8030)."""

import base64
import hashlib
import hmac
import json
from datetime import datetime, timedelta
from typing import NamedTuple

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from py_vapid.utils import b64urldecode

from notifications.channels.push import keys
from notifications.channels.push.models import PushSubscription
from notifications.messages import PushMessage
from notifications.models import Notice

NEWS_FOR = timedelta(days=1)  # after which news of a table disturbs more than it tells
LONGEST_WAIT = timedelta(days=28)  # push services keep nothing longer
SHORTEST_WAIT = timedelta(minutes=1)
TITLE_LENGTH, TEXT_LENGTH = 80, 300  # characters; a locked screen shows fewer
LARGEST_TEXT = 3900  # bytes: with what encryption adds a message is below the 4096 that every push service takes


class PushRequest(NamedTuple):
    """What is posted to a push service."""

    url: str
    headers: dict[str, str]
    body: bytes


def request_for(
    subscription: PushSubscription, notice: Notice, message: PushMessage, *, is_needed: bool, now: datetime
) -> PushRequest:
    """Encrypt a message for a browser and say for how long, how urgently and instead of what it is kept.

    Raises ValueError for keys that are none, or a message that is too long.
    """
    headers = {
        "Authorization": keys.authorization(subscription.url, now.timestamp()),
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(int(time_to_live(message, is_needed=is_needed, now=now).total_seconds())),
        "Urgency": "high" if is_needed else "normal",
        "User-Agent": f"{settings.SITE_NAME} notifications",
    }
    if notice.thread:
        headers["Topic"] = slot_of(subscription, notice.thread)
    return PushRequest(subscription.url, headers, encrypt(subscription, payload(subscription, notice, message)))


def payload(subscription: PushSubscription, notice: Notice, message: PushMessage) -> bytes:
    """Return what the service worker reads. Raises ValueError for a message that is too long."""
    made = {
        "title": _shortened(message.title, TITLE_LENGTH),
        "body": _shortened(message.text, TEXT_LENGTH),
        "url": message.url,
        "tag": slot_of(subscription, notice.thread or notice.ref),
        "until": message.until.isoformat() if message.until else None,
        "left": message.time_left,
        "lang": notice.recipient.language,
    }
    text = json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode()
    if len(text) > LARGEST_TEXT:
        raise ValueError(f"a push message of {len(text)} bytes is too large")
    return text


def encrypt(subscription: PushSubscription, text: bytes) -> bytes:
    """Encrypt a text so that this browser alone can read it. Raises ValueError for keys that are none."""
    encrypted: bytes = http_ece.encrypt(
        text,
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=b64urldecode(subscription.public_key.encode()),
        auth_secret=b64urldecode(subscription.auth_secret.encode()),
        version="aes128gcm",
    )
    return encrypted


def time_to_live(message: PushMessage, *, is_needed: bool, now: datetime) -> timedelta:
    """For how long a push service keeps a message for a browser that it cannot reach: while it is of use."""
    usual = LONGEST_WAIT if is_needed else NEWS_FOR
    wait = usual if message.until is None or not is_needed else message.until - now
    return max(SHORTEST_WAIT, min(wait, usual))


def slot_of(subscription: PushSubscription, what: str) -> str:
    """What a newer message about the same thing replaces (`Topic`, 32 characters of base64url).

    Keyed, and other for each browser: a push service learns neither what it is about nor who shares a table.
    """
    text = f"push {subscription.target} {what}"
    digest = hmac.digest(settings.SECRET_KEY.encode(), text.encode(), hashlib.sha256)
    return base64.urlsafe_b64encode(digest[:24]).decode()


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
