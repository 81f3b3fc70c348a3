"""The client of docs/examples, beside a server that says what a test has written down."""

import importlib
import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.servers import free_port

EXAMPLES = Path(__file__).resolve().parents[3] / "docs" / "examples"
GONE = (502, {}, "")  # what Caddy says when the web has died in the middle of a request
BUSY = (503, {"Retry-After": "7"}, "")
DONE = (200, {}, json.dumps({"happened": []}))


class Scripted(HTTPServer):
    """Says one thing after the other, and keeps what it was sent."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Reader)
        self.script: list[tuple[int, dict[str, str], str]] = []
        self.keys: list[str] = []
        self.last_ids: list[str] = []
        self.paths: list[str] = []


class Reader(BaseHTTPRequestHandler):
    server: Scripted

    def do_GET(self) -> None:
        """The next line of the script."""
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        self.server.keys.append(self.headers["Idempotency-Key"])
        self.server.paths.append(self.path)
        self.server.last_ids.append(self.headers["Last-Event-ID"])
        status, headers, body = self.server.script.pop(0)
        self.send_response(status)
        for name, value in (headers | {"Content-Length": str(len(body))}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body.encode())

    def do_POST(self) -> None:
        """The same."""
        self.do_GET()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


@pytest.fixture
def server() -> Iterator[Scripted]:
    with Scripted() as made:
        threading.Thread(target=made.serve_forever, args=(0.01,), daemon=True).start()
        yield made
        made.shutdown()


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(sys, "path", [str(EXAMPLES), *sys.path])
    return importlib.import_module("caravanserai")


@pytest.fixture
def waits(module: Any, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long it waited before each other try."""
    waited: list[float] = []
    monkeypatch.setattr(module.time, "sleep", waited.append)
    return waited


@pytest.fixture
def client(module: Any, waits: list[float], server: Scripted) -> Iterator[Any]:
    with module.Caravanserai(f"http://127.0.0.1:{server.server_port}", "crv_secret") as made:
        yield made


def test_an_answer_that_a_proxy_lost_is_sent_again_under_its_key(
    client: Any, server: Scripted, waits: list[float]
) -> None:
    server.script = [GONE, (504, {}, "<h1>late</h1>"), (503, {}, ""), DONE]
    assert client.answer("ABC", "q1", {"type": "pass"}) == {"happened": []}
    assert len(server.keys) == 4
    assert len(set(server.keys)) == 1
    assert waits == [1.0, 2.0, 4.0]


def test_what_has_no_key_is_not_sent_twice(client: Any, server: Scripted, module: Any) -> None:
    server.script = [GONE, DONE]
    with pytest.raises(module.Refused) as caught:
        client.start("ABC")
    assert (caught.value.status, caught.value.code, str(caught.value)) == (502, "no-json", "502 Bad Gateway")
    assert len(server.keys) == 1


def test_it_gives_up_in_the_end_and_says_what_it_was_told(client: Any, server: Scripted, module: Any) -> None:
    server.script = [(502, {}, "<h1>gone</h1>")] * module.TRIES
    with pytest.raises(module.Refused, match="<h1>gone</h1>"):
        client.me()
    assert server.script == []


def test_it_waits_as_long_as_it_is_asked_to(client: Any, server: Scripted, waits: list[float]) -> None:
    server.script = [BUSY, DONE]
    assert client.start("ABC") == {"happened": []}
    assert waits == [7.0]


def test_a_page_in_place_of_data_is_no_answer(client: Any, server: Scripted, module: Any) -> None:
    server.script = [(200, {}, "<h1>Welcome to our network</h1>")]
    with pytest.raises(module.Refused, match="Welcome") as caught:
        client.me()
    assert caught.value.code == "no-json"


def test_an_empty_reply_is_nothing(client: Any, server: Scripted) -> None:
    server.script = [(204, {}, "")]
    assert client.come_back("ABC") is None


def stream(*events: str) -> tuple[int, dict[str, str], str]:
    """What a connection that ends has told."""
    return (200, {"Content-Type": "text/event-stream"}, "retry: 2000\n\n" + "".join(events))


def told_of(server: Scripted, address: str = "") -> tuple[int, dict[str, str], str]:
    """What `GET me/` says of where the stream is."""
    return (200, {}, json.dumps({"events_url": address or f"http://127.0.0.1:{server.server_port}/events"}))


ENDED = (401, {}, json.dumps({"code": "not-signed-in"}))


