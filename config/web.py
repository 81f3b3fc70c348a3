"""The web process around its pages: security headers, uploads, static files."""

from collections.abc import Callable
from functools import cache
from http import HTTPStatus

from django.conf import settings
from django.contrib.auth.signals import user_logged_out
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.core.files.uploadhandler import MemoryFileUploadHandler, StopUpload
from django.http import HttpRequest, HttpResponse
from whitenoise.storage import CompressedManifestStaticFilesStorage

# Security headers of responses: load only our own files, cache nothing, use no devices.

POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "font-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "worker-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
# An email is shown as its reader would see it, with inline styles and an embedded picture; a frame filled from `srcdoc`
# inherits the policy of its page.
OF_MAILS = {"style-src": "'self' 'unsafe-inline'", "img-src": "'self' data:"}
OF_ICONS = {"img-src": "'self' data:"}  # the browsable API description has icons in its style sheets
DEVICES = ("camera", "display-capture", "geolocation", "microphone", "payment", "publickey-credentials-get", "usb")
HEADERS = {
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",  # static files, which may be cached, set their own
}
OF_WINDOWS = {"Cross-Origin-Opener-Policy": "same-origin"}  # redirects too
OF_DOCUMENTS = {
    "Permissions-Policy": ", ".join(f"{device}=()" for device in DEVICES),
    "X-Frame-Options": "DENY",  # the same as `frame-ancestors`, for old browsers
}
OF_FRAMES = "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors *"
DATA = ("application/json", "application/problem+json")
OF_DATA = "default-src 'none'; frame-ancestors 'none'"


class SecurityHeaders:
    """Middleware that adds these headers to every response, beside those of Django's SecurityMiddleware.

    Redirects and empty responses show nothing and go without the headers about documents; JSON has a short policy and
    none about other windows. The full set cost some hundredths of a response's time.

    A page that shows a mail sets `shows_mail = True` on its response, one with icons in its styles `has_icons = True`,
    one that other sites may put into a frame `is_embeddable = True`.
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
        return OF_WINDOWS
    if getattr(response, "is_embeddable", False):
        return {
            "Content-Security-Policy": OF_FRAMES,
            **OF_WINDOWS,
            "Permissions-Policy": OF_DOCUMENTS["Permissions-Policy"],
        }
    policy = _policy(getattr(response, "shows_mail", False), getattr(response, "has_icons", False))
    return {"Content-Security-Policy": policy, **OF_WINDOWS, **OF_DOCUMENTS}


def _has_content(response: HttpResponse) -> bool:
    """Whether a browser may show the response as a document."""
    leads_on = HTTPStatus.MULTIPLE_CHOICES <= response.status_code < HTTPStatus.BAD_REQUEST
    return not leads_on and response.status_code != HTTPStatus.NO_CONTENT


@cache
def _policy(shows_mail: bool, has_icons: bool) -> str:
    policy = POLICY | (OF_MAILS if shows_mail else {}) | (OF_ICONS if has_icons else {})
    return "; ".join(f"{name} {value}" for name, value in policy.items())


def mark_signed_out(sender: object, request: HttpRequest | None, **_: object) -> None:
    """Marks the request of a sign-out, so that the response clears what pages stored in the browser.

    Not where a session has only lasted its time: the service worker would go with it, and its owner's notifications.
    """
    if request is not None and not getattr(request, "has_expired", False):
        request.has_signed_out = True  # type: ignore[attr-defined]  # read by SecurityHeaders


user_logged_out.connect(mark_signed_out, dispatch_uid="config.web")


# Uploaded files: kept in memory, and limited in size while they are read.

SPARE = 1024 * 1024  # so that a record that is a little too large gets a form error
LARGEST = settings.LARGEST_RECORD + SPARE  # bytes of all files of a request


class BoundedUploadHandler(MemoryFileUploadHandler):
    """Closes the connection of a request whose files exceed LARGEST."""

    def __init__(self, request: HttpRequest | None = None) -> None:
        super().__init__(request)
        self.size = 0

    def handle_raw_input(self, *_: object, **__: object) -> None:
        """Activates the handler for requests of any size; Django's own takes none above 2.5 MB."""
        self.activated = True

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        """Keeps the chunk. Raises StopUpload when the files are too large."""
        self.size += len(raw_data)
        if self.size > LARGEST:
            raise StopUpload(connection_reset=True)
        return super().receive_data_chunk(raw_data, start)


# Storage of static files, which browsers cache for good: a file's URL changes with its content.


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # WhiteNoise ships no types
    """WhiteNoise's storage; until `collectstatic` has run, as in tests and commands, files have plain URLs."""

    def url(self, name: str | None, force: bool = False) -> str:
        """The URL of a file, such as "/static/games/site.5d41402abc4b.css"."""
        address: str = super().url(name, force) if self.hashed_files else StaticFilesStorage.url(self, name)
        return address
