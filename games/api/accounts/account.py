"""The REST API of an account: who it is, its tokens, its mail address, and what others may see of a person."""

from collections import Counter

from django.conf import settings
from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.accounts import address_changes, profiles, tokens
from games.accounts.privacy import export
from games.accounts.profiles import ProfileChange
from games.api.base.paging import NEXT, Cursor, PageQuery
from games.api.base.parsing import Body, DataSerializer, checked, checked_query
from games.api.base.resource import Resource, person
from games.api.base.schema import LISTING, OPENING, READING, problems
from games.api.base.scopes import Scope
from games.errors import NotFound
from games.models import ApiToken, User
from games.play import queries
from games.tables import lists
from games.tables.plans import clean_title
from notifications.clock import present, zones

LONGEST_NAME = 40


class PersonShape(DataSerializer):
    """The person whose token it is."""

    ref = serializers.CharField()
    name = serializers.CharField()
    address = serializers.EmailField(allow_null=True, help_text="null for a bot account.")
    language = serializers.CharField(source="recipient.language")
    zone = serializers.CharField(source="recipient.zone")
    has_profile = serializers.BooleanField(help_text="Whether others may see a page with your name and finished games.")
    is_ranked = serializers.BooleanField(help_text="Whether others may see your ratings.")
    proposals_shown = serializers.CharField(
        help_text="When the pages show you what the rules propose: now, folded, never, or empty: as usual."
    )
    owner = serializers.CharField(
        source="owner_name", allow_null=True, help_text="Whose bot account it is; null for a person."
    )
    events_url = serializers.SerializerMethodField(help_text="Where the stream of all your games is.")

    def get_events_url(self, _person: User) -> str:
        """Returns the address of the account's stream."""
        return str(settings.EVENTS_URL)


class PersonBody(Body):
    """How you are called and spoken to; all three."""

    name = serializers.CharField(max_length=LONGEST_NAME, help_text="What the other players see from now on.")
    language = serializers.ChoiceField(settings.LANGUAGES, help_text="Of emails and pages.")
    zone = serializers.CharField(max_length=64, help_text="An IANA name such as Europe/Madrid.")
    has_profile = serializers.BooleanField(
        required=False, allow_null=True, default=None, help_text="null, or left out: as it is."
    )
    is_ranked = serializers.BooleanField(
        required=False, allow_null=True, default=None, help_text="null, or left out: as it is."
    )

    proposals_shown = serializers.ChoiceField(
        User.ProposalsShown.choices,
        required=False,
        allow_null=True,
        allow_blank=True,
        default=None,
        help_text="When pages and emails show you suggested moves; null, or left out: unchanged.",
    )

    def validate_name(self, name: str) -> str:
        """Returns the name on one line, without invisible characters."""
        if not (cleaned := clean_title(name)):
            raise serializers.ValidationError(_("A name must contain letters."))
        return cleaned

    def validate_zone(self, zone: str) -> str:
        """Refuses unknown time zones."""
        if zone not in zones.known():
            raise serializers.ValidationError(_("There's no time zone called %(name)s.") % {"name": zone})
        return zone


class TokenShape(DataSerializer):
    """An API token. The key itself was shown once, when it was made."""

    ref = serializers.CharField()
    name = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(ApiToken.Scope.choices))
    created_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField(allow_null=True, help_text="To the minute.")
    is_this = serializers.SerializerMethodField(help_text="Whether it is the one of this request.")

    def get_is_this(self, row: ApiToken) -> bool:
        """True for the token of this request."""
        return bool(self.context.get("token") == row)


class AddressBody(Body):
    """Where you want your mail."""

    address = serializers.EmailField(max_length=254)


class AddressShape(DataSerializer):
    """A change of address that waits until both have said yes."""

    new_address = serializers.EmailField()
    created_at = serializers.DateTimeField()
    old_confirmed_at = serializers.DateTimeField(allow_null=True)
    new_confirmed_at = serializers.DateTimeField(allow_null=True)


class SumShape(DataSerializer):
    """How often somebody has played and won a game."""

    rules = serializers.CharField()
    played = serializers.IntegerField()
    won = serializers.IntegerField()


class PlayedShape(DataSerializer):
    """A finished game of a player."""

    ref = serializers.CharField(source="game.ref")
    title = serializers.CharField(source="game.title")
    rules = serializers.CharField(source="game.rules_name")
    finished_at = serializers.DateTimeField(source="game.finished_at")
    place = serializers.IntegerField()


