"""A database that a released version made is migrated by this one, and its games go on (docs/upgrading.md)."""

import gzip
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.config.release import RELEASED, run

DATABASES = sorted(RELEASED.glob("*.sql.gz"))


@pytest.mark.slow
@pytest.mark.parametrize("made", DATABASES, ids=lambda path: path.name.removesuffix(".sql.gz"))
def test_a_database_of_a_release_is_migrated_and_its_games_go_on(made: Path, tmp_path: Path) -> None:
    path = tmp_path / "upgraded.sqlite3"
    dump = gzip.decompress(made.read_bytes()).decode()
    with closing(sqlite3.connect(path)) as database:
        database.executescript(dump)
    run("-m", "config.prepare", path=path)
    link, cookie = json.loads(dump.splitlines()[0].removeprefix("-- "))
    run("-m", "tests.config.release", "play_on", link, cookie, path=path)
    assert "moves replayed" in run("manage.py", "replay_games", path=path)


def test_there_is_a_database_of_the_first_release_and_it_is_small() -> None:
    assert "1.0.0rc1.sql.gz" in [path.name for path in DATABASES]
    assert all(path.stat().st_size < 100_000 for path in DATABASES)
