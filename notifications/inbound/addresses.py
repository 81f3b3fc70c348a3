"""Addresses of ours with a token in them: for a person's answers, and as the envelope sender of one mail."""

import contextlib
import hashlib
import hmac
import re
from base64 import b32decode, b32encode, urlsafe_b64decode, urlsafe_b64encode

from django.conf import settings
from django.utils.crypto import constant_time_compare
from django.utils.encoding import punycode

from notifications.models import Delivery

PLACE = "{token}"
TOKEN = r"([a-z0-9-]{20,60})"  # noqa: S105  # a pattern; lower case, since mail servers may fold letters


def are_answered() -> bool:
    """Whether people can answer our mails by replying."""
    return bool(settings.REPLY_ADDRESS)


def reply_pattern() -> str:
    """REPLY_ADDRESS, with a place for the token even where the mailbox has but one address (see `letter`)."""
    local, at, domain = str(settings.REPLY_ADDRESS).rpartition("@")
    return f"{local}{at}{domain}" if PLACE in local or not at else f"{local}+{PLACE}@{domain}"


def has_one_address() -> bool:
    """Whether all answers go to one address, and the token stands in the References of our mails alone."""
    return are_answered() and PLACE not in settings.REPLY_ADDRESS


def address_of(token: str) -> str:
    """The address that carries a token, or "" where mails cannot be answered."""
    return reply_pattern().replace(PLACE, token)


def token_in(address: str) -> str:
    """The token an address carries, or "" if it is none that people answer to."""
    return token_within(reply_pattern(), address)


def token_within(pattern: str, address: str) -> str:
    """The token that stands in an address where the pattern has its place; "" if the rest is another, or no pattern."""
    before, place, after = pattern.lower().partition(PLACE)
    match = re.fullmatch(re.escape(before) + TOKEN + re.escape(after), address.strip().strip("<>").lower())
    return match.group(1) if place and match else ""


def is_ours(address: str) -> bool:
    """Whether an address is one that we write from or are answered at: what comes from there is an echo."""
    sender = settings.DEFAULT_FROM_EMAIL.rpartition("<")[2].rstrip(">").strip().lower()
    is_made = address.lower() == settings.REPLY_ADDRESS.lower() or any(
        token_within(pattern, address) for pattern in (reply_pattern(), settings.BOUNCE_ADDRESS)
    )
    return address.lower() == sender or is_made


def in_ascii(address: str) -> str:
    """An address with its domain as mail servers have it (RFC 5890); as it is where that cannot be said."""
    local, at, domain = address.rpartition("@")
    with contextlib.suppress(UnicodeError):
        return f"{local}{at}{punycode(domain)}"
    return address


# An address at which `manage.py try_mail` waits for one mail, to see whether answers come in.


def trial_token(nonce: str) -> str:
    """The token of a trial; `nonce` is 12 letters or digits."""
    mac = hmac.new(settings.LINK_KEY.encode(), f"trial|{nonce}".encode(), hashlib.sha256).digest()
    return f"try-{nonce}-{_small(b32encode(mac))[:SENDER_MAC_LENGTH]}"


def is_trial(token: str) -> bool:
    """Whether a token is that of a trial."""
    nonce = token.removeprefix("try-").partition("-")[0]
    return token.startswith("try-") and constant_time_compare(token, trial_token(nonce))


# The envelope sender of each mail: BOUNCE_ADDRESS with a token that names the mail and its reader's address.

SENDER_MAC_LENGTH = 20  # letters of base32: 100 bits


def sender_of(message_id: str, address: str) -> str:
    """The envelope sender of a mail to an address; "" where reports are not received."""
    if not settings.BOUNCE_ADDRESS:
        return ""
    ref = message_id.strip("<>").partition("@")[0]  # mail servers may fold letters: so it is written in small ones
    name = _small(b32encode(urlsafe_b64decode(ref + "==")))
    return str(settings.BOUNCE_ADDRESS).replace(PLACE, f"{name}-{_sender_mac(message_id, address)}")


def mail_of(to: str) -> Delivery | None:
    """The mail whose envelope sender this is, or None."""
    token = token_within(settings.BOUNCE_ADDRESS, to)
    name, _dash, mac = token.partition("-")
    try:
        ref = urlsafe_b64encode(b32decode(name.upper() + "=" * (-len(name) % 8))).decode().rstrip("=")
    except ValueError:
        return None
    rows = Delivery.objects.filter(message_id=f"<{ref}@{settings.MAIL_DOMAIN}>")
    mail = rows.select_related("notice__recipient").first()
    facts = (mail.message_id, mail.notice.recipient.address) if mail else ("", "")
    return mail if token and constant_time_compare(mac, _sender_mac(*facts)) and mail else None


def _sender_mac(message_id: str, address: str) -> str:
    text = f"returned|{message_id}|{address}".encode()
    return _small(b32encode(hmac.new(settings.LINK_KEY.encode(), text, hashlib.sha256).digest()))[:SENDER_MAC_LENGTH]


def _small(encoded: bytes) -> str:
    return encoded.decode().rstrip("=").lower()
