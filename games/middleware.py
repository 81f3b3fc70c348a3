"""What holds for every page: the reader's language and zone, a sentence instead of an error, known browsers."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone, translation

from games import browsers
from games.errors import ServiceError
from games.models import User

GetResponse = Callable[[HttpRequest], HttpResponse]


class ReaderSettings:
    """Speaks the signed-in reader's language and tells times in his zone; strangers get their browser's language."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not isinstance(request.user, User):
            return self.get_response(request)
        recipient = request.user.recipient
        # Left active: the locale middleware names the language in the answer, and starts each request anew.
        translation.activate(recipient.language)
        request.LANGUAGE_CODE = recipient.language
        with timezone.override(recipient.zone_info):
            return self.get_response(request)


class RefusalPages:
    """Shows what a service refused as a page of its own, wherever the page's own code does not show it better."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The page for a refusal; None for every other error."""
        if not isinstance(error, ServiceError):
            return None
        return render(request, "games/refused.html", {"message": error.message}, status=error.status)


class KnownBrowsers:
    """Remembers a browser in which somebody has signed in, so that his next sign-in there is no news."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        browsers.remember(request, response)
        return response
