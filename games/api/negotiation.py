"""In what form programs get their answers."""

from collections.abc import Iterable
from typing import Any

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

ANYTHING = "*/*"


class Negotiation(DefaultContentNegotiation):
    """As Django REST framework's, which takes long to find out that who accepts anything gets the first there is."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Who writes the answer, and the media type. Raises NotAcceptable."""
        first = next(iter(renderers))
        accepted, query = request.META.get("HTTP_ACCEPT", ANYTHING), request.META.get("QUERY_STRING")
        if accepted in (ANYTHING, first.media_type) and not query and not format_suffix:
            return first, first.media_type
        found: Any = super().select_renderer(request, renderers, format_suffix)
        return found  # type: ignore[no-any-return]
