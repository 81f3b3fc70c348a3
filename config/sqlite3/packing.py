"""Rows of many columns, read as one JSON value each.

For each value that SQLite's driver hands out it asks what it is, gives up Python's lock and takes it again, and it
describes each column of each statement: a microsecond in all. SQLite writes a row as JSON in a fraction of that, and
msgspec reads it into what its fields hold, instants and truth values as well.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, time
from typing import Any

import msgspec
from django.db import models
from django.db.models.expressions import Col

FINAL: "dict[type[models.Field[Any, Any]], Any]" = {
    models.BooleanField: bool | None,
    models.DateTimeField: datetime | None,
    models.TimeField: time | None,
}
"""What these fields hold: Django has nothing left to convert."""
STORED: "dict[type[models.Field[Any, Any]], Any]" = {
    models.BigAutoField: int | None,
    models.BigIntegerField: int | None,
    models.CharField: str | None,
    models.DurationField: int | None,
    models.EmailField: str | None,
    models.IntegerField: int | None,
    models.JSONField: str | None,
    models.PositiveIntegerField: int | None,
    models.PositiveSmallIntegerField: int | None,
}
"""What SQLite has of these. All other fields stay columns: a long text would be written and read twice."""
MOST = 100  # values in one array: a function of SQLite's takes 127


class Packing:
    """A statement whose rows are packed.

    Arguments:
        compiler: of the query, Django's.
        sql: what it has made of it.
    Raises ValueError for a statement that cannot be read so.
    """

    def __init__(self, compiler: Any, sql: str) -> None:
        select = compiler.select
        begin = "SELECT " + ", ".join(_called(*column) for column in select)
        rest = sql.removeprefix(begin)
        if rest == sql or compiler.query.group_by is not None or compiler.query.combinator:
            raise ValueError("It is no plain SELECT.")
        if any(is_of_a_column for _order, (_sql, _params, is_of_a_column) in compiler.get_order_by()):
            raise ValueError("Its order is told by the places of columns.")
        kinds = [_kind(expression) for expression, _sql, _name in select]
        types = [FINAL.get(kind) or STORED.get(kind) for kind in kinds]
        packed = [place for place, kind in enumerate(types) if kind is not None]
        self.apart = [place for place, kind in enumerate(types) if kind is None]
        self.final = {place for place, kind in enumerate(kinds) if kind in FINAL}
        if not 0 < len(packed) <= MOST or any(select[place][1][1] for place in self.apart):
            raise ValueError("It has too many columns, or parameters that would come in another order.")
        array = ", ".join(_as_written(kinds[place], select[place][1][0]) for place in packed)
        columns = [f"json_array({array})", *(select[place][1][0] for place in self.apart)]
        self.sql = f"SELECT {', '.join(columns)}{rest}"
        row: Any = tuple[tuple(types[place] for place in packed)]  # type: ignore[misc]
        self._read = msgspec.json.Decoder(row, strict=False).decode  # to SQLite 0 and 1 are truth values

    def unpacked(self, rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
        """The values of all columns, of which those in `final` are ready and the others as SQLite has them.

        Raises msgspec.ValidationError for one that was stored in another way than the service does.
        """
        found = []
        for packed, *others in rows:
            values = list(self._read(packed))
            for place, value in zip(self.apart, others, strict=True):
                values.insert(place, value)
            found.append(values)
        return found


def _kind(expression: Any) -> Any:
    """The kind of field that a column is. None for a text that is made: SQLite may have it as JSON, which it does not
    quote."""
    kind = type(expression.output_field)
    return None if STORED.get(kind) == STORED[models.CharField] and not isinstance(expression, Col) else kind


def _called(_expression: Any, sql: tuple[str, Any], name: str | None) -> str:
    return f'{sql[0]} AS "{name}"' if name else sql[0]


def _as_written(kind: Any, sql: str) -> str:
    """Instants are stored without a zone, and are those of UTC."""
    return f"{sql} || 'Z'" if kind is models.DateTimeField else sql
