"""Steps for migrations that let who plays go on meanwhile: each locks one table, for a moment, and copies none.

Django takes an index from a foreign key by taking the key away and making it again: on PostgreSQL that locks both
tables and reads all rows, while a move holds one of them and waits for the other; on SQLite the table is copied.
A migration with these steps is about one table, for the same reason.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from django.db import migrations, models


class AddIndexMeanwhile(migrations.AddIndex):
    """Adds an index while others write: on PostgreSQL concurrently, in a migration that is not atomic.

    One that failed in its midst leaves an index that is not valid; the next try puts a whole one in its place.
    """

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Makes the index."""
        model = to_state.apps.get_model(app_label, self.model_name)
        if schema_editor.connection.vendor != "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
        elif self.allow_migrate_model(schema_editor.connection.alias, model):
            schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {schema_editor.quote_name(self.index.name)}")
            schema_editor.add_index(model, self.index, concurrently=True)


class RemoveIndexMeanwhile(migrations.RemoveIndex):
    """Drops an index while others read and write; on PostgreSQL concurrently, in a migration that is not atomic."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Drops it, if it is there: a try that failed later may have dropped it."""
        model = from_state.apps.get_model(app_label, self.model_name)
        if schema_editor.connection.vendor != "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
        elif self.allow_migrate_model(schema_editor.connection.alias, model):
            schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {schema_editor.quote_name(self.name)}")


def without_own_index(
    app: str, model: str, name: str, field: "models.ForeignKey[Any, Any]"
) -> migrations.SeparateDatabaseAndState:
    """Takes the index away that a foreign key has for itself, because others begin with it or hold less.

    Arguments:
        field: as it is from now on, with `db_index=False`.
    """
    drop = migrations.RunPython(partial(_drop_own_index, app, model, name), migrations.RunPython.noop)
    return migrations.SeparateDatabaseAndState([drop], [migrations.AlterField(model, name, field)])


def _drop_own_index(app: str, model: str, name: str, apps: Any, schema_editor: Any) -> None:
    table = apps.get_model(app, model)
    named = {one.name for one in (*table._meta.indexes, *table._meta.constraints)}
    for index in set(_plain_indexes(table, name, schema_editor)) - named:
        schema_editor.remove_index(table, models.Index(name, name=index))


def _plain_indexes(table: Any, name: str, schema_editor: Any) -> Iterator[str]:
    """The names of those of one column alone, by which it need not be unique."""
    connection, column = schema_editor.connection, table._meta.get_field(name).column
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, table._meta.db_table)
    for index, facts in found.items():
        if facts["index"] and not facts["unique"] and facts["columns"] == [column]:
            yield index


def without_patterns(app: str, model: str, *names: str) -> migrations.RunPython:
    """Takes the indexes away by which PostgreSQL would find the beginnings of unique texts, where nobody asks so."""
    return migrations.RunPython(partial(_drop_patterns, app, model, names), migrations.RunPython.noop)


def _drop_patterns(app: str, model: str, names: tuple[str, ...], apps: Any, schema_editor: Any) -> None:
    table = apps.get_model(app, model)
    for name in names:
        for index in _plain_indexes(table, name, schema_editor):
            if index.endswith("_like"):
                schema_editor.remove_index(table, models.Index(name, name=index))
