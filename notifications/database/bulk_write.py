"""Inserts and updates rows by SQL that is composed once per process; all rows of a call are written, or none.

`bulk_create` and `save` compose SQL each time, which takes longer than the database needs. No signals are sent.
"""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, transaction
from django.db.models import Model

M = TypeVar("M", bound=Model)
MOST_ROWS = 20  # of one statement: a database takes so many parameters and no more


@dataclass(frozen=True)
class OnConflict:
    """The treatment of rows that `insert` finds stored already."""

    unique: tuple[str, ...]  # the fields by which they are known
    changed: tuple[str, ...] = ()  # the fields that are written of them
    only_if: tuple[str, str] | None = None  # a field of a stored row and the value it must have to be changed


def insert(rows: Sequence[M], on_conflict: OnConflict | None = None) -> list[M]:
    """Inserts rows. Returns those that were written, with their primary keys set."""
    parts = [rows[begin : begin + MOST_ROWS] for begin in range(0, len(rows), MOST_ROWS)]
    with transaction.atomic(savepoint=False) if len(parts) > 1 else nullcontext():
        return [row for part in parts for row in _insert_part(part, on_conflict)]


def update(row: Model, *names: str) -> None:
    """Writes these fields of a stored row. Raises DatabaseError if it is gone."""
    fields = _fields(type(row), names)
    with connection.cursor() as cursor:
        cursor.execute(_update_sql(type(row), names), [*_values(row, fields, is_new=False), row.pk])
        if cursor.rowcount != 1:
            raise DatabaseError(f"There is no {row!r} to write to.")


def _insert_part(rows: Sequence[M], on_conflict: OnConflict | None) -> list[M]:
    model = type(rows[0])
    fields = _fields(model)
    with connection.cursor() as cursor:
        values = [value for row in rows for value in _values(row, fields, is_new=True)]
        cursor.execute(_insert_sql(model, len(rows), on_conflict), values)
        returned = [tuple(row) for row in cursor.fetchall()]  # the primary key, and what the row is known by
    for row in rows:
        row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS
    if on_conflict is None:
        written = list(zip(rows, returned, strict=True))
    else:
        unique = [field.attname for field in _fields(model, on_conflict.unique)]
        by_unique = {tuple(getattr(row, name) for name in unique): row for row in reversed(rows)}
        written = [(by_unique[columns[1:]], columns) for columns in returned]
    for row, (key, *_unique) in written:
        row.pk = key
    return [row for row, _returned in written]


def _values(row: Model, fields: Sequence[Any], *, is_new: bool) -> list[Any]:
    return [field.get_db_prep_save(field.pre_save(row, is_new), connection) for field in fields]


@cache
def _insert_sql(model: type[Model], count: int, on_conflict: OnConflict | None) -> str:
    columns = _columns(model)
    places = ", ".join([f"({', '.join(['%s'] * len(columns))})"] * count)
    table, key = model._meta.db_table, f'"{model._meta.pk.column}"'
    sql = f'INSERT INTO "{table}" ({", ".join(columns)}) VALUES {places}'  # noqa: S608  names of our own
    if on_conflict is None:
        return f"{sql} RETURNING {key}"
    unique = ", ".join(_columns(model, on_conflict.unique))
    changes = ", ".join(f"{column} = excluded.{column}" for column in _columns(model, on_conflict.changed))
    action = f"UPDATE SET {changes}" if changes else "NOTHING"
    if on_conflict.only_if is not None:
        name, value = on_conflict.only_if
        action += f""" WHERE "{table}".{_columns(model, (name,))[0]} = '{value}'"""
    return f"{sql} ON CONFLICT ({unique}) DO {action} RETURNING {key}, {unique}"


@cache
def _update_sql(model: type[Model], names: tuple[str, ...]) -> str:
    changes = ", ".join(f"{column} = %s" for column in _columns(model, names))
    return f'UPDATE "{model._meta.db_table}" SET {changes} WHERE "{model._meta.pk.column}" = %s'  # noqa: S608


@cache
def _fields(model: type[Model], names: tuple[str, ...] | None = None) -> list[Any]:
    """The fields of these names; all but the primary key without names."""
    if names is None:
        return [field for field in model._meta.concrete_fields if not field.primary_key]
    return [model._meta.get_field(name) for name in names]


def _columns(model: type[Model], names: tuple[str, ...] | None = None) -> list[str]:
    return [f'"{field.column}"' for field in _fields(model, names)]
