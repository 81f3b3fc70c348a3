"""The REST API of a running game: reading, answering, orders, the stream of its events."""

import hashlib
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import partial
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import StreamingHttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import Throttled
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from engine.core import IllegalAction
from games.api.game_shapes import (
    A_GAME,
    ActionShape,
    AnswerBody,
    Data,
    GameShape,
    HappenedShape,
    LogLineShape,
    LogQuery,
    LogShape,
    OptionShape,
    QuestionShape,
    closed_data,
    log_data,
    own_seat,
    public_log_data,
    questions_data,
    shown_game,
)
from games.api.parsing import Body, ComputedField, DataSerializer, RulesTextField, checked_query
from games.api.problems import Problem
from games.api.resource import Operations, Resource, person
from games.api.schema import MINIMAL, PREFER, READING, one_of, problems
from games.errors import Conflict, KeyReused, NotFound, ServiceError
from games.lobby import lifecycle
from games.people.idempotency import check_key
from games.people.models import User
from games.play import game_moves, history, proposals, queries, roll_backs, standing_orders, stored_moves
from games.play.models import Decision, Move
from games.play.queries import Access
from games.play.standing_orders import can_give, order_book, order_data
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.clock import present

operation = Operations()

# Answering a decision, taking it back, resigning, ending the game


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


def _is_same(game: Game, move: Move, code: str, action: Data) -> bool:
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
    return Problem(error, decision=decision.status, happened=list(map(_as_json, closed_data(decision))))


def _was_done_unasked(game: Game, code: str) -> bool:
    """Returns whether a public move of this code was made by a seat that was not asked."""
    return stored_moves.last(game, decision=code) is not None and not game.decisions.filter(code=code).exists()


def _as_json(line: Data) -> Data:
    return {**line, "at": present.as_text(line["at"])}


# The game, its log and its decisions


@operation("GET games/<slug:ref>/", answer=GameShape)
def read_game(request: Request, ref: str) -> object:
    """A game as your seat sees it: seats, view, text board, whom it waits for, outcome, proof of fairness."""
    return shown_game(request, ref)


@operation("DELETE games/<slug:ref>/", **A_GAME)
def close_table(request: Request, ref: str) -> None:
    """Closes a table that you host, before its game. Everybody who sat there or was invited is told."""
    host = person(request)
    lifecycle.close(game_id=queries.access_game(host, ref).game.pk, host=host, now=present.now())


@operation("GET games/<slug:ref>/log/", query=LogQuery, answer=LogShape)
def read_log(request: Request, ref: str, **piece: Any) -> object:
    """Reads the log behind a number, in words and as data, as your seat may know it."""
    return log_data(queries.access_game(person(request), ref), **piece)


@operation("GET games/<slug:ref>/decisions/", answer=[QuestionShape])
def list_decisions(request: Request, ref: str) -> object:
    """Lists your open questions in this game, with every way to answer."""
    return Response({"items": questions_data(queries.access_seat(person(request), ref)), "next": None})


MOVED: dict[str, Any] = {"answer": HappenedShape, "status": 200, "parameters": [PREFER], "also": MINIMAL}


def _arrived(request: Request, ref: str) -> tuple[datetime, Access]:
    received_at = present.now()  # before anything else takes time
    return received_at, queries.access_to_answer(person(request), ref)


@operation(
    "POST games/<slug:ref>/decisions/<slug:code>/", of=_arrived, body=AnswerBody, once=True, for_bots=True, **MOVED
)
def answer_decision(request: Request, arrived: tuple[datetime, Access], code: str, **body: Any) -> object:
    """Answers a decision; says what happened because of it and what is open to you now."""
    received_at, access = arrived
    action = proposals.accepted(access, code, body["proposal"]) if "proposal" in body else body["action"]
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
            idempotency_key=_scoped(seat, request.headers.get("Idempotency-Key", "")),
            due_at=access.game.next_due_at,
        )
    except Conflict as error:
        raise _with_the_truth(error, seat, code) from error
    if move.is_repeated and not _is_same(access.game, move, code, action):
        raise KeyReused(_("This Idempotency-Key was already used for a different answer. Use a new one."))
    return _happened(request, access, move)


def _happened(request: Request, access: Access, move: Move) -> object:
    """Returns the events of a move and the open decisions; 204 for clients that prefer it (RFC 7240)."""
    preferences = (part.partition(";")[0] for part in request.headers.get("Prefer", "").lower().split(","))
    if any("".join(preference.split()).replace('"', "") == "return=minimal" for preference in preferences):
        return Response(status=HTTPStatus.NO_CONTENT, headers={"Preference-Applied": "return=minimal"})
    seat = next(seat for seat in move.game.seated() if seat.number == access.number)
    access = Access(move.game, seat, is_host=access.is_host)
    happened = LogLineShape(history.events_of(access, [move]), many=True).data
    decisions = questions_data(access, is_new=True)
    return Response({"happened": happened, "status": access.game.status, "decisions": decisions})


