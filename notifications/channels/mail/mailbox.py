"""The development mailbox: a mail backend that keeps mails where /mailbox/ shows them, and sends nothing."""

from collections.abc import Sequence
from email.mime.image import MIMEImage

from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.core.mail.backends.base import BaseEmailBackend

from notifications.models import StoredMail


class MailboxBackend(BaseEmailBackend):
    """Stores each mail, once for each of its recipients."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Store the mails; returns how many there were."""
        StoredMail.objects.bulk_create([_stored(mail, to) for mail in email_messages for to in mail.recipients()])
        return len(email_messages)


def _stored(mail: EmailMessage, to: str) -> StoredMail:
    return StoredMail(
        to=to[:320],
        subject=str(mail.subject)[:500],
        text=str(mail.body),
        html=_html(mail),
        headers={name: str(value) for name, value in mail.message().items()},
    )


def _html(mail: EmailMessage) -> str:
    if isinstance(mail, EmailMultiAlternatives):
        for content, kind in mail.alternatives:
            if kind == "text/html":
                return _with_pictures(str(content), mail)
    return ""


def _with_pictures(html: str, mail: EmailMessage) -> str:
    """The HTML with the mail's own pictures written into it, for a page that has no parts to refer to."""
    for part in mail.attachments:
        if isinstance(part, MIMEImage):
            encoded = str(part.get_payload()).replace("\n", "")
            html = html.replace(f"cid:{part['Content-ID'].strip('<>')}", f"data:image/png;base64,{encoded}")
    return html
