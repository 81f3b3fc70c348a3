"""What Gunicorn is told beside its command line: each web process answers one request after another as long as that
gets on, says that it lives, so that an outage is known, writes down what it has noted meanwhile, and leaves in peace
what all of them have loaded."""

import gc
import logging
import socket
import threading
import time
from concurrent.futures import Executor
from typing import Any

from django.conf import settings
from django.db import connections
from gunicorn.workers.gthread import ThreadWorker

from config import database_limits, health_port
from config.thread_pool import OneAtATime

logger = logging.getLogger(__name__)

BEAT_SECONDS = 15.0
COURTESY_SECONDS = 0.001
LAST_SECONDS = 2.0  # for what is noted to be written down at the end


class WebProcess(ThreadWorker):  # type: ignore[misc]  # Gunicorn has no types
    """Gunicorn's process with threads, as many of them as `--threads` says."""

    def get_thread_pool(self) -> Executor:
        """Gunicorn asks for it in each web process."""
        return OneAtATime(self.cfg.threads)

    def init_process(self) -> None:
        """Gunicorn calls this in each web process, for all its life. What has been begun is answered before it ends,
        unless it is killed: so it is with Gunicorn's own threads, for which Python waits."""
        try:
            super().init_process()
        finally:
            if self.tpool is not None:
                self.tpool.shutdown()

    def accept(self, listener: socket.socket) -> None:
        """Gunicorn calls this for a new connection, in each process that could take it.

        One that is at something leaves it to another for a moment: connections are kept, and whose they are decides
        who answers what comes on them.
        """
        if self.tpool.is_busy:
            time.sleep(COURTESY_SECONDS)
        super().accept(listener)


worker_class = WebProcess


def when_ready(server: Any) -> None:
    """Gunicorn calls this once all is loaded (`--preload`), before it forks.

    What is loaded stays: a full collection looked at all of it every few hundred requests, and held up one of them for
    a tenth of a second. Nor does it write any more into memory that the processes share: each has 25 MB less of its
    own. And what a request makes, nearly all of which needs no collection, is looked through once for some of them
    instead of several times in each.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)


def post_worker_init(worker: Any) -> None:
    """Gunicorn calls this in every web process once it serves."""
    database_limits.limit_process()
    if settings.HEALTH_LISTEN:
        health_port.start(settings.HEALTH_LISTEN)
    threading.Thread(target=_beat_for_ever, name="heartbeat", daemon=True).start()


def worker_exit(server: Any, worker: Any) -> None:
    """Gunicorn calls this in a web process that has answered its last request. A database that does not answer keeps
    it from ending for a moment only."""
    last = threading.Thread(target=beat_once, name="last heartbeat", daemon=True)
    last.start()
    last.join(LAST_SECONDS)


def _beat_for_ever() -> None:
    pause = threading.Event()
    while True:
        beat_once()
        pause.wait(BEAT_SECONDS)


def beat_once() -> bool:
    """One heartbeat on a connection of its own; an error is logged, never raised. Returns whether there was none."""
    from games.services import outages, token_uses
    from notifications.clock import present

    try:
        outages.beat_of_web(present.now())
        token_uses.write_down()
    except Exception:
        logger.exception("the web's heartbeat failed")  # the next one may succeed
        return False
    finally:
        connections.close_all()
    return True
