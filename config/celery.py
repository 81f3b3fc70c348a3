"""The Celery application. Tasks are three lines each and live in games/tasks.py and notifications/tasks.py."""

import gc
import os
import sys
from typing import Any

from celery import Celery
from celery.signals import worker_init, worker_process_init
from django.core.exceptions import ImproperlyConfigured
from kombu.transport.redis import Channel, QoS, Transport
from redis.exceptions import ResponseError

from config.database import former
from config.launcher.child import end_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# A Redis that answers with an error (read-only after a failover, out of memory) counts as unreachable: the worker
# reconnects until it serves. kombu has these among the channel errors, which end a worker's main process.
Transport.connection_errors = (*Transport.connection_errors, ResponseError)


class HintsQoS(QoS):
    """Tells a Redis that is away nothing of tasks that are done or given up: they are hints, and come again.

    kombu closes the channel of a lost connection twice, and a task may end after that. It no longer knows where Redis
    is then: it raises an AttributeError, which can end the worker's main process.
    """

    def restore_unacked(self, client: Any = None) -> None:
        if self._is_connected():
            super().restore_unacked(client)  # type: ignore[no-untyped-call]  # it has no types

    def ack(self, delivery_tag: str) -> None:
        if self._is_connected():
            super().ack(delivery_tag)  # type: ignore[no-untyped-call]

    def _is_connected(self) -> bool:
        return self.channel.connection is not None and self.channel.connection.client is not None


Channel.QoS = HintsQoS

app = Celery("caravanserai")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add("config.ticker:Ticker")


@worker_init.connect
def begin_worker(**_: object) -> None:
    """Ends a worker that would work on a database of a release before 1.0.0rc1.

    What is loaded by then is shared by whatever is forked.
    """
    try:
        former.connect_once()
    except ImproperlyConfigured as error:
        sys.exit(f"{error}")
    gc.collect()
    gc.freeze()


@worker_process_init.connect
def end_with_worker(**_: object) -> None:
    """Ends a process of the pool with its worker, as the worker ends with its launcher."""
    end_with_parent()
