"""Parses an email: who wrote it, whether that is proved, whether a program did, and its first own line."""

import contextlib
import hashlib
import logging
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

import authres
from django.conf import settings

from notifications.inbound import quoting, raw
from notifications.inbound.addresses import is_ours

# Which part of a mail its writer wrote: one text or none (RFC 2046). Attached files and messages are not his words.

CLOSED = ("multipart/digest", "multipart/report")  # other people's mails, and what mail servers write


def own_part(mail: Message) -> Message | None:
    """The text that the writer wrote himself, plain or HTML, or None. It may be empty: nothing else is his then.

    In each multipart one child is followed, so a second text (a file shown inline, the footer of a list) is never read.
    """
    if raw.is_file(mail) or mail.get_content_type() in CLOSED:
        return None
    if mail.get_content_type() in raw.WORDS:
        return mail
    payload = mail.get_payload()
    if mail.get_content_maintype() != "multipart" or not isinstance(payload, list):
        return None
    children = [part for part in payload if isinstance(part, Message)]
    if mail.get_content_type() == "multipart/alternative":
        return _of_alternatives(children)
    child = _root(mail, children) if mail.get_content_type() in ("multipart/related", "multipart/signed") else None
    if child is None:  # not by its truth: a part without a head is false for Python
        child = next((part for part in children if not raw.is_file(part) and not _is_picture(part)), None)
    return own_part(child) if child is not None else None


def _of_alternatives(children: list[Message]) -> Message | None:
    """The plain text among several ways to write the same, without one the first that is a text at all."""
    parts = [part for child in children if (part := own_part(child)) is not None]
    plain = (part for part in parts if part in children and part.get_content_type() == "text/plain")
    return next(plain, parts[0] if parts else None)


def _root(mail: Message, children: list[Message]) -> Message | None:
    """The part of a multipart/related that the others belong to (RFC 2387): that named by `start`, else the first."""
    start = str(mail.get_param("start", "") or "").strip()
    named = (part for part in children if start and str(part.get("Content-ID", "")).strip() == start)
    return next(named, children[0] if children else None)


def _is_picture(part: Message) -> bool:
    """Whether a part is shown or heard, and holds no words: programs put photos before the words as well."""
    return part.get_content_maintype() in ("image", "audio", "video")


# Whether a mail is from whom it says: by the results our own mail server wrote on it (RFC 8601), and by nothing else.

log = logging.getLogger(__name__)
UNPRINTABLE = re.compile(r"[^a-z0-9._-]")
MOST_NAMES, LONGEST_NAME = 5, 60  # of other servers' in the log: anybody can write such a header


def can_prove() -> bool:
    """Whether a mail server of ours says who wrote a mail. Without one every reply must be confirmed."""
    return bool(settings.MAIL_AUTHSERV_ID)


def is_authentic(mail: Message, sender: str) -> bool:
    """Whether our server found that the domain of `sender` (the From address) stands behind this mail."""
    wanted = settings.MAIL_AUTHSERV_ID.lower()
    results = _ours(mail, wanted) if wanted else None
    domain = sender.rpartition("@")[2].lower()
    return bool(domain) and results is not None and _passed(results, domain)


def _ours(mail: Message, wanted: str) -> list[authres.AuthenticationResult] | None:
    """The results of the topmost header of ours, or None. One that cannot be read is not skipped: it proves nothing."""
    found_of = []
    for value in mail.get_all("Authentication-Results", []):
        text = " ".join(str(value).split())
        found_of.append(text.split(";", 1)[0].split(" ", 1)[0].lower())
        if found_of[-1] != wanted:
            continue
        try:
            header = authres.AuthenticationResultsHeader.parse(f"Authentication-Results: {text}")
        except (authres.AuthResError, RecursionError, ValueError):
            return None
        return list(header.results)
    # Nearly always the setting is wrong. Then every answer is held, and who runs the service hears of it here alone.
    others = ", ".join(UNPRINTABLE.sub("?", name)[:LONGEST_NAME] for name in found_of[:MOST_NAMES])
    log.warning(
        "An answer has no Authentication-Results of %s (MAIL_AUTHSERV_ID), but of: %s", wanted, others or "nobody"
    )
    return None


def _passed(results: list[authres.AuthenticationResult], domain: str) -> bool:
    """DMARC's verdict where there is one (RFC 7489); else a signature, or a sending server, of the domain itself.

    A verdict counts for the domain that it names: one that names none may be about any other From field.
    """
    verdicts = [result for result in results if result.method == "dmarc"]
    if verdicts:
        return all(verdict.result == "pass" and _property(verdict, "header", "from") == domain for verdict in verdicts)
    signed = any(_is_aligned(result, "dkim", ("header", "d"), domain) for result in results)
    return signed or any(_is_aligned(result, "spf", ("smtp", "mailfrom"), domain) for result in results)


def _is_aligned(result: authres.AuthenticationResult, method: str, name: tuple[str, str], domain: str) -> bool:
    """Strictly (RFC 7489, 3.1): the same domain, for to know which domains belong together takes a list of them all."""
    return result.method == method and result.result == "pass" and _property(result, *name).rpartition("@")[2] == domain


def _property(result: authres.AuthenticationResult, kind: str, name: str) -> str:
    values = [str(item.value).lower() for item in result.properties if (item.type, item.name) == (kind, name)]
    return values[0] if len(values) == 1 else ""


