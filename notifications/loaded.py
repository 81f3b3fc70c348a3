"""Model objects of rows that were read, and of new ones: what Django makes, without finding out for each how."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

from django.db.models import Model
from django.db.models.base import ModelState
from django.db.models.signals import post_init, pre_init

M = TypeVar("M", bound=Model)


class Loader(Generic[M]):
    """Stands in for a model whose objects are loaded: with its own `from_db`, if anybody has a say in that."""

    def __init__(self, model: type[M]) -> None:
        self.model = model
        if is_made_otherwise(model):
            self.from_db = model.from_db  # type: ignore[method-assign]

    def from_db(self, db: str | None, field_names: Sequence[str], values: Sequence[Any]) -> M:
        """The object with these values; fields that are not named are read when they are asked for."""
        found = self.model.__new__(self.model)
        vars(found).update(zip(field_names, values, strict=True))
        state = found._state = ModelState()
        state.adding, state.db = False, db
        return found


def made(model: type[M], **values: Any) -> M:
    """`model(**values)`: a new row with these values of fields, and defaults in the others.

    For models of our own, whose values are what their fields say they are. Raises KeyError for one that is no field.
    """
    parts = _parts(model)
    if parts is None:
        return model(**values)
    row = model.__new__(model)
    held, state = vars(row), ModelState()
    held["_state"] = state
    held.update(parts.defaults)
    for name, make in parts.making.items():
        if name not in values:
            held[name] = make()
    for name, value in values.items():
        if name in held or name in parts.making:
            held[name] = value
        else:
            attname, target = parts.related[name]
            held[attname] = getattr(value, target, None)  # of None it is None
            state.fields_cache[name] = value
    return row


@dataclass(frozen=True)
class _Parts:
    """What a new row of a model is made of.

    Arguments:
        defaults: the values of fields whose default is one value, by the name under which a row holds it.
        making: the other fields, with what makes each its own.
        related: for the name of each foreign key that under which a row holds it, and what it is called over there.
    """

    defaults: dict[str, Any]
    making: dict[str, Callable[[], Any]]
    related: dict[str, tuple[str, str]]


@cache
def _parts(model: type[Model]) -> _Parts | None:
    """None of a model whose rows somebody has a say in."""
    fields: Sequence[Any] = model._meta.concrete_fields
    if is_made_otherwise(model) or any(field.has_db_default() for field in fields):
        return None
    making = {field.attname: field.default for field in fields if field.has_default() and callable(field.default)}
    return _Parts(
        {field.attname: field.get_default() for field in fields if field.attname not in making},
        making,
        {field.name: (field.attname, field.target_field.attname) for field in fields if field.is_relation},
    )


def knows(row: Model, **others: Model) -> None:
    """Tells a row what foreign keys of it lead to, where it says so already: by name, as a join would have."""
    row._state.fields_cache.update(others)


def is_made_otherwise(model: type[Model]) -> bool:
    """True of a model that has a constructor of its own, or to whose objects somebody listens as they are made."""
    own = {name for kind in model.__mro__ if kind not in (Model, object) for name in vars(kind)}
    return not own.isdisjoint({"__init__", "from_db"}) or any(s.has_listeners(model) for s in (pre_init, post_init))
