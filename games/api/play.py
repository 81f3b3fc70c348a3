"""The REST API of a running game: reading, answering, orders, the stream of its events."""

import hashlib
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from http import HTTPStatus

from django.conf import settings
from django.http import StreamingHttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import Throttled
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from engine.core import IllegalAction
from games.api import game_shapes
from games.api.game_shapes import ActionShape, Data, LogLineShape, LogQuery, OptionShape, action_data, option_data
from games.api.parsing import Body, DataSerializer, checked, checked_query
from games.api.problems import Problem
from games.api.resource import Resource, person
from games.api.schema import CHANGING, IDEMPOTENCY_KEY, MINIMAL, PREFER, READING, problems
from games.errors import Conflict, KeyReused, NotFound, ServiceError
from games.idempotency.keys import check_key
from games.people.models import User
from games.play import endings, game_moves, proposals, queries, standing_orders, stored_moves
from games.play.models import Decision, Move
from games.play.order_forms import can_give, order_book, order_data
from games.play.queries import Access
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.clock import present

# Answering a decision, resigning, ending the game


def answer_decision(access: Access, code: str, action: game_shapes.Data, key: str, received_at: datetime) -> Move:
    """Answers a decision of this viewer's seat.

    Arguments:
        key: the Idempotency-Key, "" for none. The same answer with the same key gives the first one's move.
    Raises ServiceError; a Conflict says what became of the decision.
    """
    seat = acting_seat(access)
    try:
        move = game_moves.submit(
            game_id=access.game.pk,
            seat=seat.number,
            decision=code,
            action=action,
            source=Move.Source.API,
            actor=seat.user,
            received_at=received_at,
            idempotency_key=_scoped(seat, key),
            due_at=access.game.next_due_at,
        )
    except Conflict as error:
        raise _with_the_truth(error, seat, code) from error
    if move.is_repeated and not _is_same(access.game, move, code, action):
        raise KeyReused(_("This Idempotency-Key was already used for a different answer. Use a new one."))
    return move


def resign_seat(access: Access, now: datetime) -> Move:
    """Resigns the viewer's seat."""
    assert access.seat is not None
    seat = access.seat
    return endings.resign(game_id=access.game.pk, seat=seat.number, actor=seat.user, source=Move.Source.API, now=now)


def end_game(access: Access, now: datetime) -> Move:
    """Ends the game for the viewer, who is the last player."""
    assert access.seat is not None
    seat = access.seat
    return endings.end(game_id=access.game.pk, seat=seat.number, actor=seat.user, source=Move.Source.API, now=now)


def acting_seat(access: Access) -> Seat:
    """Returns the viewer's seat. Raises Conflict if it is absent or has resigned."""
    seat = access.seat
    assert seat is not None
    if access.game.status == Game.Status.RUNNING and seat.status == Seat.Status.RESIGNED:
        raise Conflict(_("You've resigned from this game, and that can't be undone."))
    if access.game.status == Game.Status.RUNNING and seat.status == Seat.Status.ABSENT:
        raise Conflict(_("You're marked as absent in this game. Return to it on its page first."))
    return seat


def _scoped(seat: Seat, key: str) -> str:
    """Returns the key as it is stored, so that keys of different people do not collide."""
    if not key:
        return ""
    check_key(key)
    return hashlib.sha256(f"api:{seat.pk}:{seat.user_id}:{key}".encode(errors="replace")).hexdigest()


def _is_same(game: Game, move: Move, code: str, action: game_shapes.Data) -> bool:
    try:
        return move.decision == code and game.rules.dump_action(game.rules.parse(action)).decode() == move.action
    except IllegalAction:
        return False


def _with_the_truth(error: Conflict, seat: Seat, code: str) -> ServiceError:
    """Adds what was answered to the conflict; NotFound if this seat was never asked that."""
    decision = Decision.objects.select_related("game", "seat").filter(seat=seat, code=code).first()
    if decision is None and (seat.game.started_at is None or _was_done_unasked(seat.game, code)):
        return error
    if decision is None:
        return NotFound(_("You haven't been asked this."))
    return Problem(error, decision=decision.status, happened=list(map(_as_json, game_shapes.closed_data(decision))))


def _was_done_unasked(game: Game, code: str) -> bool:
    """Returns whether a public move of this code was made by a seat that was not asked."""
    return stored_moves.last(game, decision=code) is not None and not game.decisions.filter(code=code).exists()


def _as_json(line: game_shapes.Data) -> game_shapes.Data:
    return {**line, "at": line["at"].isoformat()}


