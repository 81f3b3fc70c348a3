"""The measuring process of `memory`: `python -m tests.bench.working PORT NAME=PID...`, one name for each program.

People answer at the web for a while, so that the workers take games over their boundaries, play for bots, and write
and send mails; nothing of that is done here.
"""

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import django

from tests.bench.processes import memory_of
from tests.bench.report import Goal, heading, note
from tests.bench.submitting import Web

if TYPE_CHECKING:
    from tests.bench.answered import Request

SECONDS = int(os.environ.get("WORK_SECONDS", "60"))  # of work, at least
CLIENTS = 4
EACH, WHOLE = Goal("P12", most=120), Goal("P12", most=600)


def main(port: int, programs: dict[str, int]) -> None:
    """Prints the part."""
    django.setup()
    from tests.bench.attended import Attended, done

    supply = Attended()
    _work(supply.round, Web(port, CLIENTS))
    heading("Memory of each process after work, MB")
    whole = 0.0
    for name, pid in programs.items():
        first, *below = memory_of(pid).values()
        whole += first + sum(below)
        pool = f" and {', '.join(f'{one:.0f}' for one in below)}" if below else ""
        print(f"  {name:<18}{first:>6.0f}{pool:<16}  {EACH.verdict(round(max([first, *below])))}")
    note(f"together {whole:.0f} MB  {WHOLE.verdict(round(whole))}")
    note(f"{done()}; what processes share is divided among them, and comes with the first one of each")


def _work(answers: "Callable[[], Sequence[Request]]", web: Web) -> None:
    stop = time.monotonic() + SECONDS
    while time.monotonic() < stop:
        web.ask(answers())


if __name__ == "__main__":
    main(int(sys.argv[1]), {name: int(pid) for name, _is, pid in (one.partition("=") for one in sys.argv[2:])})
