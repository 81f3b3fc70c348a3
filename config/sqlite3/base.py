"""Django's SQLite, for which the places of values are marked once in each statement, and what a column holds is known.

Django writes `%s` where a value goes and SQLite `?`; Django looks through the words of a statement for them each time,
which takes longer than many an answer. `DatabaseWrapper.planned_cursor` is for those that are asked again and again
(`notifications/prepared.py`, `notifications/written.py`).
"""

import sqlite3
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from types import NoneType
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db.backends.sqlite3 import base, operations
from django.utils.dateparse import parse_datetime

from config.planning import PLANNED, Planning
from config.sqlite3.packing import Packing

STATEMENTS = 1000  # whose words are kept; there are some hundred
INSTANTS = 100  # whose text is kept

# The driver looks each time for what could adapt these, unless it is told.
sqlite3.register_adapter(bool, int)
sqlite3.register_adapter(NoneType, lambda value: value)


class PlannedCursor(base.SQLiteCursorWrapper):
    """Its statements are few, and looked through once."""

    def close(self) -> None:
        """Nothing: it is used again."""

    def convert_query(self, query: str, *, param_names: Iterable[str] | None = None) -> str:
        """The statement as SQLite reads it."""
        return super().convert_query(query, param_names=param_names) if param_names else _marked(query)


@lru_cache(STATEMENTS)
def _marked(query: str) -> str:
    return base.FORMAT_QMARK_REGEX.sub("?", query).replace("%%", "%")


@lru_cache(INSTANTS)
def _stored(instant: datetime) -> str:
    """Of one in UTC. Python takes a while to write it, and most are the moment of a move, which is in all its rows."""
    return instant.isoformat(" ")[: -len("+00:00")]


def _instant(stored: str) -> datetime | None:
    """Text without a zone, which is an instant in UTC. Django reads it as a time of nowhere, and asks each again."""
    try:
        return datetime.fromisoformat(f"{stored}+00:00")
    except ValueError:
        found = parse_datetime(stored)
        return found.replace(tzinfo=UTC) if found is not None and found.tzinfo is None else found


class DatabaseOperations(operations.DatabaseOperations):
    """Instants are those of UTC."""

    def convert_datetimefield_value(self, value: Any, expression: Any, connection: Any) -> Any:
        """As it was read."""
        return _instant(value) if isinstance(value, str) else value

    def adapt_datetimefield_value(self, value: Any) -> str | None:
        """As it is stored."""
        if type(value) is datetime and value.tzinfo is UTC:
            return _stored(value)
        return super().adapt_datetimefield_value(value)


class DatabaseWrapper(Planning, base.DatabaseWrapper):
    """What ENGINE names."""

    ops_class = DatabaseOperations

    def get_new_connection(self, conn_params: Any) -> Any:
        """As Django's. Raises ImproperlyConfigured for a database whose instants are those of another zone than UTC."""
        if self.timezone is not UTC:
            raise ImproperlyConfigured("Instants are stored in UTC: leave TIME_ZONE out of DATABASES.")
        return super().get_new_connection(conn_params)

    def get_connection_params(self) -> Any:
        """As Django's, but the driver does not look up what is to be made of each column's values: Django does."""
        return super().get_connection_params() | {"detect_types": 0}

    def short_converter(self, convert: Callable[..., Any]) -> Callable[[Any], Any] | None:
        """Of truth values, instants and times that went by."""
        ops: Any = self.ops
        short: dict[Any, Callable[[Any], Any]] = {
            ops.convert_booleanfield_value: bool,
            ops.convert_datetimefield_value: _instant,
            ops.convert_durationfield_value: partial(timedelta, 0, 0),
        }
        return short.get(convert)

    def packing(self, compiler: Any, sql: str) -> Packing | None:
        """As JSON."""
        try:
            return Packing(compiler, sql)
        except ValueError:
            return None

    def create_cursor(self, name: Any = None) -> Any:
        """As Django's; PLANNED is one of ours."""
        return self.connection.cursor(factory=PlannedCursor) if name == PLANNED else super().create_cursor(name)
