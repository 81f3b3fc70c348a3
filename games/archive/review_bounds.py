"""Reviews one game within bounds of processor time and memory that the kernel keeps.

Usage: python -m games.archive.review_bounds SECONDS < RECORD > REVIEW. No Django: it begins in a fraction of a second.
Whoever plays goes first.
"""

import os
import resource
import sys
import time
from pathlib import Path
from typing import BinaryIO

import msgspec

from engine.records import model
from engine.registry import get_rules
from engine.reviews.model import Review
from engine.reviews.reviewing import review

SPARE = 10  # seconds beyond its own after which the kernel ends it
MOST_MEMORY = 400 * 1024 * 1024  # bytes of addresses; a long magic game takes a quarter
NICE = 10
COMMAND = (sys.executable, "-m", __name__)
ROOT = Path(__file__).resolve().parents[2]


class MadeReview(msgspec.Struct, frozen=True):
    """A review and the seconds of processor time that it took."""

    seconds: float
    review: Review


def main(seconds: float, source: BinaryIO, target: BinaryIO) -> None:
    """Binds the process, reads a record and writes its review."""
    os.nice(NICE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + SPARE, int(seconds) + SPARE + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    record = model.load(source.read())
    rules = get_rules(record.rules, record.rules_version)
    result = review(rules, record, lambda: time.process_time() / seconds)
    target.write(msgspec.json.encode(MadeReview(round(time.process_time(), 1), result)))
    target.flush()


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.stdin.buffer, sys.stdout.buffer)
