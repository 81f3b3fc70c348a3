"""Redis dies, comes back, freezes and loses everything, again and again, under a real worker whose process goes on."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import celery
import kombu
import pytest
import redis

from config.launcher.children import Child
from tests import capabilities
from tests.e2e.running import until
from tests.servers import free_port

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.redis]
DEATHS = 4


class Broker:
    """A Redis at one port, however often it is killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.port, self.folder = free_port(), folder
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Returns when it can be connected to."""
        words = ["--bind", "127.0.0.1", "--port", str(self.port), "--dir", str(self.folder), "--save", ""]
        self.process = subprocess.Popen([capabilities.redis_binary() or "", *words], stdout=subprocess.DEVNULL)
        until(self._listens, "Redis listens")

    def _listens(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        except OSError:
            return False
        return True

    def signal(self, number: signal.Signals) -> None:
        """To the server that runs."""
        assert self.process is not None
        self.process.send_signal(number)

    def die(self) -> None:
        """At once, with all that it holds."""
        self.signal(signal.SIGKILL)
        assert self.process is not None
        self.process.wait()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    """One that runs."""
    made = Broker(tmp_path)
    made.start()
    yield made
    made.die()


@pytest.fixture
def worker(broker: Broker, prepared: Path, tmp_path: Path) -> Iterator[Child]:
    """One that serves all queues, with a database of its own."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "REDIS_URL": broker.url,
        "VAR_DIR": str(tmp_path / "var"),
        "TICK_FILE": str(tmp_path / "tick"),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PYTHONUNBUFFERED": "1",
        "SECRET_KEY": "of a test, long enough for everything that is made of it and signed with it",
    }
    shutil.copytree(prepared, tmp_path / "var")
    command = [sys.executable, "-m", "celery", "-A", "config", "worker", "-Q", "play,deliver,sweep", "-c", "1"]
    made = Child("worker", command, environment, tmp_path / "worker.log", lambda _line: None, patience=45.0)
    made.start()
    yield made
    made.stop()


@contextlib.contextmanager
def stopped(worker: Child) -> Iterator[None]:
    """Its main process stands still until the block is left."""
    assert worker.process is not None
    worker.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        worker.process.send_signal(signal.SIGCONT)


def ticks(worker: Child) -> None:
    """Returns after some rounds of the worker's, which are longer than it waits for Redis."""
    tick = Path(worker.environment["TICK_FILE"])
    for _ in range(5):
        last = tick.stat().st_mtime_ns
        until(lambda: tick.stat().st_mtime_ns != last, "it ticks")  # noqa: B023


def test_a_redis_that_dies_again_and_again_does_not_end_a_worker_which_takes_up_work_each_time(
    broker: Broker, worker: Child
) -> None:
    app = celery.Celery(broker=broker.url)
    client = redis.Redis.from_url(broker.url)
    assert worker.process is not None

    def works() -> None:
        app.send_task("games.play", queue="play", ignore_result=True)
        until(lambda: client.llen("play") == 0 and not client.exists("unacked"), f"it works: {worker.last_lines()}")
        assert worker.process is not None and worker.process.poll() is None, worker.last_lines()

    works()
    for death in range(DEATHS):
        if death % 2:  # in the middle of a task, as far as anybody can tell
            app.send_task("games.play", queue="play", ignore_result=True)
        broker.die()
        broker.start()
        works()
    for trouble in (["replicaof", "127.0.0.1", "1"], ["config", "set", "maxmemory", "1"]):
        with stopped(worker):
            app.send_task("games.play", queue="play", ignore_result=True)
            client.execute_command(*trouble)
        ticks(worker)
        client.execute_command("replicaof", "no", "one")
        client.config_set("maxmemory", 0)
        works()
    broker.signal(signal.SIGSTOP)
    ticks(worker)
    broker.signal(signal.SIGCONT)
    works()
    client.flushall()
    works()


def test_a_redis_that_dies_while_a_task_is_in_hand_and_the_next_is_asked_for_raises_nothing_that_ends_a_worker(
    broker: Broker,
) -> None:
    app = import_module("config.celery").app  # whatever it changes of kombu's is changed now
    assert app.main == "caravanserai"
    with kombu.Connection(broker.url) as connection:
        with connection.SimpleQueue("play") as tasks:
            tasks.put({})
        messages: list[kombu.Message] = []
        for channel, queue in ((connection.default_channel, "play"), (connection.channel(), "other")):
            kombu.Consumer(channel, [kombu.Queue(queue)], callbacks=[lambda _, one: messages.append(one)]).consume()
        for _ in range(3):  # then it waits for the next one
            with contextlib.suppress(TimeoutError):
                connection.drain_events(timeout=0.2)
        assert messages
        broker.die()
        connection.collect()  # as a worker does
    messages[0].ack()  # the task is done only now
    broker.start()
