"""Rows written by statements that are made once: what `save` and `bulk_create` do, without finding out how each time.

For plain rows of our own that nobody listens to: no signals, no parents, no defaults of the database, and no instants
that come about as they are written.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import chain
from types import NoneType
from typing import Any, TypeAlias, TypeVar

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, models, transaction
from django.db.models import Field, Model

from notifications.prepared import Row, current, fetched

M = TypeVar("M", bound=Model)
Column: TypeAlias = "Field[Any, Any]"
Storing: TypeAlias = Callable[[Any, Column, Any], Any]
"""Makes of a value of a field what a database stores."""
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
"""What these fields hold is stored as it is, if it is of this type; an instant as the database has them."""
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
        rows: what it writes, as they are by then.
        keys: what it is told beside their columns.
        note: takes what it gives back.
    """

    sql: str
    columns: "Columns"
    rows: Sequence[Model]
    keys: tuple[Any, ...]
    note: Callable[[list[Row]], object]

    def values(self, database: Any) -> list[Any]:
        """All of them, as this database stores them."""
        return [*chain.from_iterable([self.columns.values(row, database) for row in self.rows]), *self.keys]


def update(row: Model, *names: str) -> None:
    """Writes these fields of a stored row, which must have been read. Raises DatabaseError if it is gone."""
    carry_out([updating(row, *names)])


def updating(row: Model, *names: str) -> Writing:
    """The same, to be carried out."""
    sql, columns = _update(type(row), names)

    def note(found: list[Row]) -> None:
        if not found:
            raise DatabaseError(f"There is no {row!r} to write to.")

    return Writing(sql, columns, (row,), (row.pk,), note)


def insert(rows: Sequence[M]) -> list[M]:
    """Adds rows, all or none, which know their keys from then on."""
    with _together_if(len(rows) > 1):
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
    with _together_if(len(rows) + len(waiting) > 1):
        for part in _parts(rows):
            carry_out([*waiting, _inserting(part, stored, note)])
            waiting.clear()
            for row in part:
                if (key := keys.pop(_told_by(row, stored), None)) is not None:
                    row.pk = key
                    written.append(row)
        if waiting:
            carry_out(waiting)
    return written


def _together_if(are_several: bool) -> AbstractContextManager[Any]:
    """A transaction for several rows, where there is none around them: they are written all or not at all."""
    return transaction.atomic() if are_several and not current().in_atomic_block else nullcontext()


def _told_by(row: Model, stored: Stored) -> tuple[Any, ...]:
    return tuple(getattr(row, field.attname) for field in _fields(type(row), stored.by))


def _parts(rows: Sequence[M]) -> Iterator[Sequence[M]]:
    return (rows[place : place + AT_ONCE] for place in range(0, len(rows), AT_ONCE))


def _inserting(rows: Sequence[Model], stored: Stored | None, note: Callable[[list[Row]], object]) -> Writing:
    sql, columns = _insert(type(rows[0]), len(rows), stored)
    for row in rows:
        row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS
    return Writing(sql, columns, rows, (), note)


def carry_out(writings: Sequence[Writing]) -> None:
    """Carries them out. None may need what another one writes: PostgreSQL does all at once, by one statement, for each
    costs it and us a tenth of a millisecond; SQLite one after the other."""
    database = current()
    if database.vendor == "postgresql" and len(writings) > 1:
        found: list[list[Row]] = [[] for _ in writings]
        values = list(chain.from_iterable(one.values(database) for one in writings))
        for place, row in fetched(_together(tuple(one.sql for one in writings)), values, database):
            found[place].append(tuple(row.values()))
    else:
        found = [fetched(one.sql, one.values(database), database) for one in writings]
    for one, rows in zip(writings, found, strict=True):
        one.note(rows)


@cache
def _together(parts: tuple[str, ...]) -> str:
    """One statement of several; each of its rows says which part it comes from, and is JSON for the rest."""
    done = ", ".join(f"part{place} AS ({sql})" for place, sql in enumerate(parts))
    told = (f"SELECT {place}, to_json(part{place}) FROM part{place}" for place in range(len(parts)))  # noqa: S608
    return f"WITH {done} {' UNION ALL '.join(told)}"


