"""Answers that a mail provider hands over by a webhook of django-anymail. Its views check the secret; the rest is ours.

They parse the whole mail before we see it. So files in a form are skipped unread before them, one large request is read
at a time, and what is too large or in too many pieces is refused: the provider is told, and so is our log.
"""

import io
import logging
from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Any

from anymail.inbound import AnymailInboundMessage
from anymail.signals import AnymailInboundEvent, inbound
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern
from django.views.decorators.csrf import csrf_exempt

from notifications.clock import present
from notifications.inbound import raw, receiving

log = logging.getLogger(__name__)
LARGEST = raw.LARGEST * 4 // 3 + 2 * 1024 * 1024  # bytes of a request: the mail may be written in Base64
PIECE = 64 * 1024
MOST_PIECES = 2 * raw.MOST_PARTS
PIECES = (b"\n--", b"\\n--")  # of a mail as it is, and within JSON
_one_at_a_time = Lock()


def bounded(view: Callable[..., Any]) -> Callable[..., Any]:
    """The view behind a door that only requests of a bounded size pass."""

    @csrf_exempt  # the provider has no cookie; its secret is checked by the view
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        length = request.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > LARGEST:
            return _refused(f"{length or 'an unknown number of'} bytes", 413 if length else 411)
        if int(length) <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            return _passed(view, request, *args, **kwargs)
        with _one_at_a_time:
            return _passed(view, request, *args, **kwargs)

    return guarded


def _passed(view: Callable[..., Any], request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
    try:
        content = _content(request)
    except raw.MailRefused as error:
        return _refused(str(error), 413)
    return view(_with_body(request, content), *args, **kwargs)


def _with_body(request: HttpRequest, content: bytes) -> HttpRequest:
    """The request with a body that has been read, within bounds of its own; Django's are for what people send."""
    bounded_elsewhere: Any = type("ReadRequest", (type(request),), {"body": content})
    head = {"CONTENT_LENGTH": str(len(content)), "wsgi.input": io.BytesIO(content)}
    read: HttpRequest = bounded_elsewhere({**request.META, **head})
    return read


def _refused(reason: str, status: int) -> HttpResponse:
    log.warning("A mail provider's request was refused: %s", reason)
    return HttpResponse(f"not taken: {reason}", status=status, content_type="text/plain; charset=utf-8")


def _content(request: HttpRequest) -> bytes:
    """The body of a request, a form without its files. Raises raw.MailRefused."""
    if request.content_type != "multipart/form-data":
        content = request.read(LARGEST)
        if sum(content.count(piece) for piece in PIECES) > MOST_PIECES:
            raise raw.MailRefused("the mail has too many parts")
        return content
    form = raw.Reducer(is_form=True)
    head = f"Content-Type: {request.headers['Content-Type']}\n\n".encode()
    for line in io.BytesIO(head):
        form.feed(line)
    while piece := request.readline(PIECE):
        form.feed(piece)
    return form.close().removeprefix(head).replace(b"\n", b"\r\n")


def bounded_urls(patterns: list[Any]) -> list[URLPattern]:
    """The addresses of django-anymail, each behind that door."""
    return [URLPattern(pattern.pattern, bounded(pattern.callback), name=pattern.name) for pattern in patterns]


def hear(sender: object, event: AnymailInboundEvent, esp_name: str, **_: object) -> None:
    """Take in the mail of a provider's webhook. One that is refused is logged: its provider would bring it again."""
    mail: AnymailInboundMessage = event.message
    to = [mail.envelope_recipient] if mail.envelope_recipient else [address.addr_spec for address in mail.to]
    for address in filter(receiving.is_known, to[:1]):
        try:
            content = _without_files(mail)
            receiving.receive(content=content, to=address, envelope_sender=mail.envelope_sender, now=present.now())
        except raw.MailRefused as error:
            log.warning("A mail that %s handed over was refused: %s", esp_name, error)


def _without_files(mail: AnymailInboundMessage) -> bytes:
    for part in mail.walk():
        if part.get_content_maintype() not in ("multipart", "message", "text"):
            part.set_payload("")
    content: bytes = mail.as_bytes(policy=mail.policy.clone(refold_source="none"))
    return content


def connect() -> None:
    """Listen to django-anymail, at start-up."""
    inbound.connect(hear, dispatch_uid="notifications.inbound")
