"""The REST API of tournaments: reading them, entering and leaving."""

from collections.abc import Mapping

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.game_shapes import NoBody
from games.api.hosting import ReportShape, TextBody
from games.api.parsing import Body, DataSerializer, WordField, checked, checked_query
from games.api.resource import Resource, make_once, person
from games.api.schema import CHANGING, IDEMPOTENCY_KEY, LISTING, READING, problems
from games.people.models import User
from games.tournaments import tournaments
from games.tournaments.models import Entrant, Tournament
from notifications.clock import present

LISTED = (Tournament.Status.OPEN, Tournament.Status.RUNNING, Tournament.Status.FINISHED)


class TournamentsQuery(Body):
    """Which tournaments."""

    status = WordField([(one.value, one.label) for one in LISTED], default=Tournament.Status.OPEN.value)


class TournamentShape(DataSerializer):
    """A tournament."""

    ref = serializers.CharField()
    title = serializers.CharField()
    about = serializers.CharField(help_text="What its host says.")
    host = serializers.CharField()
    status = serializers.CharField(help_text="open, running, finished or called_off.")
    rules = serializers.CharField()
    options = serializers.DictField(child=serializers.CharField())
    pace = serializers.CharField()
    table_size = serializers.IntegerField(help_text="Some tables have one player less or more, if need be.")
    rounds = serializers.IntegerField()
    round_days = serializers.IntegerField(help_text="After so many days, tables that still play count as a tie.")
    fewest = serializers.IntegerField(help_text="With fewer entrants it is called off.")
    most = serializers.IntegerField()
    taken = serializers.IntegerField(help_text="How many have entered.")
    allows_bots = serializers.BooleanField(help_text="Its host may enter bot accounts.")
    is_mine = serializers.BooleanField(help_text="You have entered it, and not left.")
    closes_at = serializers.DateTimeField(help_text="When entries close and the first round is drawn.")
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)


class EntrantShape(DataSerializer):
    """Somebody who has entered."""

    name = serializers.CharField()
    is_bot = serializers.BooleanField()
    is_in = serializers.BooleanField(help_text="False for who has left or was removed.")


class StandingShape(EntrantShape):
    """A line of the standings."""

    place = serializers.IntegerField(allow_null=True, help_text="Shared by who is level; null for who was removed.")
    points = serializers.FloatField(help_text="At each table the share of the opponents that were beaten.")
    wins = serializers.IntegerField()
    opponents = serializers.FloatField(help_text="The mean points of the opponents, which break ties.")


class TournamentSeatShape(DataSerializer):
    """Who sits at a table of a round."""

    name = serializers.CharField()
    place = serializers.IntegerField(allow_null=True, help_text="Once the table is over.")


class RoundTableShape(DataSerializer):
    """A table of a round."""

    number = serializers.IntegerField()
    state = serializers.CharField(help_text="drawn, playing, done, or undecided if it ended without a result.")
    game = serializers.CharField(allow_null=True, help_text="Null until it is opened.")
    seats = TournamentSeatShape(many=True)


class RoundShape(DataSerializer):
    """A round."""

    number = serializers.IntegerField()
    started_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField(help_text="At the latest.")
    finished_at = serializers.DateTimeField(allow_null=True)
    tables = RoundTableShape(many=True)
    byes = serializers.ListField(child=serializers.CharField(), help_text="Who sits out.")


class WholeTournamentShape(TournamentShape):
    """A tournament with who has entered, its rounds, the newest first, and its standings."""

    entrants = EntrantShape(many=True)
    standings = StandingShape(many=True, help_text="After the last round that is over.")
    played = RoundShape(many=True)


class TournamentsResource(Resource):
    """The tournaments of the service."""

    @extend_schema(
        operation_id="list_tournaments",
        parameters=[TournamentsQuery],
        responses={200: TournamentShape(many=True), **problems(*LISTING, 422)},
    )
    def get(self, request: Request) -> Response:
        """Tournaments that can be entered, that are running, or the last that are finished; at most 100."""
        status = checked_query(TournamentsQuery, request)["status"]
        mine = {row.pk for row in tournaments.of_person(person(request))}
        rows = [_facts(row, is_mine=row.pk in mine) for row in _listed(status, person(request))]
        return Response(TournamentShape(rows, many=True).data)


