"""Mail, over a connection that is kept: one per thread of each process."""

import os
import select
import smtplib
import threading
import time
from email.utils import parseaddr
from functools import lru_cache
from typing import Any, NamedTuple

from anymail.exceptions import AnymailError
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.mail import get_connection
from django.core.mail.backends.smtp import EmailBackend
from django.utils.module_loading import import_string

from notifications.channels.base import ChannelError
from notifications.channels.mail import refusals
from notifications.channels.mail.letter import PictureMessage, ascii_address, letter
from notifications.inbound import addresses
from notifications.messages import MailMessage, Message
from notifications.models import Attempt, Delivery

_kept = threading.local()
ANSWERED = "auto-replied"  # what a mail that answers another says of itself
EXCERPT_LENGTH = Attempt._meta.get_field("excerpt").max_length or 0
TAKEN = 250  # RFC 5321, 4.2.3
FRESH = 5.0  # seconds after its last use in which a connection is taken to be alive


class Envelope(NamedTuple):
    """A mail for the mail server (RFC 5321): the two addresses, and the mail as bytes.

    Django's backend sends under the address in `From`; answers and mails whose reports come back to us have another.
    """

    sender: str
    to: str
    content: bytes


def pack(delivery: Delivery, message: Message | None) -> PictureMessage | Envelope:
    """Return the mail: for a mail server as bytes in its envelope, for any other backend as Django takes it.

    Raises ChannelError for a reader to whom nobody can write, a header that would be two, or settings that name no
    sender; TypeError for what is no mail.
    """
    if not isinstance(message, MailMessage):
        raise TypeError(f"{delivery.notice.kind} composed no mail")
    reader = delivery.notice.recipient.address
    try:
        to, mail = ascii_address(reader), letter(delivery, message)
        if not _is_mail_server(settings.EMAIL_BACKEND):
            return mail
        content = mail.message().as_bytes(linesep="\r\n")
    except ValueError as error:
        raise refusals.of_server(error) from error
    return Envelope(_sender(mail, reader), to, content)


def send(packed: PictureMessage | Envelope) -> str:
    """Send one mail; return what its provider calls it, "" of a plain mail server.

    Raises ChannelError, permanent if this mail will be refused tomorrow as well.
    """
    try:
        _hand_over(packed)
    except AnymailError as error:  # before the next: some of them are OSErrors as well
        raise _told(refusals.of_provider(error), error) from error
    except (OSError, ValueError) as error:
        # SMTPException is an OSError; ValueError is an address or header that cannot be written down.
        _drop_connection()
        raise _told(refusals.of_server(error), error) from error
    status = getattr(packed, "anymail_status", None)
    return str(status.message_id or "") if status is not None else ""


@lru_cache(maxsize=8)
def _is_mail_server(backend: str) -> bool:
    """Whether it talks to a mail server itself. What cannot be loaded is told of when it is to be used."""
    try:
        return issubclass(import_string(backend), EmailBackend)
    except ImportError:
        return False


def _told(refusal: ChannelError, error: Exception) -> ChannelError:
    """With what the mail server said, where that keeps all mails back: for the log, since no mail can tell anybody."""
    if refusal.is_general:
        refusal.excerpt = refusals.describe_error(error)[:EXCERPT_LENGTH]
    return refusal


def _hand_over(mail: PictureMessage | Envelope) -> None:
    backend = _connection()
    if isinstance(mail, Envelope):
        backend.connection.sendmail(mail.sender, [mail.to], mail.content)
    elif not backend.send_messages([mail]):
        raise ChannelError("the mail backend sent nothing")
    _kept.used_at = time.monotonic()


def _sender(mail: PictureMessage, reader: str) -> str:
    """Ours; "" for an answer, which must not be answered (RFC 3834, 3.3). Raises ChannelError: settings that are wrong
    must lose nobody's mail."""
    if mail.extra_headers.get("Auto-Submitted") == ANSWERED:
        return ""
    try:
        sender = addresses.sender_of(mail.extra_headers["Message-ID"], reader) or mail.from_email
        return ascii_address(parseaddr(sender)[1])
    except ValueError as error:
        raise _told(refusals.of_connecting(error), error) from error


def _connection() -> Any:
    """The connection of this thread. Raises ChannelError: without one no mail goes out, whatever is the matter."""
    key = (os.getpid(), settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_HOST_USER)
    if getattr(_kept, "key", None) != key or not _is_alive(_kept.backend):
        _drop_connection()
        try:
            _kept.backend = get_connection()
            _kept.backend.open()
        except (OSError, ValueError, ImportError, ImproperlyConfigured) as error:
            _drop_connection()
            raise _told(refusals.of_connecting(error), error) from error
        _kept.key = key
    return _kept.backend


def _is_alive(backend: Any) -> bool:
    """Ask before the connection is used again: a server that hung up meanwhile costs nobody a doubtful mail."""
    server = getattr(backend, "connection", None)
    if not isinstance(server, smtplib.SMTP):
        return server is None and not hasattr(backend, "connection")
    try:
        if server.sock is None or select.select([server.sock], [], [], 0)[0]:
            return False  # nothing was asked: what there is to read is a farewell
        if time.monotonic() - getattr(_kept, "used_at", -FRESH) < FRESH:
            return True
        return bool(server.noop()[0] == TAKEN)
    except (OSError, ValueError, smtplib.SMTPException):  # ValueError: the socket is closed already
        return False


def _drop_connection() -> None:
    """Forget the kept connection without taking leave: the other side may not be listening."""
    server = getattr(getattr(_kept, "backend", None), "connection", None)
    if isinstance(server, smtplib.SMTP):
        server.close()
    _kept.__dict__.clear()
