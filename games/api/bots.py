"""The REST API of bot accounts: for their owners to create, change, pause and close them, for everybody the directory,
and matches of bots without people."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.access import Scope
from games.api.game_shapes import PaceField
from games.api.parsing import Body, ComputedField, DataSerializer
from games.api.resource import Cursor, Operations, PageQuery, make_once, person
from games.api.webhooks import SwitchBody
from games.archive.ratings import listed_bots
from games.errors import Forbidden
from games.lobby import bot_accounts
from games.lobby.lifecycle import LONGEST_BOT_NAME, terms_of
from games.people.models import User
from games.people.sessions import is_fresh
from games.tables.models import Game
from games.tournaments import matches
from games.tournaments.models import Match
from notifications.clock import present

operation = Operations(Scope.ACCOUNT)

ANSWERS = "Whether hosts invite it, and its program accepts or declines; else they seat it."
STATES = ["ready", "silent", "paused", "closed"]
SCOPES = [scope.value for scope in bot_accounts.SCOPES]


class BotTokenShape(DataSerializer):
    """The token that acts for a bot. The key itself was shown once, when it was made."""

    scopes = serializers.ListField(child=serializers.ChoiceField(SCOPES))
    created_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField(allow_null=True, help_text="To the minute.")


class TakesShape(DataSerializer):
    """The games that a bot takes; an empty list means any."""

    rules = serializers.ListField(
        source="takes_rules", child=serializers.CharField(), help_text="The names of rule sets."
    )
    paces = serializers.ListField(source="takes_paces", child=serializers.CharField(), help_text="The names of paces.")
    seat_counts = serializers.ListField(
        source="takes_seat_counts", child=serializers.IntegerField(), help_text="How many seats its tables have."
    )
    games = serializers.IntegerField(
        source="takes_games", allow_null=True, help_text="How many at once; null for any number."
    )
    answers_invitations = serializers.BooleanField(help_text=ANSWERS)


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
    takes = ComputedField(terms_of, TakesShape(help_text="The games it takes."))
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


class ChangedTakesBody(Body):
    """The games that a bot takes, as far as they are to change; an empty list for any."""

    example = {"rules": ["cave-of-wonders"], "paces": ["live"], "seat_counts": [2, 3], "games": 4}
    rules = serializers.ListField(
        child=serializers.CharField(max_length=40),
        source="takes_rules",
        required=False,
        max_length=100,
        help_text="The names of rule sets.",
    )
    paces = serializers.ListField(
        child=serializers.CharField(max_length=40),
        source="takes_paces",
        required=False,
        max_length=20,
        help_text="The names of paces.",
    )
    seat_counts = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=20),
        source="takes_seat_counts",
        required=False,
        max_length=20,
        help_text="How many seats its tables have.",
    )
    games = serializers.IntegerField(
        min_value=1,
        max_value=bot_accounts.MOST_GAMES,
        source="takes_games",
        required=False,
        allow_null=True,
        help_text="How many at once; null for any number.",
    )
    answers_invitations = serializers.BooleanField(required=False, help_text=ANSWERS)


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
    return bot_accounts.own(person(request)).select_related("terms")


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


@operation("PATCH me/bots/<slug:ref>/takes/", of=_found, body=ChangedTakesBody, answer=BotShape)
def change_bot_takes(request: Request, bot: User, **facts: Any) -> object:
    """Says which games it takes from now on. Hosts are told so in words; where it sits already, it plays on."""
    bot_accounts.set_terms(bot=bot, **facts)
    return _found(request, bot.ref)


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


# The directory of bots, which everybody may read


class BotRatingShape(DataSerializer):
    """The rating of a bot at a game, among bots alone."""

    rules = serializers.CharField(source="rules_name")
    points = serializers.IntegerField()
    games = serializers.IntegerField(help_text="How many were rated.")
    wins = serializers.IntegerField()


class ListedBotShape(DataSerializer):
    """A bot that every host may seat."""

    player_ref = serializers.CharField(source="bot.ref")
    name = serializers.CharField(source="bot.name", help_text="By which hosts seat it.")
    owner = serializers.CharField(
        source="bot.owner_name",
        allow_null=True,
        help_text="The name of its owner; null if that person shows no profile.",
    )
    takes = TakesShape(source="terms", help_text="The games it takes.")
    ratings = BotRatingShape(many=True, help_text="Among bots; people have a list of their own.")


class BotsQuery(PageQuery):
    """Which bots."""

    rules = serializers.CharField(
        max_length=40,
        allow_blank=True,
        default="",
        help_text="Those that play this game, the best first; without it all, by name.",
    )


def page_of_bots(rules: str, page: Any) -> object:
    """Returns a part of the directory of bots."""
    bots = listed_bots(rules)
    places = {bot.bot.pk: place for place, bot in enumerate(bots)}
    return Cursor.of_list(bots, lambda bot: [places[bot.bot.pk]], page, f"bots {rules}")


# Matches


class MatchShape(DataSerializer):
    """A match: games of bots, without people."""

    ref = serializers.CharField()
    owner = serializers.CharField(
        source="owner.public_name",
        allow_null=True,
        help_text="The name of who has opened it; null if that person shows no profile.",
    )
    rules = serializers.CharField(source="rules_name")
    options = serializers.DictField(child=serializers.CharField())
    pace = PaceField()
    status = serializers.ChoiceField(Match.Status.choices)
    games = serializers.IntegerField(source="game_count", help_text="How many it has in all.")
    bots = ComputedField(
        lambda match: [bot.get_short_name() for bot in match.bots.all()],
        serializers.ListField(child=serializers.CharField(), help_text="The names of those that play."),
    )
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)


class BotResultShape(DataSerializer):
    """How a bot came out of the games that are finished."""

    player_ref = serializers.CharField(source="user.ref")
    name = serializers.CharField(source="user.get_short_name")
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    beaten = serializers.IntegerField(help_text="How many others came out behind it, of so many as it `met`.")
    met = serializers.IntegerField(help_text="How many others there were in these games, together.")


class MatchPlaceShape(DataSerializer):
    """The place of a bot in a game."""

    name = serializers.CharField()
    seat = serializers.IntegerField()
    place = serializers.IntegerField(allow_null=True, help_text="Null as long as the game has no result.")


class MatchGameShape(DataSerializer):
    """A game of a match."""

    number = serializers.IntegerField()
    game_ref = serializers.CharField(source="game.ref")
    status = serializers.ChoiceField(Game.Status.choices, source="game.status")
    started_at = serializers.DateTimeField(source="game.started_at", allow_null=True)
    finished_at = serializers.DateTimeField(source="game.finished_at", allow_null=True)
    places = ComputedField(
        lambda row: [
            {"name": seat.name, "seat": seat.number, "place": row.places.get(seat.user_id)}
            for seat in row.game.seated()
        ],
        MatchPlaceShape(many=True),
    )


class WholeMatchShape(MatchShape):
    """A match with its results and its games so far."""

    results = ComputedField(
        lambda match: matches.results(match, matches.games_of(match)),
        BotResultShape(many=True, help_text="The best first."),
    )
    played = ComputedField(matches.games_of, MatchGameShape(many=True, help_text="In the order of their opening."))


class MatchBody(Body):
    """A match as you want it."""

    example = {"rules": "cave-of-wonders", "bots": ["Robo", "Ada"], "games": 20, "pace": "live", "options": {}}
    rules = serializers.CharField(max_length=40)
    bots = serializers.ListField(
        child=serializers.CharField(max_length=40),
        min_length=2,
        max_length=20,
        help_text="The names of bot accounts, one of them yours: all play in each game.",
    )
    games = serializers.IntegerField(min_value=1, max_value=matches.MOST_GAMES, help_text="How many.")
    pace = PaceField(default="live")
    options = serializers.DictField(
        child=serializers.CharField(max_length=40), default=dict, help_text="Of the rules; left out, their defaults."
    )


def _match(_request: Request, ref: str) -> Match:
    return matches.find(ref)


of_matches = Operations(Scope.PLAY)


@of_matches(
    "POST matches/", body=MatchBody, answer=WholeMatchShape, once=True, errors=[409],
    location="api_read_match",
)  # fmt: skip
def open_match(request: Request, rules: str, **wanted: Any) -> object:
    """Opens a match of bots without people, of which one is yours. Its games are opened one after the other."""
    owner, plan = person(request), matches.MatchPlan(rules_name=rules, **wanted)
    return make_once(
        request, owner.matches.all(), lambda: matches.open_match(owner=owner, plan=plan, now=present.now())
    )


@of_matches("GET matches/<slug:ref>/", answer=WholeMatchShape)
def read_match(request: Request, ref: str) -> object:
    """A match with its results: everybody may read it."""
    return matches.find(ref)


@of_matches("DELETE matches/<slug:ref>/", of=_match)
def call_off_match(request: Request, match: Match) -> None:
    """Opens no further game of a match of yours. Games that have begun go on."""
    matches.call_off(match=match, by=person(request), now=present.now())
