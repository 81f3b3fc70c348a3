"""A browser that has subscribed to push messages, as a push service and a test see it: it has keys and decrypts."""

import base64
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.db.models import QuerySet

from notifications.channels.push import devices
from notifications.channels.push.devices import BrowserKeys
from notifications.channels.push.models import PushSubscription
from notifications.clock import present
from notifications.composers import Topic
from notifications.models import Delivery, Recipient

LINK = "https://play.example.org/act/abc/token/"
NEWS, TURNS = Topic("news", "News"), Topic("turns", "Turns", is_needed=True)


def pushes() -> QuerySet[Delivery]:
    """All that went, or shall go, to a device."""
    return Delivery.objects.filter(channel="push")


def base64url(value: bytes) -> str:
    """As browsers write their keys."""
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


@dataclass
class Browser:
    """One browser, with the address that its push service has given it."""

    url: str = "https://push.example.org/send/s3cret"
    private_key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth_secret: bytes = field(default_factory=lambda: secrets.token_bytes(16))

    @property
    def keys(self) -> BrowserKeys:
        """What it says of itself when it subscribes."""
        point = self.private_key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return BrowserKeys(self.url, base64url(point), base64url(self.auth_secret))

    def subscribe(self, recipient: Recipient, name: str = "Firefox on Android", group: str = "") -> PushSubscription:
        """It belongs to this person from now on."""
        return devices.remember(recipient, self.keys, name, group, present.now())

    def read(self, body: bytes) -> dict[str, Any]:
        """The message in what a push service was given. Raises http_ece.ECEException for what is another browser's."""
        text = http_ece.decrypt(body, private_key=self.private_key, auth_secret=self.auth_secret, version="aes128gcm")
        read: dict[str, Any] = json.loads(text)
        return read
