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
    fields = shape().fields.values()
    asks = any(isinstance(field, serializers.SerializerMethodField) for field in fields)
    return None if asks else [field for field in fields if not field.write_only]
