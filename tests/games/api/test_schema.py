"""The OpenAPI description says of every operation what it does, who may, and what it looks like."""

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from engine.records import model
from engine.registry import newest
from games.api.schema import MEANINGS
from games.models import Game
from tests.games.api.conftest import Program

pytestmark = pytest.mark.slow
LARGEST = 500_000  # bytes
PUBLIC = "/api/v1/public/"
OPERATIONS = {
    "answer_decision", "list_decisions", "list_games", "read_game", "read_log", "read_me", "resign",
    "list_rules", "list_tables", "open_table", "join_table", "invite", "start_game", "close_table",
    "read_mail", "change_mail", "snooze_mail", "list_told", "change_table_mail", "change_me",
}  # fmt: skip


def test_the_schema_is_open_api_3_1_and_open_to_all(db: None) -> None:
    response = Client().get("/api/schema/")
    schema = response.json()
    assert schema["openapi"] == "3.1.0"
    named = {
        one["operationId"] for path in schema["paths"].values() for name, one in path.items() if name != "parameters"
    }
    assert named >= OPERATIONS
    assert schema["components"]["schemas"]["AnswerBody"]["additionalProperties"] is False


def test_the_schema_is_small_enough_to_be_read_and_says_where_the_service_is(db: None, settings: Any) -> None:
    assert len(Client().get("/api/schema/").content) < LARGEST
    assert Client().get("/api/schema/").json()["servers"] == [{"url": settings.SITE_URL}]


def test_bodies_are_closed_and_every_default_keeps_the_rules_beside_it(db: None) -> None:
    import jsonschema_rs

    schema = Client().get("/api/schema/").json()
    bodies = [
        one["requestBody"]["content"]["application/json"]["schema"]
        for _p, _m, one in operations(schema)
        if "requestBody" in one
    ]
    known = schema["components"]["schemas"]
    named = {body["$ref"].rsplit("/", 1)[-1] for body in bodies if "$ref" in body}
    named |= {one["$ref"].rsplit("/", 1)[-1] for name in named for one in known[name].get("oneOf", ())}
    named = {name for name in named if "oneOf" not in known[name]}
    assert [name for name in named if known[name].get("additionalProperties") is not False] == []
    defaults = [
        one for one in everything_in(schema) if "default" in one and {"type", "enum", "oneOf", "allOf"} & set(one)
    ]
    assert len(defaults) > 50
    rules = [jsonschema_rs.validator_for({**one, "components": schema["components"]}) for one in defaults]
    assert [one for one, rule in zip(defaults, rules, strict=True) if not rule.is_valid(one["default"])] == []


def test_the_description_follows_the_specification_of_open_api(db: None) -> None:
    from openapi_spec_validator import OpenAPIV31SpecValidator

    schema = Client().get("/api/schema/").json()
    assert [f"{list(one.absolute_path)}: {one.message}" for one in OpenAPIV31SpecValidator(schema).iter_errors()] == []


@pytest.mark.parametrize("rules", newest(), ids=lambda rules: rules.name)
def test_the_schema_of_each_game_is_one(db: None, rules: Any) -> None:
    import jsonschema_rs

    schema = Client().get(f"/api/schema/rules/{rules.name}/{rules.version}/").json()
    jsonschema_rs.meta.validate(schema)
    for one in everything_in(schema):
        if "default" in one and "type" in one:
            assert jsonschema_rs.validator_for({**one, "$defs": schema["$defs"]}).is_valid(one["default"]), one


def test_the_example_of_a_record_is_one_and_stands_where_records_go_out_and_in(db: None) -> None:
    described = Client().get("/api/schema/").json()
    paths = described["paths"]
    out = paths["/api/v1/games/{ref}/record/"]["get"]["responses"]["200"]
    into = paths["/api/v1/records/"]["post"]["requestBody"]
    for told in (out, into):
        example = told["content"]["application/json"]["example"]
        record = model.load(json.dumps(example).encode())
        assert hashlib.sha256(bytes.fromhex(record.server_seed)).hexdigest() == record.commitment
    verdict = paths["/api/v1/games/{ref}/verify/"]["post"]["responses"]["200"]
    (referred,) = verdict["content"]["application/json"]["examples"]
    assert described["components"]["examples"][referred]["value"]["fault"] == ""


def test_every_operation_says_what_it_does_who_may_and_gives_true_examples(db: None) -> None:
    import jsonschema_rs

    schema = Client().get("/api/schema/").json()

    shared = schema["components"]

    def is_true(content: dict[str, Any]) -> bool:
        given = [shared["examples"][name]["value"] for name in content.get("examples", ())] or [content["example"]]
        whole = {**content["schema"], "components": shared}
        return bool(jsonschema_rs.validator_for(whole).is_valid(given[0]))

    wrong = []
    for path, method, one in operations(schema):
        name = one["operationId"]
        if not (one.get("summary") and one.get("description") and one.get("tags")):
            wrong.append((name, "words"))
        is_public = path.startswith(PUBLIC)
        needs = [] if is_public or not path.startswith("/api/v1/") else one["security"]
        if not all(need.get("token", ["x"]) for need in needs):
            wrong.append((name, "scope"))
        told = [one["requestBody"]] if "requestBody" in one else []
        answers = [
            shared["responses"].get(answer.get("$ref", "/").rsplit("/", 1)[-1], answer)
            for answer in one["responses"].values()
        ]
        for answer in [*told, *answers]:
            for kind, content in answer.get("content", {}).items():
                if kind != "text/event-stream" and not is_true(content):
                    wrong.append((name, method, kind))
        if not ({"429"} if is_public else {"401", "403", "429"}) <= set(one["responses"]):
            wrong.append((name, "problems"))
    assert wrong == []


