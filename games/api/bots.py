"""The REST API of bot accounts, for their owners: create, change, pause, token, close."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.access import Scope
from games.api.game_shapes import NoBody
from games.api.parsing import Body, DataSerializer, checked
from games.api.resource import Resource, make_once, person
from games.api.schema import CHANGING, IDEMPOTENCY_KEY, LISTING, OPENING, READING, Responses, problems
from games.api.webhooks import SwitchBody
from games.errors import Forbidden
from games.lobby import bot_accounts
from games.lobby.lifecycle import LONGEST_BOT_NAME
from games.people.models import User
from games.people.sessions import is_fresh
from games.tables.models import Game
from notifications.clock import present

STATES = ["ready", "silent", "paused", "closed"]
SCOPES = [scope.value for scope in bot_accounts.SCOPES]


class BotTokenShape(DataSerializer):
    """The token that acts for a bot. The key itself was shown once, when it was made."""

    scopes = serializers.ListField(child=serializers.ChoiceField(SCOPES))
    created_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField(allow_null=True, help_text="To the minute.")


class BotShape(DataSerializer):
    """A bot of yours."""

    ref = serializers.CharField()
    name = serializers.CharField(help_text="By which hosts seat it.")
    is_for_all = serializers.BooleanField(help_text="Whether every host may seat it, or you alone.")
    state = serializers.ChoiceField(
        STATES,
        help_text="silent: it has no token; paused by you; closed by a moderator.",
    )
    playing = serializers.IntegerField(help_text="In how many running games.")
    token = BotTokenShape(allow_null=True)
    created_at = serializers.DateTimeField()


class NewBotTokenShape(BotShape):
    """A bot with its new token: this once."""

    key = serializers.CharField(help_text="To be sent as a bearer token. It is not shown again.")


class BotAccountBody(Body):
    """A bot as you want it."""

    example = {"name": "Robo"}
    name = serializers.CharField(max_length=LONGEST_BOT_NAME, help_text="Unlike that of every other bot.")
    is_for_all = serializers.BooleanField(default=False, help_text="Whether every host may seat it, or you alone.")


class ScopesBody(Body):
    """What the token is good for."""

    scopes = serializers.ListField(
        child=serializers.ChoiceField(SCOPES),
        required=False,
        default=list,
        max_length=len(bot_accounts.SCOPES),
        help_text="Left out: playing, and webhooks of its own.",
    )


SHOWN: Responses = {200: BotShape, **problems(*CHANGING)}


def _data(bot: User) -> dict[str, object]:
    return {
        "ref": bot.ref,
        "name": bot.name,
        "is_for_all": bot.is_for_all,
        "state": bot_accounts.state_of(bot),
        "playing": bot.seats.filter(game__status=Game.Status.RUNNING).count(),
        "token": bot_accounts.token_of(bot),
        "created_at": bot.date_joined,
    }


def _shown(request: Request, ref: str) -> Response:
    return Response(BotShape(_data(bot_accounts.find(person(request), ref))).data)


class BotsResource(Resource):
    """Your bots."""

    scope = Scope.ACCOUNT

    @extend_schema(operation_id="list_bots", responses={200: BotShape(many=True), **problems(*LISTING)})
    def get(self, request: Request) -> Response:
        """Your bots, oldest first."""
        return Response(BotShape(map(_data, bot_accounts.own(person(request))), many=True).data)

    @extend_schema(
        operation_id="make_bot",
        parameters=[IDEMPOTENCY_KEY],
        request=BotAccountBody,
        responses={201: BotShape, **problems(*OPENING, 409)},
    )
    def post(self, request: Request) -> Response:
        """Makes a bot account. It plays where hosts seat it, once it has a token."""
        owner, facts = person(request), checked(BotAccountBody, request)
        bot = make_once(
            request, bot_accounts.own(owner), lambda: bot_accounts.create(owner=owner, **facts, now=present.now())
        )
        return Response(BotShape(_data(bot)).data, status=201)


class BotResource(Resource):
    """One bot."""

    scope = Scope.ACCOUNT

    @extend_schema(operation_id="read_bot", responses={200: BotShape, **problems(*READING)})
    def get(self, request: Request, ref: str) -> Response:
        """How a bot of yours fares."""
        return _shown(request, ref)

    @extend_schema(operation_id="change_bot", request=BotAccountBody, responses=SHOWN)
    def put(self, request: Request, ref: str) -> Response:
        """Changes its name, and who may seat it from now on. Seats already taken keep the name they had."""
        bot_accounts.change(bot=bot_accounts.find(person(request), ref), **checked(BotAccountBody, request))
        return _shown(request, ref)

    @extend_schema(operation_id="close_bot", responses={204: None, **problems(*READING)})
    def delete(self, request: Request, ref: str) -> Response:
        """Closes it for good. Its games go on: its seats are treated as those of absent players."""
        bot_accounts.close(bot=bot_accounts.find(person(request), ref), now=present.now())
        return Response(status=204)


class BotSwitch(Resource):
    """Pausing a bot."""

    scope = Scope.ACCOUNT

    @extend_schema(operation_id="switch_bot", request=SwitchBody, responses=SHOWN)
    def post(self, request: Request, ref: str) -> Response:
        """Lets it go on, or pauses it: then its token does nothing, nobody seats it and no table waits for it."""
        bot = bot_accounts.find(person(request), ref)
        bot_accounts.switch(bot=bot, is_on=checked(SwitchBody, request)["is_on"], now=present.now())
        return _shown(request, ref)


class BotToken(Resource):
    """The token that acts for a bot."""

    scope = Scope.ACCOUNT

    @extend_schema(
        operation_id="renew_bot_token", request=ScopesBody, responses={200: NewBotTokenShape, **problems(*CHANGING)}
    )
    def post(self, request: Request, ref: str) -> Response:
        """Makes a new token for it, shown this once; the one before it is void."""
        bot = bot_accounts.find(person(request), ref)
        if request.auth is None and not is_fresh(request):
            raise Forbidden(_("Please sign in again before you do this."))  # a browser's session, which may lie open
        key = bot_accounts.renew_token(bot=bot, scopes=checked(ScopesBody, request)["scopes"], now=present.now())
        return Response(NewBotTokenShape({**_data(bot), "key": key}).data)

    @extend_schema(operation_id="revoke_bot_token", request=NoBody, responses={204: None, **problems(*READING)})
    def delete(self, request: Request, ref: str) -> Response:
        """Makes its token void at once. Harmless when it has none."""
        bot_accounts.revoke_token(bot=bot_accounts.find(person(request), ref), now=present.now())
        return Response(status=204)
