"""The service's own programs as it runs them: Redis, two Celery workers, Beat, and who receives answers by mail."""

import contextlib
import os
import signal
import sys
import time
from collections.abc import Collection, Iterator
from pathlib import Path
from random import Random

import psycopg
import redis

from config.launcher.children import Child
from config.launcher.programs import web_command, worker_command
from tests import capabilities
from tests.servers import free_port

WORKERS = ("worker 1", "worker 2")
WEBS = ("web 1", "web 2")
READY_SECONDS = 60.0


class Programs:
    """All of them, in a folder of their own. Start, kill and stop from one thread: the kernel takes its end for theirs.

    Arguments:
        environment: of each; names the Redis at `redis_port` and the listener at `door_port`.
    """

    def __init__(self, environment: dict[str, str], folder: Path, redis_port: int) -> None:
        self.redis_url, self.database_url = environment["REDIS_URL"], environment["DATABASE_URL"]
        self.folder = folder
        web_ports = [free_port() for _ in WEBS]
        self.web_urls = [f"http://127.0.0.1:{port}" for port in web_ports]
        binary = capabilities.redis_binary()
        assert binary is not None, "no Redis here"
        options = ["--port", str(redis_port), "--bind", "127.0.0.1", "--save", "", "--maxmemory-policy", "noeviction"]
        commands = {
            "redis": [binary, *options, "--dir", str(folder)],
            **{name: [*worker_command(), "-n", f"{name.replace(' ', '-')}@%h"] for name in WORKERS},
            **{name: web_command("127.0.0.1", port) for name, port in zip(WEBS, web_ports, strict=True)},
            "beat": [sys.executable, "-m", "celery", "-A", "config", "beat", "-s", str(folder / "beat")],
            "answers": [sys.executable, "manage.py", "receive_mail"],
        }
        self.children = {}
        for name, command in commands.items():
            own = environment | {"TICK_FILE": str(self._tick_file(name))}
            log = folder / f"{name.replace(' ', '-')}.log"
            self.children[name] = Child(name, command, own, log, lambda line: None, patience=40.0)

    def _tick_file(self, name: str) -> Path:
        return self.folder / f"tick of {name}"

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Everything, until the end of `with`; a worker is there once it has ticked."""
        try:
            for name in self.children:
                self.start(name)
            end = time.monotonic() + READY_SECONDS
            while not all(self._tick_file(name).exists() for name in WORKERS):
                assert time.monotonic() < end, self.children[WORKERS[0]].last_lines()
                time.sleep(0.2)
            yield
        finally:
            for child in reversed(self.children.values()):
                child.stop()

    def start(self, name: str) -> None:
        """Start one of them; returns at once."""
        self.children[name].start()

    def kill(self, name: str) -> None:
        """SIGKILL to it and all it has started."""
        child = self.children[name]
        child.kill()
        assert child.process is not None
        child.process.wait()

    def kill_one_of_pool(self, name: str, dice: Random) -> bool:
        """SIGKILL to one process of a worker's pool; returns False if it has none at this moment."""
        process = self.children[name].process
        assert process is not None
        found = children_of(process.pid)
        if not found:
            return False
        with contextlib.suppress(ProcessLookupError):
            os.kill(dice.choice(found), signal.SIGKILL)
            return True
        return False

    @contextlib.contextmanager
    def frozen(self, name: str) -> Iterator[None]:
        """SIGSTOP to one of them and all it has started, until the end of `with`."""
        process = self.children[name].process
        assert process is not None
        os.killpg(process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.killpg(process.pid, signal.SIGCONT)

    @contextlib.contextmanager
    def frozen_database(self) -> Iterator[None]:
        """SIGSTOP to PostgreSQL, all its processes, until the end of `with`. Raises OperationalError if it is down."""
        postmaster = self._postmaster()
        stopped = [postmaster]
        os.kill(postmaster, signal.SIGSTOP)  # first: it starts no others then
        try:
            for pid in children_of(postmaster):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGSTOP)
                    stopped.append(pid)
            yield
        finally:
            for pid in reversed(stopped):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

    def crash_database(self) -> bool:
        """SIGKILL to one connection's process: PostgreSQL stops all others, and starts anew from its log.

        Returns whether it was there.
        """
        with contextlib.suppress(psycopg.OperationalError):
            with psycopg.connect(self.database_url, autocommit=True) as connection:
                os.kill(connection.info.backend_pid, signal.SIGKILL)
            return True
        return False

    def _postmaster(self) -> int:
        with psycopg.connect(self.database_url, autocommit=True) as connection:
            status = Path(f"/proc/{connection.info.backend_pid}/status").read_text()
        return int(status.partition("PPid:")[2].split()[0])

    def flush(self) -> bool:
        """FLUSHALL; returns whether Redis was there to hear it."""
        try:
            with redis.Redis.from_url(self.redis_url, socket_timeout=2) as client:
                client.flushall()
        except redis.RedisError:
            return False
        return True

    def cut_a_connection(self) -> bool:
        """End one of their connections to the database in the middle; returns whether there was one."""
        theirs = "datname = current_database() AND application_name = '' AND pid <> pg_backend_pid()"
        with psycopg.connect(self.database_url, autocommit=True) as connection:
            cut = connection.execute(
                f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {theirs} ORDER BY random() LIMIT 1"  # noqa: S608
            )
            return cut.fetchone() is not None

    def look_after(self, but: Collection[str] = ()) -> list[str]:
        """Start again what has ended by itself, as the launcher and systemd do; returns the names.

        Arguments:
            but: what is meant to be down.
        """
        ended = [
            name
            for name, child in self.children.items()
            if name not in but and child.process is not None and child.process.poll() is not None
        ]
        for name in ended:
            self.children[name].kill()
            self.start(name)
        return ended


def children_of(pid: int) -> list[int]:
    """The processes a process has started and that live, oldest first."""
    try:
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except FileNotFoundError:
        return []
    return sorted(map(int, listed.split()))


def ports() -> tuple[int, int]:
    """Free ports for Redis and for the listener."""
    return free_port(), free_port()
