"""The REST API of seats before the game: adding bots, leaving, invitations."""

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base.idempotency import make_once
from games.api.base.parsing import Body, DataSerializer, checked
from games.api.base.resource import Resource, person
from games.api.base.schema import CHANGING, IDEMPOTENCY_KEY, LISTING, READING, Responses, problems
from games.api.clubs.blocks import BlocksShape, shown_blocks
from games.api.play import reading
from games.api.play.serializers import GameShape, NoBody
from games.api.tables.shapes import SEEN, InvitationBody, InvitationShape
from games.errors import Conflict, NotFound
from games.lobby import invitations, lifecycle
from games.moderation.games import seat_offers
from games.people import blocks
from games.people.blocks import unblocked
from games.people.models import User
from games.play import queries
from games.tables.models import Game
from games.tables.seats import Invitation, Seat
from games.tables.settings import OWN_BOTS
from notifications.clock import present

SHOWN: Responses = {200: GameShape, **problems(*CHANGING)}


class BotBody(Body):
    """Which bot."""

    bot = serializers.CharField(
        max_length=40, help_text="One of the `bots` of the rules, or the name of a bot account that you may seat."
    )


class LeavingBody(Body):
    """Who is meant: seats move up when somebody leaves."""

    example = {"name": "Ben"}
    name = serializers.CharField(max_length=40, help_text="The name on that seat. Another one there, and it is a 409.")


class Seats(Resource):
    """The seats of a table."""

    @extend_schema(operation_id="seat_bot", request=BotBody, responses=SHOWN)
    def post(self, request: Request, ref: str) -> Response:
        """Fills a free seat of a table that you host with a bot of the rules, or with a bot account."""
        bot = checked(BotBody, request)["bot"]
        lifecycle.add_bot(game_id=found(request, ref).pk, host=person(request), bot=bot, now=present.now())
        return shown(request, ref)


class RemoveSeat(Resource):
    """Removing a player."""

    @extend_schema(operation_id="remove_from_seat", request=LeavingBody, responses=SHOWN)
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Sends a guest or a bot away from a table that you host, before its game. Those behind move up."""
        game, name = found(request, ref), checked(LeavingBody, request)["name"]
        if game.host_id != person(request).pk:
            raise NotFound(_("Only the host of a table can do that."))
        if not any(seat.number == number and name in (seat.name, seat.display_name) for seat in game.seated()):
            raise Conflict(_("The seats have changed in the meantime. Nothing was changed."))
        lifecycle.remove_seat(game_id=game.pk, host=person(request), number=number)
        return shown(request, ref)


class Leave(Resource):
    """Leaving a table."""

    is_for_bots = True

    @extend_schema(operation_id="leave_table", request=NoBody, responses={204: None, **problems(*CHANGING)})
    def post(self, request: Request, ref: str) -> Response:
        """Gets you up from a table before its game. Its host closes it instead."""
        game = queries.access_seat(person(request), ref).game
        checked(NoBody, request)
        lifecycle.leave(game_id=game.pk, user=person(request))
        return Response(status=204)


class Invitations(Resource):
    """Inviting."""

    @extend_schema(operation_id="list_invitations", responses={200: InvitationShape(many=True), **problems(*READING)})
    def get(self, request: Request, ref: str) -> Response:
        """Whom you have invited to a table that you host, oldest first."""
        game = found(request, ref)
        if game.host_id != person(request).pk:
            raise NotFound(_("Only the host of a table can do that."))
        return Response(InvitationShape(game.invitations.select_related("seat").order_by("pk"), many=True).data)

    @extend_schema(
        operation_id="invite",
        parameters=[IDEMPOTENCY_KEY],
        request=InvitationBody,
        responses={201: InvitationShape, **problems(*CHANGING)},
    )
    def post(self, request: Request, ref: str) -> Response:
        """Invites a mail address to a table that you host. Inviting it again sends nothing."""
        game, host = found(request, ref), person(request)
        wanted = checked(InvitationBody, request)
        row = make_once(
            request,
            game.invitations.all(),
            lambda: invitations.invite(game_id=game.pk, host=host, now=present.now(), **wanted),
        )
        return Response(InvitationShape(row).data, status=201)


class Withdraw(Resource):
    """Withdrawing an invitation."""

    @extend_schema(
        operation_id="withdraw_invitation", request=NoBody, responses={200: InvitationShape, **problems(*CHANGING)}
    )
    def post(self, request: Request, ref: str, invitation: str) -> Response:
        """Takes an invitation to your table back, as long as nobody has answered it."""
        game = found(request, ref)
        checked(NoBody, request)
        invitations.withdraw(ref=invitation, game_id=game.pk, host=person(request))
        return Response(InvitationShape(game.invitations.get(ref=invitation)).data)


class InvitedShape(DataSerializer):
    """A chair that is offered to you."""

    ref = serializers.CharField()
    game = serializers.CharField(source="game.ref")
    title = serializers.CharField(source="game.title")
    host = serializers.CharField(source="inviter.name")
    rules = serializers.CharField(source="game.rules_name")
    options = serializers.DictField(child=serializers.CharField(), source="game.options")
    pace = serializers.CharField(source="game.pace")
    allows_own_bots = serializers.BooleanField(source="game.allows_own_bots", help_text=OWN_BOTS)
    seat_count = serializers.IntegerField(source="game.seat_count")
    settings_version = serializers.IntegerField(
        source="game.settings_version", help_text="To accept what you have read."
    )
    seat = serializers.IntegerField(
        source="seat.number",
        default=None,
        allow_null=True,
        help_text="Of an absent player in a running game; else null.",
    )
    created_at = serializers.DateTimeField()


class MyInvitations(Resource):
    """A person's invitations."""

    @extend_schema(operation_id="list_my_invitations", responses={200: InvitedShape(many=True), **problems(*LISTING)})
    def get(self, request: Request) -> Response:
        """The invitations that wait for your answer, newest first."""
        return Response(InvitedShape(invitations_of(person(request)).order_by("-pk"), many=True).data)


