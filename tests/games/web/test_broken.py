"""What is said when something goes wrong that nobody foresaw."""

import pytest
from django.db import InterfaceError, InternalError, OperationalError
from django.test import Client
from psycopg.errors import ReadOnlySqlTransaction

pytestmark = pytest.mark.django_db
PAGES = {"/": "text/html", "/api/v1/rules/": "application/problem+json"}


@pytest.fixture
def breaking(client: Client, monkeypatch: pytest.MonkeyPatch):
    """A client that meets an error, whatever it asks for."""

    def break_by(error: Exception) -> Client:
        def raising(_request: object) -> None:
            raise error

        monkeypatch.setattr("games.web.middleware.SessionsEnd.__call__", lambda _self, request: raising(request))
        client.raise_request_exception = False
        return client

    return break_by


READ_ONLY = InternalError("cannot execute INSERT in a read-only transaction")
READ_ONLY.__cause__ = ReadOnlySqlTransaction()  # as Django raises it


@pytest.mark.parametrize(
    "error", [OperationalError("terminating connection"), InterfaceError("connection is closed"), READ_ONLY]
)
@pytest.mark.parametrize("path", PAGES)
def test_a_database_that_is_away_for_a_moment_is_no_error_of_ours(breaking, path, error) -> None:
    said = breaking(error).get(path)
    assert (said.status_code, said["Retry-After"]) == (503, "5")
    assert said["Content-Type"].startswith(PAGES[path])


@pytest.mark.parametrize("path", PAGES)
def test_everything_else_is_and_is_said_in_the_form_that_was_asked_for(breaking, path) -> None:
    said = breaking(RuntimeError("a seed: 1234")).get(path)
    assert said.status_code == 500 and "Retry-After" not in said
    assert said["Content-Type"].startswith(PAGES[path])
    assert "1234" not in said.content.decode()
