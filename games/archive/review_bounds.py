"""Reviews one game within bounds of processor time and memory that the kernel keeps, then looks for a puzzle in it.

Usage: python -m games.archive.review_bounds SECONDS SEARCH < RECORD > LINES. The first line is the review, as soon as
it is made; each further one a puzzle, clearer than the one before, for SEARCH seconds. No Django: it begins in a
fraction of a second. Whoever plays goes first.
"""

import os
import resource
import sys
import time
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import BinaryIO

import msgspec

from engine.puzzles import Puzzle, PuzzleSearch
from engine.records import model
from engine.registry import AnyRules, get_rules
from engine.reviews.model import Review
from engine.reviews.reviewing import review

SEARCH = 10  # seconds of processor time for a puzzle, beyond those of the review; most games take less
SPARE = 10  # seconds beyond its own after which the kernel ends it
MOST_MEMORY = 400 * 1024 * 1024  # bytes of addresses; a long magic game takes a quarter
NICE = 10
COMMAND = (sys.executable, "-m", __name__)
ROOT = Path(__file__).resolve().parents[2]


class MadeReview(msgspec.Struct, frozen=True):
    """A review and the seconds of processor time that it took."""

    seconds: float
    review: Review


def main(seconds: float, search: float, source: BinaryIO, target: BinaryIO) -> None:
    """Binds the process, reads a record, writes its review and then puzzles of it."""
    most = int(seconds + search) + SPARE
    os.nice(NICE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    record = model.load(source.read())
    rules = get_rules(record.rules, record.rules_version)
    result = review(rules, record, lambda: time.process_time() / seconds)
    _write(target, MadeReview(round(time.process_time(), 1), result))
    for puzzle in find_puzzles(rules, record, search, int.from_bytes(os.urandom(8))) if search else ():
        _write(target, puzzle)


def _write(target: BinaryIO, result: MadeReview | Puzzle) -> None:
    target.write(msgspec.json.encode(result) + b"\n")
    target.flush()


def find_puzzles(rules: AnyRules, record: model.Record, seconds: float, seed: int) -> Iterator[Puzzle]:
    """Yields puzzles of a game, each with a clearer solution than the one before.

    Arguments:
        seconds: of processor time; soon after them it ends.
        seed: of the search.
    """
    until, lead = time.process_time() + seconds, 0
    search = PuzzleSearch(rules, seed)
    positions = takewhile(lambda _position: time.process_time() < until, search.recorded(record))
    for puzzle in search.find(positions):
        if puzzle.lead > lead:
            lead = puzzle.lead
            yield puzzle


if __name__ == "__main__":
    main(float(sys.argv[1]), float(sys.argv[2]), sys.stdin.buffer, sys.stdout.buffer)
