"""What answers tell the browser: load our own files and nothing else, keep nothing, use none of your devices."""

from collections.abc import Callable
from functools import cache
from http import HTTPStatus
from typing import Any

from django.contrib.auth.signals import user_logged_out
from django.http import HttpRequest, HttpResponse

POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "connect-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
# A mail is shown as its reader would see it: it carries its style in attributes and its picture within itself, and a
# frame filled from `srcdoc` inherits the policy of its page.
OF_MAILS = {"style-src": "'self' 'unsafe-inline'", "img-src": "'self' data:"}
OF_ICONS = {"img-src": "'self' data:"}  # the browsable description of the API draws its icons from within its styles
DEVICES = ("camera", "display-capture", "geolocation", "microphone", "payment", "publickey-credentials-get", "usb")
HEADERS = {
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",  # what may be kept, our static files, says so itself
}
OF_PLACES = {"Cross-Origin-Opener-Policy": "same-origin"}  # also of those that lead on to another
OF_DOCUMENTS = {
    "Permissions-Policy": ", ".join(f"{device}=()" for device in DEVICES),
    "X-Frame-Options": "DENY",  # what `frame-ancestors` says, for old browsers
}
DATA = ("application/json", "application/problem+json")
OF_DATA = "default-src 'none'; frame-ancestors 'none'"


class SecurityHeaders:
    """Sends them with every answer, wherever it came from, beside those of Django's own middleware.

    What documents may do is left unsaid where nothing is shown: in what leads on or is empty. Of data for programs it
    is said in a word, and nothing of other windows. Whoever waits on a phone waits for each of these, and they took
    some hundredths of an answer's time.

    A page that shows a mail sets `shows_mail = True` on its response, one with icons in its styles `has_icons = True`.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        for name, value in _of_kind(response).items():
            response.headers.setdefault(name, value)
        if getattr(request, "has_signed_out", False):
            response.headers["Clear-Site-Data"] = '"storage"'  # what forms kept in the tab; nothing is in the cache
        return response


def _of_kind(response: HttpResponse) -> dict[str, str]:
    if response.headers.get("Content-Type") in DATA:
        return {"Content-Security-Policy": OF_DATA}
    if not _has_content(response):
        return OF_PLACES
    policy = _policy(getattr(response, "shows_mail", False), getattr(response, "has_icons", False))
    return {"Content-Security-Policy": policy, **OF_PLACES, **OF_DOCUMENTS}


def _has_content(response: HttpResponse) -> bool:
    """Whether there is something that a browser may make a document of."""
    leads_on = HTTPStatus.MULTIPLE_CHOICES <= response.status_code < HTTPStatus.BAD_REQUEST
    return not leads_on and response.status_code != HTTPStatus.NO_CONTENT


@cache
def _policy(shows_mail: bool, has_icons: bool) -> str:
    policy = POLICY | (OF_MAILS if shows_mail else {}) | (OF_ICONS if has_icons else {})
    return "; ".join(f"{name} {value}" for name, value in policy.items())


def note_sign_out(sender: Any, request: HttpRequest | None, **_: Any) -> None:
    """Somebody has signed out: his browser shall forget what pages kept in it."""
    if request is not None:
        request.has_signed_out = True  # type: ignore[attr-defined]  # read by the middleware that has the answer


user_logged_out.connect(note_sign_out, dispatch_uid="config.headers")
