"""What both databases' connections have for statements that are asked again and again: one cursor, which is kept.

To make a cursor, to wrap it and to ask before whether the connection is well takes Django longer than many a statement.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from django.db.backends.utils import CursorWrapper

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

    from config.sqlite3.packing import Packing
else:
    BaseDatabaseWrapper = object

PLANNED = "planned"
"""Instead of the name that Django gives a cursor which stays on the server."""


class Planning(BaseDatabaseWrapper):
    """A connection with such a cursor: `create_cursor(PLANNED)` of its database makes it.

    Whoever asks fetches all there is before anything else is asked.
    """

    _kept: CursorWrapper | None = None
    if TYPE_CHECKING:  # what the stubs do not know of Django's
        _thread_sharing_count: int

        def _cursor(self, name: str | None = None) -> CursorWrapper: ...

    def planned_cursor(self) -> CursorWrapper:
        """A cursor of Django's for statements that are asked again and again, the same but for their values."""
        if self._may_be_kept():
            self.close_if_health_check_failed()
            if self._kept is not None:
                return self._kept
        made: CursorWrapper = self._cursor(PLANNED)
        if self._may_be_kept() and not self.queries_logged:
            self._kept = made
        return made

    def planned_rows(self, sql: str, values: Sequence[Any]) -> list[Sequence[Any]]:
        """All rows of such a statement, which must give some back.

        Raises what Django makes of the driver's errors.
        """
        cursor: Any = self.planned_cursor()
        is_plain = cursor is self._kept and not self.execute_wrappers
        if not is_plain:  # somebody counts, or has a say in it
            cursor.execute(sql, values)
            return list(cursor.fetchall())
        self.validate_no_broken_transaction()
        with self.wrap_database_errors:
            return list(cursor.cursor.execute(sql, values).fetchall())

    def short_converter(self, convert: Callable[..., Any]) -> Callable[[Any], Any] | None:
        """Of one of Django's converters what does the same with a value alone that is not None, where there is such."""
        return None

    def packing(self, compiler: Any, sql: str) -> "Packing | None":
        """How the rows of a query are read in one piece each, where that is faster. `sql` is what its compiler made."""
        return None

    def _may_be_kept(self) -> bool:
        """Not while statements are counted, if another thread has the connection, too (a test's server), or once it is
        closed in a transaction, at whose end Django forgets it."""
        return not (self.force_debug_cursor or self._thread_sharing_count or self.closed_in_transaction)

    def close(self) -> None:
        """As Django's; nothing is kept of what was read last."""
        self._kept = None
        super().close()