@operation("DELETE games/<slug:ref>/log/<int:number>/", for_bots=True, **MOVED)
def take_back(request: Request, ref: str, number: int) -> object:
    """Takes your last answer back, in a game that counts for nothing and has only bots beside you.

    `number` is what the game shows as `retractable`; once something hidden has been shown it is null.
    """
    return _end_by(partial(roll_backs.take_back, event=number), request, ref)


@operation("POST games/<slug:ref>/resign/", for_bots=True, **MOVED)
def resign(request: Request, ref: str) -> object:
    """Gives up your seat for good. The game goes on, and you rank below all who stay."""
    return _end_by(game_moves.resign, request, ref)


@operation("POST games/<slug:ref>/end/", **MOVED)
def end_game(request: Request, ref: str) -> object:
    """Ends the game when all others have resigned; you win it."""
    return _end_by(game_moves.end_by_wish, request, ref)


def _end_by(act: Callable[..., Move], request: Request, ref: str) -> object:
    access, seat = queries.access_seat(person(request), ref), own_seat(request, ref)
    move = act(game_id=access.game.pk, seat=seat.number, actor=seat.user, source=Move.Source.API, now=present.now())
    return _happened(request, access, move)


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
    label = RulesTextField()  # type: ignore[assignment]  # the API's word
    is_unasked = serializers.BooleanField(help_text="Nobody asks: it acts as soon as its conditions hold.")
    topics = OptionShape(many=True)
    answers = ActionShape(many=True)


class OrderBookShape(DataSerializer):
    """Your orders, and everything they can be made of."""

    orders = ComputedField(lambda book: map(order_data, book.items), OrderShape(many=True))
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
    """Your orders, in the order in which they are tried; those left out are deleted."""

    orders = serializers.ListField(child=OrderBody(), max_length=100)


@operation("GET games/<slug:ref>/orders/", answer=OrderBookShape, errors=[409])
def read_orders(request: Request, ref: str) -> object:
    """Your orders with what they would do now, and everything that can be ordered. Nobody else sees them."""
    return _orders(queries.access_seat(person(request), ref))


@operation("PUT games/<slug:ref>/orders/", body=OrdersBody, answer=OrderBookShape, for_bots=True)
def give_orders(request: Request, ref: str, orders: list[Data]) -> object:
    """Gives your orders, all of them. Send those you keep with their `id`; nothing open already is answered."""
    seat = acting_seat(queries.access_seat(person(request), ref))
    dates = [order.pop("ends_at") for order in orders]  # which the rules do not know
    standing_orders.give(
        game_id=seat.game_id,
        seat=seat.number,
        raw={"orders": orders},
        source=Move.Source.API,
        now=present.now(),
        actor=seat.user,
        dates=dates,
    )
    return _orders(queries.access_seat(person(request), ref))


def _orders(access: Access) -> Response:
    acting_seat(access)
    if not can_give(access):
        raise Conflict(_("Only players in a running game can give orders."))
    book = order_book(access)
    return Response(OrderBookShape(book, context={"say": book.say}).data)


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


class WaitingCodesShape(DataSerializer):
    """The questions that wait for your answer, whenever they change."""

    codes = serializers.ListField(child=serializers.CharField(), help_text="Empty: none does.")


TABLE_EVENT = one_of("TableEvent", {"log": LogLineShape, "waiting": WaitingCodesShape})


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
                TABLE_EVENT,
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
        last_id = request.headers.get("Last-Event-ID", "")
        after = int(last_id) if last_id.isascii() and last_id.isdigit() and len(last_id) < 10 else after
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
    end, waiting, sent_events = time.monotonic() + settings.API_STREAM_SECONDS, None, -1
    while True:
        events = Game.objects.values_list("public_events", flat=True).get(pk=access.game.pk)
        codes = _waiting(access)
        if events != sent_events:
            access = queries.access_game(user, access.game.ref)
            piece = public_log_data(access, after=after, limit=PIECE)
            for line in piece["lines"]:
                after = max(after, line.number)  # a steward's line has the first number of its move
                yield _event("log", LogLineShape(line).data, after)
            sent_events = events if after >= events else -1
        if codes != waiting:
            waiting = codes
            yield _event("waiting", {"codes": codes})
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
