"""Push messages: encrypted for one browser (RFC 8291), signed by us (RFC 8292), and posted (RFC 8030)."""

import base64
import hashlib
import hmac
import json
from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.utils.translation import gettext_noop
from py_vapid import Vapid02
from py_vapid.utils import b64urldecode, b64urlencode

from notifications.channels.base import Answer, ChannelError
from notifications.channels.http_calls import WAITS, call, wait_asked_for
from notifications.channels.push import devices
from notifications.channels.push.models import PushSubscription
from notifications.clock import present
from notifications.composers import topic_of
from notifications.messages import PushMessage
from notifications.models import Delivery, Notice
from notifications.reasons import declare

# Who we are to a push service: a token that it can verify, signed with a key of ours (VAPID, RFC 8292).

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


# A push message: encrypted for one browser (RFC 8291), with what its push service needs to know of it (RFC 8030).

NEWS_FOR = timedelta(days=1)  # after which news of a table disturbs more than it tells
LONGEST_WAIT = timedelta(days=28)  # push services keep nothing longer
SHORTEST_WAIT = timedelta(minutes=1)
TITLE_LENGTH, TEXT_LENGTH = 80, 300  # characters; a locked screen shows fewer
DECLARATIVE = 8030  # by which a browser knows a message that it shows itself (Push API, declarative push message)
LARGEST_TEXT = 3900  # bytes: with what encryption adds a message is below the 4096 that every push service takes


class PushRequest(NamedTuple):
    """A request to a push service."""

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
        "Authorization": authorization(subscription.url, now.timestamp()),
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
    """Return what the service worker reads, and what a browser that knows declarative web push shows without one.

    A very long message is left to the worker. Raises ValueError for one that is too long.
    """
    words = {
        "title": _shortened(message.title, TITLE_LENGTH),
        "body": _shortened(message.text, TEXT_LENGTH),
        "tag": slot_of(subscription, notice.thread or notice.ref),
        "lang": notice.recipient.language,
    }
    content = {
        **words,
        "url": message.url,
        "until": message.until.isoformat() if message.until else None,
        "left": message.time_left,
        "asks": message.asks,
    }
    declared = {**content, "web_push": DECLARATIVE, "notification": {**words, "navigate": message.url}}
    if message.waiting is not None:
        declared["app_badge"] = message.waiting
    texts = [json.dumps(each, ensure_ascii=False, separators=(",", ":")).encode() for each in (declared, content)]
    fitting = next((text for text in texts if len(text) <= LARGEST_TEXT), None)
    if fitting is None:
        raise ValueError(f"a push message of {len(texts[-1])} bytes is too large")
    return fitting


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
    """Returns the `Topic` under which a newer message replaces this one (32 characters of base64url).

    Keyed, and other for each browser: a push service learns neither what it is about nor who shares a table.
    """
    text = f"push {subscription.target} {what}"
    digest = hmac.digest(settings.SECRET_KEY.encode(), text.encode(), hashlib.sha256)
    return base64.urlsafe_b64encode(digest[:24]).decode()


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


TOTAL_SECONDS = 10.0
GONE_STATUSES = (404, 410)  # RFC 8030, 7.3: the subscription has expired
REDIRECTS = declare(
    "push_redirected", gettext_noop("its push service redirects to another address, and we don't follow redirects")
)
REFUSED = declare("push_rejected", gettext_noop("its push service refused the message"))
IN_TROUBLE = declare("push_unavailable", gettext_noop("its push service can't accept messages right now"))


def pack(delivery: Delivery, message: object) -> PushRequest:
    """Return the request. Raises TypeError for what is no push message, ChannelError if the browser is gone."""
    if not isinstance(message, PushMessage):
        raise TypeError(f"{delivery.notice.kind} composed no push message")
    device = delivery.addressee = devices.at(delivery.target or "")
    if device is None:
        raise ChannelError(devices.GONE, permanent=True)
    topic = topic_of(delivery.notice.kind)
    return request_for(
        device, delivery.notice, message, is_needed=topic is not None and topic.is_needed, now=present.now()
    )


def send(packed: PushRequest) -> Answer:
    """Post it; return the status. Raises ChannelError."""
    response = call(packed.url, packed.body, packed.headers, TOTAL_SECONDS)
    status, code = response.status, str(response.status)
    if 200 <= status < 300:
        return Answer(code)
    if status in GONE_STATUSES:
        raise ChannelError(devices.GONE, permanent=True, is_address=True, code=code)
    is_permanent = 300 <= status < 500 and status not in WAITS
    why = REDIRECTS if status < 400 else REFUSED if is_permanent else IN_TROUBLE
    wait = wait_asked_for(response.retry_after, present.now())
    raise ChannelError(why, permanent=is_permanent, code=code, retry_after=wait)
