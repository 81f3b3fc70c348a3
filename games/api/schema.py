"""The OpenAPI description: errors and headers of operations, tags and scopes, and examples."""

import re
from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from drf_spectacular.extensions import (
    OpenApiAuthenticationExtension,
    OpenApiSerializerExtension,
    OpenApiSerializerFieldExtension,
)
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction, OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from engine.core import JsonObject
from games.api.access import scope_of
from games.api.parsing import OWN_EXAMPLE, DataSerializer
from games.api.problems import CODES, MEDIA_TYPE

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

    target_class = "games.api.access.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """Describes an HTTP bearer token."""
        return {"type": "http", "scheme": "bearer", "description": "Made on the page of your API tokens."}


class ComputedFieldDescription(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]  # the library registers it untyped
    """Describes a field that a function makes as the field that writes it."""

    target_class = "games.api.parsing.ComputedField"

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> JsonObject:
        """Describes the inner field."""
        write = auto_schema._map_serializer_field  # noqa: SLF001  # as the library's own extensions do
        described: JsonObject = write(self.target.field, direction)  # type: ignore[no-untyped-call]  # it has no types
        return described


class ClosedBody(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]  # the library registers it untyped
    """Says that a request's body has no other fields."""

    target_class = "games.api.parsing.Body"
    match_subclasses = True

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> JsonObject:
        """Describes the body without additional properties."""
        self.target_class = self.target  # which may be a subclass of the one that was named
        described: JsonObject = super().map_serializer(auto_schema, direction)
        return {**described, "additionalProperties": False, OWN_EXAMPLE: self.target.example}


class PlainName(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]  # the library registers it untyped
    """Names the data of an answer as people call it in what they generate: `Game`, not `GameShape`."""

    target_class = "games.api.parsing.DataSerializer"
    match_subclasses = True

    def get_name(self, auto_schema: AutoSchema, direction: Direction) -> str:
        """Returns the name."""
        kind = self.target if isinstance(self.target, type) else type(self.target)
        return kind.__name__.removesuffix("Shape")

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> JsonObject:
        """Describes it as always."""
        self.target_class = self.target
        described: JsonObject = super().map_serializer(auto_schema, direction)
        return described


# Summary, tag and scope of each operation

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


# The example of a record; most of its moves are left out

RECORD: JsonObject = {
    "format": "caravanserai-record",
    "format_version": 2,
    "ref": "k3v9pq2mzt7a",
    "title": "Thursday",
    "rules": "cave-of-wonders",
    "rules_version": 1,
    "options": {"equal_turns": "off", "full_distance": "off"},
    "seats": [{"name": "Anna", "joined": 0, "entropy": "camel"}, {"name": "Bot greedy", "joined": 1, "bot": "greedy"}],
    "commitment": "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925",
    "server_seed": "0" * 64,
    "started_at": "2026-11-22T18:04:11Z",
    "finished_at": "2026-11-29T07:30:00Z",
    "moves": [
        {
            "number": 1,
            "kind": "start",
            "by": "service",
            "chain": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "position": "3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278",
            "events": [
                {"type": "GameBegan", "start": 0, "favourites": ["ruby", "emerald"]},
                {"type": "RollRevealed", "turn": 1, "seat": 0, "roll": 4, "again": False},
            ],
            "at": "2026-11-22T18:04:11Z",
        },
        {
            "number": 2,
            "kind": "answer",
            "by": "player",
            "chain": "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
            "position": "6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918",
            "seat": 0,
            "decision": "t1-move-1",
            "action": {"type": "move", "to": "G7"},
            "events": [{"type": "AladdinMoved", "seat": 0, "origin": "G6", "to": "G7", "flew": False}],
            "at": "2026-11-22T18:30:00Z",
        },
    ],
    "outcome": {
        "ending": "complete",
        "winners": [0],
        "ranking": [0, 1],
        "scores": [31, 24],
        "reason": {"code": "won", "params": {"winner": {"seat": 0}}},
    },
}


# Examples, generated from the schema, so that they always match it: a field's name chooses a typical value from WORDS,
# other fields get one of their type

Schema = JsonObject
WORDS: JsonObject = {
    "ref": "k3v9pq2mzt7a", "game": "k3v9pq2mzt7a", "person": "m4x8wq2hzc6r", "title": "Thursday", "name": "Anna",
    "host": "Anna", "player": "Ben", "address": "ben@example.org", "new_address": "anna@example.org",
    "language": "en", "zone": "Europe/Madrid", "rules": "aladdins-dragons", "pace": "daily", "bot": "greedy",
    "code": "r1-place-2-1", "kind": "place", "reason": "The harbour is closed.", "text": "Well played, @Ben!",
    "entropy": "camel", "url": "https://hooks.example.org/caravanserai", "scopes": "play", "event": "game.over",
    "quiet_from": "23:00", "quiet_until": "07:00", "daily_at": "08:00", "first_day": "2026-12-24",
    "last_day": "2026-12-31", "type": "place", "commitment": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15",
    "status": "running", "board": "Round 1 ...", "label": "Cave of gold", "default": "You pass.", "bots": "greedy",
    "action": {"type": "place", "token": 9, "space": "guard"}, "owner": "Ben", "fault": "",
    "message_id": "msg_2NqXwVfRk8aM4tYc",
}  # fmt: skip
DEEPEST = 12
RECORDS = ("read_record", "import_record")  # described by docs/record.schema.json


