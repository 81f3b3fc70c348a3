"""A database of a release is moved to this version and to PostgreSQL, and its games go on (docs/upgrading.md)."""

import gzip
import json
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import environ
import psycopg
import pytest

from config.database import backups
from tests.config.release import RELEASED, run
from tests.conftest import NOON

DATABASES = sorted(RELEASED.glob("*.sql.gz"))


@pytest.mark.slow
@pytest.mark.parametrize("made", DATABASES, ids=lambda path: path.name.removesuffix(".sql.gz"))
def test_a_database_of_a_release_is_moved_its_games_go_on_and_its_next_copy_would_bring_it_back(
    made: Path, tmp_path: Path, postgres_url: str
) -> None:
    path = tmp_path / "kept.backup"
    dump = gzip.decompress(made.read_bytes()).decode()
    with closing(sqlite3.connect(path)) as database:
        database.executescript(dump)
    is_moved = made == DATABASES[-1]  # 1.0.0rc1; the others stay with SQLite
    there = partial(run, url=postgres_url if is_moved else f"sqlite:///{tmp_path}/club.sqlite3", folder=tmp_path)
    moved = there("manage.py", "restore", str(path), "--sure", "--replay")
    assert "3 accounts, 2 games" in moved and "2 games played again" in moved
    link, cookie = json.loads(dump.splitlines()[0].removeprefix("-- "))
    there("-m", "tests.config.release", "play_on", link, cookie)
    if is_moved:
        backups.save_among(environ.Env.db_url_config(postgres_url), tmp_path / "backups", 2, NOON)
        drill = there("manage.py", "restore", "--drill")
        assert "2 games played again" in drill and "The service was left alone" in drill
        with psycopg.connect(postgres_url) as connection:
            assert connection.execute("SELECT count(*) FROM pg_database WHERE datname LIKE '%drill%'").fetchone() == (
                0,
            )


def test_there_is_a_database_of_the_first_release_and_it_is_small() -> None:
    assert {"1.0.0rc1.sql.gz", "1.0.0.sql.gz"} <= {path.name for path in DATABASES}
    assert all(path.stat().st_size < 100_000 for path in DATABASES)
