"""What in a migration the former version, which is at work on the same tables, would stumble over."""

import re
from collections.abc import Iterator
from typing import Any

from django.db import models
from django.db.migrations import operations as ops
from django.db.migrations.state import ProjectState

HARMLESS = (
    ops.CreateModel,
    ops.AddIndex,
    ops.RemoveIndex,
    ops.RenameIndex,
    ops.RemoveConstraint,
    ops.AlterModelOptions,
    ops.AlterModelManagers,
    ops.RunPython,
)
DROPS = re.compile(r"ALTER TABLE (\w+) DROP COLUMN (\w+);?", re.IGNORECASE)
"""The end of a column: the version before has taken it out of its models, and let the database do without it."""


def faults(former: ProjectState, app: str, operations: list[Any]) -> Iterator[str]:
    """What the version of these models would stumble over, in words.

    Arguments:
        former: the models of the version that was released last.
    """
    for operation in operations:
        if isinstance(operation, ops.SeparateDatabaseAndState):
            yield from faults(former, app, operation.database_operations)
            yield from _left_out(former, app, operation)
        elif not _is_fine(former, app, operation):
            yield f"{app}: {operation.describe()}"


def _is_fine(former: ProjectState, app: str, operation: Any) -> bool:
    if isinstance(operation, HARMLESS):
        return True
    if isinstance(operation, ops.RunSQL):
        return _drops_only(former, operation.sql)
    name = getattr(operation, "model_name", getattr(operation, "name", "")).lower()
    model = former.models.get((app, name))
    if model is None and not isinstance(operation, ops.RenameModel):
        return True  # of tables that the former version does not know
    if isinstance(operation, ops.AddField):
        return _fills_itself(operation.field)
    if isinstance(operation, ops.AlterField) and model is not None:
        return operation.name not in model.fields or _takes_as_much(model.fields[operation.name], operation.field)
    return False


def _fills_itself(field: Any) -> bool:
    """Whether a row can be written by who does not know the column."""
    return isinstance(field, models.ManyToManyField) or field.null or field.db_default is not models.NOT_PROVIDED


def _takes_as_much(before: Any, after: Any) -> bool:
    """Whether the column takes what it took. Who widens one goes on reading what was there."""
    same = before.get_internal_type() == after.get_internal_type()
    roomy = (after.max_length or 0) >= (before.max_length or 0)
    stricter = (before.null and not after.null) or (after.unique and not before.unique)
    return same and roomy and not stricter and before.db_column == after.db_column


def _left_out(former: ProjectState, app: str, operation: Any) -> Iterator[str]:
    """A field that is taken out of the models alone: from now on nobody fills its column in."""
    for one in operation.state_operations:
        if isinstance(one, ops.RemoveField):
            field = former.models[app, one.model_name_lower].fields[one.name]
            if not _fills_itself(field):
                yield f"{app}: {one.describe()}, which the database does not fill in"


def _drops_only(former: ProjectState, sql: Any) -> bool:
    """Whether a statement drops nothing but columns that the former version does not know."""
    known = {
        (model.options.get("db_table") or f"{app}_{name}", field.db_column or field_name)
        for (app, name), model in former.models.items()
        for field_name, field in model.fields.items()
    }
    known |= {(table, f"{column}_id") for table, column in known}
    lines = [sql] if isinstance(sql, str) else list(sql or ())
    found = [DROPS.fullmatch(line.strip()) if isinstance(line, str) else None for line in lines]
    return all(drop is not None and drop.groups() not in known for drop in found)
