"""A database of a release is moved to this version and to PostgreSQL, and its games go on (docs/upgrading.md)."""

import gzip
import io
import json
import sqlite3
import subprocess
import tarfile
from contextlib import closing
from functools import partial
from pathlib import Path

import environ
import psycopg
import pytest

from config.database import backups
from tests import capabilities
from tests.config.release import RELEASED, run
from tests.conftest import NOON

DATABASES = sorted(RELEASED.glob("*.sql.gz"))
FORMER = RELEASED / "1.0.0.sql.gz"  # what `capabilities.FORMER_RELEASE` made
CANDIDATE = RELEASED / "1.0.0rc1.sql.gz"


def unpack(made: Path, backup: Path) -> list[str]:
    """Makes a backup of a kept database; returns a link of an email and a cookie that were good in it."""
    dump = gzip.decompress(made.read_bytes()).decode()
    with closing(sqlite3.connect(backup)) as database:
        database.executescript(dump)
    kept: list[str] = json.loads(dump.splitlines()[0].removeprefix("-- "))
    return kept


@pytest.mark.slow
def test_a_database_of_a_release_is_moved_its_games_go_on_and_its_next_copy_would_bring_it_back(
    tmp_path: Path, postgres_url: str
) -> None:
    link, cookie = unpack(CANDIDATE, tmp_path / "kept.backup")
    there = partial(run, url=postgres_url, folder=tmp_path)
    moved = there("manage.py", "restore", str(tmp_path / "kept.backup"), "--sure", "--replay")
    assert "3 accounts, 2 games" in moved and "2 games played again" in moved
    there("-m", "tests.config.release", "play_on", link, cookie)
    backups.save_among(environ.Env.db_url_config(postgres_url), tmp_path / "backups", 2, NOON)
    drill = there("manage.py", "restore", "--drill")
    assert "2 games played again" in drill and "The service was left alone" in drill
    with psycopg.connect(postgres_url) as connection:
        assert connection.execute("SELECT count(*) FROM pg_database WHERE datname LIKE '%drill%'").fetchone() == (0,)


@pytest.mark.slow
@pytest.mark.former_release
def test_games_go_on_after_an_upgrade_a_roll_back_by_one_version_and_the_upgrade_again(tmp_path: Path) -> None:
    code = tmp_path / "former"
    link, cookie = unpack(FORMER, tmp_path / "kept.backup")
    archive = subprocess.run(["git", "archive", capabilities.FORMER_RELEASE], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(code, filter="data")
    here = partial(run, url=f"sqlite:///{tmp_path}/club.sqlite3", folder=tmp_path)
    moved = here("manage.py", "restore", str(tmp_path / "kept.backup"), "--sure", "--replay")
    assert "3 accounts, 2 games" in moved and "2 games played again" in moved
    here("-m", "tests.config.release", "play_on", link, cookie, code=code)
    here("-m", "tests.config.release", "play_on", link, cookie)


def test_there_is_a_database_of_the_first_release_and_it_is_small() -> None:
    assert {"1.0.0rc1.sql.gz", "1.0.0.sql.gz"} <= {path.name for path in DATABASES}
    assert all(path.stat().st_size < 100_000 for path in DATABASES)
