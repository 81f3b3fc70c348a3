"""The base class of all API views: scopes, throttles, ETags."""

import hashlib
from collections.abc import Mapping
from http import HTTPStatus
from typing import ClassVar

from django.http import HttpResponse
from rest_framework.exceptions import NotFound
from rest_framework.permissions import SAFE_METHODS, AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from games.api.base.parsing import StrictJSONParser
from games.api.base.scopes import HasScope, Scope
from games.api.base.throttles import ChangeThrottle, ReadThrottle
from games.models import User

VARY = "Accept, Accept-Language, Authorization, Cookie"


class Resource(APIView):
    """What all addresses have in common. `scope` is what a token must be good for, `scopes` says so by method.

    `is_for_bots` says that bot accounts may change something there; what players read they read everywhere.
    """

    scope = Scope.PLAY
    scopes: ClassVar[dict[str, Scope]] = {}
    is_for_bots = False
    permission_classes = [IsAuthenticated, HasScope]
    parser_classes = [StrictJSONParser]

    def get_throttles(self) -> list[BaseThrottle]:
        """Reading and changing are counted apart."""
        self.counted = ReadThrottle() if self.request.method in SAFE_METHODS else ChangeThrottle()
        return [self.counted]

    @property
    def default_response_headers(self) -> dict[str, str]:
        """Which methods there are hears who asks for that, or uses another: not everybody with each answer."""
        method = (self.request.method or "").lower()
        is_there = method in self.http_method_names and method != "options" and hasattr(self, method)
        return {} if is_there else super().default_response_headers

    def finalize_response(self, request: Request, response: Response, *args: object, **kwargs: object) -> Response:
        """How much may still be asked is said, and what was read has a tag."""
        response = super().finalize_response(request, response, *args, **kwargs)
        counted = getattr(self, "counted", None)
        headers = counted.headers() if counted else {}
        for name, value in headers.items():
            response[name] = value
        if request.method == "GET" and response.status_code == HTTPStatus.OK and isinstance(response, Response):
            known = request.headers.get("If-None-Match", "")
            response.add_post_render_callback(lambda made: tagged(made, known, headers))
        return response


def tagged(response: Response, known: str, headers: Mapping[str, str]) -> HttpResponse:
    """The answer with its ETag, or 304 for who has it already.

    The tag is a digest of what is said, so it changes with that and with nothing else.
    """
    tag = f'W/"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    if tag.removeprefix("W/") in {one.strip().removeprefix("W/") for one in known.split(",")}:
        return HttpResponse(status=HTTPStatus.NOT_MODIFIED, headers={**headers, "ETag": tag, "Vary": VARY})
    response["ETag"] = tag
    return response


def person(request: Request) -> User:
    """Who asks. The permission to be here is that there is somebody."""
    assert isinstance(request.user, User)
    return request.user


class Unknown(Resource):
    """Every address that is none."""

    authentication_classes = []
    permission_classes = [AllowAny]
    schema = None

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """There is nothing here, whatever is asked and by whom."""
        raise NotFound
