"""Answers that a mail provider hands over by a webhook of django-anymail. Its views check the secret; the rest is ours.

They parse the whole mail before we see it, so what is too large, or in too many pieces, is refused before them.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from anymail.inbound import AnymailInboundMessage
from anymail.signals import AnymailInboundEvent, inbound
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern
from django.views.decorators.csrf import csrf_exempt

from notifications.clock import present
from notifications.inbound import receiving
from notifications.inbound.parsing import raw

LARGEST = 2 * raw.LARGEST  # bytes of a request: the mail may be written in Base64 or twice
MOST_PIECES = 2 * raw.MOST_BOUNDARIES
PIECES = (b"\n--", b"\\n--")  # as it is, and within JSON


def bounded(view: Callable[..., Any]) -> Callable[..., Any]:
    """The view behind a door that only requests of a bounded size pass."""

    @csrf_exempt  # the provider has no cookie; its secret is checked by the view
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        length = request.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > LARGEST:
            return HttpResponse("too large", status=413, content_type="text/plain; charset=utf-8")
        if sum(request.body.count(piece) for piece in PIECES) > MOST_PIECES:
            return HttpResponse("too many parts", status=413, content_type="text/plain; charset=utf-8")
        return view(request, *args, **kwargs)

    return guarded


def bounded_urls(patterns: list[Any]) -> list[URLPattern]:
    """The addresses of django-anymail, each behind that door."""
    return [URLPattern(one.pattern, bounded(one.callback), name=one.name) for one in patterns]


def hear(sender: object, event: AnymailInboundEvent, esp_name: str, **_: object) -> None:
    """Take in the mail of a provider's webhook. What no person writes is dropped: to refuse it would bring it again."""
    mail: AnymailInboundMessage = event.message
    to = [mail.envelope_recipient] if mail.envelope_recipient else [address.addr_spec for address in mail.to]
    for address in filter(receiving.is_known, to[:1]):
        try:
            receiving.receive(
                content=mail.as_bytes(), to=address, envelope_sender=mail.envelope_sender, now=present.now()
            )
        except raw.MailRefused:
            return


def connect() -> None:
    """Listen to django-anymail, at start-up."""
    inbound.connect(hear, dispatch_uid="notifications.inbound")
