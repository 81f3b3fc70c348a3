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

import psycopg

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


def measure(program: str) -> None:
    """Runs a measuring process beside an empty database that counts."""
    if capabilities.postgres_bin() is None:
        note("no PostgreSQL here")
        return
    with running_postgres(COUNTING, "max_wal_size=4GB") as url:
        _work(url, "config.prepare")
        _work(url, f"tests.bench.{program}")


def populate() -> None:
    """Prints what a whole service costs the database at each size: the same two games, copied more and more often."""
    sizes, found = MILLION if os.environ.get("GROWTH_MILLION") else SIZES, []
    with TemporaryDirectory() as folder, running_postgres(COUNTING, "max_wal_size=4GB") as url:
        _work(url, "config.prepare")
        _work(url, "tests.bench.populating")
        for size in sizes:
            file = Path(folder) / "costs"
            _work(_copied(url, f"of_{size[0]}"), "tests.bench.populating", *map(str, size), str(file))
            found.append(json.loads(file.read_text()))
    heading("A whole service: blocks by running + finished games")
    print(f"  {'':<60}" + "".join(f"{f'{one[0]:,} + {one[1]:,}':>22}" for one in sizes) + f"{'exponent':>10}")
    for name in found[0]:
        blocks = [costs[name][0] for costs in found]
        points = [log(max(one, 1)) for one in blocks]
        slope = statistics.linear_regression([log(size[0]) for size in sizes], points).slope
        cells = "".join(f"{count:>22,}" for count in blocks)
        print(f"  {name[:60]:<60}{cells}{slope:>10.2f}  {GOAL.verdict(round(slope, 2))}")


def _work(url: str, module: str, *arguments: str) -> None:
    with surroundings(url) as environment:
        subprocess.run([sys.executable, "-m", module, *arguments], env=environment, check=True)


def _copied(url: str, name: str) -> str:
    server, _slash, copied = url.rpartition("/")
    with psycopg.connect(f"{server}/template1", autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{copied}"'.encode())
    return f"{server}/{name}"
