"""Model objects of rows that were read: what `Model.from_db` makes, without finding out for each how it is made."""

from collections.abc import Sequence
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


def is_made_otherwise(model: type[Model]) -> bool:
    """True of a model that has a constructor of its own, or to whose objects somebody listens as they are made."""
    own = {name for kind in model.__mro__ if kind not in (Model, object) for name in vars(kind)}
    return not own.isdisjoint({"__init__", "from_db"}) or any(s.has_listeners(model) for s in (pre_init, post_init))
