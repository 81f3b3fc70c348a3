"""Rows written by statements that are made once: what `save` and `bulk_create` do, without finding out how each time.

For plain rows of our own that nobody listens to: no signals, no parents, no defaults of the database, and no instants
that come about as they are written.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from types import NoneType
from typing import Any, TypeAlias, TypeVar

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, models
from django.db.models import Field, Model

from notifications.prepared import Row, current, fetched

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


@dataclass(frozen=True)
class Writing:
    """A statement that waits for others to be carried out with.

    Arguments:
        note: takes what it gives back.
    """

    sql: str
    values: list[Any]
    note: Callable[[list[Row]], object]


def update(row: Model, *names: str) -> None:
    """Writes these fields of a stored row, which must have been read. Raises DatabaseError if it is gone."""
    carry_out([updating(row, *names)])


def updating(row: Model, *names: str) -> Writing:
    """The same, to be carried out."""
    sql, columns = _update(type(row), names)

    def note(found: list[Row]) -> None:
        if not found:
            raise DatabaseError(f"There is no {row!r} to write to.")

    return Writing(sql, [*_values(row, columns, current(), is_new=False), row.pk], note)


def insert(rows: Sequence[M]) -> list[M]:
    """Adds rows, which know their keys from then on."""
    for part in _parts(rows):
        carry_out([inserting(part)])
    return list(rows)


def inserting(rows: Sequence[Model]) -> Writing:
    """The same of at most `AT_ONCE`, to be carried out."""

    def note(found: list[Row]) -> None:
        for row, (key,) in zip(rows, found, strict=True):
            row.pk = key

    return _inserting(rows, None, note)


def insert_unknown(rows: Sequence[M], stored: Stored, beside: Sequence[Writing] = ()) -> list[M]:
    """Adds those rows that are not stored yet, and changes the others as `stored` says; returns what was written.

    Arguments:
        beside: what else is carried out with it.
    """
    written: list[M] = []
    keys: dict[Row, Any] = {}

    def note(found: list[Row]) -> None:
        keys.update((tuple(row[:-1]), row[-1]) for row in found)

    waiting = list(beside)
    for part in _parts(rows):
        carry_out([*waiting, _inserting(part, stored, note)])
        waiting.clear()
        for row in part:
            if (key := keys.pop(_told_by(row, stored), None)) is not None:
                row.pk = key
                written.append(row)
    carry_out(waiting)
    return written


def _told_by(row: Model, stored: Stored) -> tuple[Any, ...]:
    return tuple(getattr(row, field.attname) for field in _fields(type(row), stored.by))


def _parts(rows: Sequence[M]) -> Iterator[Sequence[M]]:
    return (rows[place : place + AT_ONCE] for place in range(0, len(rows), AT_ONCE))


def _inserting(rows: Sequence[Model], stored: Stored | None, note: Callable[[list[Row]], object]) -> Writing:
    sql, columns = _insert(type(rows[0]), len(rows), stored)
    database = current()
    values = [value for row in rows for value in _values(row, columns, database, is_new=True)]
    for row in rows:
        row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS
    return Writing(sql, values, note)


def carry_out(writings: Sequence[Writing]) -> None:
    """Carries them out. None may need what another one writes: PostgreSQL does all at once, by one statement, for each
    costs it and us a tenth of a millisecond; SQLite one after the other."""
    database = current()
    if database.vendor == "postgresql" and len(writings) > 1:
        found: list[list[Row]] = [[] for _ in writings]
        values = [value for one in writings for value in one.values]
        for place, row in fetched(_together(tuple(one.sql for one in writings)), values, database):
            found[place].append(tuple(row.values()))
    else:
        found = [fetched(one.sql, one.values, database) for one in writings]
    for one, rows in zip(writings, found, strict=True):
        one.note(rows)


@cache
def _together(parts: tuple[str, ...]) -> str:
    """One statement of several; each of its rows says which part it comes from, and is JSON for the rest."""
    done = ", ".join(f"part{place} AS ({sql})" for place, sql in enumerate(parts))
    told = (f"SELECT {place}, to_json(part{place}) FROM part{place}" for place in range(len(parts)))  # noqa: S608
    return f"WITH {done} {' UNION ALL '.join(told)}"


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
    key = _quoted(model._meta.pk)
    return f"UPDATE {_table(model)} SET {written} WHERE {key} = %s RETURNING {key}", _written(fields)  # noqa: S608


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
