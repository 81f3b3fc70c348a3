"""Reasons why a mail was refused: its reader, the mail itself, or us.

One table (`RULES`) reads what mail servers say while we hand a mail over, in the
reports by which one comes back, and to mail providers. Nothing closes an address at once that anything contradicts.
Refused for good is only what is about this reader or this mail. Our name, our password, our sender address, our
certificate store, the network: wrong settings must not lose anybody's mail, nor close anybody's address.
"""

import re
import smtplib
import socket
import ssl
from enum import Enum
from fnmatch import fnmatchcase
from typing import NamedTuple

from anymail.exceptions import AnymailError, AnymailRecipientsRefused, AnymailSerializationError
from anymail.exceptions import AnymailUnsupportedFeature as Unsupported
from django.utils.translation import gettext_noop

from notifications.channels.base import ChannelError, NoMailbox
from notifications.reasons import declare

NO_MAILBOX = declare("no_mailbox", gettext_noop("there's no such mailbox"))
NO_ROOM = declare("mailbox_unavailable", gettext_noop("the mailbox can't accept the email"))
REFUSED = declare("email_refused", gettext_noop("the email was refused"))
UNWRITABLE = declare(
    "unsendable", gettext_noop("the email or its address can't be written in a form that mail servers accept")
)
NOT_TO_US = declare("not_from_us", gettext_noop("the recipient's mail server doesn't accept our emails"))
NO_SETTINGS = declare("mail_settings", gettext_noop("our mail settings are wrong"))
NO_RELAY = declare(
    "no_relay", gettext_noop("our mail server refuses our emails: it doesn't know us or our sender address")
)
NOT_NOW = declare("mail_server_unavailable", gettext_noop("our mail server isn't accepting emails right now"))
NO_KEY = declare("mail_provider_key", gettext_noop("our mail provider doesn't accept our key"))
NOT_BY_PROVIDER = declare(
    "mail_provider_unavailable", gettext_noop("our mail provider isn't accepting emails right now")
)
BROKEN = declare("mail_server_connection", gettext_noop("the connection to our mail server failed or broke off"))
FAULTS: tuple[tuple[type[Exception], str], ...] = (  # the first that fits
    (
        smtplib.SMTPAuthenticationError,
        declare("mail_server_password", gettext_noop("our mail server doesn't accept our name and password")),
    ),
    (
        smtplib.SMTPNotSupportedError,
        declare("mail_server_features", gettext_noop("our mail server offers no TLS or no sign-in on this port")),
    ),
    (
        smtplib.SMTPSenderRefused,
        declare("mail_server_sender", gettext_noop("our mail server doesn't accept emails from our sender address")),
    ),
    (smtplib.SMTPResponseException, NOT_NOW),
    (
        smtplib.SMTPServerDisconnected,
        declare("mail_server_hung_up", gettext_noop("our mail server hung up or didn't answer in time")),
    ),
    (
        ssl.SSLCertVerificationError,
        declare(
            "mail_server_certificate",
            gettext_noop("our mail server's certificate is out of date or made out to another name"),
        ),
    ),
    (
        ssl.SSLError,
        declare("mail_server_tls", gettext_noop("our mail server speaks no TLS on this port, or a version we don't")),
    ),
    (socket.gaierror, declare("mail_server_name", gettext_noop("our mail server's name can't be found"))),
    (
        ConnectionRefusedError,
        declare("mail_server_port", gettext_noop("no mail server is listening at this address and port")),
    ),
    (TimeoutError, declare("mail_server_timeout", gettext_noop("our mail server couldn't be reached in time"))),
    (OSError, BROKEN),
    (Exception, NO_SETTINGS),
)


class Meaning(Enum):
    """The reason why a mail server refuses a mail."""

    LIMIT = "it, or the way there, takes nothing from us now: limits, networks, systems"
    SENDER = "it does not take our mails"
    MAIL = "it does not take this mail"
    MAILBOX = "the mailbox takes nothing now"
    GONE = "there is no such mailbox or host"
    UNSURE = "nobody can be sure"


class ReplyRule(NamedTuple):
    """Words in small letters and codes, "?" and "*" as in names of files, that mean the same."""

    meaning: Meaning
    words: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()  # statuses (RFC 3463), or replies (RFC 5321)