class Columns:
    """The fields of rows that a statement writes. How their values are stored follows from what these are: rows of one
    kind look alike, so it is found out once for each mixture of types. Raises ValueError for a field whose value comes
    about as it is written."""

    def __init__(self, fields: Iterable[Column]) -> None:
        self.fields = list(fields)
        for field in self.fields:
            if getattr(field, "auto_now", False) or getattr(field, "auto_now_add", False):
                raise ValueError(f"{field} is set as it is written, which statements made once do not do.")
        self.names = [field.attname for field in self.fields]
        self._storing: dict[tuple[Any, ...], list[tuple[int, Column, Storing]]] = {}

    def values(self, row: Model, database: Any) -> list[Any]:
        """Of a row, as this database stores them."""
        values = list(map(vars(row).__getitem__, self.names))
        mixture = (database.vendor, *map(type, values))
        storing = self._storing.get(mixture)
        if storing is None:
            storing = self._storing[mixture] = list(self._find_storing(*mixture))
        for place, field, store in storing:
            values[place] = store(values[place], field, database)
        return values

    def _find_storing(self, vendor: str, *kinds: type) -> Iterator[tuple[int, Column, Storing]]:
        for place, (field, kind) in enumerate(zip(self.fields, kinds, strict=True)):
            if (store := _storing(field, kind, vendor)) is not None:
                yield place, field, store


def _storing(field: Column, kind: type, vendor: str) -> Storing | None:
    """None for what is stored as it is; PostgreSQL's driver knows instants."""
    plain = AS_THEY_ARE.get(type(field))
    if plain is not None and kind in (plain, NoneType):
        return _as_instant if kind is datetime and vendor != "postgresql" else None
    if plain is str and issubclass(kind, str):
        return _as_text
    return _as_json if type(field) is models.JSONField and kind in (dict, list) else _as_the_field_has_it


def _as_instant(value: datetime, _field: Column, database: Any) -> Any:
    return database.ops.adapt_datetimefield_value(value)


def _as_text(value: str, _field: Column, _database: Any) -> str:
    """Of an enumeration, for which drivers would look for a way of its own each time."""
    return str.__str__(value)


def _as_json(value: Any, field: Any, database: Any) -> Any:
    return database.ops.adapt_json_value(value, field.encoder)


def _as_the_field_has_it(value: Any, field: Column, database: Any) -> Any:
    return field.get_db_prep_save(value, database)


@cache
def _update(model: type[Model], names: tuple[str, ...]) -> tuple[str, Columns]:
    fields = _fields(model, names)
    written = ", ".join(f"{_quoted(field)} = %s" for field in fields)
    key = _quoted(model._meta.pk)
    return f"{_verb('UPDATE')} {_table(model)} SET {written} WHERE {key} = %s RETURNING {key}", Columns(fields)


@cache
def _insert(model: type[Model], count: int, stored: Stored | None) -> tuple[str, Columns]:
    """Of `count` rows."""
    fields: list[Any] = [field for field in model._meta.local_concrete_fields if not field.primary_key]
    columns = ", ".join(map(_quoted, fields))
    places = ", ".join([f"({', '.join(['%s'] * len(fields))})"] * count)
    key, sql = _quoted(model._meta.pk), f"{_verb('INSERT')} INTO {_table(model)} ({columns}) VALUES {places}"
    if stored is None:
        return f"{sql} RETURNING {key}", Columns(fields)
    unique = ", ".join(map(_quoted, _fields(model, stored.by)))
    return f"{sql} ON CONFLICT ({unique}) DO {_change(model, stored)} RETURNING {unique}, {key}", Columns(fields)


def _change(model: type[Model], stored: Stored) -> str:
    if not stored.changed:
        return "NOTHING"
    changes = ", ".join(f"{column} = excluded.{column}" for column in map(_quoted, _fields(model, stored.changed)))
    if stored.only_if is None:
        return f"UPDATE SET {changes}"
    name, value = stored.only_if
    return f"UPDATE SET {changes} WHERE {_table(model)}.{_quoted(model._meta.get_field(name))} = '{value}'"


def _verb(verb: str) -> str:
    """SQLite copies each page that a statement changes, to undo the statement alone, should it fail; not of one that is
    left as it stands then. Ours fail together with their transaction anyway, as all do on PostgreSQL."""
    return f"{verb} OR FAIL" if connection.vendor == "sqlite" else verb


@cache
def _fields(model: type[Model], names: tuple[str, ...]) -> list[Any]:
    return [model._meta.get_field(name) for name in names]


def _table(model: type[Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)


def _quoted(field: Any) -> str:
    return connection.ops.quote_name(field.column)
