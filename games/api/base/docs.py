"""The browsable API documentation; without JavaScript it links to the description."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """Shows the documentation, without sign-in; it loads nothing from other sites."""
    response = render(request, "games/site/api_docs.html")
    response.has_icons = True  # type: ignore[attr-defined]  # read by the content security policy
    return response
