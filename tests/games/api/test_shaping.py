"""What a program gets is written by fields that are made once."""

import datetime as dt
from typing import Any
from unittest.mock import patch

import pytest
from rest_framework import serializers
from rest_framework.fields import Field

from games import queries
from games.api import reading
from games.api.serializers import GameShape, QuestionShape
from games.api.shaping import Shape
from games.models import User
from tests.games.conftest import running

pytestmark = pytest.mark.django_db


class WhoseShape(Shape):
    """One that asks the answer it belongs to."""

    whose = serializers.SerializerMethodField()

    def get_whose(self, _row: object) -> str:
        """What the answer was told."""
        return str(self.context["whose"])


def usual(shape: type[Shape], row: Any) -> dict[str, Any]:
    """What Django REST framework makes of a row by the fields of a shape, its nested ones too."""
    theirs = serializers.Serializer
    with (
        patch.object(Shape, "_readable_fields", theirs._readable_fields),
        patch.object(Shape, "to_representation", theirs.to_representation),
    ):
        return dict(shape(row).data)


def test_it_is_what_django_rest_framework_writes(anna: User, ben: User, carla: User, now: dt.datetime) -> None:
    game = running(anna, [ben, carla], now)
    access = queries.access_game(anna, game.ref)
    assert GameShape(reading.game_data(access)).data == usual(GameShape, reading.game_data(access))
    questions = [
        row for who in (anna, ben, carla) for row in reading.questions_data(queries.access_game(who, game.ref))
    ]
    assert questions
    assert [QuestionShape(row).data for row in questions] == [usual(QuestionShape, row) for row in questions]


def test_no_field_is_made_again_for_the_next_answer(anna: User, ben: User, carla: User, now: dt.datetime) -> None:
    data = reading.game_data(queries.access_game(anna, running(anna, [ben, carla], now).ref))
    assert GameShape(data).data
    with patch.object(Field, "__deepcopy__", side_effect=AssertionError("made again")):
        assert GameShape(data).data


class LooseShape(Shape):
    """One of which some things may be missing, or stand under other names."""

    name = serializers.CharField()
    note = serializers.CharField(required=False)
    hint = serializers.CharField(allow_null=True)


class TurnedShape(Shape):
    """One whose fields are more than what stands under a name."""

    place = serializers.CharField(source="seat.name")
    all = serializers.DictField(source="*")


class RenamedShape(Shape):
    """One with another name outside."""

    outside = serializers.CharField(source="inside")


@pytest.mark.parametrize(
    ("shape", "row", "written"),
    [
        (LooseShape, {"name": "Anna", "note": "x", "hint": None}, {"name": "Anna", "note": "x", "hint": None}),
        (LooseShape, {"name": "Anna"}, {"name": "Anna", "hint": None}),
        (TurnedShape, {"seat": {"name": "Ben"}}, {"place": "Ben", "all": {"seat": {"name": "Ben"}}}),
        (RenamedShape, {"inside": "Carla", "outside": "no"}, {"outside": "Carla"}),
    ],
)
def test_rows_that_are_dictionaries_are_written_as_any_others(
    shape: type[Shape], row: dict[str, Any], written: dict[str, Any]
) -> None:
    assert shape(row).data == usual(shape, row) == written


class RowsShape(Shape):
    """One with many in it."""

    rows = LooseShape(many=True)
    note = serializers.CharField(required=False)


def test_what_comes_one_by_one_is_all_written_or_missed() -> None:
    rows = [{"name": "Anna", "hint": None}, {"name": "Ben", "hint": None}]
    assert RowsShape({"rows": map(dict, rows)}).data == {"rows": rows}
    with pytest.raises(KeyError, match="name"):
        RowsShape({"rows": map(dict, [rows[0], {"hint": None}, rows[1]]), "note": "x"}).to_representation(
            {"rows": map(dict, [rows[0], {"hint": None}, rows[1]]), "note": "x"}
        )


def test_what_must_be_there_is_missed() -> None:
    with pytest.raises(KeyError, match="name"):
        LooseShape({"hint": None}).to_representation({"hint": None})


class AllShape(Shape):
    """One in which such ones stand."""

    rows = WhoseShape(many=True)


def test_a_field_that_asks_its_answer_asks_the_right_one() -> None:
    for name in ("anna", "ben"):
        assert WhoseShape({}, context={"whose": name}).data == {"whose": name}
        assert AllShape({"rows": [{}]}, context={"whose": name}).data == {"rows": [{"whose": name}]}
