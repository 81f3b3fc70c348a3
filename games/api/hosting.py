"""The REST API of hosts: tools at the table, changed settings, handing the role over; and reports by players."""

from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.game_shapes import GameShape, NoBody
from games.api.parsing import AnyField, Body, Checked, DataSerializer, checked
from games.api.resource import Resource, make_once, person
from games.api.schema import CHANGING, IDEMPOTENCY_KEY, LISTING, READING, Responses, problems
from games.api.tables import AgreedShape, PaceField, find_game, setting_field, show_game
from games.errors import Conflict, NotFound
from games.lobby import hosting, waiting
from games.lobby.models import HostOffer
from games.moderation import reports, tables
from games.moderation.models import REASON_LENGTH, ModerationEntry, Report
from games.people.models import User
from games.play import queries
from games.tables import plans
from games.tables.models import Game
from games.tables.plans import TablePlan
from games.tables.seats import Seat
from games.tables.settings import SETTINGS
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
        return show_done(request, ref)


class Extend(Resource):
    """Extending deadlines."""

    @extend_schema(operation_id="extend_deadlines", request=MoreTimeBody, responses=DONE)
    def post(self, request: Request, ref: str) -> Response:
        """Gives everybody who is asked so many hours more, at most 72, at a table that you host."""
        game, facts = _hosted(request, ref), checked(MoreTimeBody, request)
        tables.extend(game=game, by=person(request), now=present.now(), **facts)
        return show_done(request, ref)


class Nudge(Resource):
    """Reminding players."""

    @extend_schema(operation_id="nudge", request=ReasonBody, responses=DONE)
    def post(self, request: Request, ref: str) -> Response:
        """Reminds everybody at your table who has not answered, once for each question; nobody is told who that is."""
        game, facts = _hosted(request, ref), checked(ReasonBody, request)
        tables.nudge(game=game, by=person(request), now=present.now(), **facts)
        return show_done(request, ref)


class Replace(Resource):
    """Replacing an absent player."""

    @extend_schema(operation_id="replace_player", request=ReplaceBody, responses=DONE)
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Offers the seat of an absent player at your table to somebody else, who sits down by accepting. Until then
        the player may come back."""
        game, facts = _hosted(request, ref), checked(ReplaceBody, request)
        tables.offer_seat(seat=seat_at(game, number), by=person(request), now=present.now(), **facts)
        return show_done(request, ref)


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


def show_done(request: Request, ref: str) -> Response:
    """Returns the actions at a table."""
    access = queries.access_game(person(request), ref)
    return Response(DoneShape(queries.moderation(access), many=True).data)


def _hosted(request: Request, ref: str) -> Game:
    game = find_game(request, ref)
    if game.host_id != person(request).pk:
        raise NotFound(_("Only the host of a table can do that."))
    return game


# Changed settings: before the game, and its players agree again

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
        game = find_game(request, ref)
        return Response(TableSettingsShape(_settings_data(game, request)).data)

    @extend_schema(operation_id="change_settings", request=ChangedTableBody, responses=SHOWN)
    def put(self, request: Request, ref: str) -> Response:
        """Changes a table that you host before its game. Everybody there is asked by email to agree again."""
        game, wanted = find_game(request, ref), checked(ChangedTableBody, request)
        plan = _changed_plan(game, wanted)
        hosting.change_settings(game_id=game.pk, host=person(request), plan=plan, now=present.now())
        return show_game(request, ref)


class AgreeSettings(Resource):
    """Agreeing to changed settings."""

    @extend_schema(operation_id="agree_settings", request=AgreeBody, responses=SHOWN)
    def post(self, request: Request, ref: str) -> Response:
        """Agrees to the settings of a table at which you sit, before its game. Otherwise leave it."""
        game, seen = find_game(request, ref), checked(AgreeBody, request)["settings_version"]
        hosting.agree_to_settings(game_id=game.pk, user=person(request), seen=seen)
        return show_game(request, ref)


def _changed_plan(game: Game, wanted: Checked) -> TablePlan:
    """The table as it is, with what is wanted."""
    values = plans.agreed_of(game)
    values["seat_count"] = wanted.pop("seats", values["seat_count"])
    values["options"] = {**values["options"], **wanted.pop("options", {})}
    plan = TablePlan(title=wanted.pop("title", "") or game.title, rules_name=game.rules_name, **values)
    return replace(plan, **wanted)


def _settings_data(game: Game, request: Request) -> dict[str, Any]:
    seat = next((one for one in game.seated() if one.user_id == person(request).pk), None)
    before = hosting.settings_agreed_by(seat) if seat is not None else None
    return {
        "settings_version": game.settings_version,
        "settings": plans.agreed_of(game),
        "has_agreed": seat.has_agreed if seat is not None else None,
        "agreed": before,
    }


# The host's role, and whom a game waits for


class HostOfferBody(Body):
    """Who is asked."""

    example = {"seat": 1}
    seat = serializers.IntegerField(min_value=0, max_value=20, help_text="Of a person who plays there.")


class HostOfferShape(DataSerializer):
    """The host's role, offered to somebody at the table."""

    seat = serializers.IntegerField(help_text="Whom you have asked.")
    created_at = serializers.DateTimeField()


