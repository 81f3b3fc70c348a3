"""The browsable API documentation; without JavaScript it links to the description."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """Open to all, like the description itself. Everything it loads is ours."""
    response = render(request, "games/site/api_docs.html")
    response.has_icons = True  # type: ignore[attr-defined]  # read by the content security policy
    return response
