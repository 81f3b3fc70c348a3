"""Parses an email: who wrote it, whether that is proved, and its first own line."""

import contextlib
import hashlib
import re
from codecs import getincrementaldecoder, lookup
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
SURE = ("utf-16", "utf-32", "hz", "iso2022")  # their texts are valid UTF-8 as well, or none at all
# A name that cannot be taken for an address, a group or a comment, even where no quotes stand around it.
NAMED = re.compile(r"([^<>()@:;\\]*|[^<>():;,\\]*@[^<>():;,\\]*)<([^<>\s]+)>")
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
        is_below: it stands below quoted text, so a mail program may have lost the mark of a quoted line.
        automatic: why no person wrote it, or "".
        may_be_his: people's mails can look so, too.
    """

    key: str
    message_id: str
    sender: str
    is_authentic: bool
    line: str
    is_below: bool
    automatic: str
    may_be_his: bool


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
    line = _line(mail)
    subject = _decoded(mail.get("Subject", ""))
    automatic, may_be_his = auto_replies.why_automatic(mail, sender, subject, envelope_sender)
    return ParsedMail(
        key=_key(mail, content),
        message_id=_message_id(mail),
        sender=sender,
        is_authentic=bool(sender) and _is_sent_by(mail, sender) and is_authentic(mail, sender),
        line=line.text,
        is_below=line.is_below,
        automatic=automatic,
        may_be_his=may_be_his,
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
    if len(fields) == 1 and (named := NAMED.fullmatch(fields[0])) and named.group(1).count('"') % 2 == 0:
        shown, address = named.group(1).strip(" '\""), named.group(2)
        # Programs write "anna@x <anna@x>" and "Anna [ACME] <anna@x>", which no parser has to read.
        fields = [address] if "@" not in shown or shown.lower() == address.lower() else fields
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
    is_whole = all(address.rpartition("@")[::2])
    return address.lower() if is_whole and len(groups) == 1 and addresses == [address] else ""


def _is_sent_by(mail: Message, sender: str) -> bool:
    """Whether no other is named as the one who sent it (RFC 5322, 3.6.2)."""
    return "Sender" not in mail or _address(mail, "Sender") == sender


def _decoded(value: object) -> str:
    try:
        return str(make_header(decode_header(str(value))))
    except (LookupError, ValueError):
        return str(value)


def _line(mail: Message) -> quoting.OwnLine:
    """The first line that its writer wrote; none if no part of the mail is his."""
    part = parts.own_part(mail)
    if part is None:
        return quoting.OwnLine("")
    if part.get_content_type() == "text/html":
        return quoting.own_line(html.text_of(_text(part)), is_wrapped=False)
    return quoting.own_line(_text(part))


def _text(part: Message) -> str:
    encoding = str(part.get("Content-Transfer-Encoding", "")).partition("(")[0].strip()
    if encoding:  # Python knows its name only where nothing stands beside it
        part.replace_header("Content-Transfer-Encoding", encoding)
    payload = part.get_payload(decode=True)
    text = _decoded_text(payload if isinstance(payload, bytes) else b"", part).replace("\0", "")
    is_flowed = str(part.get_param("format", "") or "").lower() == "flowed"
    is_joined = str(part.get_param("delsp", "") or "").lower() == "yes"
    return _unflowed(text, is_joined=is_joined) if is_flowed else text


def _decoded_text(content: bytes, part: Message) -> str:
    """The text as its charset says, and as UTF-8 where that is plainly meant: other texts are hardly ever valid UTF-8.

    Most charsets read everything, rightly or not; so there UTF-8 is tried first.
    """
    charset = _charset(part)
    tries = [charset, "utf-8"] if charset.startswith(SURE) else ["utf-8", charset]
    for name in dict.fromkeys(tries):
        with contextlib.suppress(UnicodeError):
            return getincrementaldecoder(name)().decode(content)  # what is cut in the middle of a letter is no error
    return content.decode("cp1252" if charset in ("utf-8", "ascii") else charset, errors="replace")


def _charset(part: Message) -> str:
    """The codec of a part; UTF-8 where it names none we know."""
    try:
        name = lookup(str(part.get_content_charset("utf-8"))).name
    except (LookupError, ValueError):
        return "utf-8"
    return name if name.startswith(CHARSETS) and name != PUZZLING else "utf-8"


def _unflowed(text: str, *, is_joined: bool) -> str:
    """A line that ends with a space goes on in the next one (RFC 3676); not the mark over a signature, nor quotes.

    Arguments:
        is_joined: that space only says so (DelSp), and is not part of the text.
    """
    lines: list[str] = []
    goes_on = False
    for line in text.splitlines():
        if goes_on and line and not line.startswith(">"):
            lines[-1] += line.removeprefix(" ")
        else:
            lines.append(line)
        goes_on = line.endswith(" ") and line != "-- " and not line.startswith(">")
        if goes_on and is_joined:
            lines[-1] = lines[-1][:-1]
    return "\n".join(lines)
