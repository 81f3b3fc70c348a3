"""A copy of the whole database while the service runs, and the way back from it.

SQLite copies itself page by page; PostgreSQL's own pg_dump, pg_restore and psql do it there. A copy is whole or not
there, and so is what is restored.
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
from typing import IO, Any

Database = Mapping[str, Any]  # as in settings.DATABASES
FOR_ITS_OWNER = 0o600  # everybody's mail addresses are in it
ENDING = ".backup"
NAMED = f"[0-9]*T[0-9]*{ENDING}"  # the copies of a folder, whose names are in the order of their times


class BackupFailed(Exception):
    """The copy was not made, or not put back, and nothing has changed; says why."""


def save(database: Database, path: Path) -> None:
    """Copies the database of this moment to a new file. Raises BackupFailed, also for a file that is there."""
    if path.exists():
        raise BackupFailed(f"{path} is there already.")
    part = path.with_name(f"{path.name}.part")
    try:
        os.close(os.open(part, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, FOR_ITS_OWNER))
        if _is_sqlite(database):
            _copy(Path(database["NAME"]), part)
        else:
            _run(database, "pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={part}")
        part.replace(path)
    except (OSError, sqlite3.Error) as error:
        raise BackupFailed(str(error)) from error
    finally:
        part.unlink(missing_ok=True)


def save_among(database: Database, folder: Path, keep: int, now: datetime) -> Path:
    """Copies the database to a new file in a folder of copies, and then deletes all but the newest; gives its path.

    Arguments:
        keep: how many stay, the new one among them.

    Raises BackupFailed; then none was deleted.
    """
    path = folder / f"{now:%Y-%m-%dT%H-%M-%S}{ENDING}"
    save(database, path)
    for former in sorted(folder.glob(NAMED), reverse=True)[keep:]:
        former.unlink(missing_ok=True)
    return path


def restore(database: Database, path: Path) -> None:
    """Puts a copy in the place of all that is in the database, which nobody may use meanwhile. Raises BackupFailed."""
    if not path.is_file():
        raise BackupFailed(f"There is no file {path}.")
    try:
        if _is_sqlite(database):
            _check_length(path)
            _copy(path, Path(database["NAME"]))
        else:
            _restore_postgres(database, path)
    except (OSError, sqlite3.Error) as error:
        raise BackupFailed(str(error)) from error


def _is_sqlite(database: Database) -> bool:
    return str(database["ENGINE"]).endswith("sqlite3")


def _copy(source: Path, target: Path) -> None:
    """One transaction on either side. Raises sqlite3.Error, for what is no sound database too."""
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
    """Of a page that is cut off SQLite reads the rest as zeros."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        (size,), (count,) = (connection.execute(f"PRAGMA {name}").fetchone() for name in ("page_size", "page_count"))
    if path.stat().st_size != size * count:
        raise BackupFailed(f"{path} is cut off.")


def _restore_postgres(database: Database, path: Path) -> None:
    """As one transaction: what has come since, tables of a newer version too, goes, or everything stays.

    One program hands it to the other: the disk need not hold it a second time.
    """
    script = ("pg_restore", "--no-owner", "--no-privileges", "--schema=public", "--file=-", str(path))
    empty = ("--command=DROP SCHEMA public CASCADE", "--command=CREATE SCHEMA public")
    options = ("--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", "--output=/dev/null")
    with (
        TemporaryFile() as errors,
        _started(database, *script, stdout=subprocess.PIPE, stderr=errors) as source,
        TemporaryFile() as refusals,
        _started(database, "psql", *options, *empty, "--file=-", stdin=subprocess.PIPE, stderr=refusals) as target,
    ):
        assert source.stdout is not None and target.stdin is not None
        with suppress(BrokenPipeError):  # psql has ended, and has said why
            shutil.copyfileobj(source.stdout, target.stdin)
            target.stdin.flush()
            if source.wait():
                target.kill()  # before it sees an end, at which it would commit what it has
                raise BackupFailed(f"pg_restore: {_end_of(errors)}")
        with suppress(BrokenPipeError):
            target.stdin.close()
        source.stdout.close()
        if target.wait():
            raise BackupFailed(f"psql: {_end_of(refusals)}")


def _run(database: Database, *command: str) -> None:
    with TemporaryFile() as errors, _started(database, *command, stdout=errors, stderr=errors) as process:
        if process.wait():
            raise BackupFailed(f"{command[0]}: {_end_of(errors)}")


def _started(database: Database, *command: str, **streams: Any) -> "subprocess.Popen[bytes]":
    """A program of PostgreSQL; what is secret is not on its command line, which others may read."""
    names = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
    where = {variable: str(database[name]) for variable, name in names.items() if database.get(name)}
    try:
        return subprocess.Popen(command, env={**os.environ, **where}, **streams)
    except FileNotFoundError as error:
        raise BackupFailed(f"There is no {command[0]} here: install PostgreSQL's client programs.") from error


def _end_of(errors: IO[bytes]) -> str:
    errors.seek(0)
    return errors.read().decode(errors="replace").strip()[-500:]
