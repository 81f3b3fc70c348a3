"""Model objects of rows that were read, and of new ones: what Django makes, without finding out for each how."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

from django.db.models import ForeignKey, Model
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
        state = ModelState()
        state.adding, state.db, state.fields_cache = False, db, {}
        held = vars(found)
        held["_state"] = state
        held.update(zip(field_names, values, strict=True))
        return found


class Joined:
    """What a query reads of a joined table, put where it belongs: Django's `RelatedPopulator`, by a shorter way."""

    def __init__(self, populator: Any) -> None:
        self.columns = slice(populator.cols_start, populator.cols_end)
        self.names, self.key = populator.init_list, populator.pk_idx
        self.load = Loader(populator.model_cls).from_db
        self.joined = joined(populator.related_populators)
        self.set_here, self.set_there = populator.local_setter, populator.remote_setter
        self.name = _name_of(self.set_here)

    def put(self, row: Sequence[Any], found: Model) -> None:
        """Makes `found`, which comes from the same row, know it; None if nothing was joined."""
        values = row[self.columns]
        other: Model | None = None
        if values[self.key] is not None:
            other = self.load(found._state.db, self.names, values)
            for one in self.joined:
                one.put(row, other)
        if self.name:
            found._state.fields_cache[self.name] = other
            return
        self.set_here(found, other)
        if other is not None:
            self.set_there(other, found)


def joined(populators: Iterable[Any]) -> list[Joined]:
    """The same for all that Django has for a query; their tables have no parents."""
    return [Joined(populator) for populator in populators]


def _name_of(setter: Any) -> str:
    """The foreign key of which no more need be told than what it leads to; "" of anything else.

    What a unique one leads to is not told who leads to it, as it is by Django: two that know each other are not free
    until Python's collector comes by.
    """
    field = getattr(setter, "__self__", None)
    return field.name if isinstance(field, ForeignKey) else ""


def made(model: type[M], **values: Any) -> M:
    """`model(**values)`: a new row with these values of fields, and defaults in the others.

    For models of our own, whose values are what their fields say they are. Raises KeyError for one that is no field.
    """
    parts = _parts(model, tuple(values))
    if parts is None:
        return model(**values)
    row, state = model.__new__(model), ModelState()
    cache: dict[str, Any] = {}
    state.fields_cache = cache
    held = vars(row)
    held["_state"] = state
    held.update(parts.defaults)
    for name, make in parts.making:
        held[name] = make()
    for name, attname, target in parts.related:
        cache[name] = other = values.pop(name)
        held[attname] = getattr(other, target, None)  # of None it is None
    held.update(values)
    return row


@dataclass(frozen=True)
class _Parts:
    """What a new row of a model is made of, of which some fields are given.

    Arguments:
        defaults: the values of fields whose default is one value, by the name under which a row holds it.
        making: the other fields, with what makes each its own, unless they are given.
        related: the names of foreign keys that are given, the name under which a row holds each, and what it is called
            over there.
    """

    defaults: dict[str, Any]
    making: list[tuple[str, Callable[[], Any]]]
    related: list[tuple[str, str, str]]


@cache
def _parts(model: type[Model], given: tuple[str, ...]) -> _Parts | None:
    """None of a model whose rows somebody has a say in. Raises KeyError for what is no field."""
    fields: Sequence[Any] = model._meta.concrete_fields
    if is_made_otherwise(model) or any(field.has_db_default() for field in fields):
        return None
    if unknown := set(given) - {name for field in fields for name in (field.name, field.attname)}:
        raise KeyError(*unknown)
    making = {field.attname: field.default for field in fields if field.has_default() and callable(field.default)}
    return _Parts(
        {field.attname: field.get_default() for field in fields if field.attname not in making},
        [(name, make) for name, make in making.items() if name not in given],
        [
            (field.name, field.attname, field.target_field.attname)
            for field in fields
            if field.is_relation and field.name in given
        ],
    )


def knows(row: Model, **others: Model) -> None:
    """Tells a row what foreign keys of it lead to, where it says so already: by name, as a join would have."""
    row._state.fields_cache.update(others)


def is_made_otherwise(model: type[Model]) -> bool:
    """True of a model that has a constructor of its own, or to whose objects somebody listens as they are made."""
    own = {name for kind in model.__mro__ if kind not in (Model, object) for name in vars(kind)}
    return not own.isdisjoint({"__init__", "from_db"}) or any(s.has_listeners(model) for s in (pre_init, post_init))
