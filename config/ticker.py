"""The worker's own clock: every worker polls the database, whether or not a broker can be reached."""

import logging
import os
import threading
import time
from concurrent.futures import Future, wait
from itertools import count
from pathlib import Path

from celery import bootsteps
from celery.signals import task_postrun, task_prerun
from django.conf import settings
from django.db import close_old_connections, connections

from config.database import limits

logger = logging.getLogger(__name__)

STOP_SECONDS = 15  # how long a stopping worker waits for the tick that is running
FORK_WAIT_SECONDS = 10  # how long a new pool process may wait for it, and for what it has begun to deliver
STUCK_SECONDS = 300  # after which a tick or a task will never end: each of a tick's parts has ten seconds
LOOK_SECONDS = 5.0
WHOLE = 5  # every so many ticks look for what nobody waits for, too


class Ticker(bootsteps.StartStopStep):
    """Runs `games.ticks.tick` every TICK_SECONDS in a thread of the worker's main process.

    It is a step of the worker, not of the consumer: the consumer is the last step and sits in its start until the
    worker ends, first of all waiting for the broker. A pool of processes has forked by then; those forked later, in
    place of old ones, wait for the tick to end, so that none of them inherits a database connection or a lock.
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
        if not settings.WORKER_PROCESSES:
            limits.limit_process()  # nobody could end a thread that waits for the database for ever
            task_prerun.connect(note_begin)
            task_postrun.connect(note_end)
        self._thread = threading.Thread(target=self._run, name="ticker", daemon=True)
        self._thread.start()
        threading.Thread(target=self._watch, name="watch", daemon=True).start()

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
        connections.close_all()

    def _watch(self) -> None:
        while not self._stop.wait(LOOK_SECONDS):
            end_if_stuck()


_begun: dict[str, float] = {}
"""When each task that runs in a thread of this process was begun, and the tick."""


def note_begin(task_id: str, **_: object) -> None:
    """Lets the watch know that a task, or a tick, begins."""
    _begun[task_id] = time.monotonic()


def note_end(task_id: str, **_: object) -> None:
    """Lets it know that it has ended."""
    _begun.pop(task_id, None)


def end_if_stuck() -> None:
    """Ends this process where something in it never ends: whoever watches over it starts it anew.

    A pool of processes is told by Celery how long a task may take; nobody can end a thread. What it was doing is in
    the database, and is taken up again.
    """
    for name, begun in list(_begun.items()):
        if time.monotonic() - begun > STUCK_SECONDS:
            logger.critical("%s has not ended in %s s; the worker ends", name, STUCK_SECONDS)
            os._exit(1)


_ticks = count()
_ticking = threading.RLock()
_sending: "list[Future[int]]" = []


def tick_once() -> bool:
    """Runs one tick on connections of its own. Logs errors instead of raising them; returns whether it succeeded.

    What it begins to deliver is not waited for: a mail server that does not answer holds up no deadline. Where the
    process forks, none of its connections stays open; to open one is a third of a tick.
    """
    from games.ticks import look_at_processes, tick
    from notifications.delivery.sending import begin_round

    def begin_deliveries() -> None:
        for share in _sending:
            if share.done() and (error := share.exception()) is not None:
                logger.error("deliveries failed", exc_info=error)
        _sending[:] = [share for share in _sending if not share.done()] + begin_round()

    with _ticking, limits.limited():
        note_begin("tick")
        close_old_connections()
        is_done = False
        try:
            tick(begin_deliveries, is_whole=next(_ticks) % WHOLE == 0)
            look_at_processes()
            is_done = True
        except Exception:
            # Whatever goes wrong in one tick, the next one must come: nothing else wakes this worker.
            logger.exception("tick failed")
        finally:
            note_end("tick")
            if settings.WORKER_PROCESSES or not is_done:
                connections.close_all()
    if is_done and settings.TICK_FILE:
        Path(settings.TICK_FILE).touch()
    return is_done


class ForkGuard:
    """Holds a fork back while a tick runs, but not for ever: a hanging tick must not stop the pool from healing."""

    def __init__(self) -> None:
        self._held = False

    def before(self) -> None:
        end = time.monotonic() + FORK_WAIT_SECONDS
        self._held = _ticking.acquire(timeout=FORK_WAIT_SECONDS)
        wait(_sending, max(0.0, end - time.monotonic()))

    def after(self) -> None:
        if self._held:
            self._held = False
            _ticking.release()

    def install(self) -> None:
        os.register_at_fork(before=self.before, after_in_parent=self.after, after_in_child=self.after)


ForkGuard().install()
