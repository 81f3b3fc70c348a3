"""Reading what a program sends: strict JSON of a sensible size, and no fields nobody asked for."""

from collections.abc import Mapping
from functools import cache
from typing import IO, Any

import msgspec
from django.utils.functional import cached_property
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.utils.formatting import lazy_format

from games.api.problems import TooLarge
from games.api.ready import Ready

LONGEST_BODY = 64 * 1024  # bytes; the longest answer has a few hundred


class StrictJSONParser(BaseParser):
    """JSON as RFC 8259 has it: UTF-8, no NaN, no half characters, not nested beyond reason."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """The data. Raises ParseError for what is no JSON, TooLarge for a body that is too long."""
        body = stream.read(LONGEST_BODY + 1)
        if len(body) > LONGEST_BODY:
            raise TooLarge(_("The request is too long."))
        try:
            return msgspec.json.decode(body)
        except (ValueError, RecursionError) as error:
            raise ParseError(_("The body is not valid JSON.")) from error


class Body(Ready):
    """Data of a request. Unknown fields are refused by name: a misspelt one must not be ignored.

    Its fields are made once in a process, as those of answers are (`games/api/shaping.py`).
    """

    @cached_property
    def fields(self) -> Any:
        """By name."""
        kept = _fields_of(type(self))
        return super().fields if kept is None else kept

    def to_internal_value(self, data: Any) -> Any:
        """The valid data. Raises ValidationError with one message for each field that is wrong or unknown."""
        if isinstance(data, Mapping) and (unknown := [str(name) for name in data if name not in self.fields]):
            raise serializers.ValidationError({name: [_("There is no such field.")] for name in unknown})
        return super().to_internal_value(data)


@cache
def _fields_of(body: type[Body]) -> Any:
    """The fields, made; None where one of them is itself made of fields, which note what they are just reading."""
    made = serializers.Serializer.fields.__get__(body(), body)
    for field in made.values():
        _let_speak(field)
    return None if any(_is_nested(field) for field in made.values()) else made


def _let_speak(field: Any) -> None:
    """Lets it say what is wrong in each reader's language: Django REST framework's own words keep the first one's."""
    for validator in field.validators:
        said = getattr(validator, "message", None)
        if isinstance(said, lazy_format) and said.format_string is not None:
            validator.message = format_lazy(said.format_string, *said.args, **said.kwargs)
    if hasattr(field, "child"):
        _let_speak(field.child)


def _is_nested(field: Any) -> bool:
    child = getattr(field, "child", None)
    return isinstance(field, serializers.BaseSerializer) or (child is not None and _is_nested(child))


def checked(body: type[Body], request: Request) -> dict[str, Any]:
    """What the request's body says, as `body` describes it. Raises ValidationError."""
    return _valid(body(data=request.data))


def checked_query(query: type[Body], request: Request) -> dict[str, Any]:
    """The same for what stands behind the question mark; parameters that mean nothing here are passed over."""
    known = query().fields
    return _valid(query(data={name: value for name, value in request.query_params.items() if name in known}))


def _valid(body: Body) -> dict[str, Any]:
    body.is_valid(raise_exception=True)
    data: dict[str, Any] = body.validated_data
    return data
