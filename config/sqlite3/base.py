"""Django's SQLite, for which the places of values are marked once in each statement, and instants are read as such.

Django writes `%s` where a value goes and SQLite `?`; Django looks through the words of a statement for them each time,
which takes longer than many an answer. `DatabaseWrapper.planned_cursor` is for those that are asked again and again
(`notifications/prepared.py`, `notifications/written.py`).
"""

import sqlite3
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db.backends.sqlite3 import base, operations
from django.db.models import BooleanField, DateTimeField
from django.db.models.expressions import Col
from django.utils.dateparse import parse_datetime

from config.planning import PLANNED, Planning

STATEMENTS = 1000  # whose words are kept; there are some hundred


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


def _instant(stored: bytes) -> datetime | None:
    """Text without a zone, which is an instant in UTC. Django reads it as a time of nowhere, and asks each again."""
    text = stored.decode()
    try:
        return datetime.fromisoformat(f"{text}+00:00")
    except ValueError:
        return parse_datetime(text)


sqlite3.register_converter("datetime", _instant)


class DatabaseOperations(operations.DatabaseOperations):
    """What the driver has made of columns already, instants and truth values, is not looked at once more."""

    def get_db_converters(self, expression: Any) -> list[Any]:
        """What is to be made of values that were read."""
        is_made = isinstance(expression, Col) and isinstance(expression.output_field, BooleanField | DateTimeField)
        return [] if is_made else super().get_db_converters(expression)

    def adapt_datetimefield_value(self, value: Any) -> str | None:
        """As it is stored."""
        if type(value) is datetime and value.tzinfo is UTC:
            return value.isoformat(" ")[: -len("+00:00")]
        return super().adapt_datetimefield_value(value)


class DatabaseWrapper(Planning, base.DatabaseWrapper):
    """What ENGINE names."""

    ops_class = DatabaseOperations

    def get_new_connection(self, conn_params: Any) -> Any:
        """As Django's. Raises ImproperlyConfigured for a database whose instants are those of another zone than UTC."""
        if self.timezone is not UTC:
            raise ImproperlyConfigured("Instants are stored in UTC: leave TIME_ZONE out of DATABASES.")
        return super().get_new_connection(conn_params)

    def create_cursor(self, name: Any = None) -> Any:
        """As Django's; PLANNED is one of ours."""
        return self.connection.cursor(factory=PlannedCursor) if name == PLANNED else super().create_cursor(name)
