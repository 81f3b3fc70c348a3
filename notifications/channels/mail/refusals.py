"""What it means that a mail was not taken: because of its reader, because of itself, or because of us.

Refused for good is only what is about this reader or this mail. Our name, our password, our sender address, our
certificate store, the network: wrong settings must not lose anybody's mail, nor close anybody's address.
"""

import re
import smtplib
import socket
import ssl

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
STATUS = re.compile(rb"[245]\.\d{1,3}\.\d{1,3}")  # RFC 3463
OF_READER = re.compile(rb"[245]\.(?:1\.(?:[0-69]|10)|2\.\d+)")  # the address and the mailbox, without the sender's
GONE = re.compile(rb"5\.1\.(?:[1236]|10)")  # no such mailbox or host
OF_THE_WAY = re.compile(rb"[245]\.[34]\.\d+")  # systems and networks, limits on how much one may send among them
HANGS_UP = 421  # on everybody (RFC 5321, 4.2.2)
TOO_MUCH = 552  # of a mail that has not been sent yet: its size (RFC 1870, 6.1)
TOO_LARGE = b"5.3.4"
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


def of_report(status: str) -> ChannelError:
    """The same of a mail that another server reports as failed, by its status alone; "" says nothing of why."""
    text = status.encode()
    if GONE.match(text):
        return NoMailbox(NO_MAILBOX, code=status)
    is_address = not status or bool(OF_READER.match(text))
    return ChannelError(NO_ROOM if is_address else NOT_TO_US, code=status, permanent=True, is_address=is_address)


def describe_error(error: BaseException) -> str:
    """What the log may say of it: a mail server's words, which help most, without addresses."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, text = next(iter(error.recipients.values()))
    elif isinstance(error, smtplib.SMTPResponseException):
        code, text = error.smtp_code, _bytes(error.smtp_error)
    else:
        return type(error).__name__ if isinstance(error, AnymailError) else repr(error)
    return f"{code} {ADDRESS.sub('...', text.decode(errors='replace'))}"


def _of_recipient(code: int, text: bytes) -> ChannelError:
    """Mail servers that do not know us say so of each recipient: "relay access denied" closes nobody's address."""
    status = STATUS.match(text)
    is_reader = bool(OF_READER.match(text)) if status else code != 530 and b"relay" not in text.lower()
    is_final = _is_final(code)
    if is_final and not is_reader:
        return ChannelError(NO_RELAY, code=str(code), is_general=True)
    if is_final and GONE.match(text):
        return NoMailbox(NO_MAILBOX, code=str(code))
    is_all = code == HANGS_UP or (not is_final and bool(OF_THE_WAY.match(text)))
    words = NO_MAILBOX if is_final else NOT_NOW if is_all else NO_ROOM
    return ChannelError(words, code=str(code), permanent=is_final, is_address=is_final, is_general=is_all)


def _of_mail(code: int, text: bytes) -> ChannelError:
    is_ours = bool(OF_THE_WAY.match(text)) and not text.startswith(TOO_LARGE)
    is_general = code == HANGS_UP or (_is_final(code) and is_ours)
    words = NOT_NOW if is_general else REFUSED
    return ChannelError(words, permanent=_is_final(code) and not is_ours, code=str(code), is_general=is_general)


def _is_final(code: int) -> bool:
    return 500 <= code <= 599


def _words(error: Exception) -> str:
    return next(words for kind, words in FAULTS if isinstance(error, kind))


def _bytes(text: object) -> bytes:
    return text if isinstance(text, bytes) else str(text).encode(errors="replace")