RULES = (  # the first whose words are in the text, and the first that has the code
    ReplyRule(
        Meaning.LIMIT,
        (
            "sending limit", "sending quota", "rate limit", "frequency limited", "too many", "hop count",
            "routing loop", "name server reply", "system config error", "insufficient disk space", "couldn't create",
        ),
    ),
    ReplyRule(
        Meaning.SENDER,
        (
            "blacklist", "blocklist", "block list", "blocked using", "blocked by", "blocked for", "blocked ip",
            "client host", "dnsbl", "/rbl/", "spamhaus", "spamcop", "cdrbl", "(bl)", "banned", "reputation",
            "client ip", "ip address", "network not allowed", "reverse dns", "ptr record", "not allowed to send",
            "not verified",
            "sender address", "sender rejected", "sender verify", "sender is unauthenticated", "sender domain",
            "relay access", "relaying", "to relay", "relay not", "not relay", "relay denied",
            "authentication", "unauthenticated", "spf record", "dkim", "dmarc",
            "policy", "policies", "preferences", "complaints",
        ),
        ("5.1.7", "5.1.8", "530", "534", "535", "538"),
    ),
    ReplyRule(
        Meaning.MAIL,
        (
            "spam", "virus", "unsolicited", "message content", "message filtered", "message too large", "message size",
            "message length", "message was blocked", "headers too large", "too large for", "size limit",
        ),
        ("?.2.3", "?.3.4", "?.6.*"),
    ),
    ReplyRule(
        Meaning.MAILBOX,
        (
            "mailbox full", "mailbox is full", "full mailbox", "over quota", "overquota", "over the quota",
            "quota exceeded",
            "exceeded its quota", "exceeded quota", "quota full", "out of storage", "storage allocation", "disabled",
            "suspended", "inactive", "deactivated", "frozen", "temporary locked", "account is blocked",
            "mailbox is blocked",
            "recipient address rejected: access denied",
        ),
        ("5.4.4", "5.7.13"),
    ),
    ReplyRule(
        Meaning.GONE,
        (
            "user unknown", "unknown user", "unknown recipient", "recipient unknown", "unknown local",
            "unknown address",
            "no such user", "no such recipient", "no such mailbox", "no such address", "no such account",
            "no such person",
            "no mailbox", "user not found", "recipient not found", "recipnotfound", "mailbox not found",
            "account not found",
            "user not exist", "not a valid mailbox", "invalid recipient", "invalid mailbox", "user doesn't have a",
            "that you tried to reach does not exist", "user does not exist", "mailbox does not exist",
            "account does not exist",
            "recipient address does not exist", "recipient does not exist", "recipient no longer", "not our customer",
            "host unknown", "unknown host", "host not found", "no such host", "domain name not found", "no such domain",
            "invalid domain", "domain is not reachable", "host does not accept mail", "null mx",
        ),
        ("5.1.[1236]", "5.1.10"),
    ),
    ReplyRule(Meaning.SENDER, codes=("?.7.*",)),
    ReplyRule(
        Meaning.LIMIT,
        (
            "timed out", "message expired", "connection refused", "not accepting connections", "try again later",
            "temporary failure", "service currently unavailable", "service not available", "service refused",
            "mail at a rate",
        ),
        ("?.3.*", "?.4.*", "421", "50[0234]"),
    ),
    ReplyRule(Meaning.MAILBOX, codes=("?.1.*", "?.2.*")),
)  # fmt: skip
SAID_STATUS = re.compile(r"(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.])")
REPLY = re.compile(r"(?:^|[;<>'] *)([245]\d\d)(?![\d.])")
REFUSAL = re.compile(r"(?<![\d.])5\d\d[ -]|\b5\.\d{1,3}\.\d{1,3}\b")
LATE = ("delayed", "will continue to", "will be retried", "will keep trying", "warning", "not yet been", "still trying")
LONGEST_SAID = 4000  # characters that are read; mail servers say less
HANGS_UP = 421  # on everybody (RFC 5321, 4.2.2)
TOO_MUCH = 552  # of a mail that has not been sent yet: its size (RFC 1870, 6.1)
ADDRESS = re.compile(r"\S+@\S+")


def of_connecting(error: Exception) -> ChannelError:
    """No mail was on its way yet: whatever it is, it is about us."""
    code = str(error.smtp_code) if isinstance(error, smtplib.SMTPResponseException) else ""
    return ChannelError(_words(error), code=code, is_general=True)


