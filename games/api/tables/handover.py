"""The REST API of the host's role: offering, accepting, declining; and whom a game waits for."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base.parsing import Body, DataSerializer, checked
from games.api.base.resource import Resource, person
from games.api.base.schema import CHANGING, LISTING, READING, Responses, problems
from games.api.play.serializers import GameShape, NoBody
from games.api.tables.seats import found, shown
from games.errors import NotFound
from games.lobby import handover, waiting
from games.lobby.models import HostOffer
from games.people.models import User
from games.play import queries
from notifications.clock import present


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


SHOWN: Responses = {200: GameShape, **problems(*CHANGING)}


class HostOffers(Resource):
    """Offering the role."""

    @extend_schema(
        operation_id="offer_host_role", request=HostOfferBody, responses={201: HostOfferShape, **problems(*CHANGING)}
    )
    def post(self, request: Request, ref: str) -> Response:
        """Asks somebody at a table that you host to be its host. You stay it until they accept."""
        game, seat = found(request, ref), checked(HostOfferBody, request)["seat"]
        made = handover.offer(game_id=game.pk, host=person(request), seat=seat, now=present.now())
        return Response(HostOfferShape({"seat": seat, "created_at": made.created_at}).data, status=201)


class WithdrawHostOffer(Resource):
    """Taking the offer back."""

    @extend_schema(operation_id="withdraw_host_role", request=NoBody, responses={204: None, **problems(*CHANGING)})
    def post(self, request: Request, ref: str) -> Response:
        """Takes your offer back, as long as it is not answered."""
        game = found(request, ref)
        checked(NoBody, request)
        handover.withdraw(game_id=game.pk, host=person(request))
        return Response(status=204)


class TakeHostRole(Resource):
    """Taking the role of a host who has vanished."""

    @extend_schema(operation_id="take_host_role", request=NoBody, responses=SHOWN)
    def post(self, request: Request, ref: str) -> Response:
        """Makes you the host of a running game in which you play, once its host has left it and has not been seen there
        for a week. The others at the table are told."""
        game = found(request, ref)
        checked(NoBody, request)
        handover.take(game_id=game.pk, user=person(request), now=present.now())
        return shown(request, ref)


class MyHostOffers(Resource):
    """What you are asked."""

    @extend_schema(operation_id="list_host_offers", responses={200: MyHostOfferShape(many=True), **problems(*LISTING)})
    def get(self, request: Request) -> Response:
        """The tables whose host you are asked to be."""
        return Response(MyHostOfferShape(handover.offers_to(person(request)), many=True).data)


class AcceptHostRole(Resource):
    """Accepting."""

    @extend_schema(operation_id="accept_host_role", request=NoBody, responses=SHOWN)
    def post(self, request: Request, ref: str) -> Response:
        """Makes you the host; the others at the table are told."""
        offer = _offer(person(request), ref)
        checked(NoBody, request)
        handover.accept(offer=offer, now=present.now())
        return shown(request, offer.game.ref)


class DeclineHostRole(Resource):
    """Declining."""

    @extend_schema(operation_id="decline_host_role", request=NoBody, responses={204: None, **problems(*CHANGING)})
    def post(self, request: Request, ref: str) -> Response:
        """Says no: everything stays as it is."""
        offer = _offer(person(request), ref)
        checked(NoBody, request)
        handover.decline(offer=offer)
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
    offer = next((one for one in handover.offers_to(user) if one.ref == ref), None)
    if offer is None:
        raise NotFound(_("There's no such offer."))
    return offer
