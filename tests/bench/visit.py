"""One visit, from the notice to the page after the answer, beside the smallest Django project that gives as much.

The email that asks, with words and picture; the page behind its link; the answer; the page after it. The peer composes
an email from a template of the same size, draws the same picture with resvg, serves pages of the same bytes, and makes
the move of `tests.bench.minimal`. Each has a process of its own: `visiting.py`, and `minimal/visited.py`.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, TypeVar

from tests.bench.measuring import Spread
from tests.bench.report import Goal, heading, note
from tests.bench.stepping import Steps
from tests.bench.surroundings import on_each_database, prepare_both, surroundings

T = TypeVar("T")
PARTS = ("the email that asks", "the page behind its link", "the answer", "the page after it")
WHOLE = Goal("P5", most=30)
BESIDE = Goal("P5", most=2)


@dataclass
class VisitFigures:
    """What visits cost by part: seconds of processor time of each, and bytecodes of Python of one that was counted."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: {part: [] for part in PARTS})
    bytecodes: dict[str, int] = field(default_factory=dict)
    is_counting: bool = False

    def of(self, part: str, do: Callable[[], T]) -> T:
        """Does a part of a visit and keeps what it took."""
        if self.is_counting:
            steps, done = Steps(), list[T]()
            steps.of(lambda: done.append(do()))
            self.bytecodes[part] = steps.codes.total()
            return done[0]
        begun = time.process_time()
        result = do()
        self.seconds[part].append(time.process_time() - begun)
        return result


def run() -> None:
    """Prints the part."""
    on_each_database(_run_on)


def _run_on(name: str, database_url: str) -> None:
    with surroundings(database_url) as environment:
        minimal = prepare_both(environment)
        given = _process("tests.bench.visiting", environment, "")
        theirs = _process("tests.bench.minimal.visited", minimal, json.dumps(given["given"]))["figures"]
    ours = given["figures"]
    heading(f"One visit, ms of processor time, on {name}")
    for part in PARTS:
        _line(part, ours["seconds"][part], ours["bytecodes"][part])
        _line("  of the peer", theirs["seconds"][part], theirs["bytecodes"][part])
    whole, peer = _whole(ours), _whole(theirs)
    _line("the whole visit", whole, sum(ours["bytecodes"].values()))
    _line("  of the peer", peer, sum(theirs["bytecodes"].values()))
    note(WHOLE.verdict(1000 * Spread.of(whole).median))
    ratio = Spread.of(whole).median / Spread.of(peer).median
    note(f"beside the peer: {ratio:.2f}  {BESIDE.verdict(ratio)}")


def _process(module: str, environment: dict[str, str], said: str) -> dict[str, Any]:
    command = [sys.executable, "-c", f"import django; django.setup(); import {module} as part; print(part.main())"]
    done = subprocess.run(command, env=environment, input=said, stdout=subprocess.PIPE, text=True, check=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def _whole(figures: dict[str, Any]) -> list[float]:
    return [sum(seconds) for seconds in zip(*figures["seconds"].values(), strict=True)]


def _line(name: str, seconds: list[float], bytecodes: int) -> None:
    spread = Spread.of([1000 * one for one in seconds])
    ranged = f"({spread.low:.1f} .. {spread.high:.1f})"
    note(f"{name:<28}{spread.median:>7.1f} ms  {ranged:<18}{bytecodes:>10,} bytecodes")


def as_json(figures: VisitFigures, given: object = None) -> str:
    """What a measuring process prints."""
    return json.dumps({"figures": asdict(figures), "given": given})
