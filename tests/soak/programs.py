"""The service's own programs as it runs them, and the clock that all of them go by."""

import contextlib
import os
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import LiteralString

import psycopg
import redis

from config.launcher.children import Child
from config.launcher.service import listener_command, web_command, worker_command
from tests import capabilities
from tests.servers import children_of, free_port

REDIS, BEAT, LISTENER = "redis", "beat", "listener"
READY_SECONDS = 240.0  # all is well in ten; a machine may be busy
LAST_LINE = re.compile(r"^( *)Traceback [^\n]*\n(?:\1 [^\n]*\n)*\1(\S[^\n]*)", re.MULTILINE)  # of what was raised
CLOCK = """
CREATE SCHEMA soak;
CREATE TABLE soak.clock (ahead interval NOT NULL DEFAULT '0', commit_seconds float NOT NULL DEFAULT 0);
INSERT INTO soak.clock DEFAULT VALUES;
CREATE FUNCTION soak.statement_timestamp() RETURNS timestamptz STABLE LANGUAGE sql
    AS 'SELECT pg_catalog.statement_timestamp() + ahead FROM soak.clock';
CREATE FUNCTION soak.commit_slowly() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN PERFORM pg_sleep(commit_seconds) FROM soak.clock WHERE commit_seconds > 0; RETURN NULL; END';
CREATE CONSTRAINT TRIGGER commit_slowly AFTER INSERT ON games_move DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION soak.commit_slowly();
CREATE CONSTRAINT TRIGGER commit_slowly AFTER INSERT ON notifications_inbound DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION soak.commit_slowly();
ALTER DATABASE postgres SET search_path = public, soak, pg_catalog;
"""


class Clock:
    """The database's clock. It runs ahead of this machine's by as much as is asked for, for every program at once.

    Its disk may be slow as well: a commit of moves and replies takes as long as is asked for.
    """

    def __init__(self, database_url: str) -> None:
        self._url = database_url
        self._ahead = timedelta()

    def install(self) -> None:
        """Put it in place of PostgreSQL's own, for all who connect from now on."""
        self._execute(CLOCK)

    def now(self) -> datetime:
        """Returns what it says."""
        return datetime.now(UTC) + self._ahead

    def skip(self, seconds: float) -> None:
        """Move it on. Raises OperationalError if the database is down."""
        self._execute("UPDATE soak.clock SET ahead = ahead + make_interval(secs => %s)", seconds)
        self._ahead += timedelta(seconds=seconds)

    @contextlib.contextmanager
    def slow_commits(self, seconds: float) -> Iterator[None]:
        """Lets commits take so long, until the end of `with`."""
        self._execute("UPDATE soak.clock SET commit_seconds = %s", seconds)
        try:
            yield
        finally:
            while not self._commit_quickly():
                time.sleep(0.5)

    def _commit_quickly(self) -> bool:
        try:
            self._execute("UPDATE soak.clock SET commit_seconds = 0")
        except psycopg.OperationalError:  # it is starting anew
            return False
        return True

    def is_committing(self) -> bool:
        """Whether one of the programs waits for a slow commit at this moment."""
        waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND application_name <> 'soak'"
        with psycopg.connect(self._url, autocommit=True) as connection:
            return connection.execute(waiting).fetchone() is not None

    def _execute(self, statement: LiteralString, *values: float) -> None:
        with psycopg.connect(self._url, autocommit=True) as connection:
            connection.execute(statement, values or None)


