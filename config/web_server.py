"""What Gunicorn is told beside its command line: each web process says that it lives, so that an outage is known."""

import logging
import threading
from typing import Any

from django.db import connections

logger = logging.getLogger(__name__)

BEAT_SECONDS = 15.0


def post_worker_init(worker: Any) -> None:
    """Gunicorn calls this in every web process once it serves."""
    threading.Thread(target=_beat_for_ever, name="heartbeat", daemon=True).start()


def _beat_for_ever() -> None:
    pause = threading.Event()
    while True:
        beat_once()
        pause.wait(BEAT_SECONDS)


def beat_once() -> bool:
    """One heartbeat on a connection of its own; an error is logged, never raised. Returns whether there was none."""
    from games.services import outages
    from notifications.clock import present

    try:
        outages.beat_of_web(present.now())
    except Exception:
        logger.exception("the web's heartbeat failed")  # the next one may succeed
        return False
    finally:
        connections.close_all()
    return True
