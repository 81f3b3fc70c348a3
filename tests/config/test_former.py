"""A database that a release before 1.0.0rc1 made is refused in words by whatever asks it, and stays as it is."""

import contextlib
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from config.launcher.children import ROOT
from config.launcher.service import Service, ServiceProblem, free_port, listener_command, web_command, worker_command
from tests.capabilities import postgres_bin

pytestmark = pytest.mark.slow
FORMER = [
    "CREATE TABLE django_migrations (id integer PRIMARY KEY, app varchar(255), name varchar(255), applied timestamp)",
    "INSERT INTO django_migrations VALUES (1, 'auth', '0001_initial', '2026-01-01')",
    "INSERT INTO django_migrations VALUES (2, 'notifications', '0001_tables', '2026-01-01')",
    "INSERT INTO django_migrations VALUES (3, 'games', '0039_anonymous_requests', '2026-01-01')",
    "CREATE TABLE games_heartbeat (id integer PRIMARY KEY, name varchar(40), beat_at timestamp)",
    "INSERT INTO games_heartbeat VALUES (1, 'worker', '2026-01-01')",
]
MANAGE = [sys.executable, "manage.py"]
WITHOUT_CHECKS = [*MANAGE, "migrate", "--skip-checks"]
COMMANDS = [
    [*MANAGE, "migrate"],
    WITHOUT_CHECKS,
    [*MANAGE, "migrate", "--fake-initial"],
    [*MANAGE, "check", "--database", "default"],
    [*MANAGE, "make_staff", "--moderator", "anna@example.org"],
    [sys.executable, "-m", "config.prepare", "--demo"],
    web_command("127.0.0.1", free_port()),
    listener_command(),
    worker_command(),
]


class Database:
    """One that a former release made, and what can be read of it from outside."""

    def __init__(self, url: str, content: Any) -> None:
        self.url = url
        self.content = content


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    if getattr(request, "param", "sqlite") == "sqlite":
        path = tmp_path / "caravanserai.sqlite3"
        with contextlib.closing(sqlite3.connect(path)) as made, made:
            for statement in ("PRAGMA journal_mode=WAL", *FORMER):
                made.execute(statement)
        yield Database(f"sqlite:///{path}", path.read_bytes)
        return
    url, programs = request.getfixturevalue("postgres_url"), postgres_bin()
    assert programs is not None
    with psycopg.connect(url) as connection:
        for statement in FORMER:
            connection.execute(statement)
    dump = [programs / "pg_dump", "--inserts", "--restrict-key=same", url]
    yield Database(url, lambda: subprocess.run(dump, check=True, capture_output=True).stdout)


ON_EACH = [*(("sqlite", command) for command in COMMANDS), ("postgres", WITHOUT_CHECKS), ("postgres", COMMANDS[-1])]
"""One place looks which release made a database, so PostgreSQL is tried once with Django's checks and once without."""


@pytest.mark.parametrize(
    ("database", "command"),
    ON_EACH,
    indirect=["database"],
    ids=[f"{kind}-{'-'.join(words[1:4]).replace('/', '.')}" for kind, words in ON_EACH],
)
def test_whatever_starts_is_refused_in_words_and_changes_nothing(
    database: Database, command: list[str], tmp_path: Path
) -> None:
    before = database.content()
    environment = os.environ | {"DATABASE_URL": database.url, "VAR_DIR": str(tmp_path / "var"), "REDIS_URL": ""}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=120)
    said = done.stdout + done.stderr
    assert "made by a release before 1.0.0rc1, and is left as it is" in said and "empty database" in said
    assert done.returncode == 1
    assert database.content() == before


def test_the_launcher_says_so_and_starts_nothing(database: Database, tmp_path: Path) -> None:
    before = database.content()
    service = Service(os.environ | {"DATABASE_URL": database.url, "VAR_DIR": str(tmp_path / "var"), "PORT": "0"})
    with pytest.raises(ServiceProblem, match=r"made by a release before 1\.0\.0rc1(?s:.*)give this release an empty"):
        service.prepare()
    assert database.content() == before
