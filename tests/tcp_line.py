"""A line between two programs that stops or loses what is sent over it, while both ends see an open connection.

A pooler that stops, a firewall that forgets a connection, packets that are lost: whoever waits at the other end hears
nothing, not even that nobody is there.
"""

import contextlib
import socket
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

CHUNK = 65536
TO_SERVER, TO_CLIENT = "to the server", "to the client"


class Line:
    """Accepts connections at `port` and connects each to the server.

    `stop` holds everything, new connections too, until `mend`; `lose` throws away what is sent one way until then.
    """

    def __init__(self, host: str, port: int) -> None:
        self._server = (host, port)
        self._runs = threading.Event()
        self._lost = ""
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self._ends: list[socket.socket] = []
        self.port: int = self._listener.getsockname()[1]
        self._runs.set()
        self._thread(self._accept)

    def stop(self) -> None:
        """Nothing is accepted or passed on any more."""
        self._runs.clear()

    def lose(self, way: str) -> None:
        """What is sent `TO_SERVER` or `TO_CLIENT` is lost."""
        self._lost = way

    def mend(self) -> None:
        """All is well; what was lost stays lost."""
        self._lost = ""
        self._runs.set()

    def close(self) -> None:
        """Ends the line and all connections over it."""
        self.mend()
        for end in (self._listener, *self._ends):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # the line is closed
            while True:
                client, _address = self._listener.accept()
                self._runs.wait()
                server = socket.create_connection(self._server)
                self._ends += (client, server)
                self._thread(self._pass_on, client, server, TO_SERVER)
                self._thread(self._pass_on, server, client, TO_CLIENT)

    def _pass_on(self, source: socket.socket, target: socket.socket, way: str) -> None:
        with contextlib.suppress(OSError):
            while said := source.recv(CHUNK):
                self._runs.wait()
                if way != self._lost:
                    target.sendall(said)
            self._runs.wait()
            target.shutdown(socket.SHUT_WR)

    def _thread(self, life: object, *given: object) -> None:
        threading.Thread(target=life, args=given, daemon=True).start()  # type: ignore[arg-type]


@contextlib.contextmanager
def line_to(url: str) -> Iterator[tuple[Line, str]]:
    """A line to the server that a URL names, and the URL over the line."""
    parts = urlsplit(url)
    assert parts.hostname is not None and parts.port is not None
    line = Line(parts.hostname, parts.port)
    try:
        yield line, url.replace(f"@{parts.hostname}:{parts.port}/", f"@127.0.0.1:{line.port}/")
    finally:
        line.close()
