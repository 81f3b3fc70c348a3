"""Compiles a query once in a process: composing its SQL takes Django longer than the database needs to answer it.

A query is a function from values to a QuerySet. It is called once: no value may be None, or decide what is asked.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import cache, partial, reduce, wraps
from typing import Any, NamedTuple, ParamSpec, TypeAlias, TypeVar

from django.core.exceptions import EmptyResultSet
from django.db import DEFAULT_DB_ALIAS, connection, models

P = ParamSpec("P")
M = TypeVar("M", bound=models.Model)
V = TypeVar("V")
Row: TypeAlias = Sequence[Any]
Rows: TypeAlias = models.QuerySet[models.Model, object]
Convert: TypeAlias = Callable[[Any], object]
Build: TypeAlias = "Callable[P, models.QuerySet[M]]"
INSTANT: "models.DateTimeField[datetime, datetime]" = models.DateTimeField()
AS_SQLITE_STORES: dict[type, Convert] = {
    models.BooleanField: bool,
    models.DateField: lambda on: date.fromisoformat(on) if isinstance(on, str) else on,
    models.DateTimeField: lambda at: (datetime.fromisoformat(at) if isinstance(at, str) else at).replace(tzinfo=UTC),
    models.DurationField: lambda microseconds: timedelta(microseconds=microseconds),
    models.TimeField: lambda at: time.fromisoformat(at) if isinstance(at, str) else at,
}  # for these SQLite has no type; what it reads of all others is what their fields hold

NOTHING = "SELECT 0 WHERE 1 = 0"  # an SQL of no rows, which stands wherever another would


class Slot(NamedTuple):
    """The value that stands for argument number `place` while a query is compiled."""

    place: int


class RowQuery:
    """A compiled query for columns. Its constants stand in its SQL, where partial indexes look for their conditions."""

    _build: Callable[[list[object]], object] = tuple

    def __init__(self, rows: Rows, names: Sequence[str]) -> None:
        try:
            sql, params = rows.values_list(*names).query.sql_with_params()
        except EmptyResultSet:  # it can match nothing, as where a list is empty
            sql, params = NOTHING, ()
        self.slots = [param for param in params if isinstance(param, Slot)]
        self.sql = sql % tuple("%s" if isinstance(param, Slot) else _literal(param) for param in params)
        computed = rows.query.annotations
        fields = [computed[name].output_field if name in computed else _field(rows.model, name) for name in names]
        self.converters = [(place, convert) for place, field in enumerate(fields) if (convert := _converter(field))]

    def find(self, values: Row) -> list[Any]:
        """Returns the rows for these values, as `values_list` gives them."""
        with connection.cursor() as cursor:
            cursor.execute(self.sql, [as_parameter(values[slot.place]) for slot in self.slots])
            fetched = list(map(list, cursor.fetchall()))
        for row in fetched:
            for place, convert in self.converters:
                row[place] = None if row[place] is None else convert(row[place])
        return list(map(self._build, fetched))


class ModelQuery(RowQuery):
    """A compiled query for objects of a model, with related objects and annotations; see `compiled`."""

    def __init__(self, rows: Rows, join: Sequence[str], without: Collection[str]) -> None:
        self.parts: list[tuple[str, type[models.Model], list[str], slice]] = []
        every: list[str] = []
        for path in ("", *join):
            model = _field(rows.model, path).related_model if path else rows.model
            prefix = f"{path}__" if path else ""
            names = [field.attname for field in model._meta.concrete_fields if prefix + field.attname not in without]
            self.parts.append((path, model, names, slice(len(every), len(every) + len(names))))
            every += [prefix + name for name in names]
        self.computed = list(enumerate(rows.query.annotations, len(every)))
        super().__init__(rows, [*every, *rows.query.annotations])

    def _build(self, row: list[object]) -> object:
        built: dict[str, models.Model | None] = {}
        for path, model, names, columns in self.parts:
            values = row[columns]  # the key comes first; there is none where nothing was joined
            built[path] = None if values[0] is None else model.from_db(DEFAULT_DB_ALIAS, names, values)
            parent, _dash, name = path.rpartition("__")
            if path and built[parent] is not None:
                setattr(built[parent], name, built[path])
        for place, name in self.computed:
            setattr(built[""], name, row[place])
        return built[""]


def compiled(*join: str, without: Collection[str] = ()) -> "Callable[[Build[P, M]], Callable[P, list[M]]]":
    """Decorates a function from values, by place, to a QuerySet: it returns the objects, and those they `join`."""
    return partial(_at_first_call, compile_query=partial(ModelQuery, join=join, without=without))


def compiled_rows(*names: str) -> Callable[[Callable[P, Rows]], Callable[P, list[Row]]]:
    """Like `compiled`, but returns rows of columns, as `values_list` gives them."""
    return partial(_at_first_call, compile_query=partial(RowQuery, names=names))


def compiled_exists(build: Callable[P, Rows]) -> Callable[P, bool]:
    """Like `compiled`, but returns whether there is a row."""
    find = _at_first_call(build, lambda rows: RowQuery(rows[:1], ["pk"]))
    return wraps(build)(lambda *values: bool(find(*values)))  # type: ignore[call-arg, return-value]


def _at_first_call(build: Callable[P, Rows], compile_query: Callable[[Rows], RowQuery]) -> Callable[P, list[Any]]:
    query = cache(lambda count: compile_query(build(*(models.Value(Slot(place)) for place in range(count)))))  # type: ignore[arg-type, call-arg]
    return wraps(build)(lambda *values: query(len(values)).find(values))  # type: ignore[return-value]


def as_parameter(value: Any) -> Any:
    """A value as the database takes it: SQLite has no instants."""
    return INSTANT.get_db_prep_value(value, connection) if isinstance(value, datetime) else value


def pad_to_power_of_two(values: Iterable[V]) -> list[V]:
    """The values, the last one repeated up to the next power of two: a query is compiled for each number of values."""
    items = list(values)
    return items + items[-1:] * ((1 << max(len(items) - 1, 0).bit_length()) - len(items))


def _field(model: Any, name: str) -> Any:
    *path, last = name.split("__")
    model = reduce(lambda model, step: model._meta.get_field(step).related_model, path, model)
    return model._meta.pk if last == "pk" else model._meta.get_field(last)


def _converter(field: object) -> Convert | None:
    if convert := getattr(field, "from_db_value", None):
        return lambda value: convert(value, None, connection)
    return AS_SQLITE_STORES.get(type(field)) if connection.vendor == "sqlite" else None


def _literal(value: int | str | timedelta) -> str:
    if isinstance(value, timedelta):  # SQLite gets a number instead
        return f"INTERVAL '{value // timedelta(microseconds=1)} microseconds'"
    return str(value) if isinstance(value, int) else "'{}'".format(value.replace("'", "''").replace("%", "%%"))
