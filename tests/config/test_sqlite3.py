"""On SQLite a statement that is asked again and again is looked through once for the places of its values."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from django.db.backends.sqlite3 import operations
from django.db.utils import ConnectionHandler
from hypothesis import given
from hypothesis import strategies as st

from config.sqlite3.base import _marked

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


@given(INSTANTS, st.sampled_from([None, "Europe/Paris"]))
def test_an_instant_is_stored_and_read_as_django_does(instant: datetime, zone: str | None) -> None:
    """A database may be told that its instants are those of some other zone."""
    given = {"default": {"ENGINE": "config.sqlite3", "NAME": ":memory:", "TIME_ZONE": zone}}
    ours: Any = ConnectionHandler(given)["default"].ops
    djangos: Any = operations.DatabaseOperations(ours.connection)
    try:
        stored = djangos.adapt_datetimefield_value(instant)
    except OverflowError:  # beyond the calendar, there
        return
    assert ours.adapt_datetimefield_value(instant) == stored
    for value in (datetime.fromisoformat(stored), stored, None):
        found, wanted = (ops.convert_datetimefield_value(value, None, None) for ops in (ours, djangos))
        assert found == wanted and getattr(found, "tzinfo", None) == getattr(wanted, "tzinfo", None)
