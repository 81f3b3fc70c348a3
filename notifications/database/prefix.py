"""Finds what begins with some letters, however they are capitalised, by an index, on both databases.

Django's `istartswith` has no index on either: PostgreSQL would need one in a pattern's order, SQLite one that folds
case.
"""

from typing import Any

from django.db import models

LAST = "\U0010ffff"  # sorts behind every other character
Compiled = tuple[str, tuple[str | int, ...]]


class Folded(models.Transform):
    """A text in capitals, in the order of its bytes: `Index(Folded("title"), name=...)` serves `title__begins`."""

    lookup_name = "folded"
    function = "UPPER"

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Compiled:
        """In which order letters stand depends on the database's language otherwise, and a prefix is no range."""
        return self.as_sql(compiler, connection, template='(%(function)s(%(expressions)s) COLLATE "C")', **context)


class Begins(models.Lookup):
    """`title__begins="thu"`: a range of the folded text."""

    lookup_name = "begins"

    def as_sql(self, compiler: Any, connection: Any) -> Compiled:
        """Between the letters, and the letters with the last character behind them."""
        folded, params = compiler.compile(Folded(self.lhs))
        wanted = str(self.rhs)
        return f"({folded} >= UPPER(%s) AND {folded} < UPPER(%s))", (*params, wanted, *params, wanted + LAST)


models.CharField.register_lookup(Begins)
