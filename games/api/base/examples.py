"""Examples in the OpenAPI description: generated from the schema, so that they always match it.

A field's name chooses a typical value from WORDS; other fields get one of their type.
"""

import re
from collections.abc import Callable
from http import HTTPStatus

from engine.core import JsonObject
from games.api.archive.record_example import RECORD
from games.api.base.parsing import OWN_EXAMPLE
from games.api.base.problems import CODES, MEDIA_TYPE

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
        content.setdefault("example", example_of(content.get("schema", {}), known))
    for status, answer in operation.get("responses", {}).items():
        for media_type, content in answer.get("content", {}).items():
            if media_type == MEDIA_TYPE:
                content["example"] = _problem(int(status), answer["description"])
            elif media_type == "application/json":
                _show(content, known, shared)


def _show(content: Schema, known: Schema, shared: Schema) -> None:
    """Gives an answer its example; what has a named schema refers to one example of that name."""
    schema = content.get("schema", {})
    if "$ref" not in schema or "example" in content:
        content.setdefault("example", example_of(schema, known))
        return
    name = schema["$ref"].rsplit("/", 1)[-1]
    shared.setdefault(name, {"value": example_of(schema, known)})
    content["examples"] = {name: {"$ref": f"#/components/examples/{name}"}}


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
