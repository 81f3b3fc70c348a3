"""The development mailbox: a backend that sends nothing, and the pages that show what would have been sent."""

import re
from collections.abc import Sequence
from email.mime.image import MIMEImage

from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.core.mail.backends.base import BaseEmailBackend
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

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
            html = html.replace(
                f"cid:{part['Content-ID'].strip('<>')}", f"data:{part.get_content_type()};base64,{encoded}"
            )
    return html


# The mailbox pages: what would have been sent, while the service is tried out on one machine.

PER_PAGE = 50
HEAD = re.compile(r"<head(\s[^>]*)?>", re.IGNORECASE)
LINKS_OPEN_OUTSIDE = '<base target="_top">'


@require_safe
def mailbox(request: HttpRequest) -> HttpResponse:
    """List the stored mails, newest first; `q` is part of an address. Raises Http404 unless the mailbox is on."""
    _require_mailbox()
    wanted = request.GET.get("q", "").strip()
    mails = StoredMail.objects.defer("text", "html", "headers").order_by("-sent_at", "-id")
    if wanted:
        mails = mails.filter(to__icontains=wanted)
    page = Paginator(mails, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "notifications/mailbox.html", {"page": page, "q": wanted})


@require_safe
def mailbox_mail(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one mail; `show` is "text", "html" or "headers". Raises Http404 unless the mailbox is on and has it."""
    _require_mailbox()
    mail = get_object_or_404(StoredMail, pk=pk)
    tabs = ["html", "text", "headers"] if mail.html else ["text", "headers"]
    shown = request.GET.get("show", "")
    context = {"mail": mail, "tabs": tabs, "shown": shown if shown in tabs else tabs[0], "frame": framed(mail.html)}
    response = render(request, "notifications/mailbox_mail.html", context)
    response.shows_mail = True  # type: ignore[attr-defined]  # read by the content security policy
    return response


def framed(html: str) -> str:
    """Return a mail's HTML for a sandboxed frame: its links leave the frame, as they leave a mail program."""
    head = HEAD.search(html)
    if head is None:
        return LINKS_OPEN_OUTSIDE + html
    return html[: head.end()] + LINKS_OPEN_OUTSIDE + html[head.end() :]


def _require_mailbox() -> None:
    if not settings.MAILBOX_ENABLED:
        raise Http404
