"""The REST API of changed settings: a host changes a table before its game, its players agree again."""

from dataclasses import replace
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base.parsing import AnyField, Body, Checked, DataSerializer, checked
from games.api.base.resource import Resource, person
from games.api.base.schema import CHANGING, READING, Responses, problems
from games.api.play.serializers import GameShape, setting_shape
from games.api.tables.seats import found, shown
from games.api.tables.shapes import PaceField, setting_field
from games.lobby import changed_settings as table_settings
from games.tables import plans
from games.tables.models import Game
from games.tables.plans import TablePlan
from games.tables.settings import SETTINGS
from notifications.clock import present

SHOWN: Responses = {200: GameShape, **problems(*CHANGING)}


class ChangedTableBody(Body):
    """What is to be different; what is left out stays as it is."""

    example = {"seats": 3, "pace": "daily", "options": {"open_hoards": "off"}, "proposals": "on", "missed": "proposal"}
    title = serializers.CharField(max_length=60, allow_blank=True, required=False, help_text="Empty: as it is.")
    seats = serializers.IntegerField(min_value=1, max_value=20, required=False, help_text="How many play.")
    options = serializers.DictField(
        child=serializers.CharField(max_length=40), required=False, help_text="Of the rules; left out, as they are."
    )
    pace = PaceField(required=False)

    def get_fields(self) -> dict[str, AnyField]:
        """The fields above, and one for each setting."""
        settings = {setting.name: setting_field(setting, is_required=False) for setting in SETTINGS}
        return {**super().get_fields(), **settings}


class AgreeBody(Body):
    """Which settings are agreed to."""

    example = {"settings_version": 1}
    settings_version = serializers.IntegerField(
        min_value=0, max_value=32767, help_text="Of the table, as you have read it. Another by now, and it is a 409."
    )


class AgreedShape(DataSerializer):
    """Settings of a table."""

    seats = serializers.IntegerField(source="seat_count")
    options = serializers.DictField(child=serializers.CharField())
    pace = serializers.CharField()

    def get_fields(self) -> dict[str, AnyField]:
        """The fields above, and one for each setting of a table."""
        return {**super().get_fields(), **{setting.name: setting_shape(setting) for setting in SETTINGS}}


class TableSettingsShape(DataSerializer):
    """The settings of a table, and those that your seat has agreed to."""

    settings_version = serializers.IntegerField(help_text="How often the host has changed them.")
    settings = AgreedShape()
    has_agreed = serializers.BooleanField(allow_null=True, help_text="Whether you have; null if you have no seat.")
    agreed = AgreedShape(allow_null=True, help_text="What you agreed to, if the host has changed it since.")


class SettingsResource(Resource):
    """What is agreed at a table."""

    @extend_schema(operation_id="read_settings", responses={200: TableSettingsShape, **problems(*READING)})
    def get(self, request: Request, ref: str) -> Response:
        """The settings of a table; and if its host has changed them since you agreed, those that you agreed to."""
        game = found(request, ref)
        return Response(TableSettingsShape(_settings_data(game, request)).data)

    @extend_schema(operation_id="change_settings", request=ChangedTableBody, responses=SHOWN)
    def put(self, request: Request, ref: str) -> Response:
        """Changes a table that you host before its game. Everybody there is asked by email to agree again."""
        game, wanted = found(request, ref), checked(ChangedTableBody, request)
        plan = _plan(game, wanted)
        table_settings.change(game_id=game.pk, host=person(request), plan=plan, now=present.now())
        return shown(request, ref)


class AgreeSettings(Resource):
    """Agreeing to changed settings."""

    @extend_schema(operation_id="agree_settings", request=AgreeBody, responses=SHOWN)
    def post(self, request: Request, ref: str) -> Response:
        """Agrees to the settings of a table at which you sit, before its game. Otherwise leave it."""
        game, seen = found(request, ref), checked(AgreeBody, request)["settings_version"]
        table_settings.agree(game_id=game.pk, user=person(request), seen=seen)
        return shown(request, ref)


def _plan(game: Game, wanted: Checked) -> TablePlan:
    """The table as it is, with what is wanted."""
    values = plans.agreed_of(game)
    values["seat_count"] = wanted.pop("seats", values["seat_count"])
    values["options"] = {**values["options"], **wanted.pop("options", {})}
    plan = TablePlan(title=wanted.pop("title", "") or game.title, rules_name=game.rules_name, **values)
    return replace(plan, **wanted)


def _settings_data(game: Game, request: Request) -> dict[str, Any]:
    seat = next((one for one in game.seated() if one.user_id == person(request).pk), None)
    before = table_settings.agreed_by(seat) if seat is not None else None
    return {
        "settings_version": game.settings_version,
        "settings": plans.agreed_of(game),
        "has_agreed": seat.has_agreed if seat is not None else None,
        "agreed": before,
    }
