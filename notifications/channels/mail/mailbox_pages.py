"""The mailbox pages: what would have been sent, while the service is tried out on one machine."""

import re

from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from notifications.models import StoredMail

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
