"""What the description says of every operation: a summary, its part of the API, and the scope a token needs."""

from typing import Any

from drf_spectacular.openapi import AutoSchema

from games.api.base.scopes import scope_of

PARTS = {
    "me": "You", "games": "Games", "tables": "Finding", "rules": "Finding", "players": "Finding", "lessons": "Finding",
    "moderation": "Moderation",
}  # fmt: skip


class Described(AutoSchema):
    """drf-spectacular's own, told what stands in our docstrings."""

    def get_summary(self) -> str:
        """The first sentence."""
        return self.get_description().split(". ")[0].split(": ")[0].rstrip(".")[:100]

    def get_tags(self) -> list[str]:
        """By the first part of the address."""
        parts = [part for part in self.path.split("/") if part not in ("", "api", "v1")]
        return [PARTS.get(parts[0], parts[0].title())] if parts else ["Other"]

    def get_auth(self) -> list[dict[str, Any]]:
        """The scope in words of OpenAPI 3.1: any scheme may list what is needed."""
        scope = scope_of(self.view, self.method)
        return [{name: [scope.value] if name == "token" else [] for name in one} for one in super().get_auth()]
