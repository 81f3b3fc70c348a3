"""What people look at and do beside a visit: the front page, their games, the lobby, a table; replies, signing in.

What is done there: `opening.py`. Pages that grow with the service are in `growth`, the page behind a link in `visit`.
"""

import json
import subprocess
import sys

from tests.bench.measuring import Spread
from tests.bench.report import Goal, heading, note
from tests.bench.surroundings import on_each_database, surroundings

FIRST = "a table, its proposal worked out"
TABLE = "the same table once more"
GOALS = {TABLE: Goal("P6", most=5)}


def run() -> None:
    """Prints the part."""
    on_each_database(_run_on)


def _run_on(name: str, database_url: str) -> None:
    with surroundings(database_url, MAIL_AUTHSERV_ID="bench.example.org") as environment:
        subprocess.run([sys.executable, "-m", "config.prepare"], env=environment, check=True)
        command = [sys.executable, "-c", "import django; django.setup(); from tests.bench.opening import main; main()"]
        said = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout
    heading(f"Pages, replies and notifications, ms of processor time, on {name}")
    for part, figures in json.loads(said).items():
        spread = Spread.of([1000 * one for one in figures["seconds"]])
        ranged = f"({spread.low:.1f} .. {spread.high:.1f})"
        verdict = GOALS[part].verdict(spread.median) if part in GOALS else ""
        note(f"{part:<34}{spread.median:>6.1f} ms  {ranged:<16}{figures['bytecodes']:>9,} bytecodes  {verdict}")