class AcceptBody(Body):
    """Sitting down."""

    example = {"settings_version": ...}
    entropy = serializers.CharField(
        max_length=64, allow_blank=True, default="", help_text="Words of your own that are mixed into the shuffling."
    )
    settings_version = serializers.IntegerField(default=None, allow_null=True, min_value=0, help_text=SEEN)


class AcceptResource(Resource):
    """Accepting an invitation."""

    @extend_schema(operation_id="accept_invitation", request=AcceptBody, responses=SHOWN)
    def post(self, request: Request, ref: str) -> Response:
        """Sits you down at the table you are invited to, in a running game on the seat that is offered."""
        row = _invitation(person(request), ref)
        body = checked(AcceptBody, request)
        if row.seat is not None:
            seat_offers.accept(invitation=row, name="", now=present.now())
        else:
            wanted = {"entropy": body["entropy"], "seen": body["settings_version"]}
            invitations.accept(invitation=row, name="", now=present.now(), **wanted)
        return shown(request, row.game.ref)


class DeclineResource(Resource):
    """Declining an invitation."""

    @extend_schema(operation_id="decline_invitation", request=NoBody, responses={204: None, **problems(*CHANGING)})
    def post(self, request: Request, ref: str) -> Response:
        """Says no to an invitation. Harmless when said twice."""
        row = _invitation(person(request), ref)
        checked(NoBody, request)
        invitations.decline(invitation=row)
        return Response(status=204)


class BlockInviter(Resource):
    """Blocking who invites."""

    @extend_schema(operation_id="block_inviter", request=NoBody, responses={200: BlocksShape, **problems(*CHANGING)})
    def post(self, request: Request, ref: str) -> Response:
        """Declines an invitation and blocks whoever sent it. They are not told."""
        row = _invitation(person(request), ref)
        checked(NoBody, request)
        invitations.decline(invitation=row)
        blocks.block(by=person(request).recipient, other=row.inviter, now=present.now())
        return shown_blocks(person(request))


def found(request: Request, ref: str) -> Game:
    """Loads a table that the user may see."""
    return queries.access_game(person(request), ref).game


def shown(request: Request, ref: str, status: int = 200) -> Response:
    """Returns the table as data."""
    access = queries.access_game(person(request), ref)
    return Response(GameShape(reading.game_data(access)).data, status=status)


def invitations_of(user: User) -> QuerySet[Invitation]:
    """Finds the invitations that wait for an answer of this person."""
    before = Q(seat=None, game__status=Game.Status.OPEN)
    offered = Q(seat__status=Seat.Status.ABSENT, game__status=Game.Status.RUNNING)
    rows = unblocked(Invitation.objects.filter(address=user.email, status=Invitation.Status.SENT))
    rows = rows.filter(before | offered)
    rows = rows.exclude(seat=None, game__seats__user=user)
    return rows.select_related("game", "inviter", "seat").defer("game__state")


def _invitation(user: User, ref: str) -> Invitation:
    row = (
        Invitation.objects.filter(ref=ref, address=user.email)
        .select_related("game", "inviter", "recipient", "seat")
        .first()
    )
    if row is None:
        raise NotFound(_("There's no such invitation."))
    return row
