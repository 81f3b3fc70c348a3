"""Many streams in one process: who is fed, who is ended, and what the server says of it."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from asgiref.testing import ApplicationCommunicator
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import DatabaseError, OperationalError, close_old_connections

from games.api import stream_server
from games.api.stream_server import Hub, OpenStream, StreamServer
from games.api.streams import Changes, StreamEvent, Wanted, holder
from games.lobby import invitations
from games.models import ApiToken, Game, User
from games.people import tokens
from games.play import table_talk
from games.play.models import Decision
from notifications.clock import present
from tests.games.api.conftest import Program
from tests.games.conftest import answer, new_table, open_rows, seat_of, settle

PATH = "/api/v1/me/events/"
Programs = Callable[[User], Program]


@pytest.fixture(autouse=True)
def _at_noon(now: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(present, "now", lambda: now)


@pytest.fixture(autouse=True)
def _connection_stays_open() -> Iterator[None]:
    """Requests leave the test's connection open, as Django's own client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def key_of(program: Program) -> int:
    return ApiToken.objects.get(digest=tokens.digest(program.token)).pk


@pytest.fixture
def hub() -> Hub:
    """One that looks when it is told to."""
    return Hub()


def held_by(hub: Hub, program: Program, user: User) -> tuple[OpenStream, list[bytes | None]]:
    """A stream of this account that has been told how everything stands, and what it is sent from now on."""
    sent: list[bytes | None] = []
    changes = Changes(user)
    changes.look()
    held = OpenStream(Wanted(changes, key_of(program), "en"), sent.append)
    assert hub.add(held)
    hub.look()
    return held, sent


def kinds(sent: list[bytes | None]) -> list[str]:
    return [line[7:] for piece in sent for line in (piece or b"").decode().split("\n") if line.startswith("event: ")]


def test_whose_game_has_changed_is_told_and_nobody_else(
    game: Game, anna: User, david: User, program: Programs, hub: Hub, now: Any
) -> None:
    _annas, annas = held_by(hub, program(anna), anna)
    _davids, davids = held_by(hub, program(david), david)
    hub.look()
    assert annas == davids == []
    for row in open_rows(game):
        answer(game, row, now)
    settle(now)
    hub.look()
    assert set(kinds(annas)) == {"log", "game"} and annas[-1] and b"\nid: " in annas[-1]
    assert davids == []


def rename(game: Game, anna: User, ben: User, now: Any) -> None:
    seat = seat_of(game, ben)
    seat.status = seat.Status.ABSENT
    seat.save()


