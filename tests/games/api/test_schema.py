"""The OpenAPI description says what the API does: schemathesis asks everything it can think of."""

import datetime as dt

import pytest
import schemathesis
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.openapi import from_wsgi

from config.wsgi import application
from games.api.throttles import ChangeThrottle, ReadThrottle
from games.models import Game
from tests.games.api.conftest import Program
from tests.games.conftest import fresh

OPERATIONS = {
    "answer_decision", "list_decisions", "list_games", "read_game", "read_log", "read_me", "resign",
}  # fmt: skip


@pytest.fixture
def described(annas: Program) -> schemathesis.schemas.BaseSchema:
    """The schema as the service serves it."""
    return from_wsgi("/api/schema/?format=json", application)


def test_the_schema_is_open_api_3_1_and_open_to_all(db: None) -> None:
    response = Client().get("/api/schema/?format=json")
    schema = response.json()
    assert schema["openapi"] == "3.1.0"
    named = {one["operationId"] for path in schema["paths"].values() for name, one in path.items() if name != "parameters"}
    assert named >= OPERATIONS
    assert schema["components"]["schemas"]["AnswerBody"]["additionalProperties"] is False