def add_examples(result: Schema, **_: object) -> Schema:
    """Adds examples of request, response and errors to every operation; a postprocessing hook of drf-spectacular."""
    known = result.get("components", {}).get("schemas", {})
    shared: Schema = {}
    for methods in result.get("paths", {}).values():
        for operation in methods.values():
            if isinstance(operation, dict):
                _illustrate(operation, known, shared)
    for schema in known.values():
        schema.pop(OWN_EXAMPLE, None)
    result["components"]["examples"] = dict(sorted(shared.items()))
    return result


def _illustrate(operation: Schema, known: Schema, shared: Schema) -> None:
    if (name := operation.get("operationId")) in RECORDS:
        told = operation["requestBody"] if name == "import_record" else operation["responses"]["200"]
        told["content"]["application/json"]["example"] = RECORD
    for content in operation.get("requestBody", {}).get("content", {}).values():
        schema = content.get("schema", {})
        if "oneOf" in (kinds := known.get(schema.get("$ref", "").rsplit("/", 1)[-1], {})):
            for kind in kinds["oneOf"]:
                _show(content, known, shared, kind)
        else:
            content.setdefault("example", example_of(schema, known))
    for status, answer in operation.get("responses", {}).items():
        for media_type, content in answer.get("content", {}).items():
            if media_type == MEDIA_TYPE:
                content["example"] = _problem(int(status), answer["description"])
            elif media_type == "application/json":
                _show(content, known, shared, content.get("schema", {}))


def _show(content: Schema, known: Schema, shared: Schema, schema: Schema) -> None:
    """Gives a content its example; what has a named schema refers to one example of that name."""
    if "$ref" not in schema or "example" in content:
        content.setdefault("example", example_of(schema, known))
        return
    name = schema["$ref"].rsplit("/", 1)[-1]
    shared.setdefault(name, {"value": example_of(schema, known)})
    content.setdefault("examples", {})[name] = {"$ref": f"#/components/examples/{name}"}


def _problem(status: int, words: str) -> Schema:
    code = {409: "conflict", 422: "invalid", 503: "quarantined"}.get(status, CODES.get(status, "refused"))
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": words,
        "code": code,
        **({"errors": [{"field": "limit", "message": "A valid integer is required."}]} if status == 422 else {}),
    }


def example_of(schema: Schema, known: Schema, name: str = "", depth: int = 0) -> object:
    """An example value for a schema.

    Arguments:
        known: the named schemas.
        name: of the field it is for.
    """
    schema = _resolved(schema, known)
    if "example" in schema or "const" in schema:
        return schema.get("example", schema.get("const"))
    if "enum" in schema:
        wished = WORDS.get(name)
        return wished if wished in schema["enum"] else next((one for one in schema["enum"] if one), schema["enum"][0])
    makers: dict[str, Callable[[], object]] = {
        "object": lambda: WORDS[name] if isinstance(WORDS.get(name), dict) else _object(schema, known, depth),
        "array": lambda: [example_of(schema.get("items", {}), known, name, depth + 1)] if depth < DEEPEST else [],
        "string": lambda: _text(schema, name),
        "integer": lambda: int(schema.get("minimum", 1)) or 1,
        "number": lambda: int(schema.get("minimum", 1)) or 1,
        "boolean": lambda: bool(schema.get("default", True)),
    }
    kinds = schema.get("type", "object")
    kind = next((one for one in kinds if one != "null"), "null") if isinstance(kinds, list) else kinds
    return makers[kind]() if kind in makers else None


def _resolved(schema: Schema, known: Schema) -> Schema:
    """Resolves a reference, or the first of several alternatives."""
    while True:
        word = next((one for one in ("allOf", "oneOf", "anyOf") if one in schema), "")
        if "$ref" in schema:
            schema = known[schema["$ref"].rsplit("/", 1)[-1]]
        elif word:
            schema = schema[word][0]
        else:
            return schema


def _object(schema: Schema, known: Schema, depth: int) -> Schema:
    fields = schema.get("properties", {})
    if depth >= DEEPEST:
        return {}
    own = schema.get(OWN_EXAMPLE, {})
    typical = {name: example_of(inner, known, name, depth + 1) for name, inner in fields.items() if name not in own}
    return {**typical, **{name: value for name, value in own.items() if value is not ...}}


def _text(schema: Schema, name: str) -> str:
    match schema.get("format"):
        case "date-time":
            return "2026-03-05T12:00:00Z"
        case "date":
            return str(WORDS.get(name, "2026-12-24"))
        case "email":
            return str(WORDS["address"])
        case "uri":
            return str(WORDS["url"])
    if "pattern" in schema and not re.search(schema["pattern"], str(WORDS.get(name, ""))):
        return "08:00"
    text = str(WORDS.get(name, schema.get("default") or name.replace("_", " ") or "..."))
    return text[: schema.get("maxLength", len(text))]
