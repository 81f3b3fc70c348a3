"""A copy of the database, and the way back: whole or not at all."""

import datetime as dt
import resource
import sqlite3
from contextlib import closing
from io import StringIO
from pathlib import Path
from typing import Any

import environ
import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from config import prepare
from config.database import backups
from config.management.commands import restore
from games.lobby import bot_accounts
from games.models import Heartbeat, Session, User
from games.play.deadline_rule import HEART
from notifications.clock import present
from notifications.database.sealed import seal
from tests.conftest import NOON


@pytest.fixture
def here(tmp_path: Path) -> dict[str, Any]:
    """A SQLite database with a move in it, in WAL as in service."""
    name = tmp_path / "db.sqlite3"
    with closing(sqlite3.connect(name)) as database:
        database.executescript("PRAGMA journal_mode=WAL; CREATE TABLE move (seq INTEGER); INSERT INTO move VALUES (1)")
    return {"ENGINE": "django.db.backends.sqlite3", "NAME": name}


def moves(database: dict[str, Any]) -> list[int]:
    with closing(sqlite3.connect(database["NAME"])) as connection:
        return [seq for (seq,) in connection.execute("SELECT seq FROM move ORDER BY seq")]


def another_move(database: dict[str, Any]) -> None:
    with closing(sqlite3.connect(database["NAME"])) as connection, connection:
        connection.execute("INSERT INTO move VALUES (2)")


