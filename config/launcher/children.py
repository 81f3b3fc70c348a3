"""One program of the service: started, watched, started again when it dies, stopped."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

ROOT = Path(__file__).resolve().parents[2]
CHILD = Path(__file__).with_name("child.py")
TROUBLE = re.compile(r"\b(ERROR|CRITICAL)\b|^\w*(Error|Exception)\b")
LARGEST_LOG = 5_000_000  # bytes; a larger one is put aside when its program starts
LINES_AT_ONCE = 5  # of trouble on the screen in QUIET_SECONDS; the rest is in the log
QUIET_SECONDS = 10.0
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0  # seconds before a dead program is started again
LONG_LIFE = 30.0  # seconds after which a program counts as healthy again


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
    process: subprocess.Popen[bytes] | None = None
    _pause: float = FIRST_PAUSE
    _started: float = 0.0
    _again_at: float | None = None
    _shown: int = 0
    _quiet_until: float = 0.0
    _reader: BinaryIO | None = field(default=None, repr=False)

    def start(self) -> None:
        """Start it in a process group of its own. The calling thread must outlive it: the kernel takes that
        thread's end for the parent's."""
        self._open_log()
        wrapper = [sys.executable, str(CHILD), str(os.getpid())]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*wrapper, *self.command],
                env=dict(self.environment),
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._started = time.monotonic()
        self._again_at = None

    def watch(self) -> None:
        """Show new trouble from its log; if it died, start it again after a pause that grows."""
        self._show_trouble()
        if self.process is None or self.process.poll() is None:
            return
        if self._again_at is None:
            self._note_death(self.process.returncode)
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