def happened_data(access: Access, move: Move) -> game_shapes.Data:
    """Returns the events of a move, the state of the game, and the open decisions of the viewer."""
    game, number = move.game, access.number
    seat = next(seat for seat in game.seated() if seat.number == number)
    access = Access(game, seat, is_host=access.is_host)
    return {
        "happened": game_shapes.move_data(access, move),
        "status": access.game.status,
        "decisions": game_shapes.questions_data(access, is_new=True),
    }


# The game, its log and its decisions


class GameResource(Resource):
    """One game."""

    @extend_schema(operation_id="read_game", responses={200: game_shapes.GameShape, **problems(*READING)})
    def get(self, request: Request, ref: str) -> Response:
        """A game as your seat sees it: seats, view, text board, whom it waits for, outcome, proof of fairness."""
        access = queries.access_game(person(request), ref)
        return Response(game_shapes.GameShape(game_shapes.game_data(access)).data)


class Log(Resource):
    """The log of a game."""

    @extend_schema(
        operation_id="read_log",
        parameters=[game_shapes.LogQuery],
        responses={200: game_shapes.LogShape, **problems(*READING, 422)},
    )
    def get(self, request: Request, ref: str) -> Response:
        """What happened behind a number of the log, in words and as data, as your seat may know it."""
        piece = checked_query(game_shapes.LogQuery, request)
        access = queries.access_game(person(request), ref)
        return Response(game_shapes.LogShape(game_shapes.log_data(access, **piece)).data)


class DecisionsResource(Resource):
    """The open decisions of a seat."""

    @extend_schema(
        operation_id="list_decisions",
        responses={200: game_shapes.QuestionShape(many=True), **problems(*READING)},
    )
    def get(self, request: Request, ref: str) -> Response:
        """What is open to you in this game, with every way to answer."""
        access = queries.access_seat(person(request), ref)
        return Response(game_shapes.QuestionShape(game_shapes.questions_data(access), many=True).data)


class DecisionResource(Resource):
    """One decision."""

    is_for_bots = True

    @extend_schema(
        operation_id="answer_decision",
        parameters=[IDEMPOTENCY_KEY, PREFER],
        request=game_shapes.AnswerBody,
        responses={200: game_shapes.HappenedShape, **MINIMAL, **problems(*CHANGING)},
    )
    def post(self, request: Request, ref: str, code: str) -> Response:
        """Answers a decision; says what happened because of it and what is open to you now."""
        received_at = present.now()
        access = queries.access_to_answer(person(request), ref)
        body = checked(game_shapes.AnswerBody, request)
        action = proposals.accepted(access, code, body["proposal"]) if "proposal" in body else body["action"]
        key = request.META.get("HTTP_IDEMPOTENCY_KEY", "")
        move = answer_decision(access, code, action, key, received_at)
        return _answered(request, access, move)


def _answered(request: Request, access: queries.Access, move: Move) -> Response:
    """Returns the events of a move and the open decisions; 204 for clients that prefer it (RFC 7240)."""
    preferences = (one.partition(";")[0] for one in request.META.get("HTTP_PREFER", "").lower().split(","))
    if any("".join(one.split()).replace('"', "") == "return=minimal" for one in preferences):
        return Response(status=HTTPStatus.NO_CONTENT, headers={"Preference-Applied": "return=minimal"})
    return Response(game_shapes.HappenedShape(happened_data(access, move)).data)


class Resign(Resource):
    """Resigning."""

    is_for_bots = True

    @extend_schema(
        operation_id="resign",
        parameters=[PREFER],
        request=game_shapes.NoBody,
        responses={200: game_shapes.HappenedShape, **MINIMAL, **problems(*CHANGING)},
    )
    def post(self, request: Request, ref: str) -> Response:
        """Gives up your seat for good. The game goes on, and you rank below all who stay."""
        access = queries.access_seat(person(request), ref)
        checked(game_shapes.NoBody, request)
        move = resign_seat(access, present.now())
        return _answered(request, access, move)


class End(Resource):
    """Ending the game as the last player."""

    @extend_schema(
        operation_id="end_game",
        parameters=[PREFER],
        request=game_shapes.NoBody,
        responses={200: game_shapes.HappenedShape, **MINIMAL, **problems(*CHANGING)},
    )
    def post(self, request: Request, ref: str) -> Response:
        """Ends the game when all others have resigned; you win it."""
        access = queries.access_seat(person(request), ref)
        checked(game_shapes.NoBody, request)
        move = end_game(access, present.now())
        return _answered(request, access, move)


# Standing orders: reading them with their dry run, and replacing all of them

UNTIL = [("", "until taken back"), ("round", "this round"), ("return", "until I answer myself"), ("date", "a date")]
ENTRIES = '[{"type": ..., and the fields of that form}]'


