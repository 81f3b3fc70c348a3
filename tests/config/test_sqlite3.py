"""On SQLite a statement that is asked again and again is looked through once for the places of its values."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError
from django.db.backends.sqlite3.base import DatabaseOperations
from django.db.transaction import TransactionManagementError
from django.db.utils import ConnectionHandler
from django.test.utils import CaptureQueriesContext
from django.utils.dateparse import parse_datetime
from hypothesis import given
from hypothesis import strategies as st

from config.sqlite3.base import _instant, _marked

pytestmark = pytest.mark.django_db
PERCENT = "SELECT %s || '%%' || %s"


@pytest.fixture
def database() -> Iterator[Any]:
    """One in memory, whatever the service is on."""
    _marked.cache_clear()
    found = ConnectionHandler({"default": {"ENGINE": "config.sqlite3", "NAME": ":memory:"}})["default"]
    yield found
    found.close()


def test_its_words_are_looked_through_once_whatever_its_values_are(database: Any) -> None:
    for one, other in (("a", "b"), ("%s", "%%"), ("?", "'")):
        with database.planned_cursor() as cursor:
            cursor.execute(PERCENT, [one, other])
            assert cursor.fetchall() == [(f"{one}%{other}",)]
    assert (_marked.cache_info().misses, _marked.cache_info().hits) == (1, 2)


def test_all_other_statements_are_as_django_has_them(database: Any) -> None:
    with database.cursor() as cursor:
        cursor.execute(PERCENT, ["a", "b"])
        assert cursor.fetchall() == [("a%b",)]
    assert _marked.cache_info().currsize == 0


def test_values_may_have_names_as_django_has_them(database: Any) -> None:
    with database.planned_cursor() as cursor:
        cursor.execute("SELECT %(word)s || '%%'", {"word": "c"})
        assert cursor.fetchall() == [("c%",)]


INSTANTS = st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=2))]))


@given(INSTANTS)
def test_an_instant_is_stored_and_read_as_django_does(instant: datetime) -> None:
    ours: Any = ConnectionHandler({"default": {"ENGINE": "config.sqlite3", "NAME": ":memory:"}})["default"].ops
    djangos: Any = DatabaseOperations(ours.connection)
    try:
        stored = djangos.adapt_datetimefield_value(instant)
    except OverflowError:  # beyond the calendar, there
        return
    assert ours.adapt_datetimefield_value(instant) == stored
    found, wanted = _instant(stored), djangos.convert_datetimefield_value(stored, None, None)
    assert found == wanted == instant and found is not None and found.tzinfo is wanted.tzinfo is UTC


@pytest.mark.parametrize("text", ["2026-05-04 12:00:00+02:00", "2026-05-04T12:00"])
def test_an_instant_in_other_words_is_read_as_django_reads_it(text: str) -> None:
    assert _instant(text) in (parse_datetime(text), datetime(2026, 5, 4, 12, tzinfo=UTC))


def test_a_database_with_instants_of_another_zone_is_refused() -> None:
    given = {"default": {"ENGINE": "config.sqlite3", "NAME": ":memory:", "TIME_ZONE": "Europe/Paris"}}
    with pytest.raises(ImproperlyConfigured, match="UTC"):
        ConnectionHandler(given)["default"].ensure_connection()


def test_a_connection_keeps_its_cursor_but_not_while_statements_are_counted(database: Any) -> None:
    first = database.planned_cursor()
    with database.planned_cursor() as again:
        assert again is first
    with CaptureQueriesContext(database) as seen, database.planned_cursor() as counted:
        counted.execute("SELECT 1")
        assert counted.fetchall() == [(1,)]
    assert len(seen) == 1 and database.planned_cursor() is first
    database.inc_thread_sharing()
    assert database.planned_cursor() is not first
    database.dec_thread_sharing()


def test_rows_are_asked_at_once_but_not_past_whoever_has_a_say_in_statements(database: Any) -> None:
    database.planned_cursor()
    heard: list[str] = []

    def listen(execute: Any, sql: str, *rest: Any) -> Any:
        heard.append(sql)
        return execute(sql, *rest)

    with database.execute_wrapper(listen):
        assert database.planned_rows(PERCENT, ["a", "b"]) == [("a%b",)]
    assert heard == [PERCENT]
    with CaptureQueriesContext(database) as seen:
        assert database.planned_rows(PERCENT, ["a", "b"]) == [("a%b",)]
    assert len(seen) == 1
    assert database.planned_rows(PERCENT, ["c", "d"]) == [("c%d",)]
    assert heard == [PERCENT] and len(seen) == 1


def test_what_goes_wrong_is_said_in_djangos_words_and_ends_the_transaction(database: Any) -> None:
    database.planned_cursor()
    with pytest.raises(OperationalError):
        database.planned_rows("SELECT nothing", [])
    assert database.errors_occurred
    database.needs_rollback, database.in_atomic_block = True, True
    with pytest.raises(TransactionManagementError):
        database.planned_rows(PERCENT, ["a", "b"])
    database.needs_rollback = database.in_atomic_block = False


def test_a_new_connection_has_a_new_cursor(tmp_path: Path) -> None:
    one = ConnectionHandler({"default": {"ENGINE": "config.sqlite3", "NAME": tmp_path / "one"}})["default"]
    first = one.planned_cursor()  # type: ignore[attr-defined]
    one.close()
    with one.planned_cursor() as second:  # type: ignore[attr-defined]
        second.execute("SELECT 1")
        assert second is not first
    one.close()
