"""Backs up the whole database while the service runs, and restores it.

Uses SQLite's backup API, or PostgreSQL's pg_dump, pg_restore and psql. A backup, and a restored database, is complete
or does not come into being.
"""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Mapping
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

Database = Mapping[str, object]  # as in settings.DATABASES
OWNER_ONLY = 0o600  # it holds everybody's mail addresses
SUFFIX = ".backup"
PATTERN = f"[0-9]*T[0-9]*{SUFFIX}"  # names sort by time

Stream = int | IO[bytes] | None  # as subprocess takes it


class BackupFailed(Exception):
    """A backup or restore failed and nothing has changed; the message says why."""


def save(database: Database, path: Path) -> None:
    """Backs up the database to a new file. Raises BackupFailed, also if the file exists."""
    if path.exists():
        raise BackupFailed(f"{path} is there already.")
    part = path.with_name(f"{path.name}.part")
    try:
        os.close(os.open(part, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, OWNER_ONLY))
        if _is_sqlite(database):
            _copy(Path(str(database["NAME"])), part)
        else:
            _run(database, "pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={part}")
        part.replace(path)
    except (OSError, sqlite3.Error) as error:
        raise BackupFailed(str(error)) from error
    finally:
        part.unlink(missing_ok=True)


def save_among(database: Database, folder: Path, keep: int, now: datetime) -> Path:
    """Backs up the database to a new file in a folder, then deletes all but the newest backups; returns its path.

    Arguments:
        keep: how many backups stay, including the new one.

    Raises BackupFailed, with nothing deleted.
    """
    path = folder / f"{now:%Y-%m-%dT%H-%M-%S}{SUFFIX}"
    save(database, path)
    for former in sorted(folder.glob(PATTERN), reverse=True)[keep:]:
        former.unlink(missing_ok=True)
    return path


def restore(database: Database, path: Path) -> None:
    """Replaces everything in the database, which nothing else may use meanwhile, by a backup. Raises BackupFailed."""
    if not path.is_file():
        raise BackupFailed(f"There is no file {path}.")
    try:
        if _is_sqlite(database):
            _check_length(path)
            _copy(path, Path(str(database["NAME"])))
        else:
            _restore_postgres(database, path)
    except (OSError, sqlite3.Error) as error:
        raise BackupFailed(str(error)) from error


def _is_sqlite(database: Database) -> bool:
    return str(database["ENGINE"]).endswith("sqlite3")


def _copy(source: Path, target: Path) -> None:
    """Copies a SQLite database in one transaction. Raises sqlite3.Error, BackupFailed for a damaged or empty source."""
    if not source.is_file():
        raise BackupFailed(f"There is no file {source}.")
    with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as from_here:
        (verdict,) = from_here.execute("PRAGMA integrity_check(1)").fetchone()
        if verdict != "ok":
            raise BackupFailed(f"{source} is damaged: {verdict}")
        if not from_here.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise BackupFailed(f"{source} is empty.")  # to SQLite an empty file is a sound database
        with closing(sqlite3.connect(target)) as to_there:
            from_here.backup(to_there)


def _check_length(path: Path) -> None:
    """Raises BackupFailed for a truncated file, whose missing part SQLite would read as zeros."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        (size,), (count,) = (connection.execute(f"PRAGMA {name}").fetchone() for name in ("page_size", "page_count"))
    if path.stat().st_size != size * count:
        raise BackupFailed(f"{path} is cut off.")


def _restore_postgres(database: Database, path: Path) -> None:
    """Replaces the schema in one transaction, tables of a newer version included; on failure everything stays.

    Pipes pg_restore's script into psql, so that the disk need not hold it a second time.
    """
    script = ("pg_restore", "--no-owner", "--no-privileges", "--schema=public", "--file=-", str(path))
    empty = ("--command=DROP SCHEMA public CASCADE", "--command=CREATE SCHEMA public")
    options = ("--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", "--output=/dev/null")
    with (
        TemporaryFile() as errors,
        _start_program(database, *script, stdout=subprocess.PIPE, stderr=errors) as source,
        TemporaryFile() as refused,
        _start_program(database, "psql", *options, *empty, "--file=-", stdin=subprocess.PIPE, stderr=refused) as target,
    ):
        assert source.stdout is not None and target.stdin is not None
        with suppress(BrokenPipeError):  # psql has ended, and has said why
            shutil.copyfileobj(source.stdout, target.stdin)
            target.stdin.flush()
            if source.wait():
                target.kill()  # before it sees the end of its input, at which it would commit
                raise BackupFailed(f"pg_restore: {_read_end(errors)}")
        with suppress(BrokenPipeError):
            target.stdin.close()
        source.stdout.close()
        if target.wait():
            raise BackupFailed(f"psql: {_read_end(refused)}")


def _run(database: Database, *command: str) -> None:
    with TemporaryFile() as errors, _start_program(database, *command, stdout=errors, stderr=errors) as process:
        if process.wait():
            raise BackupFailed(f"{command[0]}: {_read_end(errors)}")


def _start_program(
    database: Database, *command: str, stdin: Stream = None, stdout: Stream = None, stderr: Stream = None
) -> "subprocess.Popen[bytes]":
    """Starts a program of PostgreSQL, with the password in its environment: others may read command lines."""
    names = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
    where = {variable: str(database[name]) for variable, name in names.items() if database.get(name)}
    try:
        return subprocess.Popen(command, env={**os.environ, **where}, stdin=stdin, stdout=stdout, stderr=stderr)
    except FileNotFoundError as error:
        raise BackupFailed(f"There is no {command[0]} here: install PostgreSQL's client programs.") from error


def _read_end(errors: IO[bytes]) -> str:
    errors.seek(0)
    return errors.read().decode(errors="replace").strip()[-500:]