def test_what_came_after_the_copy_is_gone_when_it_is_back(here: dict[str, Any], tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    backups.save(here, copy)
    another_move(here)
    assert moves(here) == [1, 2]
    backups.restore(here, copy)
    assert moves(here) == [1]
    assert copy.stat().st_mode & 0o777 == backups.OWNER_ONLY


def test_a_copy_is_never_written_over(here: dict[str, Any], tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.write_text("the only one")
    with pytest.raises(backups.BackupFailed, match="there already"):
        backups.save(here, copy)
    assert copy.read_text() == "the only one"


@pytest.mark.parametrize("broken", [b"", b"no database at all", None])
def test_a_copy_that_is_broken_changes_nothing(here: dict[str, Any], tmp_path: Path, broken: bytes | None) -> None:
    copy = tmp_path / "copy"
    backups.save(here, copy)
    copy.write_bytes(copy.read_bytes()[:5000] if broken is None else broken)
    with pytest.raises(backups.BackupFailed):
        backups.restore(here, copy)
    assert moves(here) == [1]


def test_of_a_folder_of_copies_the_newest_stay_and_what_is_no_copy_is_left_alone(
    here: dict[str, Any], tmp_path: Path
) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    (folder / "letters.backup").write_text("of somebody else")
    made = [backups.save_among(here, folder, 2, NOON + dt.timedelta(days=day)) for day in range(4)]
    assert sorted(path.name for path in folder.iterdir()) == [made[2].name, made[3].name, "letters.backup"]


def test_while_copies_fail_none_is_deleted(here: dict[str, Any], tmp_path: Path) -> None:
    kept = backups.save_among(here, tmp_path, 1, NOON)
    with pytest.raises(backups.BackupFailed):
        backups.save_among(here | {"NAME": tmp_path / "none"}, tmp_path, 1, NOON + dt.timedelta(days=1))
    assert kept.exists()


@pytest.mark.parametrize("words", [["--into", "x", "--keep", "0"], ["file", "--into", "x"]])
def test_a_folder_or_a_file_and_at_least_one_copy(words: list[str]) -> None:
    with pytest.raises(CommandError):
        call_command("backup", *words)


def test_a_copy_that_fails_leaves_no_file(tmp_path: Path) -> None:
    nowhere = {"ENGINE": "django.db.backends.sqlite3", "NAME": tmp_path / "none"}
    with pytest.raises(backups.BackupFailed):
        backups.save(nowhere, tmp_path / "copy")
    assert list(tmp_path.iterdir()) == []


def test_without_the_programs_of_postgresql_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(backups.BackupFailed, match="client programs"):
        backups.save({"ENGINE": "django.db.backends.postgresql", "NAME": "x"}, tmp_path / "copy")


def test_the_same_on_postgresql_twice_and_with_tables_of_a_newer_version(postgres_url: str, tmp_path: Path) -> None:
    there = environ.Env.db_url_config(postgres_url)
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("CREATE TABLE move (seq int)")
        connection.execute("INSERT INTO move VALUES (1)")
    for number in range(2):
        copy = tmp_path / str(number)
        backups.save(there, copy)
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute("INSERT INTO move VALUES (2)")
            connection.execute("CREATE TABLE newer (x int)")
        broken = tmp_path / f"broken{number}"
        broken.write_bytes(copy.read_bytes()[:-200])
        with pytest.raises(backups.BackupFailed):
            backups.restore(there, broken)
        backups.restore(there, copy)
        with psycopg.connect(postgres_url) as connection:
            assert connection.execute("SELECT seq FROM move").fetchall() == [(1,)]
            assert connection.execute("SELECT to_regclass('newer')").fetchone() == (None,)


def test_a_restore_on_postgresql_writes_no_second_copy_to_the_disk(postgres_url: str, tmp_path: Path) -> None:
    """What this process and its programs may write to a file is much less than what is restored."""
    there = environ.Env.db_url_config(postgres_url)
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("CREATE TABLE long AS SELECT repeat('x', 1000000) AS words")
    backups.save(there, tmp_path / "copy")
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("DROP TABLE long")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        backups.restore(there, tmp_path / "copy")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    with psycopg.connect(postgres_url) as connection:
        assert connection.execute("SELECT length(words) FROM long").fetchone() == (1_000_000,)


def test_the_command_asks_whether_one_is_sure_and_waits_for_workers_to_end(tmp_path: Path, db: None) -> None:
    with pytest.raises(CommandError, match="--sure"):
        call_command("restore", str(tmp_path / "copy"))
    Heartbeat.objects.create(name=HEART, beat_at=present.now())
    with pytest.raises(CommandError, match="at work"):
        call_command("restore", str(tmp_path / "copy"), "--sure")


def test_on_a_full_disk_a_copy_fails_in_words_and_leaves_nothing(here: dict[str, Any], tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(backups.BackupFailed, match=r"disk|full|large"):
            backups.save(here, folder / "copy")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("none", None, "no file"),
        ("letter", b"Dear Anna", "is no backup"),
        ("other", ("shop", "0001_shop"), "before 1.0.0rc1|newer"),
        ("newer", ("games", "9999_from_tomorrow"), "newer version"),
    ],
)
def test_what_this_version_cannot_read_is_refused_before_anything_changes(
    tmp_path: Path, db: None, name: str, content: bytes | tuple[str, str] | None, words: str
) -> None:
    file = tmp_path / name
    if isinstance(content, bytes):
        file.write_bytes(content)
    elif content:
        applied = [("games", "0001_release_1"), content] if content[0] == "games" else [("games", "0001_initial")]
        with closing(sqlite3.connect(file)) as made, made:
            made.execute("CREATE TABLE django_migrations (app, name)")
            made.executemany("INSERT INTO django_migrations VALUES (?, ?)", applied)
    with pytest.raises(CommandError, match=words):
        call_command("restore", str(file), "--sure")


def test_a_drill_before_the_first_copy_says_how_to_make_one(tmp_path: Path, settings: Any) -> None:
    settings.BACKUP_DIR = tmp_path / "backups"
    with pytest.raises(CommandError, match=r"no backup in .* yet\. `caravanserai backup`"):
        call_command("restore", "--drill")


def test_a_copy_whose_key_is_missing_is_not_moved(db: None, settings: Any) -> None:
    Session.objects.create(session_key="s", session_data=seal("of Anna"), expire_date=NOON)
    restore.require_keys("default")
    settings.SEALING_KEYS = ["another"]
    with pytest.raises(CommandError, match="sealed with another key"):
        restore.require_keys("default")


def test_a_database_that_somebody_uses_takes_no_move(db: None) -> None:
    bot_accounts.characters()  # which each new installation has
    restore.require_empty()
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE shop (x int)")
    with pytest.raises(CommandError, match="shop is in it"):
        restore.require_empty()
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE shop")
    User.objects.create(email="anna@example.org")
    with pytest.raises(CommandError, match="1 accounts"):
        restore.require_empty()


def test_the_first_copy_is_waited_for_from_the_first_start_on(db: None) -> None:
    prepare.await_backup()
    beat = Heartbeat.objects.get(name="backup").beat_at
    prepare.await_backup()
    assert Heartbeat.objects.get(name="backup").beat_at == beat


def test_a_whole_copy_is_noted_and_one_that_failed_is_not(tmp_path: Path, db: None) -> None:
    (tmp_path / "there").write_text("already")
    with pytest.raises(CommandError):
        call_command("backup", str(tmp_path / "there"))
    assert not Heartbeat.objects.filter(name="backup").exists()
    call_command("backup", str(tmp_path / "copy"), stdout=StringIO())
    assert Heartbeat.objects.filter(name="backup").exists()
