"""What things cost beside more and more games, running and finished, and with a longer and longer log: on PostgreSQL.

The database tells how many blocks it looks at for each; it is started with what counts them. What is done there:
`growing.py`, in one database that grows; and `populating.py`, in a whole service at three sizes.
"""

import json
import os
import statistics
import subprocess
import sys
from math import log
from pathlib import Path
from tempfile import TemporaryDirectory

from tests import capabilities
from tests.bench.report import Goal, heading, note
from tests.bench.surroundings import surroundings
from tests.servers import running_postgres

COUNTING = "shared_preload_libraries=pg_stat_statements"
SIZES = ((100, 1_000, 10), (1_000, 10_000, 10), (10_000, 100_000, 100))
MILLION = ((1_000, 10_000, 10), (10_000, 100_000, 100), (100_000, 1_000_000, 1_000))  # if GROWTH_MILLION is set
"""Running games, finished ones, and how many of each have their whole log."""
GOAL = Goal("P11", most=0.1)


def run() -> None:
    """Prints the part."""
    measure("growing")
    if capabilities.postgres_bin() is not None:
        populate()


def measure(program: str, *arguments: str) -> None:
    """Runs a measuring process beside an empty database that counts."""
    if capabilities.postgres_bin() is None:
        note("no PostgreSQL here")
        return
    with running_postgres(COUNTING, "max_wal_size=4GB") as url, surroundings(url) as environment:
        subprocess.run([sys.executable, "-m", "config.prepare"], env=environment, check=True)
        subprocess.run([sys.executable, "-m", f"tests.bench.{program}", *arguments], env=environment, check=True)


def populate() -> None:
    """Prints what a whole service costs the database at each size."""
    sizes, found = MILLION if os.environ.get("GROWTH_MILLION") else SIZES, []
    with TemporaryDirectory() as folder:
        for size in sizes:
            file = Path(folder) / "costs"
            measure("populating", *map(str, size), str(file))
            found.append(json.loads(file.read_text()))
    heading("A whole service: blocks by running + finished games")
    print(f"  {'':<60}" + "".join(f"{f'{one[0]:,} + {one[1]:,}':>22}" for one in sizes) + f"{'exponent':>10}")
    for name in found[0]:
        blocks = [costs[name][0] for costs in found]
        points = [log(max(one, 1)) for one in blocks]
        slope = statistics.linear_regression([log(size[0]) for size in sizes], points).slope
        cells = "".join(f"{count:>22,}" for count in blocks)
        print(f"  {name[:60]:<60}{cells}{slope:>10.2f}  {GOAL.verdict(round(slope, 2))}")
