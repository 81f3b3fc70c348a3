"""On PostgreSQL statements that are asked again and again are planned once, and a connection is known to be well."""

import datetime as dt
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import (
    DatabaseError,
    DataError,
    IntegrityError,
    OperationalError,
    ProgrammingError,
    close_old_connections,
    connection,
    transaction,
)
from django.db.backends.postgresql import base as django_base
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext

from config.postgresql.base import _numbered
from notifications.models import Conversation, Recipient
from notifications.prepared import fetched, padded, planned
from notifications.written import insert, update

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
NOON = dt.datetime(2026, 5, 4, 12, 0, tzinfo=dt.UTC)
NAMES = 'SELECT "name" FROM "notifications_recipient" WHERE "id" = %s'
LARGE = 2**40


@pytest.fixture(autouse=True)
def _anew() -> Iterator[None]:
    """A connection that has planned nothing, and leaves nothing behind."""
    connection.close()
    yield
    connection.close()


def plans(what: str = "") -> list[tuple[int, int]]:
    """Of each statement with these words that the database keeps: how often its one plan did, how often a new one."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE statement LIKE %s", [f"%{what}%"]
        )
        return list(cursor.fetchall())


def test_a_statement_is_planned_once_whatever_its_values_are() -> None:
    anna = Recipient.objects.create(address="anna@example.org", name="Anna")
    for key in (anna.pk, 1, 40_000, LARGE, anna.pk, str(anna.pk), None):
        assert fetched(NAMES, [key]) == ([("Anna",)] if key in (anna.pk, str(anna.pk)) else [])
    assert plans() == [(7, 0)]


def test_a_row_is_written_by_one_statement_whichever_of_its_fields_are_empty() -> None:
    anna = Recipient.objects.create(address="anna@example.org", name="Anna")
    rows = [
        Conversation(recipient=anna, thread="a"),
        Conversation(recipient=anna, thread="b", snoozed_until=NOON, muted=["x", "%s"]),
        Conversation(recipient=anna, thread="c", seen_at=NOON, rhythm="daily"),
    ]
    for row in rows:
        insert([row])
    for row in rows:
        row.snoozed_until, row.muted = (None, ["y"]) if row.snoozed_until else (NOON, [])
        update(row, "snoozed_until", "muted")
    facts = Conversation.objects.order_by("thread").values_list("snoozed_until", "muted", "seen_at", "rhythm")
    assert list(facts) == [(NOON, [], None, ""), (None, ["y"], None, ""), (NOON, [], NOON, "daily")]
    assert plans("INSERT") == plans("UPDATE") == [(3, 0)]


def test_lists_of_any_length_have_few_statements() -> None:
    assert [len(padded(range(number))) for number in (0, 1, 2, 3, 4, 5, 20)] == [0, 1, 2, 4, 4, 8, 32]
    assert padded("abcde") == list("abcdeeee")


def test_what_django_asks_by_itself_is_planned_as_before() -> None:
    for _ in range(3):
        assert not Recipient.objects.filter(name="nobody").exists()
    assert plans() == []


def test_what_is_planned_is_counted_and_logged_with_its_values() -> None:
    with CaptureQueriesContext(connection) as asked:
        for key in (1, None):
            fetched(NAMES, [key])
    assert [query["sql"].partition("WHERE ")[2] for query in asked] == ['"id" = 1', '"id" = NULL']


def test_errors_are_those_of_django_and_what_comes_next_is_not_harmed() -> None:
    anna = Recipient.objects.create(address="anna@example.org", name="Anna")
    insert([Conversation(recipient=anna, thread="a")])
    with pytest.raises(IntegrityError):
        insert([Conversation(recipient=anna, thread="a")])
    with pytest.raises(DataError):
        fetched(NAMES, ["no number"])
    with pytest.raises(ProgrammingError):
        fetched("SELECT nothing", [])
    assert fetched(NAMES, [anna.pk]) == [("Anna",)]
    with pytest.raises(IntegrityError), transaction.atomic():
        insert([Conversation(recipient=anna, thread="a")])
    assert fetched(NAMES, [anna.pk]) == [("Anna",)]


@pytest.fixture
def growing() -> Iterator[str]:
    """A table whose column a newer version makes wider; gives what asks for it."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE growing (key integer, value integer)")
        cursor.execute("INSERT INTO growing VALUES (1, 5)")
    yield "SELECT value FROM growing WHERE key = %s"
    connection.close()
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE growing")


def elsewhere(*statements: str) -> None:
    """Done on a connection of its own."""
    other: Any = connection.copy()
    with other.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
    other.close()


def test_a_newer_version_may_change_the_type_of_a_column_while_an_older_one_works(growing: str) -> None:
    assert fetched(growing, [1]) == [(5,)]
    elsewhere("ALTER TABLE growing ALTER value TYPE bigint", "UPDATE growing SET value = 1099511627776")
    assert fetched(growing, [1]) == [(1099511627776,)] and plans("growing") == [(1, 0)]


def test_in_the_middle_of_a_transaction_it_costs_that_one_and_no_other(growing: str) -> None:
    assert fetched(growing, [1]) == [(5,)]
    elsewhere("ALTER TABLE growing ALTER value TYPE bigint")
    with pytest.raises(OperationalError), transaction.atomic():
        fetched(growing, [1])
    with transaction.atomic():
        assert fetched(growing, [1]) == [(5,)]


