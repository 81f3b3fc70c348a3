"""Backs up the whole database while the service runs, and restores it, also beside the service to try a backup.

Uses SQLite's backup API, or PostgreSQL's pg_dump, pg_restore and psql. A backup, and a restored database, is complete
or does not come into being.
"""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO
from urllib.parse import urlsplit

Database = Mapping[str, object]  # as in settings.DATABASES
OWNER_ONLY = 0o600  # it holds everybody's mail addresses
SUFFIX = ".backup"
PATTERN = f"[0-9]*T[0-9]*{SUFFIX}"  # names sort by time
OF_SQLITE, OF_POSTGRESQL = b"SQLite format 3\0", b"PGDMP"  # how such a file begins

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
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BackupFailed(str(error)) from error
    path = folder / f"{now:%Y-%m-%dT%H-%M-%S}{SUFFIX}"
    save(database, path)
    for former in sorted(folder.glob(PATTERN), reverse=True)[keep:]:
        former.unlink(missing_ok=True)
    return path


def newest(folder: Path) -> Path:
    """The newest backup of a folder. Raises BackupFailed if there is none."""
    with suppress(OSError):
        if paths := sorted(folder.glob(PATTERN)):
            return paths[-1]
    raise BackupFailed(f"There is no backup in {folder} yet. `caravanserai backup` makes one.")


def is_of_sqlite(path: Path) -> bool:
    """Whether a backup is SQLite's, not PostgreSQL's. Raises BackupFailed if it is neither."""
    try:
        with path.open("rb") as file:
            beginning = file.read(len(OF_SQLITE))
    except FileNotFoundError as error:
        raise BackupFailed(f"There is no file {path}.") from error
    except OSError as error:
        raise BackupFailed(str(error)) from error
    if beginning != OF_SQLITE and not beginning.startswith(OF_POSTGRESQL):
        raise BackupFailed(f"{path} is no backup.")
    return beginning == OF_SQLITE


def migrations_in(database: Database, path: Path) -> set[tuple[str, str]]:
    """Reads which migrations were applied, as pairs of app and name. Raises BackupFailed, also if there are none."""
    if is_of_sqlite(path):
        try:
            with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
                applied = set(connection.execute("SELECT app, name FROM django_migrations").fetchall())
        except sqlite3.Error as error:
            raise BackupFailed(f"{path} is no backup of this service, or it is damaged: {error}") from error
    else:
        table = ("--data-only", "--schema=public", "--table=django_migrations")
        with TemporaryFile() as script:
            _run(database, "pg_restore", *table, "--file=-", str(path), stdout=script)
            script.seek(0)
            rows = [line.decode().split("\t") for line in script]
        applied = {(row[1], row[2]) for row in rows if len(row) == 4}  # id, app, name, applied
    if not applied:
        raise BackupFailed(f"{path} is no backup of this service.")
    return applied


@contextmanager
def throw_away(database: Database, url: str, folder: Path) -> Iterator[str]:
    """An empty database beside the service's, removed in the end; gives its DATABASE_URL.

    Arguments:
        url: DATABASE_URL of a PostgreSQL.
        folder: where a SQLite database is put.

    Raises BackupFailed.
    """
    if _is_sqlite(database):
        try:
            with TemporaryDirectory(dir=folder, prefix="drill-") as beside:
                yield f"sqlite:///{beside}/drill.sqlite3"
        except OSError as error:
            raise BackupFailed(str(error)) from error
        return
    name = f"{database['NAME']}_drill_{token_hex(4)}"
    try:
        _run(database, "psql", "--no-psqlrc", "--quiet", f'--command=CREATE DATABASE "{name}"')
    except BackupFailed as error:
        if "permission denied" not in str(error):
            raise
        remedy = f"Allow it: sudo -u postgres psql -c 'ALTER ROLE {database.get('USER')} CREATEDB'"
        raise BackupFailed(f"{error}\n{remedy}") from error
    try:
        yield urlsplit(url)._replace(path=f"/{name}").geturl()
    finally:
        _run(database, "psql", "--no-psqlrc", "--quiet", f'--command=DROP DATABASE "{name}" WITH (FORCE)')


def restore(database: Database, path: Path) -> None:
    """Replaces everything in the database, which nothing else may use meanwhile, by a backup. Raises BackupFailed."""
    if not path.is_file():
        raise BackupFailed(f"There is no file {path}.")
    try:
        if _is_sqlite(database):
            copy_sqlite(path, Path(str(database["NAME"])))
        else:
            _restore_postgres(database, path)
    except (OSError, sqlite3.Error) as error:
        raise BackupFailed(str(error)) from error


def _is_sqlite(database: Database) -> bool:
    return str(database["ENGINE"]).endswith("sqlite3")


def copy_sqlite(path: Path, target: Path) -> None:
    """Copies a backup that may be damaged or cut off. Raises BackupFailed, sqlite3.Error."""
    if not is_of_sqlite(path):
        raise BackupFailed(f"{path} is a backup of a PostgreSQL: set DATABASE_URL to one.")
    if path.with_name(f"{path.name}-wal").exists():
        raise BackupFailed(f"{path} is in use. Copy it there by `backup`, and restore that copy.")
    _check_length(path)
    _copy(path, target)


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


def _run(database: Database, *command: str, stdout: Stream = subprocess.DEVNULL) -> None:
    with TemporaryFile() as errors, _start_program(database, *command, stdout=stdout, stderr=errors) as process:
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
