"""The worker's own clock: every worker polls the database, whether or not a broker can be reached."""

import logging
import os
import threading
import time
from pathlib import Path

from celery import bootsteps
from django.conf import settings
from django.db import connections

from config.database import limits

logger = logging.getLogger(__name__)

STOP_SECONDS = 15  # how long a stopping worker waits for the tick that is running
FORK_WAIT_SECONDS = 10  # how long a new pool process may wait for it


class Ticker(bootsteps.StartStopStep):
    """Runs `games.ticks.tick` every TICK_SECONDS in a thread of the worker's main process.

    It is a step of the worker, not of the consumer: the consumer is the last step and sits in its start until the
    worker ends, first of all waiting for the broker. The pool has forked by then; processes forked later, in place
    of old ones, wait for the tick to end, so that none of them inherits a database connection or a lock.
    """

    name = "ticker"
    requires = ("celery.worker.components:Pool",)

    def __init__(self, parent: object, **kwargs: object) -> None:
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        super().__init__(parent, **kwargs)

    def start(self, parent: object) -> None:
        """Called by the worker when its pool is up."""
        self._stop.clear()
        self._thread = threading.Thread(target=self._run, name="ticker", daemon=True)
        self._thread.start()

    def stop(self, parent: object) -> None:
        """Called by the worker when it ends: lets the running tick finish."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(STOP_SECONDS)

    terminate = stop

    def _run(self) -> None:
        logger.info("ticking every %s s", settings.TICK_SECONDS)
        while not self._stop.is_set():
            started = time.monotonic()
            tick_once()
            self._stop.wait(max(0.0, settings.TICK_SECONDS - (time.monotonic() - started)))


_ticking = threading.RLock()


def tick_once() -> bool:
    """Runs one tick on connections of its own. Logs errors instead of raising them; returns whether it succeeded."""
    from games.ticks import look_at_processes, tick
    from notifications.delivery.sending import deliver_side_by_side

    with _ticking, limits.limited():
        try:
            tick(deliver_side_by_side)
            look_at_processes()
        except Exception:
            # Whatever goes wrong in one tick, the next one must come: nothing else wakes this worker.
            logger.exception("tick failed")
            return False
        finally:
            connections.close_all()
    if settings.TICK_FILE:
        Path(settings.TICK_FILE).touch()
    return True


class ForkGuard:
    """Holds a fork back while a tick runs, but not for ever: a hanging tick must not stop the pool from healing."""

    def __init__(self) -> None:
        self._held = False

    def before(self) -> None:
        self._held = _ticking.acquire(timeout=FORK_WAIT_SECONDS)

    def after(self) -> None:
        if self._held:
            self._held = False
            _ticking.release()

    def install(self) -> None:
        os.register_at_fork(before=self.before, after_in_parent=self.after, after_in_child=self.after)


ForkGuard().install()
