"""Checks one record that a stranger has made, within bounds of processor time and memory that the kernel keeps.

Usage: python -m games.archive.verifier.bounded < RECORD > REPORT. The report has a line of JSON for the moves that
fit so far, now and then, and a last one that says what has come of it. A process that is ended for its time writes no
last line. No Django: it begins in a fraction of a second and in a few megabytes.
"""

import os
import resource
import signal
import sys
import time
from pathlib import Path
from typing import BinaryIO

import msgspec

from engine.core import Text
from engine.records import checking, model
from engine.records.checking import Checked
from engine.records.model import Fault

MOST_SECONDS = 8  # of processor time, from the start of Python; the longest games take two
MOST_MEMORY = 200 * 1024 * 1024  # bytes of addresses; the largest games take sixty million
NICE = 10  # whoever plays goes first
PAUSE = 0.25  # seconds between two lines about the moves
TIME_IS_UP = -signal.SIGXCPU  # how the process ends then
COMMAND = (sys.executable, "-m", __name__)
ROOT = Path(__file__).resolve().parents[3]


class CheckReport(msgspec.Struct, omit_defaults=True):
    """How far a record was checked; at the end what holds, or what does not.

    Arguments:
        moves: how many it has.
        checked: how many of them fit.
    """

    moves: int = 0
    checked: int = 0
    done: Checked | None = None
    fault: Text | None = None


def last_in(lines: bytes) -> CheckReport:
    """The latest report among those that were written so far."""
    whole = lines.rpartition(b"\n")[0]
    return msgspec.json.decode(whole.rpartition(b"\n")[2], type=CheckReport) if whole else CheckReport()


def main(source: BinaryIO, target: BinaryIO) -> None:
    """Binds the process, reads a record and writes reports of it."""
    _bind()
    report = CheckReport()
    try:
        _check(source.read(model.MOST_BYTES + 1), report, target)
    except Fault as fault:
        report.fault = fault.text
    except MemoryError:
        report.fault = Text("record.too-much-memory", {"most": MOST_MEMORY // 1024**2})
    _write(report, target)


def _bind() -> None:
    os.nice(NICE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def _check(data: bytes, report: CheckReport, target: BinaryIO) -> None:
    record = model.load(data)
    report.moves = len(record.moves)
    written_at = 0.0

    def watch(number: int) -> None:
        nonlocal written_at
        report.checked = number
        if time.monotonic() - written_at > PAUSE:
            written_at = time.monotonic()
            _write(report, target)

    report.done = checking.check(record, watch)


def _write(report: CheckReport, target: BinaryIO) -> None:
    target.write(msgspec.json.encode(report) + b"\n")
    target.flush()


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