class OrderShape(DataSerializer):
    """One of your orders, and what it would do now as far as you can see."""

    id = serializers.CharField()
    kind = serializers.CharField(help_text="The kind of decision it answers.")
    topic = serializers.CharField(allow_blank=True, help_text="Where; empty for anywhere.")
    answers = serializers.ListField(child=serializers.DictField(), help_text="The first that is legal then is given.")
    conditions = serializers.ListField(child=serializers.DictField(), help_text="All must hold.")
    stops = serializers.ListField(child=serializers.DictField(), help_text="If one holds you are asked.")
    stays = serializers.BooleanField(help_text="Kept after it has answered.")
    even_so = serializers.BooleanField(help_text="Answers even if others show a card before that touches it.")
    any_play = serializers.BooleanField(
        help_text="Asks you once others show any card, even one that does not touch it."
    )
    until = serializers.ChoiceField(UNTIL)
    ends_at = serializers.DateTimeField(allow_null=True)
    does = serializers.ChoiceField(["fires", "does not", "depends"], help_text="What it would do now.")
    forecast = serializers.CharField(help_text="The same in words, with the reason.")


class OrderKindShape(DataSerializer):
    """A kind of decision that can be answered in advance."""

    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # the API's word
    is_unasked = serializers.BooleanField(help_text="Nobody asks: it acts as soon as its conditions hold.")
    topics = OptionShape(many=True)
    answers = ActionShape(many=True)


class OrderBookShape(DataSerializer):
    """Your orders, and everything they can be made of."""

    orders = OrderShape(many=True)
    kinds = OrderKindShape(many=True)
    facts = ActionShape(many=True)


class OrderBody(Body):
    """One order."""

    example = {
        "id": ...,
        "topic": ...,
        "answers": [{"type": "place", "token": 9, "space": "cave-gold"}],
        "conditions": [{"type": "others", "space": "cave-gold", "is": "at_most", "value": 0}],
        "stops": [],
        "ends_at": ...,
    }
    id = serializers.CharField(default="", allow_blank=True, max_length=12, help_text="Of an order you keep.")
    kind = serializers.CharField(max_length=40)
    topic = serializers.CharField(default="", allow_blank=True, max_length=40)
    answers = serializers.ListField(child=serializers.DictField(), default=list, help_text=ENTRIES)
    conditions = serializers.ListField(child=serializers.DictField(), default=list, help_text=ENTRIES)
    stops = serializers.ListField(child=serializers.DictField(), default=list, help_text=ENTRIES)
    stays = serializers.BooleanField(default=False)
    even_so = serializers.BooleanField(default=False)
    any_play = serializers.BooleanField(default=False)
    until = serializers.ChoiceField(UNTIL, default="", allow_blank=True)
    ends_at = serializers.DateTimeField(default=None, allow_null=True, help_text='With until "date" only.')


class OrdersBody(Body):
    """All your orders, in the order in which they are tried; those left out are gone."""

    orders = serializers.ListField(child=OrderBody(), max_length=100)


def without_dates(orders: list[Data]) -> Data:
    """Removes the dates, which the rules do not know."""
    return {"orders": [{name: value for name, value in order.items() if name != "ends_at"} for order in orders]}


class Orders(Resource):
    """The orders of your seat."""

    is_for_bots = True

    @extend_schema(operation_id="read_orders", responses={200: OrderBookShape, **problems(*READING, 409)})
    def get(self, request: Request, ref: str) -> Response:
        """Your orders with what they would do now, and everything that can be ordered. Nobody else sees them."""
        access = queries.access_seat(person(request), ref)
        return Response(OrderBookShape(_orders_data(access)).data)

    @extend_schema(
        operation_id="give_orders", request=OrdersBody, responses={200: OrderBookShape, **problems(*CHANGING)}
    )
    def put(self, request: Request, ref: str) -> Response:
        """Gives your orders, all of them. Send those you keep with their `id`; nothing open already is answered."""
        access = queries.access_seat(person(request), ref)
        given = checked(OrdersBody, request)["orders"]
        seat = acting_seat(access)
        standing_orders.give(
            game_id=access.game.pk,
            seat=seat.number,
            raw=without_dates(given),
            source=Move.Source.API,
            now=present.now(),
            actor=seat.user,
            dates=[order["ends_at"] for order in given],
        )
        return Response(OrderBookShape(_orders_data(queries.access_seat(person(request), ref))).data)


def _orders_data(access: Access) -> Data:
    acting_seat(access)
    if not can_give(access):
        raise Conflict(_("Only players in a running game can give orders."))
    book = order_book(access)
    return {
        "orders": [order_data(item) for item in book.items],
        "kinds": [
            {
                "name": kind.name,
                "label": book.say(kind.label),
                "is_unasked": kind.is_unasked,
                "topics": [option_data(book.say, option) for option in kind.topics],
                "answers": [action_data(book.say, form) for form in kind.answers],
            }
            for kind in book.kinds
        ],
        "facts": [action_data(book.say, form) for form in book.facts],
    }


