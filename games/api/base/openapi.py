"""The OpenAPI description of every operation: summary, tag and the scope a token needs."""

from django.conf import settings
from drf_spectacular.openapi import AutoSchema

from engine.core import JsonObject
from games.api.base.problems import MEDIA_TYPE
from games.api.base.scopes import scope_of

PARTS = {
    "me": "You", "games": "Games", "tables": "Finding", "rules": "Finding", "players": "Finding", "lessons": "Finding",
    "moderation": "Moderation",
}  # fmt: skip


class Described(AutoSchema):
    """drf-spectacular's schema, with summaries from docstrings, tags from paths, and scopes."""

    def get_summary(self) -> str:
        """The first sentence of the description."""
        return self.get_description().split(". ")[0].split(": ")[0].rstrip(".")[:100]

    def get_tags(self) -> list[str]:
        """The tag for the first part of the path."""
        parts = [part for part in self.path.split("/") if part not in ("", "api", "v1")]
        return [PARTS.get(parts[0], parts[0].title())] if parts else ["Other"]

    def get_auth(self) -> list[dict[str, list[str]]]:
        """The security schemes with the needed scope, which OpenAPI 3.1 allows for any scheme."""
        scope = scope_of(self.view, self.method)
        return [{name: [scope.value] if name == "token" else [] for name in one} for one in super().get_auth()]


def add_servers(result: JsonObject, **_: object) -> JsonObject:
    """Says where the service is; a postprocessing hook of drf-spectacular."""
    return {**result, "servers": [{"url": settings.SITE_URL}]}


def share_problems(result: JsonObject, **_: object) -> JsonObject:
    """Describes each error once and refers to it: written out at every operation they are more than half of the text.

    A postprocessing hook of drf-spectacular, after the one that adds examples.
    """
    shared: JsonObject = {}
    for methods in result.get("paths", {}).values():
        for operation in methods.values():
            answers = operation.get("responses", {}) if isinstance(operation, dict) else {}
            for status, answer in answers.items():
                if MEDIA_TYPE in answer.get("content", {}):
                    shared[f"E{status}"] = answer
                    answers[status] = {"$ref": f"#/components/responses/E{status}"}
    result["components"]["responses"] = dict(sorted(shared.items()))
    return result
