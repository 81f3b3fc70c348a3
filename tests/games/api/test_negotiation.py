"""What a program accepts is found out as Django REST framework does, whichever way is shorter."""

from typing import Any

import pytest
from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import JSONRenderer, StaticHTMLRenderer
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from games.api.negotiation import Negotiation

RENDERERS = [JSONRenderer(), StaticHTMLRenderer()]
ACCEPTED = [None, "", "*/*", "application/json", "application/json; indent=2", "text/html", "text/*", "image/png", "x"]


def chosen(how: DefaultContentNegotiation, path: str, accepted: str | None) -> tuple[Any, str] | None:
    """Who would write, and the media type; None if nobody can."""
    headers = {} if accepted is None else {"Accept": accepted}
    try:
        return how.select_renderer(Request(APIRequestFactory().get(path, headers=headers)), RENDERERS)
    except NotAcceptable:
        return None


@pytest.mark.parametrize("accepted", ACCEPTED)
@pytest.mark.parametrize("path", ["/api/v1/games/", "/api/v1/games/?format=html", "/api/v1/games/?of=anna"])
def test_it_is_what_django_rest_framework_chooses(path: str, accepted: str | None) -> None:
    found = chosen(Negotiation(), path, accepted)
    assert found == chosen(DefaultContentNegotiation(), path, accepted)
