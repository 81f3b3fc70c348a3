"""The pages of the OpenAPI description: itself, the page to browse it, and the schemas of games.

Django REST framework loads `games.api.schema` before its views; so they are not in there.
"""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.renderers import OpenApiJsonRenderer
from drf_spectacular.views import SpectacularAPIView
from rest_framework.renderers import JSONRenderer

from engine.schemas import schema_of


@require_safe
def show_docs(request: HttpRequest) -> HttpResponse:
    """Shows the documentation, without sign-in; it loads nothing from other sites."""
    response = render(request, "games/site/api_docs.html")
    response.has_icons = True  # type: ignore[attr-defined]  # read by the content security policy
    return response


@require_safe
def show_rules_schema(request: HttpRequest, name: str, version: int) -> HttpResponse:
    """The JSON Schema of a rule set's views, events and actions, without sign-in; it never changes for a version."""
    try:
        schema = schema_of(name, version)
    except KeyError as unknown:
        raise Http404 from unknown
    here = {"$id": f"{settings.SITE_URL}{request.path}", **schema}
    return JsonResponse(here, content_type="application/schema+json")


class CompactJsonRenderer(OpenApiJsonRenderer):
    """The description as JSON without line breaks, a third of what drf-spectacular writes."""

    def get_indent(self, accepted_media_type: str, renderer_context: object) -> None:
        """Returns None: it is not indented."""


class ServedDescription(SpectacularAPIView):
    """The OpenAPI description, as JSON, which every generator reads; as YAML it would be a quarter longer."""

    renderer_classes = [CompactJsonRenderer, JSONRenderer]
