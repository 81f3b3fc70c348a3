"""Many streams in one thread: it looks for all of them at once, and tells those whose games have changed.

One look asks a few statements for all accounts together. They only tell whether an account is worth a look of its own,
which alone decides what it is told, and is taken from time to time in any case.
"""

import asyncio
import json
import logging
import threading
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable, MutableMapping
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, TypeAlias

from asgiref.wsgi import WsgiToAsgi
from django.db import Error, close_old_connections, connections
from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import translation

from games.api.streams import Wanted, as_stream, holder
from games.people import tokens
from games.people.blocks import unblocked
from games.play.models import Comment, Decision
from games.tables.models import ALIVE, Game
from games.tables.seats import Invitation, Seat

PAUSE = 1.0  # seconds between two looks for all
HEARTBEAT = 15.0  # seconds after which a stream that was told nothing is sent an empty line
FULL_LOOK = 300.0  # seconds after which each account is looked at though nothing seems to have changed
SESSION_SECONDS = 60.0  # a stream of a browser's session ends: what is good is asked again when it comes back
MOST_STREAMS, MOST_OF_ONE = 1000, 5
BEAT = b":\n\n"

logger = logging.getLogger(__name__)
Facts = tuple[object, ...]


@dataclass(eq=False)
class OpenStream:
    """One stream that is held open.

    Attributes:
        send: takes what is to be sent next; None ends the stream. Called in the hub's thread.
        facts: what its account's games looked like when it was looked at last.
    """

    wanted: Wanted
    send: Callable[[bytes | None], None]
    began_at: float = field(default_factory=time.monotonic)
    told_at: float = field(default_factory=time.monotonic)
    looked_at: float = field(default_factory=time.monotonic)
    facts: Facts | None = None

    @property
    def account(self) -> int:
        """The key of its account."""
        return self.wanted.changes.user.pk


class Hub:
    """Holds the streams of one process, and feeds them from a thread of its own."""

    def __init__(self) -> None:
        self._held: set[OpenStream] = set()
        self._lock = threading.Lock()
        self._has_any = threading.Event()
        self._ends = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begins to look."""
        self._thread = threading.Thread(target=self._run, name="streams", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends all streams, and the thread."""
        self._ends.set()
        self._has_any.set()
        for stream in self._all():
            stream.send(None)
        if self._thread is not None:
            self._thread.join()

    def add(self, stream: OpenStream) -> bool:
        """Takes a stream; returns False if there are too many, of all or of its account."""
        with self._lock:
            own = sum(other.account == stream.account for other in self._held)
            if self._ends.is_set() or len(self._held) >= MOST_STREAMS or own >= MOST_OF_ONE:
                return False
            self._held.add(stream)
        self._has_any.set()
        return True

    def remove(self, stream: OpenStream) -> None:
        """Forgets a stream that is over."""
        with self._lock:
            self._held.discard(stream)
            if not self._held and not self._ends.is_set():
                self._has_any.clear()

    def look(self) -> None:
        """Looks once for all.

        A stream that cannot be fed ends, and no other one does: what its look had found is lost, so its client has to
        come back with the last id it has. Raises the database's errors: the next look needs another connection.
        """
        streams = self._all()
        good = tokens.find_usable({stream.wanted.token for stream in streams if stream.wanted.token is not None})
        facts = facts_of({stream.account for stream in streams})
        for stream in streams:
            if not _may_go_on(stream, good):
                self._end(stream)
                continue
            try:
                self._feed(stream, facts[stream.account])
            except Exception as error:
                self._end(stream)
                if isinstance(error, Error):
                    raise
                logger.exception("a stream of account %s could not be fed", stream.account)

    def _end(self, stream: OpenStream) -> None:
        stream.send(None)
        self.remove(stream)

    def _all(self) -> list[OpenStream]:
        with self._lock:
            return list(self._held)

    def _run(self) -> None:
        while not self._ends.is_set():
            self._has_any.wait()
            try:
                close_old_connections()
                self.look()
            except Exception:
                logger.exception("streams could not be fed")  # the next look may succeed
                connections.close_all()
            self._ends.wait(PAUSE)

    def _feed(self, stream: OpenStream, facts: Facts) -> None:
        now, changes = time.monotonic(), stream.wanted.changes
        if stream.facts == facts and not changes.is_behind and now - stream.looked_at < FULL_LOOK:
            piece = b""
        else:
            stream.facts, stream.looked_at = facts, now
            with translation.override(stream.wanted.language):
                piece = as_stream(changes)
        if piece or now - stream.told_at >= HEARTBEAT:
            stream.told_at = now
            stream.send(piece or BEAT)


def _may_go_on(stream: OpenStream, good: Collection[int]) -> bool:
    if stream.wanted.token is None:
        return time.monotonic() - stream.began_at < SESSION_SECONDS
    return stream.wanted.token in good


