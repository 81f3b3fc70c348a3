"""Statements that are asked again and again: Django makes their SQL once in a process, and only the values change.

Making the SQL of one costs more than the database needs to answer it. What they mean stays a QuerySet, in one place.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cache, partial, wraps
from typing import Any, Generic, ParamSpec, TypeAlias, TypeVar

import msgspec
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.utils import CursorWrapper
from django.db.models import Expression, JSONField, Model, QuerySet
from django.db.models.expressions import Col
from django.db.models.query import get_related_populators

from notifications.loaded import Loader, joined

P = ParamSpec("P")
M = TypeVar("M", bound=Model)
V = TypeVar("V")
Row = Sequence[Any]
Convert: TypeAlias = Callable[[Any, Any, Any], Any]
Read: TypeAlias = Callable[[Any], Any]


class Slot(Expression):
    """Stands in a query for a value that comes when it is asked. None cannot: SQL asks for that in other words."""

    def __init__(self, place: int) -> None:
        super().__init__()
        self.place = place

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        """A place for a parameter, and itself for whoever fills it."""
        return "%s", [self]


def sql_of(build: Callable[..., QuerySet[Any, Any]], now: datetime, *about: Hashable) -> tuple[str, list[Any]]:
    """The SQL of `build(now, *about)` and its parameters; of the time it may hold nothing but `now` itself."""
    database = current()
    sql, slots = _compiled(database.vendor, build, about)
    return sql, _filled(slots, [now], database)


def rows_of(build: Callable[..., QuerySet[Any, Any]], now: datetime, *about: Hashable) -> list[Row]:
    """What the database answers: the values as it has them."""
    return fetched(*sql_of(build, now, *about))


@cache
def _compiled(vendor: str, build: Callable[..., QuerySet[Any, Any]], about: tuple[Hashable, ...]) -> tuple[str, Row]:
    return _constants_in(*build(Slot(0), *about).query.sql_with_params())


def current() -> Any:
    """The connection of this thread. `django.db.connection` finds it anew for each of its attributes."""
    return connections[DEFAULT_DB_ALIAS]


def _filled(slots: Row, values: Row, database: Any) -> list[Any]:
    return [_adapted(values[slot.place], database) for slot in slots]


def _adapted(value: Any, database: Any) -> Any:
    """As the database takes it."""
    return database.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value


def fetched(sql: str, params: Row, database: Any = None) -> list[Row]:
    """All rows of a statement. `database` is `current()`, for who has it."""
    found: list[Row] = (database or current()).planned_rows(sql, params)
    return found


def planned() -> CursorWrapper:
    """A cursor for a statement of which only the values change: PostgreSQL plans it once for each connection, and for
    SQLite its words are looked through once.

    PostgreSQL finds out the types of its values: each must stand beside something whose type it knows.
    """
    cursor: CursorWrapper = current().planned_cursor()  # of both backends in `config/`
    return cursor


def padded(values: Iterable[V]) -> list[V]:
    """The values of a list in a statement, the last one repeated up to the next power of two.

    Each length has a statement of its own, which this process and each connection to the database keep: they stay few.
    """
    found = list(values)
    return found + found[-1:] * ((1 << max(len(found) - 1, 0).bit_length()) - len(found))


def prepared(build: Callable[P, QuerySet[M]]) -> Callable[P, list[M]]:
    """Makes of what builds a QuerySet of models something that asks it, called with the same arguments by place.

    Every argument is a value the database compares with something: none may be None, or decide what is asked.
    """

    @wraps(build)
    def ask(*values: P.args, **_: P.kwargs) -> list[M]:
        database = current()
        return list(_reading(database.vendor, build, len(values)).ask(values, database))

    return ask


def prepared_rows(build: Callable[P, QuerySet[Any, Any]]) -> Callable[P, list[Row]]:
    """The same of what builds rows (`values_list`)."""

    @wraps(build)
    def ask(*values: P.args, **_: P.kwargs) -> list[Row]:
        database = current()
        return list(map(tuple, _reading_rows(database.vendor, build, len(values)).ask(values, database)))

    return ask


def prepared_exists(build: Callable[P, QuerySet[Any]]) -> Callable[P, bool]:
    """The same of what is looked for again and again, and seldom there: whether there is a row."""
    ask = prepared_rows(lambda *values: build(*values).values_list("pk")[:1])  # type: ignore[call-arg]

    @wraps(build)
    def is_there(*values: P.args, **_: P.kwargs) -> bool:
        return bool(ask(*values))

    return is_there


class RowReading:
    """A QuerySet of rows made ready: its SQL, and what is to be made of values that were read."""

    def __init__(self, rows: QuerySet[Any, Any]) -> None:
        self.compiler = rows.query.get_compiler(DEFAULT_DB_ALIAS)
        self.unfilled = self.compiler.as_sql()
        self.sql, self.params = _constants_in(*self.unfilled)
        select = [column[0] for column in self.compiler.select or ()]
        self.reads = [
            (place, _short(convert, column))
            for place, (converts, column) in self.compiler.get_converters(select).items()
            for convert in converts
        ]

    def ask(self, values: Row, database: Any) -> list[Any]:
        """The rows."""
        found = fetched(self.sql, _filled(self.params, values, database), database)
        return _converted(list(map(list, found)), self.reads) if self.reads else found


class PackedReading(RowReading):
    """The same for rows of many columns, which a database may hand out in one piece each."""

    def __init__(self, rows: QuerySet[Any, Any]) -> None:
        super().__init__(rows)
        sql, params = self.unfilled
        self.packing = current().packing(self.compiler, sql)
        if self.packing is not None:
            self.packed_sql, _params = _constants_in(self.packing.sql, params)
            self.left = [(place, read) for place, read in self.reads if place not in self.packing.final]

    def ask(self, values: Row, database: Any) -> list[Any]:
        """The rows."""
        if self.packing is not None:
            found = fetched(self.packed_sql, _filled(self.params, values, database), database)
            with suppress(msgspec.ValidationError):  # something is stored in other words than ours
                return _converted(self.packing.unpacked(found), self.left)
        return super().ask(values, database)


def _converted(rows: list[list[Any]], reads: Sequence[tuple[int, Read]]) -> list[list[Any]]:
    for row in rows:
        for place, read in reads:
            if (value := row[place]) is not None:
                row[place] = read(value)
    return rows


class Reading(Generic[M]):
    """A QuerySet of models made ready: all that Django's `ModelIterable` works out anew each time."""

    def __init__(self, rows: QuerySet[M]) -> None:
        self.rows = PackedReading(rows)
        compiler = self.rows.compiler
        select, info = compiler.select, compiler.klass_info
        assert select is not None and info is not None, rows.query
        own = info["select_fields"]
        self.model = Loader(rows.model)
        self.columns = slice(own[0], own[-1] + 1)
        self.names = [column[0].target.attname for column in select[self.columns]]
        self.annotated = list((compiler.annotation_col_map or {}).items())
        self.joined = joined(get_related_populators(info, select, DEFAULT_DB_ALIAS))  # type: ignore[call-arg]  # Django 6's

    def ask(self, values: Row, database: Any) -> Iterator[M]:
        """The objects, with what was joined to them and what they were annotated with."""
        for row in self.rows.ask(values, database):
            found = self.model.from_db(DEFAULT_DB_ALIAS, self.names, row[self.columns])
            for one in self.joined:
                one.put(row, found)
            for name, place in self.annotated:
                setattr(found, name, row[place])
            yield found


