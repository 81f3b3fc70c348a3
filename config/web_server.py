"""Gunicorn's settings and hooks (https://gunicorn.org/reference/settings/), beside what stands on its command line.

A web process says that it lives, so that an outage is known, and writes down what it has noted meanwhile. What all of
them have loaded is left alone by the garbage collector.
"""

import gc
import logging
import threading
from typing import Any

from django.conf import settings
from django.db import connections

from config import database_limits, health_port

worker_class = "gthread"

logger = logging.getLogger(__name__)

BEAT_SECONDS = 15.0
LAST_SECONDS = 2.0  # for what is noted to be written down at the end


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
    from games.operations import request_counts
    from games.timing import outages
    from notifications.clock import present

    try:
        outages.beat_of_web(present.now())
        request_counts.write_down()
    except Exception:
        logger.exception("the web's heartbeat failed")  # the next one may succeed
        return False
    finally:
        connections.close_all()
    return True