CHANGES: dict[str, Callable[[Game, User, User, Any], object]] = {
    "talk": lambda game, anna, ben, now: table_talk.say(game_id=game.pk, user=ben, text="Hello", now=now),
    "a pause": lambda game, anna, ben, now: Game.objects.filter(pk=game.pk).update(paused_at=now),
    "another deadline": lambda game, anna, ben, now: Decision.objects.filter(game=game).update(due_at=now),
    "a seat": rename,
    "an invitation": lambda game, anna, ben, now: invitations.invite(
        game_id=new_table(ben, now).pk, host=ben, address=anna.email, now=now
    ),
    "a new table": lambda game, anna, ben, now: new_table(anna, now),
    "the end": lambda game, anna, ben, now: Game.objects.filter(pk=game.pk).update(status="closed", finished_at=now),
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_quick_look_sees_everything_that_a_stream_tells(
    game: Game, anna: User, ben: User, program: Programs, hub: Hub, now: Any, change: str
) -> None:
    _held, sent = held_by(hub, program(anna), anna)
    CHANGES[change](game, anna, ben, now)
    hub.look()
    assert kinds(sent)


def test_a_quiet_stream_gets_an_empty_line_now_and_then(game: Game, anna: User, program: Programs, hub: Hub) -> None:
    held, sent = held_by(hub, program(anna), anna)
    held.told_at -= stream_server.HEARTBEAT
    hub.look()
    hub.look()
    assert sent == [b":\n\n"]


def test_a_revoked_token_a_closed_account_and_a_resting_bot_end_their_streams(
    game: Game, anna: User, ben: User, program: Programs, hub: Hub, now: Any
) -> None:
    held, sent = held_by(hub, program(anna), anna)
    _other, other = held_by(hub, program(ben), ben)
    tokens.revoke(user=anna, ref=ApiToken.objects.get(pk=held.wanted.token).ref, now=now)
    hub.look()
    assert (sent, other) == ([None], [])
    User.objects.filter(pk=ben.pk).update(is_active=False)
    hub.look()
    assert other == [None] and hub.add(held), "both places are free again"


@pytest.mark.parametrize("fault", [ValueError, DatabaseError])
def test_a_stream_that_cannot_be_fed_ends_and_the_others_are_fed(
    game: Game,
    anna: User,
    ben: User,
    program: Programs,
    hub: Hub,
    monkeypatch: pytest.MonkeyPatch,
    now: Any,
    fault: type[Exception],
) -> None:
    held, annas = held_by(hub, program(anna), anna)
    _other, bens = held_by(hub, program(ben), ben)

    def break_off() -> list[StreamEvent]:
        raise fault

    monkeypatch.setattr(held.wanted.changes, "look", break_off)
    table_talk.say(game_id=game.pk, user=anna, text="Hello", now=now)
    for _look in range(2):  # a database that is away ends one look
        with suppress(DatabaseError):
            hub.look()
    assert annas == [None] and kinds(bens) == ["talk"]


def test_there_is_room_for_so_many_of_all_and_of_each(
    anna: User, ben: User, program: Programs, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_server, "MOST_STREAMS", 4)
    monkeypatch.setattr(stream_server, "MOST_OF_ONE", 3)
    annas, bens = program(anna), program(ben)
    for _nth in range(3):
        held, _sent = held_by(hub, annas, anna)
    assert not hub.add(OpenStream(held.wanted, print))
    other, _sent = held_by(hub, bens, ben)
    assert not hub.add(OpenStream(other.wanted, print))
    hub.remove(held)
    assert hub.add(OpenStream(other.wanted, print))


Talk = Callable[[ApplicationCommunicator], Awaitable[None]]


def converse(hub: Hub, headers: dict[str, str], talk: Talk, path: str = PATH) -> None:
    """Asks the server for a stream, in one thread with what the database holds."""
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "path": path,
        "query_string": b"",
        "headers": [
            (name.lower().encode(), value.encode()) for name, value in {"Host": "localhost", **headers}.items()
        ],
    }

    async def ask() -> None:
        connection = ApplicationCommunicator(StreamServer(get_wsgi_application(), PATH, hub), scope)
        await connection.send_input({"type": "http.request", "body": b""})
        await talk(connection)

    async_to_sync(ask)()


async def until(connection: ApplicationCommunicator, part: bytes) -> dict[str, Any]:
    """What has been sent when this part of it comes."""
    start: dict[str, Any] = await connection.receive_output(5)
    body = b""
    while part not in body:
        message = await connection.receive_output(5)
        body += message.get("body", b"")
    return {"status": start["status"], "headers": dict(start["headers"]), "body": body}


def test_the_server_tells_what_happens_until_the_client_is_gone(
    game: Game, anna: User, annas: Program, hub: Hub, now: Any
) -> None:
    async def talk(connection: ApplicationCommunicator) -> None:
        first = await until(connection, b"event: ready")
        assert (first["status"], first["headers"][b"content-type"][:17]) == (200, b"text/event-stream")
        assert b"content-encoding" not in first["headers"] and b"content-length" not in first["headers"]
        await sync_to_async(table_talk.say)(game_id=game.pk, user=anna, text="Hello", now=now)
        await sync_to_async(hub.look)()
        told = await connection.receive_output(5)
        while b"event: talk" not in told.get("body", b""):
            told = await connection.receive_output(5)
        assert told["more_body"]
        await connection.send_input({"type": "http.disconnect"})
        await connection.wait(5)

    converse(hub, annas.headers | {"Accept": "text/event-stream", "Accept-Encoding": "gzip"}, talk)
    assert not hub._all()


def test_a_stream_that_the_hub_ends_is_ended_in_order(game: Game, annas: Program, hub: Hub) -> None:
    async def talk(connection: ApplicationCommunicator) -> None:
        await until(connection, b"event: ready")
        hub.stop()
        last = await connection.receive_output(5)
        while last.get("more_body"):
            last = await connection.receive_output(5)
        assert not last.get("body")
        await connection.wait(5)

    converse(hub, annas.headers | {"Accept": "text/event-stream"}, talk)