def _listed(status: str, viewer: User) -> list[Tournament]:
    if status == Tournament.Status.OPEN:
        return tournaments.open_for_entries(viewer)
    return tournaments.running() if status == Tournament.Status.RUNNING else tournaments.over()


class TournamentResource(Resource):
    """One tournament."""

    @extend_schema(operation_id="read_tournament", responses={200: WholeTournamentShape, **problems(*READING)})
    def get(self, request: Request, ref: str) -> Response:
        """All of a tournament: everybody may read it."""
        return _shown(request, ref)


class EnterTournament(Resource):
    """Entering."""

    @extend_schema(
        operation_id="enter_tournament", request=NoBody, responses={200: WholeTournamentShape, **problems(*CHANGING)}
    )
    def post(self, request: Request, ref: str) -> Response:
        """Enters you: you agree to play in all its rounds. Entering twice changes nothing."""
        row = tournaments.find_tournament(ref)
        checked(NoBody, request)
        tournaments.enter(tournament_id=row.pk, user=person(request), now=present.now())
        return _shown(request, ref)


class LeaveTournament(Resource):
    """Leaving."""

    @extend_schema(
        operation_id="leave_tournament", request=NoBody, responses={200: WholeTournamentShape, **problems(*CHANGING)}
    )
    def post(self, request: Request, ref: str) -> Response:
        """Takes you out: no further round seats you. A game that has begun stays yours."""
        row = tournaments.find_tournament(ref)
        checked(NoBody, request)
        tournaments.leave(tournament_id=row.pk, user=person(request), now=present.now())
        return _shown(request, ref)


class TournamentReports(Resource):
    """Reporting a tournament."""

    @extend_schema(
        operation_id="report_tournament",
        parameters=[IDEMPOTENCY_KEY],
        request=TextBody,
        responses={201: ReportShape, **problems(*CHANGING)},
    )
    def post(self, request: Request, ref: str) -> Response:
        """Tells the moderators what is wrong with a tournament's title or description. Its host isn't told."""
        row, by, text = tournaments.find_tournament(ref), person(request), checked(TextBody, request)["text"]
        made = make_once(
            request,
            row.reports.all(),
            lambda: tournaments.report_tournament(tournament=row, by=by, text=text, now=present.now()),
        )
        return Response(ReportShape(made).data, status=201)


def _shown(request: Request, ref: str) -> Response:
    row = tournaments.find_tournament(ref)
    entry = tournaments.entry_of(row, person(request))
    standings = [
        {
            **_entrant(one.entrant),
            "place": one.place,
            "points": one.shown_points,
            "wins": one.wins,
            "opponents": one.shown_opponents,
        }
        for one in tournaments.standings(row)
    ]
    whole = {
        **_facts(row, is_mine=entry is not None and entry.is_in),
        "entrants": [_entrant(one) for one in tournaments.entrants(row)],
        "standings": standings,
        "played": [_round(one) for one in tournaments.rounds_of(row)],
    }
    return Response(WholeTournamentShape(whole).data)


def _facts(row: Tournament, *, is_mine: bool) -> dict[str, object]:
    same = (
        "ref", "status", "options", "pace", "table_size", "round_days", "fewest", "most",
        "allows_bots", "closes_at", "started_at", "finished_at",
    )  # fmt: skip
    facts = {name: getattr(row, name) for name in same}
    mine = {
        "title": row.display_title,
        "about": row.display_about,
        "host": row.host.get_short_name(),
        "rules": row.rules_name,
        "rounds": row.round_count,
    }
    return {**facts, **mine, "taken": row.taken, "is_mine": is_mine}


def _entrant(row: Entrant) -> dict[str, object]:
    return {"name": row.display_name, "is_bot": row.is_bot, "is_in": row.is_in}


def _round(shown: tournaments.ShownRound) -> Mapping[str, object]:
    row = shown.round
    tables = [
        {
            "number": one.table.number,
            "state": one.table.state,
            "game": one.table.game.ref if one.table.game else None,
            "seats": [{"name": seat.entrant.display_name, "place": seat.place} for seat in one.seats],
        }
        for one in shown.tables
    ]
    times = {name: getattr(row, name) for name in ("number", "started_at", "ends_at", "finished_at")}
    return {**times, "tables": tables, "byes": [one.display_name for one in shown.byes]}
