"""The REST API: the public archive, and ratings."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.registry import newest
from games.api.base.paging import NEXT, PageQuery, refusing_cursors
from games.api.base.parsing import Body, DataSerializer, checked_query
from games.api.base.resource import Resource
from games.api.base.schema import LISTING, READING, problems
from games.archive import ratings
from games.archive.finished_games import ArchiveFilter, archived, page_after, sums
from games.errors import NotFound
from games.play import queries
from games.tables.models import Game

MOST = 100


class ArchiveQuery(PageQuery):
    """Which games, and which of them first."""

    rules = serializers.CharField(required=False, max_length=40, help_text="The name of a rule set.")
    version = serializers.CharField(required=False, max_length=40, help_text="What their option of that name was.")
    seats = serializers.IntegerField(required=False, min_value=1, max_value=10)
    since = serializers.DateField(required=False, help_text="Over on that day or later (UTC).")
    until = serializers.DateField(required=False, help_text="Over on that day or earlier (UTC).")


class ArchivedPlaceShape(DataSerializer):
    """How a seat came out."""

    seat = serializers.IntegerField()
    name = serializers.CharField()
    bot = serializers.CharField(allow_null=True, help_text="Which bot of the rules it was; null for an account.")
    owner = serializers.CharField(allow_null=True, help_text="Whose bot account it was; null for a person.")
    place = serializers.IntegerField(help_text="Who won together are first together.")
    score = serializers.IntegerField()


class ArchivedShape(DataSerializer):
    """A game of the archive."""

    ref = serializers.CharField()
    title = serializers.CharField()
    rules = serializers.CharField()
    rules_version = serializers.IntegerField()
    options = serializers.DictField(child=serializers.CharField())
    started_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField()
    ending = serializers.CharField(help_text="complete; abandoned, if all but one had resigned; or stopped.")
    commitment = serializers.CharField()
    places = ArchivedPlaceShape(many=True, help_text="The best first.")


class ArchiveShape(DataSerializer):
    """A page of the archive."""

    next = serializers.CharField(allow_null=True, help_text=NEXT)
    games = ArchivedShape(many=True)


class RankingQuery(Body):
    """Which part of the ranking."""

    offset = serializers.IntegerField(required=False, min_value=0, max_value=1_000_000, default=0)
    limit = serializers.IntegerField(required=False, min_value=1, max_value=MOST, default=50)


class RankedShape(DataSerializer):
    """Somebody who wants to be seen there."""

    place = serializers.IntegerField()
    name = serializers.CharField()
    player = serializers.CharField(allow_null=True, help_text="Of the page about him; null if he has none.")
    points = serializers.IntegerField()
    games = serializers.IntegerField()
    wins = serializers.IntegerField()


class RankedSumShape(DataSerializer):
    """The public games with so many players."""

    seats = serializers.IntegerField()
    games = serializers.IntegerField()
    hours = serializers.FloatField(help_text="That they took on average.")


class RankingShape(DataSerializer):
    """Who plays a game best, and how often it was played."""

    count = serializers.IntegerField()
    people = RankedShape(many=True)
    sums = RankedSumShape(many=True)


class ArchiveResource(Resource):
    """The public archive."""

    @extend_schema(
        operation_id="list_archive",
        parameters=[ArchiveQuery],
        responses={200: ArchiveShape, **problems(*LISTING, 422)},
    )
    def get(self, request: Request) -> Response:
        """Finished games of listed tables, the latest first."""
        query = checked_query(ArchiveQuery, request)
        cursor, limit = query.pop("cursor"), query.pop("limit")
        with refusing_cursors():
            games, behind = page_after(archived(ArchiveFilter(**query)), cursor, limit)
        return Response(ArchiveShape({"next": behind or None, "games": [_archived(game) for game in games]}).data)


def _archived(game: Game) -> dict[str, object]:
    result = queries.result(game)
    assert result is not None and game.outcome is not None
    facts = {name: getattr(game, name) for name in ("ref", "title", "options", "started_at", "finished_at")}
    places = [
        {
            "seat": seat.number,
            "name": seat.display_name,
            "bot": seat.bot or None,
            "owner": seat.owner_name,
            "place": place,
            "score": score,
        }
        for place, seat, score in sorted(result.places, key=lambda one: one[0])
    ]
    return {
        **facts,
        "rules": game.rules_name,
        "rules_version": game.rules_version,
        "ending": game.outcome["ending"],
        "commitment": game.commitment,
        "places": places,
    }


class RankingResource(Resource):
    """Ratings of a game."""

    @extend_schema(
        operation_id="read_ranking",
        parameters=[RankingQuery],
        responses={200: RankingShape, **problems(*READING, 422)},
    )
    def get(self, request: Request, rules: str) -> Response:
        """Those who want to be seen there, the best first; and the public games by number of players."""
        if rules not in {known.name for known in newest()}:
            raise NotFound(_("There's no game with that name."))
        piece = checked_query(RankingQuery, request)
        found = ratings.ranking(rules)
        begin = piece["offset"]
        people = [
            {
                "place": place,
                "name": row.user.name,
                "player": row.user.ref if row.user.has_profile else None,
                "points": row.points,
                "games": row.games,
                "wins": row.wins,
            }
            for place, row in enumerate(found[begin : begin + piece["limit"]], start=begin + 1)
        ]
        told = [
            {"seats": one.seats, "games": one.games, "hours": round(one.lasted.total_seconds() / 3600, 1)}
            for one in sums(rules)
        ]
        return Response(RankingShape({"count": found.count(), "people": people, "sums": told}).data)