def facts_of(accounts: Collection[int]) -> defaultdict[int, Facts]:
    """Reads facts that change whenever these accounts may have news. They count sealed moves and are told nobody."""
    by_account: defaultdict[int, list[object]] = defaultdict(list)
    seats = Seat.objects.filter(user__in=accounts, game__in=Game.objects.filter(ALIVE))
    players: defaultdict[int, list[int]] = defaultdict(list)
    for account, game in seats.order_by("game_id").values_list("user_id", "game_id"):
        players[game].append(account)
    for key, *facts in (*_of_tables(seats), *_of_seats(seats)):
        for account in players[key]:
            by_account[account].append((key, facts))
    decisions = Decision.objects.filter(seat__in=seats, status=Decision.Status.OPEN)
    for account, *facts in decisions.order_by("pk").values_list("seat__user_id", "pk", "due_at", "is_automatic"):
        by_account[account].append(facts)
    invited = unblocked(Invitation.objects.filter(recipient__user__in=accounts, status=Invitation.Status.SENT))
    for account, *facts in invited.order_by("pk").values_list("recipient__user", "pk", "game__status", "seat__status"):
        by_account[account].append(facts)
    return defaultdict(tuple, {account: tuple(facts) for account, facts in by_account.items()})


def _of_tables(seats: QuerySet[Seat]) -> Iterable[tuple[Any, ...]]:
    newest = Comment.objects.filter(game=OuterRef("pk")).order_by("-pk").values("pk")[:1]
    games = Game.objects.filter(pk__in=seats.values("game")).annotate(said=Subquery(newest))
    return games.values_list("pk", "status", "seq", "public_events", "paused_at", "pause_ends_at", "hour_state", "said")


def _of_seats(seats: QuerySet[Seat]) -> Iterable[tuple[Any, ...]]:
    others = Seat.objects.filter(game__in=seats.values("game")).order_by("pk")
    return others.values_list(
        "game_id",
        "number",
        "user_id",
        "status",
        "wants_pause",
        "wants_end",
        "agrees_to_hour",
        "absent_wish",
        "seeks_successor",
        "name",
    )


# The ASGI application: Django answers the request as in every web process, so that tokens, limits and refusals are the
# same. A stream is then held by the hub instead of a thread

Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]

MOST_WAITING = 200  # pieces that a client may be behind; then its stream ends, and it comes back
ELSEWHERE = {
    "type": "about:blank",
    "title": HTTPStatus.NOT_FOUND.phrase,
    "status": HTTPStatus.NOT_FOUND,
    "code": "not-found",
    "detail": "Only the events of an account are here.",
}


class StreamServer:
    """The ASGI application.

    Arguments:
        django: the WSGI application that answers the requests.
        path: the address of the events; everything else is not found.
        hub: feeds the streams; it starts and stops with the server.
    """

    def __init__(self, django: Callable[..., Any], path: str, hub: Hub) -> None:
        self._django = WsgiToAsgi(django)  # type: ignore[no-untyped-call]  # it has no types
        self._path = path
        self._hub = hub

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answers one request, or follows the life of the server."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http" and scope["path"] == self._path:
            await _Connection(self._hub, send).answer(self._django, scope, receive)
        elif scope["type"] == "http":
            await _refuse(send)

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                self._hub.start()
                await send({"type": "lifespan.startup.complete"})
            else:
                await asyncio.to_thread(self._hub.stop)
                await send({"type": "lifespan.shutdown.complete"})
                return


async def _refuse(send: Send) -> None:
    headers = [(b"content-type", b"application/problem+json")]
    await send({"type": "http.response.start", "status": HTTPStatus.NOT_FOUND, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(ELSEWHERE).encode()})


class _Connection:
    """One request, and the stream that it may become."""

    def __init__(self, hub: Hub, send: Send) -> None:
        self._hub = hub
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._pieces: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._held: OpenStream | None = None
        self._is_over = False

    def hold(self, wanted: Wanted) -> bool:
        """Takes the stream; called in Django's thread, which goes on though the client has left meanwhile."""
        stream = OpenStream(wanted, self._put)
        if not self._hub.add(stream):
            return False
        self._held = stream
        if self._is_over:
            self._hub.remove(stream)
        return True

    async def answer(self, django: WsgiToAsgi, scope: Message, receive: Receive) -> None:
        """Sends what Django answers, and then the stream until it or the client ends."""
        holder.set(self)  # of this request's own context
        plain = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]  # no packed streams
        try:
            await django({**scope, "headers": plain}, receive, self._pass_on)
            if self._held is not None:
                await self._stream(receive)
        finally:
            self._is_over = True
            if self._held is not None:
                self._hub.remove(self._held)

    async def _pass_on(self, message: Message) -> None:
        """Sends a part of Django's answer; where a stream is held, its last part is not the last of all."""
        if message["type"] == "http.response.body" and self._held is not None:
            message = {**message, "more_body": True}
        await self._send(message)

    async def _stream(self, receive: Receive) -> None:
        gone = self._loop.create_task(self._wait_until_gone(receive))
        try:
            while (piece := await self._pieces.get()) is not None:
                await self._send({"type": "http.response.body", "body": piece, "more_body": True})
            with suppress(OSError):  # it may be the client that has ended it
                await self._send({"type": "http.response.body", "body": b""})
        finally:
            gone.cancel()

    async def _wait_until_gone(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._pieces.put_nowait(None)

    def _put(self, piece: bytes | None) -> None:
        """Called in the hub's thread."""
        with suppress(RuntimeError):  # the server has ended
            self._loop.call_soon_threadsafe(self._queue, piece)

    def _queue(self, piece: bytes | None) -> None:
        self._pieces.put_nowait(None if self._pieces.qsize() > MOST_WAITING else piece)
