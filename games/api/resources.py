"""The REST API: each method reads the request, calls one query or service, and names the answer's shape."""

from typing import Any, ClassVar

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.permissions import SAFE_METHODS, AllowAny, BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from games import queries
from games.api import answering, reading, serializers
from games.api.parsing import StrictJSONParser, checked, checked_query
from games.api.schema import CHANGING, IDEMPOTENCY_KEY, LISTING, OPENING, READING, problems
from games.api.throttles import ChangeThrottle, ReadThrottle
from games.models import ApiToken, User
from games.services import profiles, second_factor
from notifications.clock import present

Scope = ApiToken.Scope


def scope_of(view: Any, method: str) -> ApiToken.Scope:
    """What a token must be good for to call this method of a view; whoever may play may read."""
    scope: ApiToken.Scope = getattr(view, "scopes", {}).get(method, getattr(view, "scope", Scope.PLAY))
    return Scope.READ if scope == Scope.PLAY and method in SAFE_METHODS else scope


class HasScope(BasePermission):
    """A token is good for what its owner has said; a signed-in page for all but moderating without a second factor."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """True if this token, or this session, may be used here. Raises PermissionDenied that says what is missing."""
        wanted = scope_of(view, request.method or "")
        if isinstance(request.auth, ApiToken):
            given = {*request.auth.scopes, *([Scope.READ] if Scope.PLAY in request.auth.scopes else [])}
            is_enough = wanted in given
        else:
            is_enough = wanted != Scope.MODERATE or second_factor.is_shown(request._request, present.now())
        if not is_enough:
            raise PermissionDenied(_("This needs the scope “%(scope)s”.") % {"scope": wanted.value})
        return True


class Resource(APIView):
    """What all addresses have in common. `scope` is what a token must be good for, `scopes` says so by method."""

    scope = Scope.PLAY
    scopes: ClassVar[dict[str, ApiToken.Scope]] = {}
    permission_classes = [IsAuthenticated, HasScope]
    parser_classes = [StrictJSONParser]

    def get_throttles(self) -> list[BaseThrottle]:
        """Reading and changing are counted apart."""
        return [ReadThrottle() if self.request.method in ("GET", "HEAD", "OPTIONS") else ChangeThrottle()]

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """No cache keeps what one person may see."""
        response = super().finalize_response(request, response, *args, **kwargs)
        response["Cache-Control"] = "no-store"
        return response


def person(request: Request) -> User:
    """Who asks. The permission to be here is that there is somebody."""
    assert isinstance(request.user, User)
    return request.user


class Me(Resource):
    """The person who asks."""

    scopes = {"PUT": Scope.ACCOUNT}

    @extend_schema(operation_id="read_me", responses={200: serializers.PersonShape, **problems(*LISTING)})
    def get(self, request: Request) -> Response:
        """Who you are."""
        return Response(serializers.PersonShape(person(request)).data)

    @extend_schema(
        operation_id="change_me",
        request=serializers.PersonBody,
        responses={200: serializers.PersonShape, **problems(*OPENING)},
    )
    def put(self, request: Request) -> Response:
        """Changes your name, language and zone. Seats already taken keep the name they had."""
        profiles.change(user=person(request), **checked(serializers.PersonBody, request))
        return Response(serializers.PersonShape(person(request)).data)


class Game(Resource):
    """One game."""

    @extend_schema(operation_id="read_game", responses={200: serializers.GameShape, **problems(*READING)})
    def get(self, request: Request, ref: str) -> Response:
        """A game as your seat sees it: seats, view, text board, whom it waits for, outcome, proof of fairness."""
        access = queries.access_game(person(request), ref)
        return Response(serializers.GameShape(reading.game_data(access)).data)


class Log(Resource):
    """What happened in a game."""

    @extend_schema(
        operation_id="read_log",
        parameters=[serializers.LogQuery],
        responses={200: serializers.LogShape, **problems(*READING, 422)},
    )
    def get(self, request: Request, ref: str) -> Response:
        """What happened behind a number of the log, in words and as data, as your seat may know it."""
        piece = checked_query(serializers.LogQuery, request)
        access = queries.access_game(person(request), ref)
        return Response(serializers.LogShape(reading.log_data(access, **piece)).data)


class Decisions(Resource):
    """What is open to a seat."""

    @extend_schema(
        operation_id="list_decisions",
        responses={200: serializers.QuestionShape(many=True), **problems(*READING)},
    )
    def get(self, request: Request, ref: str) -> Response:
        """What is open to you in this game, with every way to answer."""
        access = queries.access_seat(person(request), ref)
        return Response(serializers.QuestionShape(reading.questions_data(access), many=True).data)


class Decision(Resource):
    """One decision."""

    @extend_schema(
        operation_id="answer_decision",
        parameters=[IDEMPOTENCY_KEY],
        request=serializers.AnswerBody,
        responses={200: serializers.HappenedShape, **problems(*CHANGING)},
    )
    def post(self, request: Request, ref: str, code: str) -> Response:
        """Answers a decision; says what happened because of it and what is open to you now."""
        received_at = present.now()
        access = queries.access_seat(person(request), ref)
        action = checked(serializers.AnswerBody, request)["action"]
        key = request.headers.get("Idempotency-Key", "")
        move = answering.answer(access, code, action, key, received_at)
        return Response(serializers.HappenedShape(answering.happened(person(request), access, move)).data)


class Resign(Resource):
    """Giving up."""

    @extend_schema(
        operation_id="resign",
        request=serializers.NoBody,
        responses={200: serializers.HappenedShape, **problems(*CHANGING)},
    )
    def post(self, request: Request, ref: str) -> Response:
        """Gives up your seat for good. The game goes on, and you rank below all who stay."""
        access = queries.access_seat(person(request), ref)
        checked(serializers.NoBody, request)
        move = answering.resign(access, present.now())
        return Response(serializers.HappenedShape(answering.happened(person(request), access, move)).data)


class End(Resource):
    """The last one at the table."""

    @extend_schema(
        operation_id="end_game",
        request=serializers.NoBody,
        responses={200: serializers.HappenedShape, **problems(*CHANGING)},
    )
    def post(self, request: Request, ref: str) -> Response:
        """Ends the game when all others have resigned; you win it."""
        access = queries.access_seat(person(request), ref)
        checked(serializers.NoBody, request)
        move = answering.end(access, present.now())
        return Response(serializers.HappenedShape(answering.happened(person(request), access, move)).data)


class Unknown(Resource):
    """Every address that is none."""

    authentication_classes = []
    permission_classes = [AllowAny]
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """There is nothing here, whatever is asked and by whom."""
        raise NotFound
