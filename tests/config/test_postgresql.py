"""What the settings of a connection to PostgreSQL bring about, with Django's own backend."""

from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import pytest
from django.db import OperationalError, close_old_connections, connection, transaction
from django.db.models import QuerySet

from config.database.limits import LimitedConnection, limited
from notifications.database.compiled_query import compiled
from notifications.models import Recipient

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _anew() -> Iterator[None]:
    """A connection that has planned nothing, and leaves nothing behind."""
    connection.close()
    yield
    connection.close()


@compiled()
def named(name: str) -> QuerySet[Recipient]:
    """Who is called so."""
    return Recipient.objects.filter(name=name)


def plans(database: Any = connection) -> list[tuple[int, int]]:
    """Of each statement about recipients that the server keeps: how often one plan did for all values, or not."""
    with database.cursor() as cursor:
        cursor.execute(
            "SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE statement LIKE %s",
            ["%notifications_recipient%"],
        )
        return [row for row in cursor.fetchall() if sum(row)]


def test_a_statement_that_is_asked_again_and_again_is_parsed_and_planned_once() -> None:
    for number in range(20):
        assert named(f"nobody {number}") == []
    ((generic, custom),) = plans()
    assert generic + custom >= 17 and custom <= 5  # PostgreSQL compares one plan with five others


def test_behind_a_pooler_nothing_is_kept_on_the_server() -> None:
    other: Any = connection.copy()
    other.settings_dict["OPTIONS"] = {}  # as tests/config/test_settings.py finds them
    with other.cursor() as cursor:
        for number in range(9):
            cursor.execute("SELECT name FROM notifications_recipient WHERE id = %s", [number])
    assert plans(other) == []
    other.close()


def test_waits_are_limited_where_they_are_to_be() -> None:
    with limited(), connection.cursor() as cursor:
        assert isinstance(connection.connection, LimitedConnection)
        cursor.execute("SELECT current_setting('statement_timeout'), current_setting('lock_timeout')")
        assert cursor.fetchone() == ("3500ms", "3s")
    connection.close()
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('statement_timeout')")
        assert cursor.fetchone() == ("0",)


@pytest.fixture
def growing() -> Iterator[str]:
    """A table with a column; gives what asks for it."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE growing (key integer, value integer)")
        cursor.execute("INSERT INTO growing VALUES (1, 5)")
    yield "SELECT value FROM growing WHERE key = %s"
    connection.close()
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE growing")


@pytest.mark.parametrize("is_in_transaction", [True, False])
def test_a_newer_version_may_change_the_type_of_a_column_at_the_cost_of_one_request(
    growing: str, is_in_transaction: bool
) -> None:
    def request() -> Any:
        close_old_connections()  # as Django does before and after each
        try:
            with transaction.atomic() if is_in_transaction else nullcontext(), connection.cursor() as cursor:
                cursor.execute(growing, [1])
                return cursor.fetchone()
        finally:
            close_old_connections()

    for _ in range(5):
        assert request() == (5,)
    other: Any = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("ALTER TABLE growing ALTER value TYPE bigint")
    other.close()
    with pytest.raises(OperationalError):
        request()
    assert request() == (5,)
