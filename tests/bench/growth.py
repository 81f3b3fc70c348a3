"""What things cost beside more and more games, running and finished, and with a longer and longer log: on PostgreSQL.

The database tells how many blocks it looks at for each; it is started with what counts them. What is done there:
`growing.py`.
"""

import subprocess
import sys

from tests import capabilities
from tests.bench.report import note
from tests.bench.surroundings import surroundings
from tests.servers import running_postgres

COUNTING = "shared_preload_libraries=pg_stat_statements"


def run() -> None:
    """Prints the part."""
    measure("growing")


def measure(program: str) -> None:
    """Runs a measuring process beside an empty database that counts."""
    if capabilities.postgres_bin() is None:
        note("no PostgreSQL here")
        return
    with running_postgres(COUNTING, "max_wal_size=4GB") as url, surroundings(url) as environment:
        subprocess.run([sys.executable, "-m", "config.prepare"], env=environment, check=True)
        subprocess.run([sys.executable, "-m", f"tests.bench.{program}"], env=environment, check=True)
