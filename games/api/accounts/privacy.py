"""The REST API of what is kept of a person."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request

from games.accounts.privacy import export
from games.api.base.schema import LISTING, problems
from games.api.play.resources import Resource, person
from games.models import ApiToken
from notifications.clock import present

COPY = OpenApiResponse(OpenApiTypes.OBJECT, "Each part of what is kept by its name; docs/privacy.md lists them.")


class Export(Resource):
    """Everything that is kept of you."""

    scope = ApiToken.Scope.ACCOUNT

    @extend_schema(operation_id="export_me", responses={200: COPY, **problems(*LISTING)})
    def get(self, request: Request) -> Any:
        """A copy of everything that is kept of you, three times a day; you are told by mail that it was taken."""
        text = export.give(user=person(request), now=present.now())
        return HttpResponse(text, content_type="application/json")
