"""Queries that a worker asks again and again: Django makes their SQL once, and only the instant in it changes.

Making the SQL of one costs more than the database needs to answer it. What they mean stays a QuerySet, in one place.
"""

from collections.abc import Callable, Hashable
from datetime import UTC, datetime
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import QuerySet

INSTANT = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)  # stands in the SQL for the one that is asked about


def sql_of(build: Callable[..., QuerySet[Any, Any]], now: datetime, *about: Hashable) -> tuple[str, list[Any]]:
    """The SQL of `build(now, *about)` and its parameters; nothing else in it may depend on the time."""
    sql, params = _compiled(connection.vendor, build, about)
    mark, instant = (connection.ops.adapt_datetimefield_value(at) for at in (INSTANT, now))
    return sql, [instant if param == mark else param for param in params]


def rows_of(build: Callable[..., QuerySet[Any, Any]], now: datetime, *about: Hashable) -> list[tuple[Any, ...]]:
    """What the database answers: the values as it has them."""
    with connection.cursor() as cursor:
        cursor.execute(*sql_of(build, now, *about))
        return list(cursor.fetchall())


@cache
def _compiled(
    vendor: str, build: Callable[..., QuerySet[Any, Any]], about: tuple[Hashable, ...]
) -> tuple[str, tuple[Any, ...]]:
    sql, params = build(INSTANT, *about).query.sql_with_params()
    return sql, tuple(params)