# The log as server-sent events (the HTML standard, section 9.2)

PAUSE = 1.0  # seconds between two looks
RETRY = 2000  # milliseconds after which a client comes back
BUSY = 5  # seconds after which it may try again when there are too many
PIECE = 200  # lines sent at one look
SHARE = max(1, settings.API_STREAMS // 2)  # of one account, so that it leaves others some
_open: Counter[int] = Counter()
"""How many streams each account has open in this process, by its key."""
_lock = threading.Lock()


class EventRenderer(JSONRenderer):
    """The media type of event streams. Errors are JSON."""

    media_type = "text/event-stream"
    format = "events"


class Events(Resource):
    """The event stream of a game."""

    renderer_classes = [EventRenderer, JSONRenderer]

    @extend_schema(
        operation_id="stream_events",
        parameters=[
            LogQuery,
            OpenApiParameter(
                "Last-Event-ID", int, OpenApiParameter.HEADER, description="As browsers send it: `after`."
            ),
        ],
        responses={
            (200, "text/event-stream"): OpenApiResponse(
                OpenApiTypes.OBJECT,
                "Events of the types `log` (a line of the log; its id is the line's number) and `waiting` (the codes "
                "of what the game waits for you to decide, whenever they change).",
            ),
            **problems(*READING, 422),
        },
    )
    def get(self, request: Request, ref: str) -> StreamingHttpResponse:
        """The public lines of the log behind `after`, and each further one as it comes, for some seconds: come back
        behind the last one you have seen."""
        user, after = person(request), checked_query(LogQuery, request)["after"]
        seen = request.headers.get("Last-Event-ID", "")
        after = int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 10 else after
        access = queries.access_game(user, ref)
        return stream_of(ThreadStream(_events(user, access, after), user.pk))


class ThreadStream:
    """The pieces of one stream, which holds a thread while it is read. Closing it frees its place.

    Raises Throttled if as many as may are open in this process, of all or of this account.
    """

    def __init__(self, pieces: Iterator[bytes], account: int) -> None:
        with _lock:
            if _open.total() >= settings.API_STREAMS or _open[account] >= SHARE:
                raise too_many_streams()
            _open[account] += 1
        self._pieces, self._account = pieces, account
        self._is_open = True

    def __iter__(self) -> Iterator[bytes]:
        return self._pieces

    def close(self) -> None:
        """Called by the server at the end, and when the client disconnects."""
        with _lock:
            if self._is_open:
                self._is_open = False
                _open.subtract([self._account])
                if not _open[self._account]:
                    del _open[self._account]


def stream_of(pieces: Iterable[bytes]) -> StreamingHttpResponse:
    """Returns the answer that sends these pieces of a stream."""
    response = StreamingHttpResponse(pieces, content_type="text/event-stream; charset=utf-8")
    response["X-Accel-Buffering"] = "no"  # a proxy must pass each event on at once
    return response


def too_many_streams() -> Throttled:
    """Returns the refusal of one more stream."""
    return Throttled(BUSY, _("Too many event streams are open. Please try again in a moment."))


def _events(user: User, access: Access, after: int) -> Iterator[bytes]:
    yield f"retry: {RETRY}\n\n".encode()
    end, waiting, known = time.monotonic() + settings.API_STREAM_SECONDS, None, -1
    while True:
        events = Game.objects.values_list("public_events", flat=True).get(pk=access.game.pk)
        asked = _waiting(access)
        if events != known:
            access = queries.access_game(user, access.game.ref)
            found = game_shapes.public_log_data(access, after=after, limit=PIECE)
            for line in found["lines"]:
                after = max(after, line["number"])  # a steward's line has the first number of its move
                yield _event("log", LogLineShape(line).data, after)
            known = events if after >= events else -1
        if asked != waiting:
            waiting = asked
            yield _event("waiting", {"codes": asked})
        if time.monotonic() >= end:
            return
        time.sleep(PAUSE)


def _waiting(access: Access) -> list[str]:
    if access.seat is None or not access.game.started_at:
        return []
    rows = access.seat.decisions.filter(status="open", is_automatic=False)
    return sorted(rows.values_list("code", flat=True))


def _event(name: str, data: object, number: int | None = None) -> bytes:
    head = f"event: {name}\n" + (f"id: {number}\n" if number is not None else "")
    return head.encode() + b"data: " + JSONRenderer().render(data) + b"\n\n"
