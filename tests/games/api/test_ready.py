"""A serializer for a request or an answer is a copy of one that was made before."""

from typing import Any
from unittest.mock import patch

import pytest
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.fields import Field

from games.api.parsing import Body
from games.api.shaping import Shape


class NameBody(Body):
    """A request."""

    name = serializers.CharField(max_length=5)


class NameShape(Shape):
    """An answer."""

    name = serializers.CharField()


class OrderShape(Shape):
    """Its fields stand in the order in which they are declared, whatever was made before."""

    first = serializers.CharField()
    second = NameShape()
    third = NameShape(many=True)
    fourth = serializers.CharField()


@pytest.fixture
def _made_before() -> None:
    assert NameShape({"name": "x"}).data
    assert NameBody(data={"name": "x"}).is_valid()


@pytest.mark.usefixtures("_made_before")
def test_no_field_is_counted_for_it() -> None:
    with patch.object(Field, "__init__", side_effect=AssertionError("made anew")):
        assert NameShape({"name": "Anna"}).data == {"name": "Anna"}
        body = NameBody(data={"name": "Ben"})
        assert body.is_valid() and body.validated_data == {"name": "Ben"}


@pytest.mark.usefixtures("_made_before")
@pytest.mark.parametrize("data", [{"name": "far too long"}, {}, {"nome": "x", "name": "x"}, [], None, 7])
def test_each_has_its_own_data_and_errors(data: Any) -> None:
    wrong, right = NameBody(data=data), NameBody(data={"name": "Carla"})
    assert not wrong.is_valid() and right.is_valid()
    assert wrong.errors and not right.errors
    with pytest.raises(ValidationError):
        wrong.is_valid(raise_exception=True)
    assert NameBody(data={"name": "Dora"}).is_valid()


def test_what_it_knows_beside_its_data_is_told_when_it_is_made() -> None:
    assert NameShape({"name": "x"}, context={"of": "anna"}).context == {"of": "anna"}
    assert NameShape({"name": "x"}).context == {}


def test_fields_stand_in_the_order_in_which_they_are_declared() -> None:
    assert list(OrderShape._declared_fields) == ["first", "second", "third", "fourth"]
    row = {"first": 1, "second": {"name": "x"}, "third": [{"name": "y"}], "fourth": 2}
    assert OrderShape(row).data == {"first": "1", "second": {"name": "x"}, "third": [{"name": "y"}], "fourth": "2"}
