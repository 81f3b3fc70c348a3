"""Parses and validates requests: strict JSON of limited size, without unknown fields."""

from collections.abc import Callable, Iterator, Mapping
from typing import IO, Any, ClassVar, NoReturn, TypeAlias

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from games.api.problems import TooLarge
from notifications import reasons

Checked: TypeAlias = dict[str, Any]  # what a serializer has found valid
AnyField: TypeAlias = serializers.Field[Any, Any, Any, Any]
OWN_EXAMPLE = "x-example"  # where a `Body` says its own example; not in the finished description
LONGEST_BODY = 64 * 1024  # bytes; the longest answer has a few hundred


class StrictJSONParser(BaseParser):
    """JSON by RFC 8259: UTF-8, no NaN, no lone surrogates, limited nesting."""

    media_type = "application/json"

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, object] | None = None
    ) -> Any:
        """Returns the data. Raises ParseError for invalid JSON, TooLarge for a body above LONGEST_BODY."""
        body = stream.read(LONGEST_BODY + 1)
        if len(body) > LONGEST_BODY:
            raise TooLarge(_("The request is too long."))
        try:
            return msgspec.json.decode(body)
        except (ValueError, RecursionError) as error:
            raise ParseError(_("The body isn't valid JSON.")) from error


class Body(serializers.Serializer[Any]):
    """Data of a request. Unknown fields are refused by name: a misspelt one must not be ignored.

    `example` has values for the schema's example that do not follow from the names of the fields; `...` leaves one out.
    """

    example: ClassVar[dict[str, object]] = {}

    def to_internal_value(self, data: object) -> Any:
        """The valid data. Raises ValidationError with one message for each field that is wrong or unknown."""
        if isinstance(data, Mapping) and (unknown := [str(name) for name in data if name not in self.fields]):
            raise serializers.ValidationError({name: [_("There's no such field.")] for name in unknown})
        mistyped = self._mistyped(data) if isinstance(data, Mapping) else {}
        try:
            value = super().to_internal_value(data)
        except serializers.ValidationError as error:
            raise serializers.ValidationError({**error.detail, **mistyped}) from error  # type: ignore[dict-item]  # by field
        if mistyped:
            raise serializers.ValidationError(mistyped)
        return value

    def _mistyped(self, data: Mapping[str, object]) -> dict[str, Any]:
        """Finds what has another type than is described: fields of serializers would take "yes" for true, 3 for "3"."""
        errors = {}
        is_query = bool(self.context.get("is_query"))
        for name, field in self.fields.items():
            for part, value in _values(field, data[name]) if name in data else ():
                if not _has_type(part, value, is_query=is_query):
                    try:
                        part.fail("invalid")
                    except serializers.ValidationError as error:
                        errors[name] = error.detail
        return errors


def _values(field: AnyField, data: object) -> Iterator[tuple[AnyField, object]]:
    """Yields what was given for a field; of a list each value, with the field of all of them."""
    if isinstance(field, serializers.ListField):
        yield from ((field.child, value) for value in (data if isinstance(data, list) else ()))
    else:
        yield field, data


def _has_type(field: AnyField, value: object, *, is_query: bool) -> bool:
    """Whether a value has the type of its field. In a query all are texts, of which only two are a truth value."""
    match field:
        case serializers.BooleanField():
            return value in ("true", "false") if is_query else value is None or isinstance(value, bool)
        case _ if is_query:
            return True
        case serializers.IntegerField():
            return value is None or (isinstance(value, int | float) and not isinstance(value, bool))
        case serializers.CharField():
            return value is None or isinstance(value, str)
    return True


class NoBody(Body):
    """Nothing is asked for: an empty object, or no body."""


class WordField(serializers.ChoiceField):
    """A field with one of a few words. Its refusal says which there are."""

    default_error_messages = {"invalid_choice": gettext_lazy("“{input}” is none of these: {words}.")}

    def fail(self, key: str, **facts: object) -> NoReturn:
        """Raises ValidationError with the words."""
        super().fail(key, words=", ".join(str(word) for word in self.choices if word), **facts)


class DataSerializer(serializers.Serializer[Any]):
    """Data of an answer, read from the attributes of an object, or from a dictionary.

    Its context has the `request`.
    """


class ComputedField(serializers.Field[Any, Any, Any, Any]):
    """A field of an answer that a function makes of the whole object.

    Arguments:
        make: gets the object, and for a field that is `for_reader` the account that asks.
        field: writes what it returns.
    """

    def __init__(self, make: Callable[..., object], field: AnyField, *, for_reader: bool = False) -> None:
        super().__init__(source="*")
        self.make, self.field, self.for_reader = make, field, for_reader

    def bind(self, field_name: str, parent: Any) -> None:
        """Gives the inner field the context, too."""
        super().bind(field_name, parent)
        self.field.bind("", self)  # type: ignore[arg-type]  # any field may be one's parent

    def to_representation(self, instance: object) -> object:
        """Returns it as data."""
        value = self.make(instance, self.context["request"].user) if self.for_reader else self.make(instance)
        return None if value is None else self.field.to_representation(value)


class RulesTextField(serializers.CharField):
    """A text of the rules, in the words of `say` of the context."""

    def to_representation(self, value: object) -> str:
        """Returns the words."""
        return str(self.context["say"](value))


class PlainField(serializers.DictField):
    """Anything that msgspec writes as an object."""

    def to_representation(self, value: object) -> Any:
        """Returns it as plain data."""
        return msgspec.to_builtins(value)


def checked(body: type[Body], request: Request) -> Checked:
    """The valid data of the request's body. Raises ValidationError."""
    return _valid(body(data=request.data))


def checked_query(query: type[Body], request: Request) -> Checked:
    """The valid data of the query string; unknown parameters are ignored. Raises ValidationError."""
    fields = query().fields
    data = {name: value for name, value in request.query_params.items() if name in fields}
    return _valid(query(data=data, context={"is_query": True}))


def _valid(body: Body) -> Checked:
    body.is_valid(raise_exception=True)
    data: Checked = body.validated_data
    return data


# Stored reasons in answers: in words for people, as a code for programs


class ReasonWordsField(serializers.CharField):
    """A stored reason in the reader's language, or what another server said, as it came."""

    def to_representation(self, value: str) -> str:
        """Returns the words."""
        return reasons.in_words(value)


class ReasonCodeField(serializers.CharField):
    """The code of a stored reason; "" for none."""

    def __init__(self, source: str | None = None, *, allow_null: bool = False) -> None:
        help_text = "The reason for programs."
        super().__init__(source=source, allow_null=allow_null, help_text=help_text)

    def to_representation(self, value: str) -> str:
        """Returns the code."""
        return reasons.code_of(value)
