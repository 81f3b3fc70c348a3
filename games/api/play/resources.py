"""The REST API: each method reads the request, calls one query or service, and names the answer's shape."""

from http import HTTPStatus

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base.parsing import checked, checked_query
from games.api.base.resource import Resource, person
from games.api.base.schema import CHANGING, IDEMPOTENCY_KEY, MINIMAL, PREFER, READING, problems
from games.api.play import answering, reading, serializers
from games.play import proposals, queries
from games.play.models import Move
from notifications.clock import present


class GameResource(Resource):
    """One game."""

    @extend_schema(operation_id="read_game", responses={200: serializers.GameShape, **problems(*READING)})
    def get(self, request: Request, ref: str) -> Response:
        """A game as your seat sees it: seats, view, text board, whom it waits for, outcome, proof of fairness."""
        access = queries.access_game(person(request), ref)
        return Response(serializers.GameShape(reading.game_data(access)).data)


class Log(Resource):
    """The log of a game."""

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


class DecisionsResource(Resource):
    """The open decisions of a seat."""

    @extend_schema(
        operation_id="list_decisions",
        responses={200: serializers.QuestionShape(many=True), **problems(*READING)},
    )
    def get(self, request: Request, ref: str) -> Response:
        """What is open to you in this game, with every way to answer."""
        access = queries.access_seat(person(request), ref)
        return Response(serializers.QuestionShape(reading.questions_data(access), many=True).data)


class DecisionResource(Resource):
    """One decision."""

    is_for_bots = True

    @extend_schema(
        operation_id="answer_decision",
        parameters=[IDEMPOTENCY_KEY, PREFER],
        request=serializers.AnswerBody,
        responses={200: serializers.HappenedShape, **MINIMAL, **problems(*CHANGING)},
    )
    def post(self, request: Request, ref: str, code: str) -> Response:
        """Answers a decision; says what happened because of it and what is open to you now."""
        received_at = present.now()
        access = queries.access_to_answer(person(request), ref)
        body = checked(serializers.AnswerBody, request)
        action = proposals.accepted(access, code, body["proposal"]) if "proposal" in body else body["action"]
        key = request.META.get("HTTP_IDEMPOTENCY_KEY", "")
        move = answering.answer(access, code, action, key, received_at)
        return _answered(request, access, move)


def _answered(request: Request, access: queries.Access, move: Move) -> Response:
    """Returns the events of a move and the open decisions; 204 for clients that prefer it (RFC 7240)."""
    preferences = (one.partition(";")[0] for one in request.META.get("HTTP_PREFER", "").lower().split(","))
    if any("".join(one.split()).replace('"', "") == "return=minimal" for one in preferences):
        return Response(status=HTTPStatus.NO_CONTENT, headers={"Preference-Applied": "return=minimal"})
    return Response(serializers.HappenedShape(answering.happened(access, move)).data)


class Resign(Resource):
    """Resigning."""

    is_for_bots = True

    @extend_schema(
        operation_id="resign",
        parameters=[PREFER],
        request=serializers.NoBody,
        responses={200: serializers.HappenedShape, **MINIMAL, **problems(*CHANGING)},
    )
    def post(self, request: Request, ref: str) -> Response:
        """Gives up your seat for good. The game goes on, and you rank below all who stay."""
        access = queries.access_seat(person(request), ref)
        checked(serializers.NoBody, request)
        move = answering.resign(access, present.now())
        return _answered(request, access, move)


class End(Resource):
    """Ending the game as the last player."""

    @extend_schema(
        operation_id="end_game",
        parameters=[PREFER],
        request=serializers.NoBody,
        responses={200: serializers.HappenedShape, **MINIMAL, **problems(*CHANGING)},
    )
    def post(self, request: Request, ref: str) -> Response:
        """Ends the game when all others have resigned; you win it."""
        access = queries.access_seat(person(request), ref)
        checked(serializers.NoBody, request)
        move = answering.end(access, present.now())
        return _answered(request, access, move)