class Programs:
    """All of them, in a folder of their own. Start, kill and stop from one thread: the kernel takes its end for theirs.

    Arguments:
        environment: of each; names the Redis at `redis_port` and the listener for replies.
        is_small: one web, one worker and no Beat, as the service is installed; else two of each, and Beat.
    """

    def __init__(self, environment: dict[str, str], folder: Path, redis_port: int, *, is_small: bool) -> None:
        numbers = ("1",) if is_small else ("1", "2")
        self.workers = tuple(f"worker {number}" for number in numbers)
        self.webs = tuple(f"web {number}" for number in numbers)
        beat = [] if is_small else [BEAT]
        self.redis_url, self.database_url = environment["REDIS_URL"], environment["DATABASE_URL"]
        self.folder = folder
        web_ports = [free_port() for _ in self.webs]
        self.web_urls = {name: f"http://127.0.0.1:{port}" for name, port in zip(self.webs, web_ports, strict=True)}
        streams = f"127.0.0.1:{free_port()}"
        self.streams_url = f"http://{streams}"
        binary = capabilities.redis_binary()
        assert binary is not None, "no Redis here"
        options = ["--port", str(redis_port), "--bind", "127.0.0.1", "--save", "", "--maxmemory-policy", "noeviction"]
        commands = {
            REDIS: [binary, *options, "--dir", str(folder)],
            **{name: [*worker_command(), "-n", f"{name.replace(' ', '-')}@%h"] for name in self.workers},
            **{name: web_command("127.0.0.1", port) for name, port in zip(self.webs, web_ports, strict=True)},
            **{
                name: [sys.executable, "-m", "celery", "-A", "config", "beat", "-s", str(folder / name)]
                for name in beat
            },
            LISTENER: listener_command(),
        }
        self.children = {}
        for name, command in commands.items():
            own = environment | {"TICK_FILE": str(self._tick_file(name)), "EVENTS_LISTEN": streams}
            log = folder / f"{name.replace(' ', '-')}.log"
            self.children[name] = Child(name, command, own, log, lambda line: None, patience=40.0)

    def _tick_file(self, name: str) -> Path:
        return self.folder / f"tick of {name}"

    def rounds(self, names: Collection[str]) -> tuple[float, ...]:
        """Returns for each of these workers when it ended its last round; it changes with each."""
        files = [self._tick_file(name) for name in names]
        return tuple(file.stat().st_mtime if file.exists() else 0.0 for file in files)

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Everything, until the end of `with`; a worker is there once it has ticked."""
        try:
            for name in self.children:
                self.start(name)
            end = time.monotonic() + READY_SECONDS
            while not all(self.rounds(self.workers)):
                assert time.monotonic() < end, self.children[self.workers[0]].last_lines()
                time.sleep(0.2)
            yield
        finally:
            for child in self.children.values():  # one that is frozen would not hear that it is to end
                child.kill()
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
        pool = children_of(process.pid)
        if not pool:
            return False
        with contextlib.suppress(ProcessLookupError):
            os.kill(dice.choice(pool), signal.SIGKILL)
            return True
        return False

    def signal(self, name: str, number: signal.Signals) -> None:
        """To one of them and all it has started."""
        process = self.children[name].process
        assert process is not None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)

    @contextlib.contextmanager
    def frozen(self, name: str) -> Iterator[None]:
        """SIGSTOP to one of them and all it has started, until the end of `with`."""
        self.signal(name, signal.SIGSTOP)
        try:
            yield
        finally:
            self.signal(name, signal.SIGCONT)

    def crash_database(self) -> bool:
        """SIGKILL to one connection's process: PostgreSQL stops all others, and starts anew from its log."""
        with contextlib.suppress(psycopg.OperationalError):
            with psycopg.connect(self.database_url, autocommit=True) as connection:
                os.kill(connection.info.backend_pid, signal.SIGKILL)
            return True
        return False

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
            but: programs that are meant to be down.
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

    def tracebacks(self) -> Counter[str]:
        """Returns how often each program has logged what was raised, by its last line."""
        counts: Counter[str] = Counter()
        for name, child in self.children.items():
            text = child.log.read_text(errors="replace") if child.log.exists() else ""
            counts.update(f"{name}: {line[:110]}" for _indent, line in LAST_LINE.findall(text))
        return counts
