"""A real HTTP server on loopback that answers as a test wants it to."""

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Server:
    """What the server got, and what it answers.

    While `answers` is not set it takes requests and says nothing. `drip` never ends its answer, one byte at a time
    until `stop`. `raw` is all that is said, HTTP or not.
    """

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b"ok"
    drip: bytes = b""
    raw: bytes | None = None
    endless: bool = False
    requests: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    patched: list[str] = field(default_factory=list)
    written: int = 0
    port: int = 0
    url: str = ""
    answers: threading.Event = field(default_factory=threading.Event)
    stop: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.answers.set()


@contextlib.contextmanager
def running_web() -> Iterator[Server]:
    """Run a server on a port of its own."""
    state = Server()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"state": state}))
    server.daemon_threads = True
    state.port = server.server_address[1]
    state.url = f"http://127.0.0.1:{state.port}/hook/s3cret"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        state.stop.set()
        state.answers.set()
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    state: Server

    def do_PATCH(self) -> None:
        self.state.patched.append(self.path)
        self.do_POST()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.state.requests.append((self.path, dict(self.headers.items()), body))
        self.state.answers.wait()
        with contextlib.suppress(OSError):
            if self.state.raw is not None:
                self.wfile.write(self.state.raw)
            elif self.state.drip:
                self._drip()
            else:
                self._answer()

    def _answer(self) -> None:
        state = self.state
        self.send_response(state.status)
        for name, value in state.headers.items():
            self.send_header(name, value)
        self.end_headers()
        while not state.stop.is_set():
            self.wfile.write(state.body)
            state.written += len(state.body)
            if not state.endless:
                break

    def _drip(self) -> None:
        self.wfile.write(self.state.drip)
        while not self.state.stop.wait(0.02):
            self.wfile.write(b"x")

    def log_message(self, *args: Any) -> None:
        """Say nothing."""
