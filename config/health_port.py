"""Answers `/healthz` on a port and in a thread of its own in each web process.

On the web's port it would queue behind requests while all threads wait for the database, and a monitor would take the
process for dead. It says only that the process runs.
"""

import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from django.conf import settings

PATH = "/healthz"


class HealthHandler(BaseHTTPRequestHandler):
    """Answers GET and HEAD for `/healthz`, and 404 to the rest."""

    timeout = 5  # seconds for a client that connects and sends nothing

    def do_GET(self) -> None:
        """The answer with its body."""
        self._send(is_whole=True)

    def do_HEAD(self) -> None:
        """The answer without its body."""
        self._send(is_whole=False)

    def log_message(self, *_: object) -> None:
        """Logs nothing: monitors ask every few seconds."""

    def _send(self, *, is_whole: bool) -> None:
        if self.path != PATH:
            self.send_error(404)
            return
        answer = f"ok {settings.VERSION}".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        if is_whole:
            self.wfile.write(answer)


class HealthServer(ThreadingHTTPServer):
    """Shares its port with the other web processes of its machine; the kernel chooses which one answers."""

    daemon_threads = True
    allow_reuse_port = True

    def __init__(self, host: str, port: int) -> None:
        if ":" in host:
            self.address_family = socket.AF_INET6
        super().__init__((host, port), HealthHandler)


def start(address: str) -> HealthServer:
    """Starts to answer in a thread of its own.

    Arguments:
        address: host and port, such as "127.0.0.1:8100" or "[::1]:8100".
    Raises OSError if it cannot listen there, ValueError if it is no address.
    """
    host, _colon, port = address.rpartition(":")
    server = HealthServer(host.strip("[]"), int(port))
    threading.Thread(target=server.serve_forever, name="health", daemon=True).start()
    return server
