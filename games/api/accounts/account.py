"""The REST API of an account: who it is, its tokens and its mail address."""

from django.conf import settings
from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base.parsing import Body, DataSerializer, checked
from games.api.base.resource import Resource, person
from games.api.base.schema import LISTING, OPENING, READING, problems
from games.api.base.scopes import Scope
from games.errors import Illegal
from games.people import accounts, tokens
from games.people.accounts import ProfileChange
from games.people.models import ApiToken, User
from games.privacy import personal_data
from games.tables import names
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
    curve_shown = serializers.ChoiceField(User.Audience.choices, help_text="Who may see how your ratings have changed.")
    hours_shown = serializers.ChoiceField(User.Audience.choices, help_text="Who may see when you usually answer.")
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
    curve_shown = serializers.ChoiceField(
        User.Audience.choices, required=False, allow_null=True, default=None, help_text="null, or left out: as it is."
    )
    hours_shown = serializers.ChoiceField(
        User.Audience.choices, required=False, allow_null=True, default=None, help_text="null, or left out: as it is."
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
        try:
            return names.checked(name)
        except Illegal as error:
            raise serializers.ValidationError(error.message) from error

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
        accounts.change_profile(user=person(request), wanted=ProfileChange(**checked(PersonBody, request)))
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
        change = accounts.request_address_change(user=person(request), new_address=address, now=present.now())
        return Response(AddressShape(change).data, status=202)


COPY = OpenApiResponse(OpenApiTypes.OBJECT, "Each part of what is kept by its name; docs/privacy.md lists them.")


class Export(Resource):
    """The export of a person's data."""

    scope = ApiToken.Scope.ACCOUNT

    @extend_schema(operation_id="export_me", responses={200: COPY, **problems(*LISTING)})
    def get(self, request: Request) -> HttpResponse:
        """A copy of everything that is kept of you, three times a day; you are told by mail that it was taken."""
        text = personal_data.give(user=person(request), now=present.now())
        return HttpResponse(text, content_type="application/json")
