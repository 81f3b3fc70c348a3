"""Gunicorn's settings and hooks (https://gunicorn.org/reference/settings/), beside the options of its command line.

Each web process records a heartbeat, by which outages are found, and stores its request counts. The garbage collector
ignores what was loaded before the fork.
"""

import gc
import logging
import threading

from django.conf import settings
from django.db import connections

from config.database import limits
from config.web import health_port
from config.web.half_open import BoundedWorker, pre_request  # noqa: F401  a hook of Gunicorn

worker_class = BoundedWorker

logger = logging.getLogger(__name__)

BEAT_SECONDS = 15.0
LAST_SECONDS = 2.0  # for the last heartbeat and counts to be stored


def when_ready(_server: object) -> None:
    """Gunicorn calls this once everything is loaded (`--preload`), before it forks.

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
    from games import metrics
    from games.play import deadline_rule
    from notifications.clock import present

    try:
        deadline_rule.beat_of_web(present.now())
        metrics.store_request_counts()
    except Exception:
        logger.exception("the web's heartbeat failed")  # the next one may succeed
        return False
    finally:
        connections.close_all()
    return True
