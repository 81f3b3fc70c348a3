"""The REST API of the host's tools, and of reports by players."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base.idempotency import make_once
from games.api.base.parsing import Body, DataSerializer, checked
from games.api.base.resource import Resource, person
from games.api.base.schema import CHANGING, IDEMPOTENCY_KEY, READING, Responses, problems
from games.api.tables.seats import found
from games.errors import Conflict, NotFound
from games.moderation import reports
from games.moderation.games import seat_offers, tables
from games.moderation.models import REASON_LENGTH, ModerationEntry, Report
from games.play import queries
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.clock import present


class DoneShape(DataSerializer):
    """What a host or a moderator has done at the table, as its players read it."""

    action = serializers.ChoiceField(ModerationEntry.Action.choices)
    words = serializers.CharField(source="get_action_display")
    seat = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField(source="reason_in_words")
    until = serializers.DateTimeField(allow_null=True)
    at = serializers.DateTimeField(source="created_at")


class ReasonBody(Body):
    """Why; those whom it concerns read it."""

    reason = serializers.CharField(max_length=REASON_LENGTH)


class MoreTimeBody(ReasonBody):
    """How much more time."""

    hours = serializers.IntegerField(min_value=1, max_value=tables.MOST_HOURS)


class ReplaceBody(ReasonBody):
    """Who is asked to sit down instead."""

    example = {"address": "david@example.org"}
    address = serializers.CharField(max_length=254, help_text="An email address, with or without an account.")


class ReportBody(Body):
    """What happened."""

    example = {"seat": None}
    text = serializers.CharField(max_length=Report.TEXT_LENGTH)
    seat = serializers.IntegerField(
        min_value=0, default=None, allow_null=True, help_text="About whom; null for nobody in particular."
    )


class TextBody(Body):
    """What is wrong with something that everybody can read."""

    text = serializers.CharField(max_length=Report.TEXT_LENGTH)


class ReportShape(DataSerializer):
    """What you have told the moderators."""

    ref = serializers.CharField()
    seat = serializers.IntegerField(allow_null=True)
    text = serializers.CharField()
    created_at = serializers.DateTimeField()
    settled_at = serializers.DateTimeField(allow_null=True)
    outcome = serializers.ChoiceField(Report.Outcome.choices, allow_blank=True, help_text="What came of it, or empty.")
    answer = serializers.CharField(source="answer_in_words", allow_blank=True, help_text="Of the moderator, to you.")


DONE: Responses = {200: DoneShape(many=True), **problems(*CHANGING)}


class Care(Resource):
    """The actions of host and moderators at a table."""

    @extend_schema(operation_id="list_care", responses={200: DoneShape(many=True), **problems(*READING)})
    def get(self, request: Request, ref: str) -> Response:
        """What the host and moderators have done at this table and why, newest first."""
        return done(request, ref)


class Extend(Resource):
    """Extending deadlines."""

    @extend_schema(operation_id="extend_deadlines", request=MoreTimeBody, responses=DONE)
    def post(self, request: Request, ref: str) -> Response:
        """Gives everybody who is asked so many hours more, at most 72, at a table that you host."""
        game, facts = _hosted(request, ref), checked(MoreTimeBody, request)
        tables.extend(game=game, by=person(request), now=present.now(), **facts)
        return done(request, ref)


class Nudge(Resource):
    """Reminding players."""

    @extend_schema(operation_id="nudge", request=ReasonBody, responses=DONE)
    def post(self, request: Request, ref: str) -> Response:
        """Reminds everybody at your table who has not answered, once for each question; nobody is told who that is."""
        game, facts = _hosted(request, ref), checked(ReasonBody, request)
        tables.nudge(game=game, by=person(request), now=present.now(), **facts)
        return done(request, ref)


class Replace(Resource):
    """Replacing an absent player."""

    @extend_schema(operation_id="replace_player", request=ReplaceBody, responses=DONE)
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Offers the seat of an absent player at your table to somebody else, who sits down by accepting. Until then
        the player may come back."""
        game, facts = _hosted(request, ref), checked(ReplaceBody, request)
        seat_offers.offer(seat=seat_at(game, number), by=person(request), now=present.now(), **facts)
        return done(request, ref)


class Reports(Resource):
    """Reporting to the moderators."""

    @extend_schema(operation_id="list_reports", responses={200: ReportShape(many=True), **problems(*READING)})
    def get(self, request: Request, ref: str) -> Response:
        """What you have reported at a table of yours, newest first, and what came of it."""
        game = queries.access_seat(person(request), ref).game
        return Response(ReportShape(game.reports.filter(reporter=person(request)).order_by("-pk"), many=True).data)

    @extend_schema(
        operation_id="report",
        parameters=[IDEMPOTENCY_KEY],
        request=ReportBody,
        responses={201: ReportShape, **problems(*CHANGING)},
    )
    def post(self, request: Request, ref: str) -> Response:
        """Tells the moderators what happened at a table of yours. Nobody else at the table learns of it."""
        game, by = queries.access_seat(person(request), ref).game, person(request)
        facts = checked(ReportBody, request)

        def report() -> Report:
            if game.status != Game.Status.RUNNING:
                raise Conflict(_("This game isn't running."))
            return reports.file_report(game=game, by=by, now=present.now(), **facts)

        return Response(ReportShape(make_once(request, game.reports.all(), report)).data, status=201)


def seat_at(game: Game, number: int) -> Seat:
    """Loads a seat of a table. Raises NotFound."""
    seat = game.seats.select_related("game", "user__recipient").filter(number=number).first()
    if seat is None:
        raise NotFound(_("There's no such seat."))
    return seat


def done(request: Request, ref: str) -> Response:
    """Returns the actions at a table."""
    access = queries.access_game(person(request), ref)
    return Response(DoneShape(queries.moderation(access), many=True).data)


def _hosted(request: Request, ref: str) -> Game:
    game = found(request, ref)
    if game.host_id != person(request).pk:
        raise NotFound(_("Only the host of a table can do that."))
    return game
