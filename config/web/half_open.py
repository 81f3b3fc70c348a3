"""Ends requests that do not get on: whoever sends one slowly, or never the whole of it, must not keep a thread.

Gunicorn's threads wait without end for the rest of a request that has begun. The proxy of deploy/ waits for whole
requests itself; a web without one is reached directly.
"""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.conf import settings
from gunicorn.workers.gthread import ThreadWorker

HEAD_SECONDS = 10.0  # until the head of a request has come
REST_SECONDS = 65.0  # and then, beside the seconds of an event stream, until it is read and answered
LOOK = 1.0  # seconds between two looks at all of them

_ends: dict[int, tuple[float, socket.socket]] = {}
"""When the request of each thread is cut off, by the thread's identity."""
_lock = threading.Lock()


class BoundedWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn ships no types
    """Gunicorn's worker of threads, each of whose requests has an end."""

    def init_process(self) -> None:
        """Starts the watch in the process that was forked, and serves."""
        threading.Thread(target=_watch, name="half-open requests", daemon=True).start()
        super().init_process()

    def handle(self, conn: Any) -> object:
        """Reads and answers one request in a thread."""
        with _bounded(conn.sock):
            return super().handle(conn)


def pre_request(_worker: object, _request: object) -> None:
    """Gunicorn calls this in the thread that has read the head of a request."""
    end = time.monotonic() + settings.API_STREAM_SECONDS + REST_SECONDS
    with _lock:
        _end, connection = _ends[threading.get_ident()]
        _ends[threading.get_ident()] = (end, connection)


@contextmanager
def _bounded(connection: socket.socket) -> Iterator[None]:
    with _lock:
        _ends[threading.get_ident()] = (time.monotonic() + HEAD_SECONDS, connection)
    try:
        yield
    finally:
        with _lock:
            del _ends[threading.get_ident()]


def _watch() -> None:
    pause = threading.Event()
    while not pause.wait(LOOK):
        with _lock:  # so that no connection is another one's by the time it is cut off
            for end, connection in _ends.values():
                if end < time.monotonic():
                    with suppress(OSError):  # the client may have gone
                        connection.shutdown(socket.SHUT_RDWR)  # its thread reads the end of the request