def test_new_columns_and_indexes_disturb_nothing(growing: str) -> None:
    with transaction.atomic():
        assert fetched(growing, [1]) == [(5,)]
    elsewhere("ALTER TABLE growing ADD more integer DEFAULT 3", "CREATE INDEX ON growing (key)", "ANALYZE growing")
    with transaction.atomic():
        assert fetched(growing, [1]) == [(5,)]


def test_behind_a_pooler_nothing_is_kept_on_the_server() -> None:
    other: Any = connection.copy()
    other.settings_dict["OPTIONS"] = {}  # as tests/config/test_settings.py finds them
    with other.planned_cursor() as cursor:
        for key in (1, LARGE, None):
            cursor.execute(NAMES, [key])
            assert cursor.fetchall() == []
        cursor.execute("SELECT count(*) FROM pg_prepared_statements", [])
        assert cursor.fetchone() == (0,)
    other.close()


def test_no_more_statements_are_kept_than_the_driver_allows() -> None:
    connection.ensure_connection()
    connection.connection.prepared_max = 5
    for number in range(9):
        fetched(f"{NAMES} AND {number} = {number}", [1])
    assert len(plans()) == 5


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """How often the database was asked whether it is there."""
    asks: list[str] = []
    is_usable = django_base.DatabaseWrapper.is_usable
    monkeypatch.setattr(
        django_base.DatabaseWrapper, "is_usable", lambda self: asks.append("asked") or is_usable(self)
    )  # fmt: skip
    return asks


def request() -> list[Any]:
    """What one needs of the database, with what Django does before it."""
    close_old_connections()
    with planned() as cursor:
        cursor.execute("SELECT pg_backend_pid()", [])
        return list(cursor.fetchone())


def cut() -> None:
    """The database ends our connection, as at its restart."""
    elsewhere(f"SELECT pg_terminate_backend({connection.connection.info.backend_pid}, 5000)")


def test_a_connection_that_has_just_answered_is_not_asked_before_each_request(asked: list[str]) -> None:
    assert len({*request(), *request(), *request(), *request()}) == 1
    assert asked == []


def test_after_some_silence_it_is_asked(asked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.postgresql.base.TRUSTED", 0.0)
    assert len({*request(), *request(), *request()}) == 1
    assert asked == ["asked"] * 2


@pytest.mark.parametrize("requests", [1, 3])
def test_a_connection_that_was_cut_is_noticed_before_a_request_uses_it(requests: int) -> None:
    (before,) = [request() for _ in range(requests)][-1]
    cut()
    assert request() != [before]


def test_after_an_error_it_is_asked(asked: list[str]) -> None:
    for _ in range(2):
        request()
    with pytest.raises(DatabaseError):
        fetched("SELECT nothing", [])
    assert asked == []
    request()
    assert asked == ["asked"]


@pytest.mark.parametrize(
    "instant",
    [
        NOON,
        NOON.replace(microsecond=1),
        dt.datetime.max.replace(tzinfo=dt.UTC),
        dt.datetime(1, 1, 1, tzinfo=dt.UTC),
        None,
    ],
)
def test_an_instant_is_read_as_django_reads_it(instant: dt.datetime | None) -> None:
    text = "SELECT %s::timestamptz"
    with connection.cursor() as cursor:
        cursor.execute(text, [instant])
        ((wanted,),) = cursor.fetchall()
    ((found,),) = fetched(text, [instant])
    assert found == wanted == instant
    assert instant is None or found.tzinfo is wanted.tzinfo is dt.UTC


@pytest.mark.parametrize("zone", [dt.UTC, ZoneInfo("Europe/Paris")])
def test_an_hour_that_comes_twice_is_two_instants(zone: dt.tzinfo) -> None:
    for fold in (0, 1, 0):  # equal to each other, in Python
        instant = dt.datetime(2026, 10, 25, 2, 30, tzinfo=zone, fold=fold)
        ((found,),) = fetched("SELECT %s::timestamptz", [instant])
        assert found == instant.astimezone(dt.UTC)


def test_after_a_transaction_in_which_the_connection_was_closed_all_is_asked_anew() -> None:
    assert fetched("SELECT 1", []) == [(1,)]
    with suppress(DatabaseError, TransactionManagementError), transaction.atomic():
        connection.close()
        fetched("SELECT 1", [])
    assert fetched("SELECT 1", []) == [(1,)]


def test_a_connection_has_one_cursor_for_what_is_planned() -> None:
    with planned() as one:
        first = one.cursor
    with planned() as other:
        assert other.cursor is first
    connection.close()
    with planned() as another:
        assert another.cursor is not first


def test_the_places_of_values_are_numbered_once_whatever_the_values_are() -> None:
    _numbered.cache_clear()
    for one, other in (("a", "b"), ("%s", "$1"), ("%%", "'")):
        assert fetched("SELECT %s::text || '%%' || %s::text", [one, other]) == [(f"{one}%{other}",)]
    assert (_numbered.cache_info().misses, _numbered.cache_info().hits) == (1, 2)


def test_a_statement_without_values_is_taken_as_it_is() -> None:
    with planned() as cursor:
        cursor.execute("SELECT '%s%%'")
        assert cursor.fetchall() == [("%s%%",)]
