"""Django's SQLite, for which the places of values are marked once in each statement, and values are read with less ado.

Django writes `%s` where a value goes and SQLite `?`; Django looks through the words of a statement for them each time,
which takes longer than many an answer. `DatabaseWrapper.planned_cursor` is for those that are asked again and again
(`notifications/prepared.py`, `notifications/written.py`).
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from django.db.backends.sqlite3 import base, operations
from django.db.models import BooleanField
from django.db.models.expressions import Col

STATEMENTS = 1000  # whose words are kept; there are some hundred


class PlannedCursor(base.SQLiteCursorWrapper):
    """Its statements are few, and looked through once."""

    def convert_query(self, query: str, *, param_names: Iterable[str] | None = None) -> str:
        """The statement as SQLite reads it."""
        return super().convert_query(query, param_names=param_names) if param_names else _marked(query)


@lru_cache(STATEMENTS)
def _marked(query: str) -> str:
    return base.FORMAT_QMARK_REGEX.sub("?", query).replace("%%", "%")


class DatabaseOperations(operations.DatabaseOperations):
    """SQLite stores an instant as text without a zone. Django asks three times for each what it means, and once more
    for each truth value of a column, though the driver has made one of it."""

    def get_db_converters(self, expression: Any) -> list[Any]:
        """What is to be made of values that were read."""
        is_made = isinstance(expression, Col) and isinstance(expression.output_field, BooleanField)
        return [] if is_made else super().get_db_converters(expression)

    def convert_datetimefield_value(self, value: Any, expression: Any, connection: Any) -> Any:
        """The instant that was stored."""
        if type(value) is datetime and value.tzinfo is None and self.connection.timezone is UTC:
            return value.replace(tzinfo=UTC)
        return super().convert_datetimefield_value(value, expression, connection)

    def adapt_datetimefield_value(self, value: Any) -> str | None:
        """As it is stored."""
        if type(value) is datetime and value.tzinfo is UTC is self.connection.timezone:
            return value.isoformat(" ")[: -len("+00:00")]
        return super().adapt_datetimefield_value(value)


class DatabaseWrapper(base.DatabaseWrapper):
    """What ENGINE names."""

    ops_class = DatabaseOperations

    def planned_cursor(self) -> Any:
        """A cursor of Django's for statements that are asked again and again, the same but for their values."""
        return self._cursor(PlannedCursor)  # type: ignore[attr-defined]  # the stubs do not know it

    def create_cursor(self, name: Any = None) -> Any:
        """As Django's; or one of ours."""
        return self.connection.cursor(factory=name) if name is PlannedCursor else super().create_cursor(name)
