"""The OpenAPI description, and the page to browse it; without JavaScript that links to the description."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer, OpenApiYamlRenderer2
from drf_spectacular.views import SpectacularAPIView
from rest_framework.renderers import JSONRenderer


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """Shows the documentation, without sign-in; it loads nothing from other sites."""
    response = render(request, "games/site/api_docs.html")
    response.has_icons = True  # type: ignore[attr-defined]  # read by the content security policy
    return response


class CompactJsonRenderer(OpenApiJsonRenderer):
    """The description as JSON without line breaks, a third of what drf-spectacular writes."""

    def get_indent(self, accepted_media_type: str, renderer_context: object) -> None:
        """Returns None: it is not indented."""


class ServedDescription(SpectacularAPIView):
    """The OpenAPI description, as YAML or JSON."""

    renderer_classes = [OpenApiYamlRenderer, OpenApiYamlRenderer2, CompactJsonRenderer, JSONRenderer]