class PlayerShape(DataSerializer):
    """What others may see of a person."""

    ref = serializers.CharField()
    name = serializers.CharField()
    owner = serializers.CharField(allow_null=True, help_text="Whose bot account it is; null for a person.")
    sums = SumShape(many=True)
    games = PlayedShape(many=True, help_text="Finished ones that you may see, newest first.")
    next = serializers.CharField(allow_null=True, help_text=NEXT)


class Me(Resource):
    """The user of the request."""

    scopes = {"PUT": Scope.ACCOUNT}

    @extend_schema(operation_id="read_me", responses={200: PersonShape, **problems(*LISTING)})
    def get(self, request: Request) -> Response:
        """Who you are."""
        return Response(PersonShape(person(request)).data)

    @extend_schema(
        operation_id="change_me",
        request=PersonBody,
        responses={200: PersonShape, **problems(*OPENING)},
    )
    def put(self, request: Request) -> Response:
        """Changes your name, language and zone. Seats already taken keep the name they had."""
        profiles.change(user=person(request), wanted=ProfileChange(**checked(PersonBody, request)))
        return Response(PersonShape(person(request)).data)


class TokensResource(Resource):
    """Your API tokens."""

    scope = Scope.ACCOUNT

    @extend_schema(operation_id="list_tokens", responses={200: TokenShape(many=True), **problems(*LISTING)})
    def get(self, request: Request) -> Response:
        """Those that are not revoked. New ones are made on the page of your settings, and nowhere else."""
        rows = person(request).api_tokens.filter(revoked_at=None).order_by("-pk")
        return Response(TokenShape(rows, many=True, context={"token": request.auth}).data)


class TokenResource(Resource):
    """One token."""

    scope = Scope.ACCOUNT

    @extend_schema(operation_id="revoke_token", responses={204: None, **problems(*READING)})
    def delete(self, request: Request, ref: str) -> Response:
        """Makes a token void at once. Harmless when it is already."""
        tokens.revoke(user=person(request), ref=ref, now=present.now())
        return Response(status=204)


class Address(Resource):
    """Your mail address."""

    scope = Scope.ACCOUNT

    @extend_schema(
        operation_id="change_address", request=AddressBody, responses={202: AddressShape, **problems(*OPENING)}
    )
    def post(self, request: Request) -> Response:
        """Asks both addresses, by a link in a mail to each; the account moves when both have said yes."""
        address = checked(AddressBody, request)["address"]
        change = address_changes.request_change(user=person(request), new_address=address, now=present.now())
        return Response(AddressShape(change).data, status=202)


class Player(Resource):
    """What others may see of a person."""

    @extend_schema(
        operation_id="read_player", parameters=[PageQuery], responses={200: PlayerShape, **problems(*READING, 422)}
    )
    def get(self, request: Request, ref: str) -> Response:
        """His name, how often he has played and won, and his finished games that you may see."""
        return _player(request, User.objects.filter(ref=ref).first())


class SeatPlayer(Resource):
    """The player of a seat."""

    @extend_schema(
        operation_id="read_seat_player",
        parameters=[PageQuery],
        responses={200: PlayerShape, **problems(*READING, 422)},
    )
    def get(self, request: Request, ref: str, number: int) -> Response:
        """The same of the player of a seat, if he has a page that others may see."""
        game = queries.access_game(person(request), ref).game
        seat = game.seats.select_related("user").filter(number=number).first()
        return _player(request, seat.user if seat else None)


def _player(request: Request, user: User | None) -> Response:
    page = checked_query(PageQuery, request)
    viewer = person(request)
    if user is None or not user.is_active or not (user.has_profile or user == viewer):
        raise NotFound(_("There's no such profile, or its owner has made it private."))
    games = lists.finished_games(user, viewer)
    played = Counter(one.game.rules_name for one in games)
    won = Counter(one.game.rules_name for one in games if one.place == 1)
    part, following = Cursor.of_list(games, lists.finished_key, page, "finished games")
    sums = [{"rules": name, "played": count, "won": won[name]} for name, count in played.most_common()]
    facts = {
        "ref": user.ref,
        "name": user.name,
        "owner": user.owner_name,
        "sums": sums,
        "games": part,
        "next": following,
    }
    return Response(PlayerShape(facts).data)


COPY = OpenApiResponse(OpenApiTypes.OBJECT, "Each part of what is kept by its name; docs/privacy.md lists them.")


class Export(Resource):
    """The export of a person's data."""

    scope = ApiToken.Scope.ACCOUNT

    @extend_schema(operation_id="export_me", responses={200: COPY, **problems(*LISTING)})
    def get(self, request: Request) -> HttpResponse:
        """A copy of everything that is kept of you, three times a day; you are told by mail that it was taken."""
        text = export.give(user=person(request), now=present.now())
        return HttpResponse(text, content_type="application/json")
