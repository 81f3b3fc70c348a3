"""Middleware of every page: the reader's language and zone, pages for refusals, known browsers, the end of sessions.

And of the API: it is refused unencrypted.
"""

from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from time import monotonic

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.middleware import get_user
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from games.api.problems import MEDIA_TYPE, problem
from games.errors import ServiceError, TooMany
from games.people import sessions
from games.people.models import User
from games.web import reader, request_counts
from notifications.clock import present

API = "/api/"
PUBLIC_API = "/api/v1/public/"
GetResponse = Callable[[HttpRequest], HttpResponse]


def _reader(request: HttpRequest) -> User | None:
    """Returns the signed-in user. Without the cookie no user is read, and the answer does not depend on one."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return None
    user: object = request.user
    if type(user) is SimpleLazyObject:  # Django's stand-in, slow to answer, and asked again and again
        request.user = user = get_user(request)
    return user if isinstance(user, User) else None


class BrowserLanguage:
    """Speaks the language that the browser asks for, by its cookie or its header, and says in which the answer is.

    Django's own looks for one in each address as well; none of ours has any.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.LANGUAGE_CODE = translation.get_language_from_request(request)
        translation.activate(request.LANGUAGE_CODE)
        response = self.get_response(request)
        patch_vary_headers(response, ("Accept-Language",))
        response.headers.setdefault("Content-Language", translation.get_language() or settings.LANGUAGE_CODE)
        return response


class ReaderSettings:
    """Speaks the signed-in reader's language and tells times in his zone; strangers get their browser's language."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        reader = _reader(request)
        if reader is None:
            return self.get_response(request)
        recipient = reader.recipient
        # Left active: `BrowserLanguage` names the language in the answer, and starts each request anew.
        translation.activate(recipient.language)
        request.LANGUAGE_CODE = recipient.language
        with timezone.override(recipient.zone_info):
            return self.get_response(request)


class Guests:
    """Recognises a browser's guest. What he may open is decided by the name of the address."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: object) -> None:
        """Sets the guest before the page is made."""
        if settings.SESSION_COOKIE_NAME in request.COOKIES and request.resolver_match is not None:
            reader.recognise_guest(request, request.resolver_match.url_name or "")


class SessionsEnd:
    """Signs out whoever signed in too long ago."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if _reader(request) is not None and sessions.is_expired(request, present.now()):
            request.has_expired = True  # type: ignore[attr-defined]  # nobody signs out: what the browser keeps stays
            logout(request)
        return self.get_response(request)


class RequestCounts:
    """Counts every answer, errors too, by area and status: for the metrics.

    An area is the first part of an address. What somebody did there is not told apart: it may be sealed.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        begun = monotonic()
        response = self.get_response(request)
        match = request.resolver_match
        area = match.route.lstrip("^").partition("/")[0] or "home" if match else ""
        request_counts.count_request(area, response.status_code, monotonic() - begun)
        return response


class PublicApi:
    """Takes cookies and tokens from requests for what the API tells everybody: all are answered as strangers."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answers it without knowing whose it is, in a way that caches may share."""
        if not request.path.startswith(PUBLIC_API):
            return self.get_response(request)
        for name in ("HTTP_COOKIE", "HTTP_AUTHORIZATION"):
            request.META.pop(name, None)
        request.COOKIES.clear()
        response = self.get_response(request)
        response.cookies.clear()
        response["Vary"] = "Accept, Accept-Encoding, Accept-Language"
        return response


class EncryptedApi:
    """Refuses what programs send unencrypted where pages are led on to https (SECURE_SSL_REDIRECT).

    Led on, a program would tell its token to everybody on the way again and again, and nobody would notice.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not settings.SECURE_SSL_REDIRECT or request.is_secure() or not request.path.startswith(API):
            return self.get_response(request)
        said = problem(403, "forbidden", _("The API works over https only. Revoke any token you sent without it."))
        return JsonResponse(said.data, status=403, content_type=MEDIA_TYPE)


PAGE_OF_BUTTON = {
    "found_club": ("people",),
    "plan_vacation": ("settings",),
    "end_vacation": ("settings",),
    "push_devices": ("mail_settings",),
    "push_device": ("mail_settings",),
    "agree_settings": ("table", "ref"),
    "take_host_role": ("table", "ref"),
}
"""Where buttons are whose page is not at the nearest address above theirs, with what of their own address it takes."""


class RefusalPages:
    """Shows what a service refused as a page of its own, wherever the page's own code does not show it better."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if (
            response.status_code != HTTPStatus.METHOD_NOT_ALLOWED
            or request.method != "GET"
            or request.path.startswith(API)
        ):
            return response
        # The address of a button, opened again: from the browser's history, or after signing in on the way.
        if _reader(request) is not None:
            messages.info(request, _("Nothing has been changed yet. Please press the button again."))
        return redirect(f"{_page_of_button(request)}#again")  # sending.js finds what was chosen

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The page for a refusal; None for every other error."""
        if not isinstance(error, ServiceError):
            return None
        response = render(request, "games/site/refused.html", {"message": error.message}, status=error.status)
        if isinstance(error, TooMany):
            response["Retry-After"] = str(error.wait)
        return response


def _page_of_button(request: HttpRequest) -> str:
    """The page on which there is the button with this address: the nearest address above one that is there, mostly."""
    match = request.resolver_match
    if match is not None and match.url_name in PAGE_OF_BUTTON:
        name, *parts = PAGE_OF_BUTTON[match.url_name]
        return reverse(name, kwargs={part: match.kwargs[part] for part in parts})
    path = request.path
    while path != "/":
        path = path.rstrip("/").rpartition("/")[0] + "/"
        with suppress(Resolver404):
            resolve(path)
            break
    return path


class KnownBrowsers:
    """Remembers a browser in which somebody has signed in, so that his next sign-in there is no news."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        sessions.remember_browser(request, response)
        return response
