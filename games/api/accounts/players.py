"""The REST API of players: what others may see of a person."""

from collections import Counter

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base.paging import NEXT, Cursor, PageQuery
from games.api.base.parsing import DataSerializer, checked_query
from games.api.base.resource import Resource, person
from games.api.base.schema import READING, problems
from games.archive import player_profile
from games.archive.models import Rating
from games.archive.player_profile import Often
from games.errors import NotFound
from games.people import friends
from games.people.models import User
from games.play import queries
from games.tables import lists
from notifications.clock import present


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


class CurvePointShape(DataSerializer):
    """A rating after a game."""

    points = serializers.IntegerField()
    at = serializers.DateTimeField()
    game = serializers.CharField(source="game.ref")
    tournament = serializers.CharField(
        source="tournament.ref",
        default=None,
        allow_null=True,
        help_text="The tournament that the game was played in; null for other games.",
    )


class PlayerRatingShape(DataSerializer):
    """A rating, and how it has changed."""

    rules = serializers.CharField(source="rules_name")
    points = serializers.IntegerField()
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    curve = CurvePointShape(many=True, help_text="Oldest first; empty where it is not yours to see.")


class ReliabilityShape(DataSerializer):
    """How reliably somebody answers, in the finished games of a year."""

    asked = serializers.IntegerField(help_text="Questions with a deadline.")
    in_time = serializers.IntegerField()


class PartOfDayShape(DataSerializer):
    """How often somebody answers in a part of the day."""

    begin = serializers.IntegerField(help_text="The first hour, in your zone.")
    end = serializers.IntegerField()
    often = serializers.ChoiceField([(one.value, one.value) for one in Often])


class HeadToHeadShape(DataSerializer):
    """How you and the player have done against each other."""

    games = serializers.IntegerField()
    ahead = serializers.IntegerField(help_text="In how many you came out better.")
    behind = serializers.IntegerField()


class PlayerShape(DataSerializer):
    """What others may see of a person."""

    ref = serializers.CharField()
    name = serializers.CharField()
    owner = serializers.CharField(allow_null=True, help_text="Whose bot account it is; null for a person.")
    is_friend = serializers.BooleanField()
    ratings = PlayerRatingShape(many=True, help_text="Empty unless the player wants them to be seen.")
    reliability = ReliabilityShape(allow_null=True, help_text="null if too few questions were asked.")
    hours = PartOfDayShape(many=True, help_text="When the player usually answers, if that is yours to see.")
    head_to_head = HeadToHeadShape(allow_null=True, help_text="null if you have not finished a game together.")
    sums = SumShape(many=True)
    games = PlayedShape(many=True, help_text="Finished ones that you may see, newest first.")
    next = serializers.CharField(allow_null=True, help_text=NEXT)


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
    is_shown = user is not None and user.is_active and not user.is_guest and (user.has_profile or user == viewer)
    if user is None or not is_shown:
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
        **_profile(user, viewer),
        "games": part,
        "next": following,
    }
    return Response(PlayerShape(facts).data)


def _profile(user: User, viewer: User) -> dict[str, object]:
    """What the page of a player says beside games, as this viewer may see it."""
    now, row = present.now(), friends.between(viewer, user)
    has_hours = not user.is_bot and friends.may_see(viewer, user, user.hours_shown)
    return {
        "is_friend": row is not None and row.status == row.Status.FRIENDS,
        "ratings": _ratings(user, viewer) if user.is_ranked or user == viewer else [],
        "reliability": player_profile.reliability(user, now),
        "hours": player_profile.hours(user, viewer.recipient.zone_info, now) if has_hours else [],
        "head_to_head": player_profile.head_to_head(viewer, user) if user != viewer else None,
    }


def _ratings(user: User, viewer: User) -> list[dict[str, object]]:
    has_curve = friends.may_see(viewer, user, user.curve_shown)
    return [_rating(user, row, has_curve=has_curve) for row in user.ratings.order_by("rules_name")]


def _rating(user: User, row: Rating, *, has_curve: bool) -> dict[str, object]:
    facts = {name: getattr(row, name) for name in ("rules_name", "points", "games", "wins")}
    return {**facts, "curve": player_profile.curve(user, row.rules_name) if has_curve else []}
