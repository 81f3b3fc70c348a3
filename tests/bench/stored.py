"""What a finished game takes on the disk, in rows and packed: on SQLite and on PostgreSQL.

What is done there: `storing.py`.
"""

import subprocess
import sys

from tests.bench.surroundings import on_each_database, surroundings


def run() -> None:
    """Prints the part."""
    on_each_database(_measure)


def _measure(name: str, url: str) -> None:
    with surroundings(url) as environment:
        subprocess.run([sys.executable, "-m", "config.prepare"], env=environment, check=True)
        subprocess.run([sys.executable, "-m", "tests.bench.storing", name], env=environment, check=True)
