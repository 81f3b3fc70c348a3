"""The stream of an account: everything that concerns its games, as server-sent events."""

import hashlib
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from django.conf import settings
from django.db.models import Count, Q
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from engine.core import JsonObject
from games import cursors
from games.api import game_shapes
from games.api.game_shapes import LogLineShape, TakenSeatShape, WaitingShape
from games.api.parsing import DataSerializer
from games.api.play import PAUSE, RETRY, EventRenderer, ThreadStream, stream_of, too_many_streams
from games.api.resource import Resource, page_of, person
from games.api.schema import LISTING, one_of, problems
from games.api.tables import InvitedShape, invitations_of
from games.api.talk import CommentShape
from games.cursors import NotACursor
from games.errors import NotFound
from games.people import tokens
from games.people.models import ApiToken, User
from games.play import queries, table_talk
from games.play.models import Comment, Decision
from games.tables.models import ALIVE, Game, by_known_rules
from games.tables.seats import Seat
from notifications.clock import present

# Shapes of the events


class GameStateShape(DataSerializer):
    """A game of yours as it is now: sent first, and whenever any of this changes."""

    game_ref = serializers.CharField(source="game.ref")
    title = serializers.CharField(source="game.title")
    rules = serializers.CharField(source="game.rules_name")
    rules_version = serializers.IntegerField(source="game.rules_version")
    status = serializers.ChoiceField(Game.Status.choices, source="game.status")
    seat = serializers.IntegerField(source="seat.number", help_text="The number of your seat.")
    seats = TakenSeatShape(source="game.seated", many=True)
    paused_at = serializers.DateTimeField(
        source="game.paused_at", allow_null=True, help_text="Since when all clocks stand still."
    )
    pause_ends_at = serializers.DateTimeField(
        source="game.pause_ends_at", allow_null=True, help_text="When it goes on by itself."
    )
    waiting = WaitingShape(many=True, help_text="What the game waits for you to decide.")


class GameLogShape(LogLineShape):
    """A public line of the log of one of your games, as you may know it."""

    game_ref = serializers.CharField()


class GameTalkShape(CommentShape):
    """A line of the talk at one of your tables."""

    game_ref = serializers.CharField()


class GoneShape(DataSerializer):
    """A game in which you no longer have a seat."""

    game_ref = serializers.CharField()


class ReadyShape(DataSerializer):
    """Marks that everything up to now has been sent."""


EVENTS: dict[str, type[DataSerializer]] = {
    "game": GameStateShape,
    "log": GameLogShape,
    "talk": GameTalkShape,
    "invitations": page_of(InvitedShape),
    "gone": GoneShape,
    "ready": ReadyShape,
}
EVENT = one_of("AccountEvent", EVENTS)


@extend_schema_field({"type": "array", "items": {"$ref": "#/components/schemas/AccountEvent"}})
class EventsField(serializers.ListField):
    """Events of the stream."""


class EventsShape(DataSerializer):
    """The changes since the last event."""

    items = EventsField(help_text="Oldest first.")
    last = serializers.CharField(help_text="Send it as Last-Event-ID to get what comes after these.")
    is_complete = serializers.BooleanField(help_text="False if there is more to tell: ask again at once.")


# Changes in one account's games since it was last told

KEPT = timedelta(days=1)  # a game that is over is watched so long: people still talk
OVERLAP = timedelta(minutes=1)  # what was being stored while its account looked may have an earlier time
PIECE = 200  # lines of one game's log told at one look
MOST_GAMES = 180  # in one id, so that it fits into a header: those that changed last
FORMAT = 1


@dataclass(frozen=True)
class StreamEvent:
    """Something that an account is told."""

    name: str
    data: JsonObject

    def as_bytes(self, position: str = "") -> bytes:
        """Encodes the event like the HTML standard (section 9.2).

        Arguments:
            position: its id; the last event of a look has one.
        """
        head = f"event: {self.name}\n" + (f"id: {position}\n" if position else "")
        return head.encode() + b"data: " + JSONRenderer().render(self.data) + b"\n\n"


@dataclass
class Progress:
    """How far an account was told of one game."""

    number: int  # of the last public line of its log
    said: int  # lines of its table talk
    state: str = ""  # digest of its last `game` event


