"""On SQLite a statement that is asked again and again is looked through once for the places of its values."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db.utils import ConnectionHandler

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
