"""Gunicorn's settings, hooks and worker (https://gunicorn.org/reference/settings/)."""

import gc
import logging
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connections
from gunicorn.workers.gthread import ThreadWorker

from config import health_port
from config.database import former, limits

# Ends requests that do not get on: whoever sends one slowly, or never the whole of it, must not keep a thread.

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
        threading.Thread(target=_watch_requests, name="half-open requests", daemon=True).start()
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


def _watch_requests() -> None:
    pause = threading.Event()
    while not pause.wait(LOOK):
        with _lock:  # so that no connection is another one's by the time it is cut off
            for end, connection in _ends.values():
                if end < time.monotonic():
                    with suppress(OSError):  # the client may have gone
                        connection.shutdown(socket.SHUT_RDWR)  # its thread reads the end of the request


worker_class = BoundedWorker
workers = settings.WEB_PROCESSES  # they share what one has loaded
threads = max(4, 8 // workers)
keepalive = 15  # seconds: longer than clients keep an idle connection, so that none sends into one that is just closed
preload_app = True
control_socket_disable = True

logger = logging.getLogger(__name__)

BEAT_SECONDS = 15.0
LAST_SECONDS = 2.0  # for the last heartbeat and counts to be stored


def on_starting(_server: object) -> None:
    """Gunicorn calls this once everything is loaded before it listens."""
    try:
        former.connect_once()
    except ImproperlyConfigured as error:
        sys.exit(f"{error}")


def when_ready(_server: object) -> None:
    """Gunicorn calls this once everything is loaded before it forks.

    Freezes the loaded objects: a full collection of them delayed one in a few hundred requests by a tenth of a second,
    and wrote to shared memory, which cost each process 25 MB of its own. The higher thresholds collect the objects of
    requests once for several requests instead of several times in each; nearly all are freed without it.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)


def post_worker_init(_worker: object) -> None:
    """Gunicorn calls this in every web process once it serves."""
    limits.limit_process()
    if settings.HEALTH_LISTEN:
        health_port.start(settings.HEALTH_LISTEN)
    threading.Thread(target=_beat_for_ever, name="heartbeat", daemon=True).start()


def worker_exit(_server: object, _worker: object) -> None:
    """Gunicorn calls this in a web process that has answered its last request.

    Waits for the last heartbeat in a thread, so that a database that does not answer delays the end only briefly.
    """
    last = threading.Thread(target=beat_once, name="last heartbeat", daemon=True)
    last.start()
    last.join(LAST_SECONDS)


def _beat_for_ever() -> None:
    pause = threading.Event()
    while True:
        beat_once()
        pause.wait(BEAT_SECONDS)


def beat_once() -> bool:
    """Records one heartbeat on a connection of its own. Logs errors; returns whether there was none."""
    from games.play import deadline_rule
    from games.web import request_counts
    from notifications.clock import present

    try:
        deadline_rule.beat_of_web(present.now())
        request_counts.store_request_counts()
    except Exception:
        logger.exception("the web's heartbeat failed")  # the next one may succeed
        return False
    finally:
        connections.close_all()
    return True