class Changes:
    """Looks at one account's games again and again.

    Arguments:
        user: the account, with its recipient.
        position: the id of the last event that it has seen; "" tells the present state of each game first.
    Raises NotACursor for what is no id of this account.
    """

    def __init__(self, user: User, position: str = "") -> None:
        self.user = user
        self.is_behind = False  # whether there is more to tell than one look has told
        self._is_first = True
        self._since, self._invited = "", ""
        self._told: dict[str, Progress] = {}
        if position:
            self._take_up(position)

    @property
    def position(self) -> str:
        """The id of what was told last."""
        games = [f"{ref}.{progress.number}.{progress.said}.{progress.state}" for ref, progress in self._told.items()]
        return cursors.seal([FORMAT, self._since, self._invited, " ".join(games[-MOST_GAMES:])], self._listed)

    def look(self) -> list[StreamEvent]:
        """Returns the changes since the last look, or since the position. Each first look ends with `ready`."""
        now = present.now()
        events: list[StreamEvent] = []
        self.is_behind = False
        seats = self._seats(now)
        waiting, said = _waiting(seats), _count_comments(seats)
        for seat in seats:
            with suppress(NotFound):
                events += self._of_game(seat, waiting[seat.pk], said[seat.game_id])
        events += self._of_lost({seat.game.ref for seat in seats})
        events += self._of_invitations()
        self._since = now.isoformat()
        if self._is_first:
            self._is_first = False
            events.append(StreamEvent("ready", {}))
        return events

    @property
    def _listed(self) -> str:
        return f"me/events {self.user.pk}"

    def _take_up(self, position: str) -> None:
        try:
            kind, self._since, self._invited, games = cursors.unseal(position, self._listed)
            for part in games.split():
                ref, number, said, state = part.split(".")
                self._told[ref] = Progress(int(number), int(said), state)
        except (ValueError, TypeError, AttributeError) as error:
            raise cursors.NotACursor(position) from error
        if kind != FORMAT:
            raise cursors.NotACursor(position)

    def _seats(self, now: datetime) -> list[Seat]:
        """The account's seats in games that are not over, or have not been for long, or that it does not know are."""
        games = Game.objects.filter(ALIVE | Q(finished_at__gt=now - KEPT) | Q(ref__in=list(self._told)))
        rows = Seat.objects.filter(by_known_rules("game__"), user=self.user, game__in=games)
        seats = list(rows.select_related("game").defer("game__state").order_by("game_id"))
        others: defaultdict[int, list[Seat]] = defaultdict(list)
        for other in Seat.objects.filter(game__in=[seat.game_id for seat in seats]).select_related("owner"):
            others[other.game_id].append(other)
        for seat in seats:
            seat.game.know_seats(others[seat.game_id])
        return seats

    def _of_game(self, seat: Seat, waiting: list[Decision], said: int) -> Iterator[StreamEvent]:
        ref = seat.game.ref
        progress = self._told.get(ref) or self._begin(seat.game, said)
        state = GameStateShape({"game": seat.game, "seat": seat, "waiting": waiting}).data
        digest = _digest(state)
        if (seat.game.public_events, said, digest) == (progress.number, progress.said, progress.state):
            return
        if seat.game.public_events != progress.number:
            yield from self._lines(ref, progress)
        if said != progress.said:
            yield from _comments(seat.game, progress, self.user)
        if digest != progress.state:
            progress.state = digest
            yield StreamEvent("game", state)
        self._told.pop(ref, None)
        self._told[ref] = progress  # behind all others: what changed last is remembered longest

    def _begin(self, game: Game, said: int) -> Progress:
        """Where a game begins that the account was told nothing of: from its start if it has begun since."""
        if not self._since:
            return Progress(game.public_events, said)
        since = datetime.fromisoformat(self._since) - OVERLAP
        is_begun_since = game.started_at is None or game.started_at > since
        return Progress(0 if is_begun_since else game.public_events, 0 if game.created_at > since else said)

    def _lines(self, ref: str, progress: Progress) -> Iterator[StreamEvent]:
        access = queries.access_game(self.user, ref)
        piece = game_shapes.public_log_data(access, after=progress.number, limit=PIECE)
        for line in piece["lines"]:
            progress.number = max(progress.number, line.number)
            yield StreamEvent("log", {"game_ref": ref, **LogLineShape(line).data})
        if piece["is_complete"]:
            progress.number = access.game.public_events
        else:
            self.is_behind = True

    def _of_lost(self, mine: set[str]) -> Iterator[StreamEvent]:
        for ref in [ref for ref in self._told if ref not in mine]:
            del self._told[ref]
            yield StreamEvent("gone", {"game_ref": ref})

    def _of_invitations(self) -> Iterator[StreamEvent]:
        rows = InvitedShape(invitations_of(self.user).order_by("-pk"), many=True).data
        digest = _digest(rows) if rows else ""
        if digest != self._invited:
            self._invited = digest
            yield StreamEvent("invitations", {"items": rows, "next": None})


