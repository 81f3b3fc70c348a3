"""One program of the service: started, watched, started again when it dies, stopped."""

import contextlib
import gc
import multiprocessing
import os
import re
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import BinaryIO, TypeAlias

import django

from config.launcher.child import end_with_parent

ROOT = Path(__file__).resolve().parents[2]
CHILD = Path(__file__).with_name("child.py")
TROUBLE = re.compile(r"\b(ERROR|CRITICAL)\b|^\w*(Error|Exception)\b")
LARGEST_LOG = 5_000_000  # bytes; a larger one is put aside when its program starts
LINES_AT_ONCE = 5  # of trouble on the screen in QUIET_SECONDS; the rest is in the log
QUIET_SECONDS = 10.0
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0  # seconds before a dead program is started again
LONG_LIFE = 30.0  # seconds after which a program counts as healthy again

# A process: of a program that is executed, or, where this process has loaded what ours need, a copy of this one.

SHARED = (
    "config.web_server",
    "gunicorn.app.wsgiapp",
    "config.celery",
    "config.ticker",
    "celery.bin.worker",
    "celery.apps.worker",
    "celery.concurrency.thread",
    "games.ticks",
    "config.listener",
    "games.api.stream_server",
    "notifications.inbound.listener",
    "notifications.inbound.mailbox",
)
_loaded: list[str] = []


def load(environment: Mapping[str, str]) -> None:
    """Loads what web, worker and listener need, for this environment: what begins from now on is a copy of this
    process, and shares its memory.

    It opens no connection and starts no thread, which a copy would not have. Raises ImproperlyConfigured.
    """
    os.environ.update(environment)
    django.setup()
    _loaded.extend(import_module(name).__name__ for name in SHARED)


def load_pages() -> None:
    """Loads what looks for the static files, once they are there, and marks all as never to be looked through, which
    would write to what is shared."""
    import_module("config.wsgi")
    gc.collect()
    gc.freeze()


class Copy:
    """A copy of this process that runs one of our modules, handled like a process of `subprocess`."""

    def __init__(
        self, module: Sequence[str], environment: Mapping[str, str], folder: Path, out: BinaryIO, err: BinaryIO
    ) -> None:
        facts = (os.getpid(), module, environment, folder, out.fileno(), err.fileno())
        self._process = multiprocessing.get_context("fork").Process(target=_become, args=facts)
        self._process.start()
        assert self._process.pid is not None
        self.pid: int = self._process.pid
        self.terminate = self._process.terminate

    @property
    def returncode(self) -> int | None:
        """Its status, or its signal as a negative number; None while it runs."""
        return self._process.exitcode

    def poll(self) -> int | None:
        """Returns it, by the name that `subprocess` has for it."""
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Waits for its end. Raises TimeoutExpired."""
        self._process.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired("a copy", timeout or 0.0)
        return self.returncode


def _become(
    parent: int, module: Sequence[str], environment: Mapping[str, str], folder: Path, out: int, err: int
) -> None:
    os.setsid()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    end_with_parent(parent, name=module[0])
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(out, 1)
    os.dup2(err, 2)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv[:] = module
    runpy.run_module(module[0], run_name="__main__", alter_sys=True)


Process: TypeAlias = subprocess.Popen[bytes] | Copy


def begin(
    command: Sequence[str], environment: Mapping[str, str], folder: Path, out: BinaryIO, err: BinaryIO
) -> Process:
    """Starts a program in a process group of its own. The calling thread must outlive it: the kernel takes that
    thread's end for the parent's."""
    if _loaded and list(command[:2]) == [sys.executable, "-m"]:
        return Copy(command[2:], environment, folder, out, err)
    return subprocess.Popen(
        [sys.executable, str(CHILD), str(os.getpid()), *command],
        env=dict(environment),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=out,
        stderr=err,
        start_new_session=True,
    )


@dataclass
class Child:
    """A program and its log.

    Arguments:
        name: "web", "worker" or "broker".
        command: program and arguments.
        environment: all of its environment variables.
        log: the file its output goes to.
        report: told, in a line, what a person at the screen should know.
        patience: seconds it has to end after SIGTERM.
        folder: where it runs.
    """

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    log: Path
    report: Callable[[str], None]
    patience: float = 10.0
    folder: Path = ROOT
    deaths: int = 0
    process: Process | None = None
    _pause: float = FIRST_PAUSE
    _started: float = 0.0
    _again_at: float | None = None
    _shown: int = 0
    _quiet_until: float = 0.0
    _reader: BinaryIO | None = field(default=None, repr=False)

    def start(self) -> None:
        """Start it; see `begin`."""
        self._open_log()
        with self.log.open("ab") as log:
            self.process = begin(self.command, self.environment, self.folder, log, log)
        self._started = time.monotonic()
        self._again_at = None

    def watch(self) -> None:
        """Show new trouble from its log; if it died, start it again after a pause that grows."""
        self._show_trouble()
        if self.process is None or self.process.poll() is None:
            return
        if self._again_at is None:
            self._note_death(self.process.wait())
        elif time.monotonic() >= self._again_at:
            self.start()

    def stop(self) -> None:
        """End it cleanly, after its patience by force, with everything it started."""
        self._again_at = None
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(self.patience)
        self.kill()
        self.process.wait()
        self._show_trouble()
        self._close_log()

    def kill(self) -> None:
        """SIGKILL to it and to everything it started."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def last_lines(self, number: int = 15) -> str:
        """The end of its log."""
        text = self.log.read_text(errors="replace") if self.log.exists() else ""
        return "\n".join(text.splitlines()[-number:])

    def _note_death(self, code: int) -> None:
        self.kill()  # what it had started must not work on beside its successor
        self.deaths += 1
        if time.monotonic() - self._started > LONG_LIFE:
            self._pause = FIRST_PAUSE
        how = f"was killed by signal {-code}" if code < 0 else f"ended with status {code}"
        self.report(f"{self.name} {how}; starting it again in {self._pause:g} s (see {self.log})")
        self._again_at = time.monotonic() + self._pause
        self._pause = min(self._pause * 2, LONGEST_PAUSE)

    def _open_log(self) -> None:
        if self._reader is not None:
            return
        if self.log.exists() and self.log.stat().st_size > LARGEST_LOG:
            self.log.replace(self.log.with_suffix(".old.log"))
        self.log.touch()
        self._reader = self.log.open("rb")
        self._reader.seek(0, os.SEEK_END)

    def _close_log(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def _show_trouble(self) -> None:
        if self._reader is None:
            return
        lines = self._reader.read().decode(errors="replace").splitlines()
        for line in filter(TROUBLE.search, lines):
            if time.monotonic() > self._quiet_until:
                self._shown, self._quiet_until = 0, time.monotonic() + QUIET_SECONDS
            self._shown += 1
            if self._shown <= LINES_AT_ONCE:
                self.report(f"{self.name}: {line}")
            elif self._shown == LINES_AT_ONCE + 1:
                self.report(f"{self.name}: and more trouble, see {self.log}")
