"""Rows written by statements that are made once: what `save` and `bulk_create` do, without finding out how each time.

For plain rows of our own that nobody listens to: no signals, no parents, no defaults of the database, and no instants
that come about as they are written.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from types import NoneType
from typing import Any, TypeAlias, TypeVar

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, models
from django.db.models import Field, Model

from notifications.prepared import current, fetched, planned

M = TypeVar("M", bound=Model)
Column: TypeAlias = "Field[Any, Any]"
Written: TypeAlias = tuple[str, frozenset[type], Column]
"""The name under which a row holds the value of a column, of which types it may be to be stored as it is, its field."""
AS_THEY_ARE: dict[type[Column], type] = {
    models.CharField: str,
    models.TextField: str,
    models.EmailField: str,
    models.BooleanField: bool,
    models.DateTimeField: datetime,
    models.ForeignKey: int,
    models.PositiveIntegerField: int,
    models.PositiveSmallIntegerField: int,
}
"""What these fields hold is stored as it is, if it is of just this type; an instant as the database has them."""
AT_ONCE = 20  # rows of one INSERT: a database takes so many parameters and no more


@dataclass(frozen=True)
class Stored:
    """What becomes of rows that are stored already.

    Arguments:
        by: the unique fields that say so.
        changed: the fields that are written of them; none to pass over them.
        only_if: a field of a stored row and the value that it must have to be written.
    """

    by: tuple[str, ...]
    changed: tuple[str, ...] = ()
    only_if: tuple[str, str] | None = None


def update(row: Model, *names: str) -> None:
    """Writes these fields of a stored row, which must have been read. Raises DatabaseError if it is gone."""
    sql, columns = _update(type(row), names)
    database = current()
    with planned(database) as cursor:
        cursor.execute(sql, [*_values(row, columns, database, is_new=False), row.pk])
        if cursor.rowcount != 1:
            raise DatabaseError(f"There is no {row!r} to write to.")


def insert(rows: Sequence[M]) -> list[M]:
    """Adds rows, which know their keys from then on."""
    for part in _parts(rows):
        for row, (key,) in zip(part, _inserted(part, None), strict=True):
            row.pk = key
    return list(rows)


def insert_unknown(rows: Sequence[M], stored: Stored) -> list[M]:
    """Adds those rows that are not stored yet, and changes the others as `stored` says; returns what was written."""
    written = []
    for part in _parts(rows):
        keys = {tuple(found[:-1]): found[-1] for found in _inserted(part, stored)}
        for row in part:
            if (key := keys.pop(_told_by(row, stored), None)) is not None:
                row.pk = key
                written.append(row)
    return written


def _told_by(row: Model, stored: Stored) -> tuple[Any, ...]:
    return tuple(field.value_from_object(row) for field in _fields(type(row), stored.by))


def _parts(rows: Sequence[M]) -> Iterator[Sequence[M]]:
    return (rows[place : place + AT_ONCE] for place in range(0, len(rows), AT_ONCE))


def _inserted(rows: Sequence[Model], stored: Stored | None) -> list[Any]:
    sql, columns = _insert(type(rows[0]), len(rows), stored)
    database = current()
    found = fetched(sql, [value for row in rows for value in _values(row, columns, database, is_new=True)], database)
    for row in rows:
        row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS
    return found


def _values(row: Model, columns: Sequence[Written], database: Any, *, is_new: bool) -> list[Any]:
    held = vars(row)
    return [
        held[name] if type(held[name]) in plain else _as_stored(row, field, database, is_new=is_new)
        for name, plain, field in columns
    ]


def _as_stored(row: Model, field: Column, database: Any, *, is_new: bool) -> Any:
    """As the field would have it, which need not be asked about texts of enumerations, and instants that are given."""
    value, kind = vars(row)[field.attname], AS_THEY_ARE.get(type(field))
    if kind is str and isinstance(value, str):
        return value
    if kind is datetime and type(value) is datetime:
        return database.ops.adapt_datetimefield_value(value)
    return field.get_db_prep_save(field.pre_save(row, is_new), database)


def _written(fields: Sequence[Column]) -> list[Written]:
    return [(field.attname, _plain(field), field) for field in fields]


def _plain(field: Column) -> frozenset[type]:
    kind = AS_THEY_ARE.get(type(field))
    return frozenset() if kind is None else frozenset({NoneType}) if kind is datetime else frozenset({kind, NoneType})


@cache
def _update(model: type[Model], names: tuple[str, ...]) -> tuple[str, list[Written]]:
    fields = _fields(model, names)
    written = ", ".join(f"{_quoted(field)} = %s" for field in fields)
    return f"UPDATE {_table(model)} SET {written} WHERE {_quoted(model._meta.pk)} = %s", _written(fields)  # noqa: S608


@cache
def _insert(model: type[Model], count: int, stored: Stored | None) -> tuple[str, list[Written]]:
    """Of `count` rows."""
    fields: list[Any] = [field for field in model._meta.local_concrete_fields if not field.primary_key]
    columns = ", ".join(map(_quoted, fields))
    places = ", ".join([f"({', '.join(['%s'] * len(fields))})"] * count)
    key, sql = _quoted(model._meta.pk), f"INSERT INTO {_table(model)} ({columns}) VALUES {places}"  # noqa: S608
    if stored is None:
        return f"{sql} RETURNING {key}", _written(fields)
    unique = ", ".join(map(_quoted, _fields(model, stored.by)))
    return f"{sql} ON CONFLICT ({unique}) DO {_change(model, stored)} RETURNING {unique}, {key}", _written(fields)


def _change(model: type[Model], stored: Stored) -> str:
    if not stored.changed:
        return "NOTHING"
    changes = ", ".join(f"{column} = excluded.{column}" for column in map(_quoted, _fields(model, stored.changed)))
    if stored.only_if is None:
        return f"UPDATE SET {changes}"
    name, value = stored.only_if
    return f"UPDATE SET {changes} WHERE {_table(model)}.{_quoted(model._meta.get_field(name))} = '{value}'"


@cache
def _fields(model: type[Model], names: tuple[str, ...]) -> list[Any]:
    return [model._meta.get_field(name) for name in names]


def _table(model: type[Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)


def _quoted(field: Any) -> str:
    return connection.ops.quote_name(field.column)