class MyHostOfferShape(DataSerializer):
    """The host's role, offered to you."""

    ref = serializers.CharField()
    game = serializers.CharField(source="game.ref")
    title = serializers.CharField(source="game.title")
    host = serializers.CharField(source="game.host.name")
    created_at = serializers.DateTimeField()


class HostWaitingShape(DataSerializer):
    """A question that the game waits on, as everybody may know it."""

    seat = serializers.IntegerField(
        source="seat.number",
        help_text="Of a sealed question each seat that was asked, but yours only until you answer.",
    )
    question = serializers.CharField(help_text="What is asked, in words.")
    since = serializers.DateTimeField()
    due_at = serializers.DateTimeField(allow_null=True)
    usual_seconds = serializers.SerializerMethodField(
        help_text="What this player's open answers at the table have taken; null for fewer than three."
    )
    reminded_at = serializers.DateTimeField(allow_null=True, help_text="When everybody was reminded of it.")

    def get_usual_seconds(self, one: waiting.Waiting) -> int | None:
        """The median in whole seconds."""
        return None if one.usual is None else int(one.usual.total_seconds())


class HostOffers(Resource):
    """Offering the role."""

    @extend_schema(
        operation_id="offer_host_role", request=HostOfferBody, responses={201: HostOfferShape, **problems(*CHANGING)}
    )
    def post(self, request: Request, ref: str) -> Response:
        """Asks somebody at a table that you host to be its host. You stay it until they accept."""
        game, seat = find_game(request, ref), checked(HostOfferBody, request)["seat"]
        made = hosting.offer_role(game_id=game.pk, host=person(request), seat=seat, now=present.now())
        return Response(HostOfferShape({"seat": seat, "created_at": made.created_at}).data, status=201)


class WithdrawHostOffer(Resource):
    """Taking the offer back."""

    @extend_schema(operation_id="withdraw_host_role", request=NoBody, responses={204: None, **problems(*CHANGING)})
    def post(self, request: Request, ref: str) -> Response:
        """Takes your offer back, as long as it is not answered."""
        game = find_game(request, ref)
        checked(NoBody, request)
        hosting.withdraw_offer(game_id=game.pk, host=person(request))
        return Response(status=204)


class TakeHostRole(Resource):
    """Taking the role of a host who has vanished."""

    @extend_schema(operation_id="take_host_role", request=NoBody, responses=SHOWN)
    def post(self, request: Request, ref: str) -> Response:
        """Makes you the host of a running game in which you play, once its host has left it and has not been seen there
        for a week. The others at the table are told."""
        game = find_game(request, ref)
        checked(NoBody, request)
        hosting.take_role(game_id=game.pk, user=person(request), now=present.now())
        return show_game(request, ref)


class MyHostOffers(Resource):
    """What you are asked."""

    @extend_schema(operation_id="list_host_offers", responses={200: MyHostOfferShape(many=True), **problems(*LISTING)})
    def get(self, request: Request) -> Response:
        """The tables whose host you are asked to be."""
        return Response(MyHostOfferShape(hosting.offers_to(person(request)), many=True).data)


class AcceptHostRole(Resource):
    """Accepting."""

    @extend_schema(operation_id="accept_host_role", request=NoBody, responses=SHOWN)
    def post(self, request: Request, ref: str) -> Response:
        """Makes you the host; the others at the table are told."""
        offer = _offer(person(request), ref)
        checked(NoBody, request)
        hosting.accept_offer(offer=offer, now=present.now())
        return show_game(request, offer.game.ref)


class DeclineHostRole(Resource):
    """Declining."""

    @extend_schema(operation_id="decline_host_role", request=NoBody, responses={204: None, **problems(*CHANGING)})
    def post(self, request: Request, ref: str) -> Response:
        """Says no: everything stays as it is."""
        offer = _offer(person(request), ref)
        checked(NoBody, request)
        hosting.decline_offer(offer=offer)
        return Response(status=204)


class WaitingResource(Resource):
    """Who holds the game up."""

    @extend_schema(operation_id="read_waiting", responses={200: HostWaitingShape(many=True), **problems(*READING)})
    def get(self, request: Request, ref: str) -> Response:
        """What a game that you host waits for, the longest wait first: public facts alone."""
        access = queries.access_game(person(request), ref)
        if access.game.host_id != person(request).pk:
            raise NotFound(_("Only the host of a table can do that."))
        return Response(HostWaitingShape(waiting.waiting(access.game, access.seat), many=True).data)


def _offer(user: User, ref: str) -> HostOffer:
    offer = next((one for one in hosting.offers_to(user) if one.ref == ref), None)
    if offer is None:
        raise NotFound(_("There's no such offer."))
    return offer