def _short(convert: Convert, column: Any) -> Read:
    """Makes of a value that is not None what one of Django's converters does, which is told more than most need."""
    field = column.output_field
    is_json = isinstance(column, Col) and type(field) is JSONField and field.decoder is None
    if is_json and convert == field.from_db_value:
        return partial(_json, convert)
    short: Read | None = current().short_converter(convert)
    return short or (lambda value: convert(value, column, current()))


def _json(convert: Convert, value: Any) -> Any:
    try:
        return msgspec.json.decode(value)
    except msgspec.MsgspecError:  # it is stricter
        return convert(value, None, None)


def _constants_in(sql: str, params: Row) -> tuple[str, Row]:
    """With our own constants in the SQL: SQLite takes a partial index only where it can read its condition."""
    slots = [param for param in params if isinstance(param, Slot)]
    return sql % tuple("%s" if isinstance(param, Slot) else _literal(param) for param in params), slots


def _literal(value: Any) -> str:
    assert isinstance(value, str | int) and "%" not in str(value), value
    return "'{}'".format(value.replace("'", "''")) if isinstance(value, str) else str(value)


@cache
def _reading(vendor: str, build: Callable[..., QuerySet[M]], count: int) -> Reading[M]:
    return Reading(build(*map(Slot, range(count))))


@cache
def _reading_rows(vendor: str, build: Callable[..., QuerySet[Any, Any]], count: int) -> RowReading:
    return RowReading(build(*map(Slot, range(count))))