def test_it_goes_on_listening_behind_the_last_id_when_a_stream_ends(
    client: Any, server: Scripted, waits: list[float], module: Any
) -> None:
    first = stream('event: game\ndata: {"game_ref": "ABC"}\n\n', "event: ready\nid: one\ndata: {}\n\n", ":\n\n")
    lost = stream('event: gone\nid: lost\ndata: {"game_ref":')
    last = stream('event: gone\nid: two\ndata: {"game_ref": "ABC"}\n\n')
    server.script = [told_of(server), first, lost, last, ENDED]
    events = client.events()
    told = [next(events) for _nth in range(3)]
    assert [event["event"] for event in told] == ["game", "ready", "gone"] and told[2]["data"] == {"game_ref": "ABC"}
    with pytest.raises(module.Refused) as caught:
        next(events)
    assert caught.value.code == "not-signed-in"
    assert server.last_ids == [None, None, "one", "one", "two"]
    assert waits == [0.0, 2.0, 4.0, 2.0]


@pytest.mark.parametrize("refusal", [GONE, (404, {}, "<h1>nothing here</h1>"), (200, {}, "<h1>another program</h1>")])
def test_it_asks_again_where_the_stream_is_when_it_is_not_there(
    client: Any, server: Scripted, waits: list[float], refusal: tuple[int, dict[str, str], str]
) -> None:
    server.script = [told_of(server), refusal, told_of(server), stream("event: ready\nid: one\ndata: {}\n\n")]
    assert next(client.events())["event"] == "ready"
    assert server.script == [] and waits == [0.0, 2.0]


def test_it_asks_again_where_the_stream_is_when_nobody_listens_there(client: Any, server: Scripted) -> None:
    moved = told_of(server, f"http://127.0.0.1:{free_port()}/events")
    server.script = [moved, told_of(server), stream("event: ready\nid: one\ndata: {}\n\n")]
    assert next(client.events())["event"] == "ready"


def test_it_goes_on_trying_while_the_whole_service_is_away(client: Any, server: Scripted, module: Any) -> None:
    away = [GONE] * (1 + module.TRIES)
    server.script = [told_of(server), *away, told_of(server), stream("event: ready\nid: one\ndata: {}\n\n")]
    assert next(client.events())["event"] == "ready"


def test_one_that_is_started_again_goes_on_where_it_was(
    module: Any, server: Scripted, waits: list[float], tmp_path: Path
) -> None:
    site, place = f"http://127.0.0.1:{server.server_port}", tmp_path / "place"
    told = stream("event: ready\nid: one\ndata: {}\n\n", 'event: gone\nid: two\ndata: {"game_ref": "ABC"}\n\n')
    server.script = [told_of(server), told]
    with module.Caravanserai(site, "crv_secret", place) as client:
        events = client.events()
        assert [next(events)["event"] for _nth in range(2)] == ["ready", "gone"]
    assert place.read_text() == "one", "the second was not dealt with to its end"
    server.script = [told_of(server), stream("event: ready\nid: three\ndata: {}\n\n"), ENDED]
    with module.Caravanserai(site, "crv_secret", place) as client, pytest.raises(module.Refused):
        list(client.events())
    assert server.last_ids == [None, None, None, "one", "three"] and place.read_text() == "three"


@pytest.mark.parametrize("status", [301, 308])
def test_it_goes_along_where_the_service_has_moved(client: Any, server: Scripted, status: int) -> None:
    moved = (status, {"Location": f"http://127.0.0.1:{server.server_port}/new/api/v1/games/ABC/decisions/q1/"}, "")
    server.script = [moved, DONE, DONE]
    assert client.answer("ABC", "q1", {"type": "pass"}) == {"happened": []}
    assert len(set(server.keys)) == 1 and server.keys[0], "it is sent again in the same way, under its key"
    client.start("ABC")
    assert server.paths[1:] == ["/new/api/v1/games/ABC/decisions/q1/", "/new/api/v1/games/ABC/start/"]


def test_it_does_not_run_after_a_service_that_moves_without_end(client: Any, server: Scripted, module: Any) -> None:
    moved = (308, {"Location": f"http://127.0.0.1:{server.server_port}/api/v1/me/"}, "")
    server.script = [moved] * module.MOVES
    with pytest.raises(module.Refused) as caught:
        client.me()
    assert caught.value.status == 308 and server.script == []
