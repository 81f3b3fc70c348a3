"""The REST API of presets: settings of tables under a name."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base.parsing import Body, DataSerializer, checked
from games.api.base.resource import Resource, person
from games.api.base.schema import CHANGING, LISTING, READING, problems
from games.api.tables.changes import AgreedShape
from games.api.tables.seats import found
from games.lobby import presets
from games.lobby.models import LONGEST_NAME, TablePreset
from notifications.clock import present


class PresetNameBody(Body):
    """What it is called."""

    name = serializers.CharField(max_length=LONGEST_NAME)


class PresetBody(PresetNameBody):
    """Whose settings are saved, and under which name."""

    game = serializers.CharField(max_length=12, help_text="The `ref` of a table that you host.")


class PresetShape(DataSerializer):
    """The settings of a table under a name. Together with `rules` they are the body of a new table."""

    ref = serializers.CharField()
    name = serializers.CharField()
    rules = serializers.CharField(source="rules_name")
    settings = AgreedShape()
    created_at = serializers.DateTimeField()


class Presets(Resource):
    """Your presets."""

    @extend_schema(operation_id="list_presets", responses={200: PresetShape(many=True), **problems(*LISTING)})
    def get(self, request: Request) -> Response:
        """All of yours, by name."""
        return Response(PresetShape(map(_data, presets.presets_of(person(request))), many=True).data)

    @extend_schema(operation_id="save_preset", request=PresetBody, responses={201: PresetShape, **problems(*CHANGING)})
    def post(self, request: Request) -> Response:
        """Saves the settings of a table that you host. A preset with the same name is replaced."""
        wanted, owner = checked(PresetBody, request), person(request)
        game = found(request, wanted["game"])
        made = presets.save(owner=owner, name=wanted["name"], game=game, now=present.now())
        return Response(PresetShape(_data(made)).data, status=201)


class PresetResource(Resource):
    """One of them."""

    @extend_schema(operation_id="read_preset", responses={200: PresetShape, **problems(*READING)})
    def get(self, request: Request, ref: str) -> Response:
        """Its settings, as far as the rules still know them."""
        return Response(PresetShape(_data(presets.find(person(request), ref))).data)

    @extend_schema(
        operation_id="rename_preset", request=PresetNameBody, responses={200: PresetShape, **problems(*CHANGING)}
    )
    def put(self, request: Request, ref: str) -> Response:
        """Gives it another name."""
        name = checked(PresetNameBody, request)["name"]
        return Response(PresetShape(_data(presets.rename(owner=person(request), ref=ref, name=name))).data)

    @extend_schema(operation_id="delete_preset", responses={204: None, **problems(*READING)})
    def delete(self, request: Request, ref: str) -> Response:
        """Deletes it."""
        presets.delete(owner=person(request), ref=ref)
        return Response(status=204)


def _data(preset: TablePreset) -> dict[str, object]:
    facts = {name: getattr(preset, name) for name in ("ref", "name", "rules_name", "created_at")}
    return {**facts, "settings": presets.values_of(preset)}
