"""The REST API of tables before the game: rules, open tables, opening, joining, starting, closing."""

from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.registry import newest
from games import links
from games.api.base.idempotency import make_once
from games.api.base.paging import Cursor
from games.api.base.parsing import Checked, DataSerializer, checked, checked_query
from games.api.base.resource import Resource, person
from games.api.base.schema import CHANGING, IDEMPOTENCY_KEY, LISTING, OPENING, Responses, problems
from games.api.play import reading
from games.api.play.serializers import GameShape, GamesQuery, GamesShape, NoBody
from games.api.tables import shapes
from games.api.tables.seats import found, shown
from games.errors import ServiceError
from games.lobby import lifecycle, rematch
from games.play import queries
from games.tables import lists
from games.tables.lists import TableFilter
from games.tables.models import Game
from games.tables.plans import TablePlan
from notifications.clock import present

SHOWN: Responses = {200: GameShape, **problems(*CHANGING)}


class RulesResource(Resource):
    """The games of this service."""

    @extend_schema(operation_id="list_rules", responses={200: shapes.RulesShape(many=True), **problems(*LISTING)})
    def get(self, request: Request) -> Response:
        """What can be played, by how many, with which options and bots."""
        return Response(shapes.RulesShape(map(reading.rules_data, newest()), many=True).data)


class TablesResource(Resource):
    """Tables that wait for players."""

    @extend_schema(
        operation_id="list_tables",
        parameters=[shapes.TablesQuery],
        responses={200: shapes.TablesShape, **problems(*LISTING, 422)},
    )
    def get(self, request: Request) -> Response:
        """Listed tables with a free seat that anybody may take, newest first."""
        page = checked_query(shapes.TablesQuery, request)
        part = {name: page.pop(name) for name in ("limit", "cursor")}
        rows, following = Cursor.of_rows(lists.listed_tables(TableFilter(**page, viewer=person(request))), "ref", part)
        return Response(shapes.TablesShape({"tables": rows, "next": following}).data)


class GamesResource(Resource):
    """The games of the person who asks, and a new one."""

    @extend_schema(
        operation_id="list_games",
        parameters=[GamesQuery],
        responses={200: GamesShape, **problems(*LISTING, 422)},
    )
    def get(self, request: Request) -> Response:
        """Your games: what waits for you first, by deadline; then running, open and ended ones."""
        page = checked_query(GamesQuery, request)
        games = [one for one in lists.my_games(person(request)) if _is_wanted(one, page)]
        rows, following = Cursor.of_list(games, lists.urgency, page, "games")
        return Response(GamesShape({"games": rows, "next": following}).data)

    @extend_schema(
        operation_id="open_table",
        parameters=[IDEMPOTENCY_KEY],
        request=shapes.TableBody,
        responses={201: GameShape, **problems(*OPENING, 404, 409)},
    )
    def post(self, request: Request) -> Response:
        """Opens a table, with you on its first seat. Its players are invited, or join it if it is listed."""
        plan, host = _plan(request), person(request)
        game = make_once(
            request, host.hosted_games.all(), lambda: lifecycle.open_table(host=host, plan=plan, now=present.now())
        )
        response = shown(request, game.ref, status=201)
        response["Location"] = reverse("api_game", args=[game.ref])
        return response


def _is_wanted(one: lists.Listed, page: Checked) -> bool:
    is_of_turn: bool = page.get("is_waiting", one.is_my_turn) == one.is_my_turn
    return bool(is_of_turn and page.get("status", one.game.status) == one.game.status)


def _plan(request: Request) -> TablePlan:
    data = checked(shapes.TableBody, request)
    bots = tuple(data.pop("bots"))
    if len(bots) >= data["seats"]:
        raise ServiceError(_("All seats at this table are taken."))
    return TablePlan(rules_name=data.pop("rules"), seat_count=data.pop("seats"), bots=bots, **data)


class Join(Resource):
    """Joining a table."""

    @extend_schema(operation_id="join_table", request=shapes.JoinBody, responses=SHOWN)
    def post(self, request: Request, ref: str) -> Response:
        """Sits you down at a listed table, or with its link at any. Doing so twice gives you no second seat."""
        body = checked(shapes.JoinBody, request)
        game = links.find_table(ref, body["link"]) or queries.access_to_sit(person(request), ref).game
        wanted = {name: body[name] for name in ("entropy", "steward_hours")}
        seen = body["settings_version"]
        lifecycle.join(game_id=game.pk, user=person(request), seen=seen, now=present.now(), **wanted)
        return shown(request, ref)


class Start(Resource):
    """Starting the game."""

    @extend_schema(operation_id="start_game", request=NoBody, responses=SHOWN)
    def post(self, request: Request, ref: str) -> Response:
        """Begins the game of a table that you host and whose seats are all taken."""
        game = found(request, ref)
        checked(NoBody, request)
        lifecycle.start(game_id=game.pk, host=person(request), now=present.now())
        return shown(request, ref)


class AgainShape(DataSerializer):
    """The table at which it goes on."""

    table = GameShape()
    missing = serializers.ListField(child=serializers.CharField(), help_text="Names of players who could not be invited.")


class PlayAgain(Resource):
    """Opening a rematch."""

    @extend_schema(
        operation_id="play_again",
        request=NoBody,
        responses={200: AgainShape, 201: AgainShape, **problems(*sorted({*OPENING, *CHANGING}))},
    )
    def post(self, request: Request, ref: str) -> Response:
        """Opens a table like that of a game of yours that is over and invites who played, or sits you down at the one
        that another of them has opened. Doing so twice opens no second one."""
        game = queries.access_seat(person(request), ref).game
        checked(NoBody, request)
        done = rematch.open_rematch(game_id=game.pk, user=person(request), now=present.now())
        table = queries.access_game(person(request), done.table.ref)
        answer = AgainShape({"table": reading.game_data(table), "missing": done.missing})
        response = Response(answer.data, status=201 if done.is_new else 200)
        response["Location"] = reverse("api_game", args=[done.table.ref])
        return response


class Close(Resource):
    """Closing a table."""

    @extend_schema(operation_id="close_table", request=NoBody, responses=SHOWN)
    def post(self, request: Request, ref: str) -> Response:
        """Closes a table that you host, before its game. Everybody who sat there or was invited is told."""
        game = found(request, ref)
        checked(NoBody, request)
        lifecycle.close(game_id=game.pk, host=person(request), now=present.now())
        return shown(request, ref)
