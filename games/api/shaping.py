"""Writing what a program gets: plain data, field by field, as a shape lists them."""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

from rest_framework import serializers

from games.api.ready import Ready

Fields: TypeAlias = list[serializers.Field[Any, Any, Any, Any]]
Step: TypeAlias = tuple[str, str, Callable[[Any], Any]]
"""A field's name, the one it has in a row, and what writes its value."""
Plan: TypeAlias = tuple[frozenset[str], list[Step]]
"""What a row must have, and the steps by which it is written."""


class Shape(Ready):
    """Data of an answer.

    Its fields are made once in a process: Django REST framework copies all of them for each answer, so that they could
    be changed for one of them, which took longer than writing them. And what it may be asked for is found out once:
    rows that are dictionaries are written without looking for attributes in them.
    """

    @property
    def _readable_fields(self) -> Fields:
        kept = _fields_of(type(self))
        return super()._readable_fields if kept is None else kept

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """As Django REST framework writes it."""
        plan = _plan_of(type(self)) if type(instance) is dict else None
        if plan is None or not plan[0] <= instance.keys():  # some of it may be left out
            return super().to_representation(instance)
        return {name: None if (value := instance[key]) is None else write(value) for name, key, write in plan[1]}


@cache
def _fields_of(shape: type[Shape]) -> Fields | None:
    """The fields, made; None where one of them asks the very answer it belongs to."""
    fields = list(shape().fields.values())
    return None if any(map(_asks, fields)) else [field for field in fields if not field.write_only]


def _asks(field: Any) -> bool:
    """Whether it, or one of those in it, is worked out by the shape it belongs to."""
    inside = [*getattr(field, "fields", {}).values(), *([field.child] if hasattr(field, "child") else [])]
    return isinstance(field, serializers.SerializerMethodField) or any(map(_asks, inside))


@cache
def _plan_of(shape: type[Shape]) -> Plan | None:
    """None where a field's value is more than what stands in the row under one name."""
    fields = _fields_of(shape)
    if fields is None or not all(map(_is_plain, fields)):
        return None
    steps: list[Step] = [(str(one.field_name), str(one.source_attrs[0]), one.to_representation) for one in fields]
    return frozenset(key for _name, key, _write in steps), steps


def _is_plain(field: Any) -> bool:
    return type(field).get_attribute is serializers.Field.get_attribute and len(field.source_attrs) == 1