@pytest.mark.parametrize(
    ("headers", "path", "status", "code"),
    [
        ({}, PATH, 401, "not-signed-in"),
        ({"Authorization": "Bearer crv_x"}, PATH, 401, "not-signed-in"),
        ({"Last-Event-ID": "7"}, PATH, 422, "invalid"),
        ({}, "/api/v1/me/", 404, "not-found"),
        ({}, "/", 404, "not-found"),
    ],
)
def test_the_server_refuses_as_every_web_process_does(
    annas: Program, hub: Hub, headers: dict[str, str], path: str, status: int, code: str
) -> None:
    async def talk(connection: ApplicationCommunicator) -> None:
        said = await until(connection, b"}")
        assert (said["status"], said["headers"][b"content-type"]) == (status, b"application/problem+json")
        assert json.loads(said["body"])["code"] == code
        await connection.wait(5)

    signed = annas.headers if "Last-Event-ID" in headers else {}
    converse(hub, signed | headers | {"Accept": "text/event-stream"}, talk, path)
    assert not hub._all()


@pytest.mark.parametrize(
    ("host", "fault", "status", "code"),
    [
        ("elsewhere.example", None, 400, "malformed"),
        ("localhost", OperationalError, 503, "unavailable"),
        ("localhost", ValueError, 500, "broken"),
    ],
)
def test_what_goes_wrong_is_a_problem_in_a_process_without_pages_too(
    annas: Program,
    hub: Hub,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    host: str,
    fault: type[Exception] | None,
    status: int,
    code: str,
) -> None:
    def break_off(_changes: Changes) -> list[StreamEvent]:
        assert fault is not None
        raise fault

    async def talk(connection: ApplicationCommunicator) -> None:
        said = await until(connection, b"}")
        assert (said["status"], said["headers"][b"content-type"]) == (status, b"application/problem+json")
        assert json.loads(said["body"])["code"] == code
        await connection.wait(5)

    settings.ROOT_URLCONF = "config.streams.urls"
    monkeypatch.setattr(Changes, "look", break_off)
    converse(hub, annas.headers | {"Host": host, "Accept": "text/event-stream"}, talk)


def test_when_all_places_are_taken_it_says_when_to_come_back(
    annas: Program, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_server, "MOST_OF_ONE", 0)

    async def talk(connection: ApplicationCommunicator) -> None:
        said = await until(connection, b"}")
        assert (said["status"], said["headers"][b"retry-after"]) == (429, b"6")
        await connection.wait(5)

    converse(hub, annas.headers | {"Accept": "text/event-stream"}, talk)


def test_nothing_is_held_for_a_client_that_has_left_before_its_answer(hub: Hub, anna: User) -> None:
    is_asked, has_left = threading.Event(), threading.Event()
    answered: list[bool] = []

    def slow(environ: Any, start_response: Any) -> list[bytes]:
        is_asked.set()
        assert has_left.wait(5)
        held_here = holder.get()
        assert held_here is not None
        answered.append(held_here.hold(Wanted(Changes(anna), None, "en")))
        return []

    async def leave() -> None:
        server = StreamServer(slow, PATH, hub)
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "GET",
            "path": PATH,
            "query_string": b"",
            "headers": [],
        }
        connection = ApplicationCommunicator(server, scope)
        await connection.send_input({"type": "http.request", "body": b""})
        assert await asyncio.to_thread(is_asked.wait, 5)
        connection.stop(exceptions=False)
        with suppress(asyncio.CancelledError):
            await connection.wait(5)
        has_left.set()
        await sync_to_async(lambda: None)()  # behind it in the same thread

    asyncio.run(leave())
    assert answered and not hub._all()


def test_the_hub_starts_and_ends_with_its_server(hub: Hub) -> None:
    async def live() -> None:
        server = ApplicationCommunicator(StreamServer(get_wsgi_application(), PATH, hub), {"type": "lifespan"})
        await server.send_input({"type": "lifespan.startup"})
        assert await server.receive_output(5) == {"type": "lifespan.startup.complete"}
        assert hub._thread is not None and hub._thread.is_alive()
        await server.send_input({"type": "lifespan.shutdown"})
        assert await server.receive_output(5) == {"type": "lifespan.shutdown.complete"}
        assert not hub._thread.is_alive()

    asyncio.run(live())


def test_an_event_is_written_as_the_standard_has_it() -> None:
    assert StreamEvent("gone", {"game": "a\nb"}).as_bytes("x") == b'event: gone\nid: x\ndata: {"game":"a\\nb"}\n\n'
