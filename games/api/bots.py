"""The REST API of bot accounts, for their owners: create, change, pause, token, close."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.access import Scope
from games.api.parsing import Body, ComputedField, DataSerializer
from games.api.resource import Operations, make_once, person
from games.api.webhooks import SwitchBody
from games.errors import Forbidden
from games.lobby import bot_accounts
from games.lobby.lifecycle import LONGEST_BOT_NAME
from games.people.models import User
from games.people.sessions import is_fresh
from games.tables.models import Game
from notifications.clock import present

operation = Operations(Scope.ACCOUNT)

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
    state = ComputedField(
        bot_accounts.state_of,
        serializers.ChoiceField(STATES, help_text="silent: it has no token; paused by you; closed by a moderator."),
    )
    playing = ComputedField(
        lambda bot: bot.seats.filter(game__status=Game.Status.RUNNING).count(),
        serializers.IntegerField(help_text="In how many running games."),
    )
    token = ComputedField(bot_accounts.token_of, BotTokenShape(allow_null=True))
    created_at = serializers.DateTimeField(source="date_joined")


class NewBotTokenShape(BotShape):
    """A bot with its new token: this once."""

    key = serializers.CharField(help_text="To be sent as a bearer token. It is not shown again.")


class BotAccountBody(Body):
    """A bot as you want it."""

    example = {"name": "Robo"}
    name = serializers.CharField(max_length=LONGEST_BOT_NAME, help_text="Unlike that of every other bot.")
    is_for_all = serializers.BooleanField(default=False, help_text="Whether every host may seat it, or you alone.")


class ChangedBotBody(Body):
    """The parts of a bot account to change."""

    example = {"name": "Robo"}
    name = serializers.CharField(
        max_length=LONGEST_BOT_NAME, required=False, help_text="Unlike that of every other bot."
    )
    is_for_all = serializers.BooleanField(required=False, help_text="Whether every host may seat it, or you alone.")


class ScopesBody(Body):
    """The scopes of the token."""

    scopes = serializers.ListField(
        child=serializers.ChoiceField(SCOPES),
        required=False,
        default=list,
        max_length=len(bot_accounts.SCOPES),
        help_text="Left out: playing, and webhooks of its own.",
    )


def _found(request: Request, ref: str) -> User:
    return bot_accounts.find(person(request), ref)


@operation("GET me/bots/", answer=[BotShape])
def list_bots(request: Request) -> object:
    """Your bots, oldest first."""
    return bot_accounts.own(person(request))


@operation("POST me/bots/", body=BotAccountBody, answer=BotShape, once=True, errors=[409], location="api_read_bot")
def make_bot(request: Request, **facts: Any) -> object:
    """Makes a bot account. It plays where hosts seat it, once it has a token."""
    owner = person(request)
    return make_once(
        request, bot_accounts.own(owner), lambda: bot_accounts.create(owner=owner, **facts, now=present.now())
    )


@operation("GET me/bots/<slug:ref>/", answer=BotShape)
def read_bot(request: Request, ref: str) -> object:
    """How a bot of yours fares."""
    return _found(request, ref)


@operation("PATCH me/bots/<slug:ref>/", of=_found, body=ChangedBotBody, answer=BotShape)
def change_bot(request: Request, bot: User, **facts: Any) -> None:
    """Changes its name, and who may seat it from now on. Seats already taken keep the name they had."""
    now: dict[str, Any] = {"name": bot.name, "is_for_all": bot.is_for_all}
    bot_accounts.change(bot=bot, **(now | facts))


@operation("DELETE me/bots/<slug:ref>/", of=_found)
def close_bot(request: Request, bot: User) -> None:
    """Closes it for good. Its games go on: its seats are treated as those of absent players."""
    bot_accounts.close(bot=bot, now=present.now())


@operation("POST me/bots/<slug:ref>/switch/", of=_found, body=SwitchBody, answer=BotShape)
def switch_bot(request: Request, bot: User, is_on: bool) -> None:
    """Lets it go on, or pauses it: then its token does nothing, nobody seats it and no table waits for it."""
    bot_accounts.switch(bot=bot, is_on=is_on, now=present.now())


@operation("POST me/bots/<slug:ref>/token/", of=_found, body=ScopesBody, answer=NewBotTokenShape)
def renew_bot_token(request: Request, bot: User, scopes: list[str]) -> object:
    """Makes a new token for it, shown this once; the one before it is void."""
    if request.auth is None and not is_fresh(request):
        raise Forbidden(_("Please sign in again before you do this."))  # a browser's session, which may lie open
    key = bot_accounts.renew_token(bot=bot, scopes=scopes, now=present.now())
    return Response({**BotShape(bot).data, "key": key})


@operation("DELETE me/bots/<slug:ref>/token/", of=_found)
def revoke_bot_token(request: Request, bot: User) -> None:
    """Makes its token void at once. Harmless when it has none."""
    bot_accounts.revoke_token(bot=bot, now=present.now())
