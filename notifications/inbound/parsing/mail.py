"""Parses an email: who wrote it, whether that is proved, and its first own line."""

import hashlib
import re
from codecs import lookup
from dataclasses import dataclass
from email.header import decode_header, make_header
from email.headerregistry import Group, HeaderRegistry
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from email.utils import getaddresses
from typing import Any

from notifications.inbound.parsing import auto_replies, html, parts, quoting, raw
from notifications.inbound.parsing.authentication import is_authentic

LARGEST_TEXT = 64 * 1024  # bytes of a text part that are decoded: the line that is read is near its beginning
# Codecs that are texts in some language, and cheap: others are slow by design, or decode what is no text.
CHARSETS = (
    "utf",
    "ascii",
    "iso",
    "latin",
    "cp",
    "koi8",
    "gb",
    "big5",
    "hz",
    "shift",
    "euc",
    "mac",
    "johab",
    "tis",
    "kz",
)
PUZZLING = "utf-7"
HEADERS = HeaderRegistry()
MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,248}>")  # printable, and no brackets within


@dataclass(frozen=True)
class ParsedMail:
    """What is known of a mail.

    Arguments:
        key: the same for every copy of the mail (from its Message-ID; without one from all of it).
        message_id: its Message-ID, by which an answer refers to it; "" if it has none that can be written down.
        sender: the From address, lower case, or "" if there is not exactly one, or it is written as a group.
        is_authentic: whether our own mail server found it to be from there, and no other `Sender` is named.
        line: the first line its writer wrote himself, or "".
        automatic: why no person wrote it, or "".
    """

    key: str
    message_id: str
    sender: str
    is_authentic: bool
    line: str
    automatic: str


def parse_mail(content: bytes, envelope_sender: str | None = None) -> ParsedMail:
    """Parse a mail (RFC 5322). Raises raw.MailRefused for what no person writes.

    Arguments:
        envelope_sender: of the SMTP conversation; "" is the null sender; None where nobody knows it.
    """
    try:
        return _parse(content, envelope_sender)
    except RecursionError:
        raise raw.MailRefused("the mail is too deeply nested") from None


def _parse(content: bytes, envelope_sender: str | None) -> ParsedMail:
    mail = BytesParser(policy=compat32).parsebytes(raw.reduced(content))
    sender = _address(mail, "From")
    return ParsedMail(
        key=_key(mail, content),
        message_id=_message_id(mail),
        sender=sender,
        is_authentic=bool(sender) and _is_sent_by(mail, sender) and is_authentic(mail, sender),
        line=quoting.first_line(_words(mail)),
        automatic=auto_replies.why_automatic(mail, sender, _decoded(mail.get("Subject", "")), envelope_sender),
    )


def _key(mail: Message, content: bytes) -> str:
    message_id = str(mail.get("Message-ID", "")).strip()
    return hashlib.sha256(message_id.encode(errors="replace") if message_id else content).hexdigest()


def _message_id(mail: Message) -> str:
    found = str(mail.get("Message-ID", "")).strip()
    return found if MESSAGE_ID.fullmatch(found) else ""


def _address(mail: Message, name: str) -> str:
    """The one address of a field, lower case; "" for none, several, or a group (RFC 5322, 3.4).

    Two parsers must find the same: one knows no groups, the other takes encoded words for parts of an address.
    """
    fields = [" ".join(str(field).split()) for field in mail.get_all(name, [])]
    found = getaddresses(fields)
    if not len(fields) == len(found) == 1:
        return ""
    try:
        header: Any = HEADERS(name, fields[0])  # an AddressHeader; the stubs know only the base of all fields
        groups: tuple[Group, ...] = header.groups
        addresses = [one.addr_spec for group in groups for one in group.addresses if group.display_name is None]
    except (AttributeError, IndexError, ValueError):  # what HeaderRegistry says of some that cannot be read
        return ""
    address = found[0][1].strip()
    return address.lower() if len(groups) == 1 and addresses == [address] else ""


def _is_sent_by(mail: Message, sender: str) -> bool:
    """Whether no other is named as the one who sent it (RFC 5322, 3.6.2)."""
    return "Sender" not in mail or _address(mail, "Sender") == sender


def _decoded(value: object) -> str:
    try:
        return str(make_header(decode_header(str(value))))
    except (LookupError, ValueError):
        return str(value)


def _words(mail: Message) -> str:
    """What its writer wrote, with what his program quotes; "" if no part of the mail is his."""
    part = parts.own_part(mail)
    if part is None:
        return ""
    is_html = part.get_content_type() == "text/html"
    return html.text_of(_text(part, raw.LARGEST)) if is_html else _text(part, LARGEST_TEXT)


def _text(part: Message, most: int) -> str:
    payload = part.get_payload(decode=True)
    content = payload[:most] if isinstance(payload, bytes) else b""
    text = content.decode(_charset(part), errors="replace").replace("\0", "")
    is_flowed = str(part.get_param("format", "") or "").lower() == "flowed"
    return _unflowed(text) if is_flowed else text


def _charset(part: Message) -> str:
    """The codec of a part. latin-1 where it names none we know: it reads everything, if not always rightly."""
    try:
        name = lookup(str(part.get_content_charset("utf-8"))).name
    except (LookupError, ValueError):
        return "latin-1"
    return name if name.startswith(CHARSETS) and name != PUZZLING else "latin-1"


def _unflowed(text: str) -> str:
    """A line that ends with a space goes on in the next one (RFC 3676); not the mark over a signature, nor quotes."""
    lines: list[str] = []
    goes_on = False
    for line in text.splitlines():
        if goes_on and line and not line.startswith(">"):
            lines[-1] += line.removeprefix(" ")
        else:
            lines.append(line)
        goes_on = line.endswith(" ") and line != "-- " and not line.startswith(">")
    return "\n".join(lines)
