"""What many tests begin with: made by the services once in a process, then copied in as rows by each test that asks.

A game that has just begun takes tenths of a second to make, its rows a few thousandths to write.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import connection, models, transaction

APART = 100_000
"""Each stage has ids of its own from a multiple of this on, so that it is in nobody's way, whatever was there first."""

_numbers = itertools.count(1)
Rows = dict[Any, tuple[Any, ...]]
"""The rows of a table, by primary key."""


@dataclass(frozen=True)
class Stage:
    """Rows that were added or changed, and the object they are about."""

    rows: list[tuple[type[models.Model], list[list[Any]]]]
    made: models.Model

    def bring(self) -> Any:
        """Write the rows; returns the object, fresh from the database. What it was built on must be there."""
        with transaction.atomic(), connection.cursor() as cursor:
            for model, rows in self.rows:
                cursor.executemany(_upsert(model), rows)
        return type(self.made)._default_manager.get(pk=self.made.pk)


def keep(make: Callable[[], models.Model], on: Iterable[Stage] = ()) -> Stage:
    """What `make` adds to these stages and changes in them. The database must be empty; it is so again afterwards."""
    with transaction.atomic():
        for stage in on:
            stage.bring()
        _begin_ids_at(next(_numbers) * APART)
        before = {model: _rows(model) for model in _tables()}
        made = make()
        rows = [(model, _changed(model, before[model], _rows(model))) for model in before]
        transaction.set_rollback(True)
    return Stage([(model, found) for model, found in rows if found], made)


def _begin_ids_at(number: int) -> None:
    """The next row of every table gets this id. PostgreSQL needs no telling: its sequences never go back."""
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM sqlite_sequence")
        cursor.execute(
            "INSERT INTO sqlite_sequence (name, seq)"
            " SELECT name, %s FROM sqlite_master WHERE type = 'table' AND sql LIKE '%% AUTOINCREMENT%%'",
            [number - 1],
        )


def _tables() -> Iterator[type[models.Model]]:
    for model in apps.get_models(include_auto_created=True):
        if model._meta.managed and not model._meta.proxy:
            yield model


def _rows(model: type[models.Model]) -> Rows:
    names = [field.attname for field in model._meta.concrete_fields]
    return {row[0]: row[1:] for row in model._base_manager.values_list("pk", *names)}


def _changed(model: type[models.Model], before: Rows, after: Rows) -> list[list[Any]]:
    """What is to be written, as the database wants it."""
    assert before.keys() <= after.keys(), "a stage takes nothing away"
    fields = model._meta.concrete_fields
    rows = [row for key, row in after.items() if before.get(key) != row]
    return [
        [field.get_db_prep_save(value, connection) for field, value in zip(fields, row, strict=True)] for row in rows
    ]


def _upsert(model: type[models.Model]) -> str:
    values = ", ".join("%s" for _field in model._meta.concrete_fields)
    news = ", ".join(f"{name} = excluded.{name}" for name in _columns(model).split(", "))
    insert = f"INSERT INTO {_quoted(model._meta.db_table)} ({_columns(model)}) VALUES ({values})"  # noqa: S608
    assert model._meta.pk is not None
    return f"{insert} ON CONFLICT ({_quoted(model._meta.pk.column)}) DO UPDATE SET {news}"


def _columns(model: type[models.Model]) -> str:
    return ", ".join(_quoted(field.column) for field in model._meta.concrete_fields)


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)
