"""Waking the workers after a commit, from a thread of its own, so that a slow or dead broker delays nobody.

A hint may be lost: every worker polls the database anyway. So hints are merged, given up at the first trouble, and
for a few seconds after a failure not even tried.
"""

import logging
import os
import threading
import time
from functools import cached_property
from typing import Any, ClassVar

from celery import current_app
from django.conf import settings
from django.db import transaction
from kombu.connection import Connection

log = logging.getLogger(__name__)

TIMEOUT = 0.2  # seconds to connect, and for each answer of the broker
QUIET = 5.0  # seconds without a try after a failure
EXPIRES = 60  # seconds after which a hint nobody took is worth nothing
TRANSPORT_OPTIONS = {"socket_timeout": TIMEOUT, "socket_connect_timeout": TIMEOUT, "max_retries": 0}


def hint_workers(name: str) -> None:
    """Ask the workers for a round of `name` ("play" or "deliver") soon. Never raises for the broker, never waits."""
    if settings.WORKER_HINTS_ENABLED:
        HintSender.of_this_process().add(name)


def hint_workers_on_commit(name: str) -> None:
    """Hint when the current transaction has committed, and not at all if it is rolled back."""

    def hint_after_commit() -> None:  # a named function: Django logs the name of a robust hook that fails
        hint_workers(name)

    transaction.on_commit(hint_after_commit, robust=True)


class HintSender:
    """Sends one process's hints: a set of names, and a daemon thread that sends them."""

    _current: ClassVar["HintSender | None"] = None

    def __init__(self) -> None:
        self.pid = os.getpid()
        self._names: set[str] = set()
        self._changed = threading.Condition()  # held for set operations only, never while the broker is asked
        self._thread: threading.Thread | None = None
        self._quiet_until = 0.0
        self._is_away = False
        self._broker = Broker()

    @classmethod
    def of_this_process(cls) -> "HintSender":
        """Return the process's sender. A fork gets a new one: the parent's thread is not in it."""
        if cls._current is None or cls._current.pid != os.getpid():
            cls._current = cls()
        return cls._current

    def add(self, name: str) -> None:
        """Add a name to what the thread sends next; starts the thread at the first call."""
        with self._changed:
            self._names.add(name)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="worker-hints", daemon=True)
                self._thread.start()
            self._changed.notify()

    def _run(self) -> None:
        while True:
            self.send(self._take())

    def _take(self) -> set[str]:
        with self._changed:
            self._changed.wait_for(lambda: bool(self._names))
            names, self._names = self._names, set()
            return names

    def send(self, names: set[str]) -> None:
        """Send one message per name, unless the broker failed a moment ago: then they are dropped.

        One line is logged when the broker goes away, and one when it is back.
        """
        if time.monotonic() < self._quiet_until:
            return
        try:
            for name in sorted(names):
                self._broker.send(settings.WORKER_HINT_TASKS[name])
        except Exception as error:  # noqa: BLE001  whatever a broker's client raises: the hint is lost, the thread must go on
            if not self._is_away:
                log.warning("The broker took no hint (%s); workers will find the work themselves", type(error).__name__)
            self._is_away = True
            self._quiet_until = time.monotonic() + QUIET
            self._broker = Broker()
        else:
            if self._is_away and names:
                log.warning("The broker takes hints again")
                self._is_away = False


def queue_depths() -> dict[str, int] | None:
    """How many hints wait in each queue of the workers; None if the broker cannot be asked."""
    queues = sorted({route["queue"] for route in settings.CELERY_TASK_ROUTES.values()})
    broker = Broker()
    try:
        return {queue: broker.depth(queue) for queue in queues}
    except Exception:  # noqa: BLE001  whatever a broker's client raises: it cannot be asked
        return None
    finally:
        broker.close()


class Broker:
    """A connection to the broker of this thread alone, with timeouts much shorter than the workers'."""

    @cached_property
    def _connection(self) -> Any:
        return Connection(  # type: ignore[no-untyped-call]  # kombu is not typed
            settings.CELERY_BROKER_URL, connect_timeout=TIMEOUT, transport_options=TRANSPORT_OPTIONS
        )

    @cached_property
    def _producer(self) -> Any:
        # Its default channel and no other: the only one that is opened with `max_retries`, and not after a wait of 2 s.
        return current_app.amqp.Producer(self._connection.default_channel, auto_declare=False)

    def send(self, task: str) -> None:
        """Publish a task by name. Raises what the broker's client raises."""
        current_app.send_task(task, producer=self._producer, retry=False, ignore_result=True, expires=EXPIRES)

    def depth(self, queue: str) -> int:
        """How many messages wait in a queue. Raises what the broker's client raises."""
        return int(self._connection.default_channel.client.llen(queue))

    def close(self) -> None:
        """Hang up; nothing is raised."""
        self._connection.release()
