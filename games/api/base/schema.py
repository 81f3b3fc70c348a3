"""What drf-spectacular cannot infer for the OpenAPI description: errors, headers, authentication, closed bodies."""

from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction, OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from engine.core import JsonObject
from games.api.base.parsing import OWN_EXAMPLE, DataSerializer
from games.api.base.problems import MEDIA_TYPE

WHY = {
    400: "The body isn't valid JSON.",
    401: "No token, or one that is not valid.",
    403: "The token is not good for this, it is not yours to do, or a page's request came without its CSRF token.",
    404: "No such thing, or not yours.",
    406: "Only JSON is spoken here.",
    409: "The world has moved on: answered already, game over.",
    413: "The body is too long.",
    415: "Only JSON is understood.",
    422: "A field is missing, unknown or wrong, or the rules forbid it.",
    429: "Too often; see Retry-After.",
    503: "This game is being repaired; the detail says whether your answer is kept.",
}
Responses = dict[int | tuple[int, str], object]  # by status, or status and media type

LISTING = (401, 403, 406, 429)
READING = (*LISTING, 404)
OPENING = (400, 401, 403, 406, 413, 415, 422, 429)
CHANGING = (400, 401, 403, 404, 406, 409, 413, 415, 422, 429, 503)
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="At most 200 characters. The same request with the same key acts once.",
)

PREFER = OpenApiParameter(
    "Prefer",
    str,
    OpenApiParameter.HEADER,
    description="`return=minimal` for a 204 without a body (RFC 7240): you only want to know that it was taken.",
)
MINIMAL = {204: OpenApiResponse(None, "Taken; no more was to be said (`Prefer: return=minimal`).")}


class ErrorShape(DataSerializer):
    """One thing that is wrong with a request."""

    field = serializers.CharField(help_text="Path of the field, such as action.token; empty for the body as a whole.")
    message = serializers.CharField()


class ProblemShape(DataSerializer):
    """Problem details (RFC 9457)."""

    type = serializers.CharField(help_text="Always about:blank; look at the code.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="A sentence for people, in the language of Accept-Language.")
    code = serializers.CharField(help_text="A word for programs, such as illegal-action.")
    errors = ErrorShape(many=True, required=False)  # type: ignore[assignment]  # the member's name; answers only


def problems(*statuses: int) -> Responses:
    """Describes the errors of an operation."""
    return {(status, MEDIA_TYPE): OpenApiResponse(ProblemShape, WHY[status]) for status in statuses}


class BearerToken(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # the library registers it untyped
    """Names the token in the description."""

    target_class = "games.api.base.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """Describes an HTTP bearer token."""
        return {"type": "http", "scheme": "bearer", "description": "Made on the page of your API tokens."}


class ClosedBody(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]  # the library registers it untyped
    """Says that a request's body has no other fields."""

    target_class = "games.api.base.parsing.Body"
    match_subclasses = True

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> JsonObject:
        """Describes the body without additional properties."""
        self.target_class = self.target  # which may be a subclass of the one that was named
        described: JsonObject = super().map_serializer(auto_schema, direction)
        return {**described, "additionalProperties": False, OWN_EXAMPLE: self.target.example}
