"""How answers are put into JSON."""

from collections.abc import Mapping
from typing import Any

import msgspec
from rest_framework.renderers import JSONRenderer


class QuickRenderer(JSONRenderer):
    """As Django REST framework writes it, by msgspec where nobody asks for indents and all is plain."""

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        """The answer's body."""
        context = renderer_context or {}
        if data is not None and self.get_indent(accepted_media_type or "", context) is None:
            try:
                return msgspec.json.encode(data)
            except (TypeError, ValueError):  # translations that wait to be asked, half characters
                pass
        written: bytes = super().render(data, accepted_media_type, context)
        return written
