"""What a measured process finds around it: an empty database, a folder on a disk, and nothing that wakes workers."""

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests import capabilities
from tests.bench.report import note
from tests.servers import running_postgres


def on_each_database(part: Callable[[str, str], None]) -> None:
    """Runs a part, given a database's name and address, on SQLite and, where there is one, on PostgreSQL."""
    part("SQLite", "")
    if capabilities.postgres_bin() is None:
        note("no PostgreSQL here")
        return
    with running_postgres(is_durable=True) as url:
        part("PostgreSQL", url)


@contextlib.contextmanager
def surroundings(database_url: str, **more: str) -> Iterator[dict[str, str]]:
    """Gives the environment.

    Arguments:
        database_url: empty for a SQLite file in the folder.
    """
    with disk_folder() as folder:
        yield os.environ | {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": database_url,
            "REPLY_ADDRESS": "reply+{token}@bench.example.org",
            "SITE_URL": "http://127.0.0.1",
            "SECRET_KEY": "bench" * 16,
            "VAR_DIR": folder,
            "WORKER_HINTS_ENABLED": "0",
            "LOG_LEVEL": "WARNING",
            **more,
        }


def prepare_both(environment: dict[str, str]) -> dict[str, str]:
    """Makes the tables of the service, and beside them those of the minimal view, whose environment it gives."""
    subprocess.run([sys.executable, "-m", "config.prepare"], env=environment, check=True)
    minimal = environment | {"DJANGO_SETTINGS_MODULE": "tests.bench.minimal.settings"}
    create = [sys.executable, "-m", "django", "migrate", "--run-syncdb", "--verbosity", "0"]
    subprocess.run(create, env=minimal, check=True)
    return minimal


def count_rows() -> None:
    """Tells the database how much it holds, which PostgreSQL finds out by itself within a minute: until then statements
    are planned for tables that are empty."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


@contextlib.contextmanager
def disk_folder() -> Iterator[str]:
    """A new folder on the disk that holds the sources: /tmp may be in memory, where a commit waits for nothing."""
    with tempfile.TemporaryDirectory(prefix="bench-", dir=kept_folder()) as folder:
        yield folder


def kept_folder() -> Path:
    """The one above it, which stays."""
    folder = Path(__file__).resolve().parents[2] / "var"
    folder.mkdir(exist_ok=True)
    return folder
