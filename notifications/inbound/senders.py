"""The envelope sender of each mail: BOUNCE_ADDRESS with a token that names the mail and its reader's address.

What comes back comes there, whatever the report says. The token holds the random part of the Message-ID, so that nobody
can tell from it how many mails there are; and it is good only as long as the reader has that address.
"""

import hashlib
import hmac
from base64 import b32decode, b32encode, urlsafe_b64decode, urlsafe_b64encode

from django.conf import settings
from django.utils.crypto import constant_time_compare

from notifications.inbound import addresses
from notifications.models import Delivery

MAC_LENGTH = 20  # letters of base32: 100 bits


def sender_of(message_id: str, address: str) -> str:
    """The envelope sender of a mail to an address; "" where reports are not received."""
    if not settings.BOUNCE_ADDRESS:
        return ""
    ref = message_id.strip("<>").partition("@")[0]  # mail servers may fold letters: so it is written in small ones
    name = _small(b32encode(urlsafe_b64decode(ref + "==")))
    return str(settings.BOUNCE_ADDRESS).replace(addresses.PLACE, f"{name}-{_mac(message_id, address)}")


def mail_of(to: str) -> Delivery | None:
    """The mail whose envelope sender this is, or None."""
    token = addresses.token_within(settings.BOUNCE_ADDRESS, to)
    name, _dash, mac = token.partition("-")
    try:
        ref = urlsafe_b64encode(b32decode(name.upper() + "=" * (-len(name) % 8))).decode().rstrip("=")
    except ValueError:
        return None
    rows = Delivery.objects.filter(message_id=f"<{ref}@{settings.MAIL_DOMAIN}>")
    mail = rows.select_related("notice__recipient").first()
    facts = (mail.message_id, mail.notice.recipient.address) if mail else ("", "")
    return mail if token and constant_time_compare(mac, _mac(*facts)) and mail else None


def _mac(message_id: str, address: str) -> str:
    text = f"returned|{message_id}|{address}".encode()
    return _small(b32encode(hmac.new(settings.LINK_KEY.encode(), text, hashlib.sha256).digest()))[:MAC_LENGTH]


def _small(made: bytes) -> str:
    return made.decode().rstrip("=").lower()
