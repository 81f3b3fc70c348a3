"""A mail as it leaves: both alternatives, and the headers that make programs treat it as what it is."""

import hashlib
import re
import secrets
from email.errors import MessageError
from email.header import Header, decode_header, make_header
from email.headerregistry import Address
from email.message import Message
from email.mime.image import MIMEImage
from email.utils import formataddr, parseaddr
from functools import lru_cache
from typing import Any

import css_inline
from django.conf import settings
from django.core.mail import EmailMultiAlternatives

from notifications.inbound import addresses
from notifications.messages import MailMessage, Picture
from notifications.models import Delivery

SUBJECT_LENGTH = 200
NAME_LENGTH = 100
UNPRINTABLE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")

# Nothing is fetched while a mail is made. What a dark screen needs stays where it is, in a style that says "keep": what
# css_inline keeps by itself comes before the charset, for which programs look in the first 1024 bytes.
INLINER = css_inline.CSSInliner(load_remote_stylesheets=False)
LINE_LENGTH = 76  # of a head with encoded words (RFC 2047, 2)
LONGEST_LINE = 998  # RFC 5322, 2.1.1


class PictureMessage(EmailMultiAlternatives):
    """A mail whose attachments are the pictures that its HTML shows."""

    def message(self, **kwargs: Any) -> Any:
        """The MIME message. Pictures belong to the HTML (RFC 2387), so that no mail program lists them as files.

        No field begins with an empty line, as Python folds what is longer than a line: some mail servers refuse that.
        Raises ValueError for a header with a line break.
        """
        message: Message[Any, Any] = super().message(**kwargs)
        if self.attachments:
            message.set_type("multipart/related")
        message.policy = message.policy.clone(max_line_length=LONGEST_LINE)
        for part in message.walk():
            if part.is_multipart():  # Python would look for a line that no part has: longer than all else takes
                part.set_boundary(f"={secrets.token_hex(16)}=")
        for name, value in (("Subject", str(self.subject)), ("From", self.from_email), ("To", self.to[0])):
            if value.isascii() and "=?" not in value:
                continue
            words, address = parseaddr(value) if name != "Subject" else (value, "")
            words = str(make_header(decode_header(words)))
            if not words.isascii():
                message.replace_header(name, _encoded(name, words, address))
        return message


def _encoded(name: str, words: str, address: str = "") -> str:
    """A header as it goes over the line, folded with its name in mind."""
    value = Header(words, "utf-8", LINE_LENGTH, name)
    if address:
        value.append(f"<{address}>", "us-ascii")
    return value.encode()


def letter(delivery: Delivery, message: MailMessage) -> PictureMessage:
    """Return the mail of a delivery: one recipient, text and HTML, the delivery's own Message-ID.

    Raises ValueError if nobody can write to the recipient's address.
    """
    recipient = delivery.notice.recipient
    mail = PictureMessage(
        subject=one_line(message.subject, SUBJECT_LENGTH),
        body=message.text,
        from_email=settings.DEFAULT_FROM_EMAIL,
        to=[formataddr((one_line(recipient.name, NAME_LENGTH), ascii_address(recipient.address)))],
        headers=_headers(delivery, message),
    )
    if message.html:
        mail.attach_alternative(INLINER.inline(message.html), "text/html")
    for picture in message.pictures:
        mail.attach(_inline(picture))
    return mail


@lru_cache(maxsize=1024)  # asked three times for each mail
def ascii_address(address: str) -> str:
    """Return an address as mail servers take it without SMTPUTF8: the domain in IDNA.

    Raises ValueError for what is not one address, or has letters beyond ASCII before the @.
    """
    local, at, domain = address.rpartition("@")
    if not at or not local.isascii():
        raise ValueError("no address that a mail can be sent to")
    try:
        return Address(addr_spec=f"{local}@{domain.encode('idna').decode()}").addr_spec
    except (MessageError, IndexError) as error:  # the parser's own complaints
        raise ValueError("no address that a mail can be sent to") from error


def _inline(picture: Picture) -> MIMEImage:
    part = MIMEImage(picture.content, picture.subtype)
    part.add_header("Content-ID", f"<{picture.cid}>")
    part.add_header("Content-Disposition", "inline", filename=f"board.{picture.subtype}")
    return part


def one_line(text: str, length: int) -> str:
    """Return text fit for a header: no line breaks, control or direction signs, at most `length` characters."""
    line = _cleared(text).replace("=?", "= ?")  # else a reader would decode it (RFC 2047)
    return line if len(line) <= length else line[: length - 1] + "…"


def thread_root(thread: str) -> str:
    """Return the Message-ID all mails of a thread refer to. No mail has it: a thread needs no first one."""
    return f"<{_thread_name(thread)}@{settings.MAIL_DOMAIN}>"


def _headers(delivery: Delivery, message: MailMessage) -> dict[str, str]:
    headers = {
        "Message-ID": delivery.message_id,
        "Auto-Submitted": "auto-generated",  # RFC 3834: nobody's vacation program answers
        "X-Auto-Response-Suppress": "All",
    }
    thread = delivery.notice.thread if message.thread is None else message.thread
    if thread:
        headers["References"] = headers["In-Reply-To"] = thread_root(thread)
        headers["List-Id"] = f"<{_thread_name(thread)}.{settings.MAIL_DOMAIN}>"
    if message.list_id:
        headers["List-Id"] = message.list_id if "<" in message.list_id else f"<{message.list_id}>"
    if message.unsubscribe_url:
        headers["List-Unsubscribe"] = f"<{message.unsubscribe_url}>"
        if message.has_one_click:
            headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"  # RFC 8058
    headers.update(message.headers)
    if "Reply-To" in headers and addresses.has_one_address():
        token = addresses.token_in(headers["Reply-To"])
        headers["Reply-To"] = settings.REPLY_ADDRESS
        headers["References"] = f"<{token}@{settings.MAIL_DOMAIN}> {headers.get('References', '')}"
    return {name: _cleared(value) for name, value in headers.items()}


def _cleared(text: str) -> str:
    """Nearly all of them are clear: to look for each sign would take longer than all else that is done to a header."""
    is_clear = text.isprintable() and "  " not in text
    return (text if is_clear else UNPRINTABLE.sub(" ", text)).strip()


def _thread_name(thread: str) -> str:
    return "thread-" + hashlib.sha256(thread.encode()).hexdigest()[:24]
