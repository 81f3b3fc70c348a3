"""The REST API of game records: export and import."""

from collections.abc import Mapping
from typing import IO, Any

import msgspec
from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from engine.records import model
from games.api.base.parsing import DataSerializer
from games.api.base.problems import TooLarge
from games.api.base.resource import Resource, person
from games.api.base.schema import CHANGING, OPENING, READING, problems
from games.archive import imports, records
from games.archive.models import Import
from games.play import queries
from notifications.clock import present

NO_OBJECT = gettext_lazy("The body isn't a JSON object.")


class RecordParser(BaseParser):
    """Passes the bytes of a record on, which is a JSON object: what is in it is for the import to check."""

    media_type = "application/json"

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, object] | None = None
    ) -> Any:
        """Returns the body. Raises ParseError for what is no JSON object, TooLarge."""
        body = stream.read(settings.LARGEST_RECORD + 1)
        if len(body) > settings.LARGEST_RECORD:
            raise TooLarge(_("The request is too long."))
        try:
            msgspec.json.decode(body, type=dict[str, msgspec.Raw])
        except (ValueError, RecursionError) as error:
            raise ParseError(NO_OBJECT) from error
        return body


class ImportShape(DataSerializer):
    """A record on its way in."""

    ref = serializers.CharField(help_text="Of the import.")
    state = serializers.ChoiceField(Import.State.choices, help_text="Ask again while it is waiting or running.")
    moves = serializers.IntegerField(help_text="How many the record has; 0 as long as that is not known.")
    checked = serializers.IntegerField(help_text="How many of them fit so far.")
    refusal = serializers.CharField(
        source="refusal_in_words", help_text="Why it was refused, as a sentence for people; empty if it was not."
    )
    refusal_code = serializers.CharField(help_text="The same for programs, such as record.chain, or empty.")
    game = serializers.CharField(
        source="game.ref", default=None, allow_null=True, help_text="Of the table it has become here; null before."
    )
    is_new = serializers.BooleanField(help_text="False if you had imported the same record before.")


class RecordResource(Resource):
    """The record of a game."""

    @extend_schema(
        operation_id="read_record",
        responses={(200, "application/json"): OpenApiTypes.OBJECT, **problems(*READING, 409)},
    )
    def get(self, request: Request, ref: str) -> HttpResponse:
        """A finished game as one JSON object, everything hidden included: docs/record.md says what is in it."""
        game = queries.access_game(person(request), ref).game
        return HttpResponse(model.dump(records.record_of(game)), content_type="application/json")


class RecordsResource(Resource):
    """Importing a record."""

    parser_classes = [RecordParser]

    @extend_schema(
        operation_id="import_record",
        request={"application/json": OpenApiTypes.OBJECT},
        responses={202: ImportShape, **problems(*OPENING)},
    )
    def post(self, request: Request) -> Response:
        """Takes a record to be played again: of one that fits a finished table is made that only you see.

        Location says where to ask what has come of it.
        """
        body: object = request.data
        if not isinstance(body, bytes):
            raise ParseError(NO_OBJECT)
        row = imports.request_import(data=body, by=person(request), now=present.now())
        return Response(ImportShape(row).data, status=202, headers={"Location": reverse("api_import", args=[row.ref])})


class Importing(Resource):
    """The state of an import."""

    @extend_schema(operation_id="read_import", responses={200: ImportShape, **problems(*READING)})
    def get(self, request: Request, ref: str) -> Response:
        """How far it is, what is wrong with it, or which game it has become."""
        return Response(ImportShape(imports.find(person(request), ref)).data)


class ImportedRecord(Resource):
    """One game that was imported."""

    @extend_schema(operation_id="remove_imported", request=None, responses={204: None, **problems(*CHANGING)})
    def delete(self, request: Request, ref: str) -> Response:
        """Removes a game that you have imported."""
        records.remove(game=queries.access_game(person(request), ref).game, by=person(request))
        return Response(status=204)
