"""Django's SQLite, for which the places of values are marked once in each statement.

Django writes `%s` where a value goes and SQLite `?`; Django looks through the words of a statement for them each time,
which takes longer than many an answer. `DatabaseWrapper.planned_cursor` is for those that are asked again and again
(`notifications/prepared.py`, `notifications/written.py`); all else is as Django has it.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from django.db.backends.sqlite3 import base

STATEMENTS = 1000  # whose words are kept; there are some hundred


class PlannedCursor(base.SQLiteCursorWrapper):
    """Its statements are few, and looked through once."""

    def convert_query(self, query: str, *, param_names: Iterable[str] | None = None) -> str:
        """The statement as SQLite reads it."""
        return super().convert_query(query, param_names=param_names) if param_names else _marked(query)


@lru_cache(STATEMENTS)
def _marked(query: str) -> str:
    return base.FORMAT_QMARK_REGEX.sub("?", query).replace("%%", "%")


class DatabaseWrapper(base.DatabaseWrapper):
    """What ENGINE names."""

    def planned_cursor(self) -> Any:
        """A cursor of Django's for statements that are asked again and again, the same but for their values."""
        return self._cursor(PlannedCursor)  # type: ignore[attr-defined]  # the stubs do not know it

    def create_cursor(self, name: Any = None) -> Any:
        """As Django's; or one of ours."""
        return self.connection.cursor(factory=name) if name is PlannedCursor else super().create_cursor(name)