def operations(schema: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Path, method and operation."""
    for path, methods in schema["paths"].items():
        for method, one in methods.items():
            if method != "parameters":
                yield path, method, one


def parameters(schema: Any, operation: Any) -> list[dict[str, Any]]:
    """The parameters of an operation, those that are described once among them."""
    shared = schema["components"]["parameters"]
    named = [(one, one.get("$ref", "").rsplit("/", 1)[-1]) for one in operation.get("parameters", ())]
    return [shared[name] if name else one for one, name in named]


def everything_in(schema: Any) -> Iterator[dict[str, Any]]:
    """Every object in it."""
    if isinstance(schema, dict):
        yield schema
    for inner in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from everything_in(inner)


def test_the_schema_of_a_rule_set_is_published_under_its_version(db: None, annas: Program) -> None:
    for rules in annas.get("rules/")["items"]:
        answer = Client().get(urlsplit(rules["schema_url"]).path)
        assert answer.json()["$id"] == rules["schema_url"] and "view" in answer.json()["$defs"]
    assert Client().get("/api/schema/rules/chess/1/").status_code == 404


# The rules of the description: what is described later keeps them, too

CLOSED = {
    "status",
    "state",
    "ending",
    "paused_by",
    "rhythm",
    "ways",
    "shape",
    "does",
    "often",
    "grade",
    "pace",
}
UNTAKEN = re.compile(r"/(leave|withdraw|remove|hide|close)/$|/(friends|vacations)/\{ref\}/end/$")


@pytest.fixture(scope="module")
def described() -> Any:
    return SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]  # it has no types


def members(described: Any) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Schema, name and description of every member."""
    for schema, one in described["components"]["schemas"].items():
        for name, member in one.get("properties", {}).items():
            yield schema, name, member


def test_every_member_and_parameter_is_a_sentence_and_every_sentence_is_used(described: Any) -> None:
    said = [(schema, name, member.get("description", "")) for schema, name, member in members(described)]
    said += [
        (one["operationId"], parameter["name"], parameter.get("description", ""))
        for _path, _method, one in operations(described)
        for parameter in parameters(described, one)
    ]
    assert [row for row in said if not row[2]] == []
    assert set(MEANINGS) - {name for _schema, name, words in said if words == MEANINGS.get(name)} == set()


def test_words_of_which_there_are_few_are_enumerations(described: Any) -> None:
    def is_closed(member: dict[str, Any]) -> bool:
        inner = [member, *(one for word in ("allOf", "oneOf") for one in member.get(word, ()))]
        return any({"enum", "const", "$ref"} & set(one) or one.get("type") == "integer" for one in inner)

    words = [(schema, name) for schema, name, member in members(described) if name in CLOSED and not is_closed(member)]
    assert words == []


def test_names_say_what_they_hold(described: Any) -> None:
    refs = {"player", "person", "club", "game", "tournament", "owner_ref", "seats", "seat"}
    texts = [
        (schema, name) for schema, name, member in members(described)
        if name in refs and "string" in str(member.get("type")) and name != "owner_ref"
    ]  # fmt: skip
    assert texts == [], "a reference is called ..._ref"
    assert [name for name in described["components"]["schemas"] if name.endswith("Shape")] == []
    assert [path for path, method, _one in operations(described) if method == "post" and UNTAKEN.search(path)] == []


def test_every_list_has_items_and_next(described: Any) -> None:
    schemas = described["components"]["schemas"]
    for _path, method, one in operations(described):
        for status, answer in one["responses"].items():
            schema = answer.get("content", {}).get("application/json", {}).get("schema", {})
            assert schema.get("type") != "array", (method, one["operationId"], status)
            if one["operationId"].startswith("list_") and status == "200":
                fields = set(schemas[schema["$ref"].rsplit("/", 1)[-1]]["properties"])
                assert fields >= {"items", "next"} or one["operationId"] == "list_friends", one["operationId"]


def test_what_is_created_takes_a_key_and_what_is_changed_in_part_needs_no_whole(described: Any) -> None:
    schemas = described["components"]["schemas"]
    for _path, method, one in operations(described):
        keys = [parameter for parameter in parameters(described, one) if parameter["name"] == "Idempotency-Key"]
        assert keys or "201" not in one["responses"], one["operationId"]
        if method == "patch":
            body = one["requestBody"]["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[-1]
            assert "required" not in schemas[body] or one["operationId"] == "rename_preset", one["operationId"]


def test_the_headers_of_answers_are_described(described: Any) -> None:
    shared = described["components"]["responses"]
    assert "Retry-After" in shared["E429"]["headers"] and "RateLimit-Reset" in shared["E404"]["headers"]
    made = described["paths"]["/api/v1/games/"]["post"]["responses"]["201"]["headers"]
    read = described["paths"]["/api/v1/me/"]["get"]["responses"]
    assert "Location" in made and "ETag" in read["200"]["headers"] and "ETag" in shared["E304"]["headers"]


def test_events_are_described_and_are_what_is_told(described: Any, annas: Program, game: Game) -> None:
    import jsonschema_rs

    events = {"$ref": "#/components/schemas/Events", "components": described["components"]}
    told = annas.get("me/events/")
    jsonschema_rs.validate(events, told)
    assert {one["event"] for one in told["items"]} == {"game", "ready"}
    for path in ("/api/v1/me/events/", "/api/v1/games/{ref}/events/"):
        stream = described["paths"][path]["get"]["responses"]["200"]["content"]["text/event-stream"]["schema"]
        members = [one["properties"] for one in stream["oneOf"]]
        assert {one["data"]["type"] for one in members} == {"string"}, "in a stream the data are text, which holds JSON"
        assert all(set(one["data"]["contentSchema"]) and one["event"]["const"] for one in members)