def _waiting(seats: Iterable[Seat]) -> defaultdict[int, list[Decision]]:
    """Returns the open questions of each of these seats."""
    rows = Decision.objects.filter(seat__in=[seat.pk for seat in seats], status="open", is_automatic=False)
    by_seat: defaultdict[int, list[Decision]] = defaultdict(list)
    for row in rows.order_by("code"):
        by_seat[row.seat_id].append(row)
    return by_seat


def _count_comments(seats: Iterable[Seat]) -> defaultdict[int, int]:
    """How many lines of talk there are at each table."""
    rows = Comment.objects.filter(game__in=[seat.game_id for seat in seats]).order_by()
    return defaultdict(int, rows.values("game").annotate(count=Count("pk")).values_list("game", "count"))


def _comments(game: Game, progress: Progress, reader: User) -> Iterator[StreamEvent]:
    rows = list(game.comments.order_by("pk")[progress.said :])
    table_talk.fold(rows, reader)
    for comment in rows:
        progress.said += 1
        yield StreamEvent("talk", {"game_ref": game.ref, **CommentShape(comment).data})


def _digest(data: object) -> str:
    return hashlib.sha256(JSONRenderer().render(data)).hexdigest()[:6]


def as_stream(changes: Changes) -> bytes:
    """Takes a look, and writes its events; the last one has the id."""
    events = changes.look()
    if not events:
        return b""
    *before, last = events
    return b"".join([*(event.as_bytes() for event in before), last.as_bytes(changes.position)])


# A request becomes a stream that is held open elsewhere than in the thread that answers it


@dataclass(frozen=True)
class Wanted:
    """A stream that is to be held.

    Attributes:
        changes: what it tells; the first look has been taken.
        token: the key of its token's row; None for a browser's session.
        language: in which it tells.
    """

    changes: Changes
    token: int | None
    language: str


class Holder(Protocol):
    """Holds the stream of one request."""

    def hold(self, wanted: Wanted) -> bool:
        """Takes it; returns whether there was room for it."""


holder: ContextVar[Holder | None] = ContextVar("holder", default=None)


# The resource: server-sent events, or JSON to ask again

HEADER = "Last-Event-ID"
START = f"retry: {RETRY}\n\n".encode()


class AccountEvents(Resource):
    """The event stream of an account."""

    renderer_classes = [JSONRenderer, EventRenderer]

    @extend_schema(
        operation_id="stream_my_events",
        parameters=[
            OpenApiParameter(HEADER, str, OpenApiParameter.HEADER, description="The id of the last event you have."),
        ],
        responses={
            200: EventsShape,
            (200, "text/event-stream"): OpenApiResponse(
                EVENT, "The same events as they come: each with its type and its `data`, and an id to go on behind it."
            ),
            **problems(*LISTING, 422),
        },
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Streams the changes in your games since the last event that you have; without one, how each game stands."""
        try:
            changes = Changes(person(request), request.headers.get(HEADER, ""))
        except NotACursor as error:
            message = _("This isn't the id of an event of yours. Leave the header out to begin with the present.")
            raise ValidationError({HEADER: [message]}) from error
        if not isinstance(request.accepted_renderer, EventRenderer):
            events = changes.look()
            lines = [{"event": event.name, "data": event.data} for event in events]
            return Response({"items": lines, "last": changes.position, "is_complete": not changes.is_behind})
        token = request.auth.pk if isinstance(request.auth, ApiToken) else None
        wanted = Wanted(changes, token, translation.get_language() or settings.LANGUAGE_CODE)
        if (elsewhere := holder.get()) is None:
            return stream_of(ThreadStream(_pieces(wanted), changes.user.pk))
        first = START + as_stream(changes)
        if not elsewhere.hold(wanted):
            raise too_many_streams()
        return stream_of([first])


def _pieces(wanted: Wanted) -> Iterator[bytes]:
    """The stream in a thread of a web process, for some seconds."""
    yield START
    end, changes = time.monotonic() + settings.API_STREAM_SECONDS, wanted.changes
    while True:
        with translation.override(wanted.language):
            yield as_stream(changes)
        if time.monotonic() >= end and not changes.is_behind:
            return
        time.sleep(0 if changes.is_behind else PAUSE)
        if wanted.token is not None and not tokens.find_usable({wanted.token}):
            return
