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
from games.people.models import User

VARY = "Accept, Accept-Language, Authorization, Cookie"


class Resource(APIView):
    """Base class of the API's views.

    `scope` is the scope that a token needs, `scopes` overrides it by method. `is_for_bots` lets bot accounts change
    something; they may read everywhere.
    """

    scope = Scope.PLAY
    scopes: ClassVar[dict[str, Scope]] = {}
    is_for_bots = False
    permission_classes = [IsAuthenticated, HasScope]
    parser_classes = [StrictJSONParser]

    def get_throttles(self) -> list[BaseThrottle]:
        """Counts reading and changing separately."""
        self.counted = ReadThrottle() if self.request.method in SAFE_METHODS else ChangeThrottle()
        return [self.counted]

    @property
    def default_response_headers(self) -> dict[str, str]:
        """Leaves the Allow header to OPTIONS and 405."""
        method = (self.request.method or "").lower()
        is_there = method in self.http_method_names and method != "options" and hasattr(self, method)
        return {} if is_there else super().default_response_headers

    def finalize_response(self, request: Request, response: Response, *args: object, **kwargs: object) -> Response:
        """Adds the RateLimit headers, and an ETag to what was read."""
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
    """Adds an ETag, a digest of the content, to the response; returns 304 if the client has it already."""
    tag = f'W/"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    if tag.removeprefix("W/") in {one.strip().removeprefix("W/") for one in known.split(",")}:
        return HttpResponse(status=HTTPStatus.NOT_MODIFIED, headers={**headers, "ETag": tag, "Vary": VARY})
    response["ETag"] = tag
    return response


def person(request: Request) -> User:
    """Returns the user of the request."""
    assert isinstance(request.user, User)
    return request.user


class Unknown(Resource):
    """Answers 404 to unknown addresses."""

    authentication_classes = []
    permission_classes = [AllowAny]
    schema = None

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """Raises NotFound."""
        raise NotFound
