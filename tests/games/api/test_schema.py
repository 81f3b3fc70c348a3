"""The OpenAPI description says what the API does: schemathesis asks everything it can think of.

It takes a second to import: only the test that needs it does so.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from config.wsgi import application
from games.api.throttles import ReadThrottle
from games.models import Game
from tests.games.api.conftest import Program

OPERATIONS = {
    "answer_decision", "list_decisions", "list_games", "read_game", "read_log", "read_me", "resign",
    "list_rules", "list_tables", "open_table", "join_table", "invite", "start_game", "close_table",
    "read_mail", "change_mail", "snooze_mail", "list_told", "change_table_mail", "change_me",
}  # fmt: skip


@pytest.fixture
def described(db: None) -> Iterator[Any]:
    """The schema as the service serves it. Requests leave the test's connection open, as Django's own client does."""
    from schemathesis.openapi import from_wsgi

    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield from_wsgi("/api/schema/?format=json", application)
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def test_the_schema_is_open_api_3_1_and_open_to_all(db: None) -> None:
    response = Client().get("/api/schema/?format=json")
    schema = response.json()
    assert schema["openapi"] == "3.1.0"
    named = {
        one["operationId"] for path in schema["paths"].values() for name, one in path.items() if name != "parameters"
    }
    assert named >= OPERATIONS
    assert schema["components"]["schemas"]["AnswerBody"]["additionalProperties"] is False


@pytest.mark.slow
def test_every_operation_says_what_it_does_who_may_and_gives_true_examples(db: None) -> None:
    import jsonschema_rs

    schema = Client().get("/api/schema/?format=json").json()

    def is_true(content: dict[str, Any]) -> bool:
        whole = {**content["schema"], "components": schema["components"]}
        return bool(jsonschema_rs.validator_for(whole).is_valid(content["example"]))

    wrong = []
    for path, method, one in operations(schema):
        name = one["operationId"]
        if not (one.get("summary") and one.get("description") and one.get("tags")):
            wrong.append((name, "words"))
        if path.startswith("/api/v1/") and not all(need.get("token", ["x"]) for need in one["security"]):
            wrong.append((name, "scope"))
        told = [one["requestBody"]] if "requestBody" in one else []
        for answer in [*told, *one["responses"].values()]:
            for kind, content in answer.get("content", {}).items():
                if kind != "text/event-stream" and not ("example" in content and is_true(content)):
                    wrong.append((name, method, kind))
        if not {"401", "403", "429"} <= set(one["responses"]):
            wrong.append((name, "problems"))
    assert wrong == []


def operations(schema: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Path, method and operation."""
    for path, methods in schema["paths"].items():
        for method, one in methods.items():
            if method != "parameters":
                yield path, method, one


@settings(
    max_examples=60,
    phases=[Phase.explicit, Phase.generate],
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    deadline=None,
)
@given(data=st.data())
@pytest.mark.slow
def test_whatever_is_asked_the_answer_is_as_described(
    annas: Program, game: Game, described: Any, data: st.DataObject
) -> None:
    from schemathesis import GenerationMode
    from schemathesis.specs.openapi.checks import positive_data_acceptance

    ReadThrottle.cache.clear()
    operations = [result.ok() for result in described.get_all_operations()]
    operation = data.draw(st.sampled_from(operations), label="operation")
    mode = data.draw(st.sampled_from(list(GenerationMode)))
    case = data.draw(operation.as_strategy(generation_mode=mode))
    if mode is GenerationMode.POSITIVE:  # past the door: a game that is there, a decision that is open
        there = {"ref": game.ref, "code": "start-treasures"}
        case.path_parameters = {name: there.get(name, drawn) for name, drawn in (case.path_parameters or {}).items()}
    with transaction.atomic():
        # The rules refuse most answers that have the right shape: what is legal changes with every move.
        plain = {"Accept-Encoding": "identity"}  # this client unpacks nothing
        case.call_and_validate(headers=annas.headers | plain, excluded_checks=[positive_data_acceptance])
        transaction.set_rollback(True)