# Recognises emails that no person wrote: they are never answered (RFC 3834) and never act.

NO_PERSON = re.compile(
    r"^(mailer-daemon|postmaster|no-?reply|do-?not-?reply|donotreply|bounces?|root|daemon|nobody)([+.-].*)?@"
)
BULK, ANSWERS = ("bulk", "junk", "list"), ("auto_reply", "auto-reply")
SIGNS = ("X-Autoreply", "X-Autorespond", "X-Auto-Reply", "X-Autogenerated", "X-Failed-Recipients", "X-Loop")
# Where a program forgets the header it should write, its subject gives it away. At the beginning only: people write
# "Re: ..." there. Not X-Auto-Response-Suppress: people's mail programs send it too.
SUBJECTS = re.compile(
    r"""^\W*(
        auto(matic|mated)?[\ -]?(reply|response)|auto:
        |out[\ -]of[\ -](the[\ -])?office|away\ from|on\ (vacation|holiday)
        |vacation|undeliver|mail\ delivery|delivery\ (status|has\ failed|failure)|returned\ mail|failure\ notice
        |automatische\ antwort|abwesen|außer\ haus|unzustellbar
        |réponse\ automatique|absence\ du\ bureau|absen[ct]
        |respuesta\ autom|fuera\ de\ la\ oficina|ausen|no\ se\ puede\ entregar
        |risposta\ automatica|fuori\ (sede|ufficio)|assen
        |resposta\ autom|fora\ do\ escritório|automatisch\ antwoord|afwezig|autosvar|automatiskt?\ svar|ikke\ til\ stede
        |frånvaro|fravær|automaattinen|poissa|automatyczna|odpowiedź\ automatyczna|poza\ biurem
        |automatick|automatikus|automatski
        |samodejni|răspuns\ automat|otomatik|αυτόματη|автоматическ|автоответ|автоматичн
        |自動(応答|返信|回覆)|自动(回复|答复)|不在(通知|中)|자동\ ?(응답|회신)|부재\ ?중
        |رد\ تلقائي|תשובה\ אוטומטית|tự\ động|ตอบกลับอัตโนมัติ
    )""",
    re.IGNORECASE | re.VERBOSE,
)


def why_automatic(mail: Message, sender: str, subject: str, envelope_sender: str | None) -> tuple[str, bool]:
    """Why a mail was written by a program, for our log, or ""; and whether people's mails can look so, too.

    Arguments:
        envelope_sender: of the SMTP conversation, "" for the null sender of bounces; None where nobody knows it.
    """
    precedence = str(mail.get("Precedence", "")).strip().lower()
    kind = mail.get_content_type()
    certain = {
        "null sender": envelope_sender == "" or str(mail.get("Return-Path", "x")).strip() == "<>",
        "Auto-Submitted": str(mail.get("Auto-Submitted", "no")).split(";")[0].strip().lower() != "no",
        "report": kind in ("multipart/report", raw.AS_TEXT.decode(), "text/calendar"),
        "a program's header": any(name in mail for name in SIGNS) or precedence in ANSWERS,
        "sender": bool(NO_PERSON.match(sender)) or is_ours(sender),
        "subject": bool(SUBJECTS.match(subject)),
    }
    # People's mails have these as well: their provider or their company's mail server adds them.
    possible = {
        "Precedence": precedence in BULK,
        "mailing list": any(name.lower().startswith("list-") for name in mail.keys()),  # noqa: SIM118  # no dictionary
    }
    reason = next((name for name, is_so in (certain | possible).items() if is_so), "")
    return reason, reason in possible


# Parses an email: who wrote it, whether that is proved, and its first own line.

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
    """The facts of a mail.

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
    automatic, may_be_his = why_automatic(mail, sender, subject, envelope_sender)
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
    message_id = str(mail.get("Message-ID", "")).strip()
    return message_id if MESSAGE_ID.fullmatch(message_id) else ""


def _address(mail: Message, name: str) -> str:
    """The one address of a field, lower case; "" for none, several, or a group (RFC 5322, 3.4).

    Two parsers must find the same: one knows no groups, the other takes encoded words for parts of an address.
    """
    fields = [" ".join(str(field).split()) for field in mail.get_all(name, [])]
    if len(fields) == 1 and (named := NAMED.fullmatch(fields[0])) and named.group(1).count('"') % 2 == 0:
        shown, address = named.group(1).strip(" '\""), named.group(2)
        # Programs write "anna@x <anna@x>" and "Anna [ACME] <anna@x>", which no parser has to read.
        fields = [address] if "@" not in shown or shown.lower() == address.lower() else fields
    senders = getaddresses(fields)
    if not len(fields) == len(senders) == 1:
        return ""
    try:
        header: Any = HEADERS(name, fields[0])  # an AddressHeader; the stubs know only the base of all fields
        groups: tuple[Group, ...] = header.groups
        addresses = [mailbox.addr_spec for group in groups for mailbox in group.addresses if group.display_name is None]
    except (AttributeError, IndexError, ValueError):  # what HeaderRegistry says of some that cannot be read
        return ""
    address = senders[0][1].strip()
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
    part = own_part(mail)
    if part is None:
        return quoting.OwnLine("")
    if part.get_content_type() == "text/html":
        return quoting.own_line(quoting.text_of(_text(part)), is_wrapped=False)
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
