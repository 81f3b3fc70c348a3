"""Writing what a program gets: plain data, field by field, as a shape lists them."""

from functools import cache
from typing import Any, TypeAlias

from rest_framework import serializers

Fields: TypeAlias = list[serializers.Field[Any, Any, Any, Any]]


class Shape(serializers.Serializer[Any]):
    """Data of an answer.

    Its fields are made once in a process: Django REST framework copies all of them for each answer, so that they could
    be changed for one of them, which took longer than writing them.
    """

    @property
    def _readable_fields(self) -> Fields:
        kept = _fields_of(type(self))
        return super()._readable_fields if kept is None else kept


@cache
def _fields_of(shape: type[Shape]) -> Fields | None:
    """The fields, made; None where one of them asks the very answer it belongs to."""
    fields = list(shape().fields.values())
    return None if any(map(_asks, fields)) else [field for field in fields if not field.write_only]


def _asks(field: Any) -> bool:
    """Whether it, or one of those in it, is worked out by the shape it belongs to."""
    inside = [*getattr(field, "fields", {}).values(), *([field.child] if hasattr(field, "child") else [])]
    return isinstance(field, serializers.SerializerMethodField) or any(map(_asks, inside))
