"""What programs send, and what is said of it."""

from typing import Any

import pytest
from django.utils import translation
from rest_framework import serializers

from games.api.parsing import Body


class Small(Body):
    """One with plain fields."""

    name = serializers.CharField(max_length=4)
    count = serializers.IntegerField(default=1)
    words = serializers.ListField(child=serializers.CharField(max_length=4), required=False)


class Large(Body):
    """One with such ones in it."""

    rows = Small(many=True)


def read(body: type[Body], data: Any) -> tuple[Any, Any]:
    """What it says, and what is wrong with it."""
    found = body(data=data)
    return (found.validated_data, found.errors) if found.is_valid() else (None, found.errors)


def test_what_is_wrong_with_one_request_is_not_wrong_with_the_next() -> None:
    for _ in range(2):
        assert set(read(Small, {"name": "too long", "colour": "red"})[1]) == {"colour"}
        assert set(read(Small, {"name": "too long", "count": "x"})[1]) == {"name", "count"}
        assert read(Small, {"name": "a"})[1] == {}


@pytest.mark.parametrize("wrong", [{"name": "too long"}, {"name": "a", "words": ["too long"]}])
def test_what_is_wrong_is_said_in_the_language_of_each_request(wrong: dict[str, Any]) -> None:
    said = {}
    for language in ("es", "en", "de", "es"):
        with translation.override(language):
            (field,) = read(Small, wrong)[1].values()
            said.setdefault(language, set()).add(str(field[0] if isinstance(field, list) else field[0][0]))
    assert all(len(texts) == 1 for texts in said.values())
    assert len(set.union(*said.values())) == 3


@pytest.mark.parametrize(("rows", "wrong"), [([{"name": "a"}], False), ([{"name": "a"}, {}], True), ("a", True)])
def test_what_stands_inside_another_is_read_too(rows: Any, wrong: bool) -> None:
    assert bool(read(Large, {"rows": rows})[1]) == wrong


class Typed(Body):
    """One with a field of each kind."""

    name = serializers.CharField(default="")
    count = serializers.IntegerField(default=1)
    is_on = serializers.BooleanField(default=None, allow_null=True)
    words = serializers.ListField(child=serializers.CharField(), default=list)


@pytest.mark.parametrize(
    "wrong",
    [{"name": 5}, {"count": "3"}, {"count": True}, {"is_on": "yes"}, {"is_on": 1}, {"is_on": "true"}, {"words": [5]}],
    ids=repr,
)
def test_what_has_another_type_than_is_described_is_refused_at_its_field(wrong: dict[str, Any]) -> None:
    assert set(read(Typed, wrong)[1]) == set(wrong)
    assert set(read(Typed, {"name": [], **wrong})[1]) == {"name", *wrong}, "with what else is wrong"


@pytest.mark.parametrize(
    "right", [{"name": "5"}, {"count": 3}, {"is_on": False}, {"is_on": None}, {"words": ["5"]}], ids=repr
)
def test_what_has_the_type_that_is_described_is_taken(right: dict[str, Any]) -> None:
    assert read(Typed, right)[1] == {}


@pytest.mark.parametrize(("value", "found"), [("true", True), ("false", False), ("", ...), ("yes", ...), ("1", ...)])
def test_a_truth_value_of_a_query_is_one_of_two_words(value: str, found: object) -> None:
    query = Typed(data={"is_on": value, "count": "3"}, context={"is_query": True})
    assert query.is_valid() == (found is not ...)
    assert found is ... or (query.validated_data["is_on"], query.validated_data["count"]) == (found, 3)
