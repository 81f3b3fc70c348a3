"""What a move does in Python, counted in bytecodes, beside the minimal view: the same on every machine, busy or not.

Bytecodes are no time, but what costs time without need shows in them first. What counts: `stepping.py`.
"""

import json
import subprocess
import sys
from typing import Any

from tests import capabilities
from tests.bench.report import heading, note
from tests.bench.surroundings import prepare_both, surroundings
from tests.servers import running_postgres

MOST = 12  # functions that are named


def run() -> None:
    """Prints the part."""
    _run_on("SQLite", "")
    if capabilities.postgres_bin() is None:
        note("no PostgreSQL here")
        return
    with running_postgres() as url:
        _run_on("PostgreSQL", url)


def _run_on(name: str, database_url: str) -> None:
    with surroundings(database_url) as environment:
        found = _counted(prepare_both(environment)) | _counted(environment)
    heading(f"Bytecodes of an accepted move, {name}")
    least = next(iter(found.values()))["total"]  # the minimal view's
    for title, door in found.items():
        rooms = ", ".join(f"{room} {count:,.0f}" for room, count in door["rooms"])
        note(f"{title:<30}{door['total']:>9,.0f}  minimal / this: {least / door['total']:.2f}  ({rooms})")
    note(f"most of them for a {title}:")
    for count, calls, function, file in door["functions"][:MOST]:
        note(f"  {count:>7,.0f} in {calls:>5,.1f} calls  {function}  {file}")


def _counted(environment: dict[str, str]) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.stepping"], env=environment, check=True, stdout=subprocess.PIPE
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found