def of_server(error: OSError | ValueError) -> ChannelError:
    """A mail server did not take a mail, or it could not be put into lines."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return _of_recipient(*next(iter(error.recipients.values())))
    if isinstance(error, smtplib.SMTPSenderRefused) and error.smtp_code == TOO_MUCH:
        return _of_mail(error.smtp_code, _bytes(error.smtp_error))
    if isinstance(error, smtplib.SMTPDataError):
        return _of_mail(error.smtp_code, _bytes(error.smtp_error))
    if isinstance(error, smtplib.SMTPNotSupportedError) or not isinstance(error, OSError):
        return ChannelError(UNWRITABLE, permanent=True)
    return of_connecting(error)


def of_provider(error: AnymailError) -> ChannelError:
    """The same for a provider's API. What it says of us, our key or our quota must not lose anybody's mail."""
    if isinstance(error, AnymailRecipientsRefused):
        return ChannelError(NO_MAILBOX, permanent=True, is_address=True)
    if isinstance(error, AnymailSerializationError | Unsupported):
        return ChannelError(UNWRITABLE, permanent=True)
    code = str(getattr(error, "status_code", None) or "")
    return ChannelError(NO_KEY if code in ("401", "403") else NOT_BY_PROVIDER, code=code, is_general=True)


def of_report(status: str, said: str, words: str = "") -> ChannelError:
    """The same of a mail that another server reports as failed.

    Arguments:
        status: of the report (RFC 3464), "" where there is none.
        said: by the other mail server; "" where it is not told.
        words: what people are told; read where nothing else is said, and never enough to close an address at once.
    """
    meaning = classify(status, said or words)
    if meaning == Meaning.GONE and not said and classify(status, "") != Meaning.GONE:
        meaning = Meaning.UNSURE
    if meaning == Meaning.GONE:
        return NoMailbox(NO_MAILBOX, code=status)
    is_address = meaning in (Meaning.MAILBOX, Meaning.UNSURE)
    return ChannelError(NO_ROOM if is_address else NOT_TO_US, code=status, permanent=True, is_address=is_address)


def says_failure(words: str) -> bool:
    """Whether what a mail server writes for people says that a mail failed, and not that it is late."""
    text = _plain(words)
    is_refused = bool(REFUSAL.search(text)) or any(word in text for rule in RULES for word in rule.words)
    return is_refused and not any(late in text for late in LATE)


def classify(status: str, said: str) -> Meaning:
    """Returns the reason of a refusal; `status` is that of a report (RFC 3464), "" if only the words have one."""
    text = _plain(said)
    statuses = [*SAID_STATUS.findall(text), *([status] if status else [])]
    codes = [*statuses, *REPLY.findall(text)[:1]]
    by_codes = [meaning for code in codes if (meaning := _of_code(code))]
    by_words = next((rule.meaning for rule in RULES if any(word in text for word in rule.words)), None)
    if by_words not in (None, Meaning.GONE):
        return by_words
    if by_words or by_codes[:1] == [Meaning.GONE]:
        # Some servers say "unknown user" to whoever they do not like: it takes a code, and nothing that contradicts it.
        is_sure = {*by_codes} == {Meaning.GONE} and not any(code.startswith("4") for code in codes)
        return Meaning.GONE if is_sure else Meaning.UNSURE
    return by_codes[0] if by_codes else Meaning.UNSURE


def _plain(said: str) -> str:
    """In small letters on one line, without addresses: a name there says nothing."""
    text = ADDRESS.sub("", said[:LONGEST_SAID]).lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return " ".join(text.split())


def _of_code(code: str) -> Meaning | None:
    return next((rule.meaning for rule in RULES if any(fnmatchcase(code, pattern) for pattern in rule.codes)), None)


def describe_error(error: BaseException) -> str:
    """Returns the mail server's words for the log, without addresses."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, text = next(iter(error.recipients.values()))
    elif isinstance(error, smtplib.SMTPResponseException):
        code, text = error.smtp_code, _bytes(error.smtp_error)
    else:
        return type(error).__name__ if isinstance(error, AnymailError) else repr(error)
    return f"{code} {ADDRESS.sub('...', text.decode(errors='replace'))}"


def _of_recipient(code: int, text: bytes) -> ChannelError:
    """Mail servers that do not know us say so of each recipient: "relay access denied" closes nobody's address."""
    meaning = _meaning(code, text)
    if not _is_final(code):
        is_all = Meaning.LIMIT in map(_of_code, [str(code), *SAID_STATUS.findall(text.decode(errors="replace"))])
        return ChannelError(NOT_NOW if is_all else NO_ROOM, code=str(code), is_general=is_all)
    if meaning in (Meaning.SENDER, Meaning.LIMIT):
        return ChannelError(NO_RELAY, code=str(code), is_general=True)
    if meaning == Meaning.GONE:
        return NoMailbox(NO_MAILBOX, code=str(code))
    is_address = meaning != Meaning.MAIL
    return ChannelError(NO_MAILBOX if is_address else REFUSED, code=str(code), permanent=True, is_address=is_address)


def _of_mail(code: int, text: bytes) -> ChannelError:
    """Said when it had the whole mail, which may still be about the address: only then some look it up."""
    meaning = _meaning(code, text)
    if code == HANGS_UP or (_is_final(code) and meaning == Meaning.LIMIT):
        return ChannelError(NOT_NOW, code=str(code), is_general=True)
    if _is_final(code) and meaning == Meaning.GONE:
        return NoMailbox(NO_MAILBOX, code=str(code))
    is_address = _is_final(code) and meaning == Meaning.MAILBOX
    words = NO_ROOM if is_address else REFUSED
    return ChannelError(words, permanent=_is_final(code), code=str(code), is_address=is_address)


def _meaning(code: int, text: bytes) -> Meaning:
    return classify("", f"{code} {text.decode(errors='replace')}")


def _is_final(code: int) -> bool:
    return 500 <= code <= 599


def _words(error: Exception) -> str:
    return next(words for kind, words in FAULTS if isinstance(error, kind))


def _bytes(text: object) -> bytes:
    return text if isinstance(text, bytes) else str(text).encode(errors="replace")
