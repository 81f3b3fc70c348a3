"""`manage.py restore FILE --sure`: the way back from what `manage.py backup` made, and from SQLite to PostgreSQL.

With `--drill` a copy is restored into a database that is thrown away, and the service is left alone.
"""

import hashlib
import json
import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from django.apps import apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, Error, connection, connections, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.models import Model, QuerySet, TextField
from django.db.models.functions import Cast

from config.database import backups, former
from games.people.models import Session, User
from games.play.deadline_rule import HEART
from games.play.models import Heartbeat, Move
from games.tables.models import Game
from games.web import metrics
from notifications.clock import present
from notifications.database.sealed import SealedField, unseal

FILE = "file"  # the alias of the database that is read while it is moved
ROWS_AT_ONCE = 500
DIGESTS = 1 << 256
WRONG_KEY = (
    "The copy is sealed with another key. Set SECRET_KEY and SEALING_KEYS to those with which it was made"
    " (script/server keeps its key in var/secret_key)."
)
Digest = tuple[int, int]  # how many rows, and the sum of their hashes: databases sort texts differently


class Command(BaseCommand):
    """Puts a copy in the place of everything that is in the database."""

    help = "Replaces everything in the database by a copy that `backup` made. Stop web and workers first."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where from."""
        parser.add_argument(
            "file", type=Path, nargs="?", help="the copy; one of SQLite moves into an empty PostgreSQL, row by row"
        )
        parser.add_argument("--sure", action="store_true", help="needed: what is in the database now is lost")
        parser.add_argument("--replay", action="store_true", help="play every game again afterwards")
        parser.add_argument(
            "--drill",
            action="store_true",
            help="try it in a database that is thrown away; without a file with the newest copy in BACKUP_DIR",
        )

    def handle(
        self, *args: object, file: Path | None, sure: bool, replay: bool, drill: bool, **options: object
    ) -> None:
        """Raises CommandError, with nothing changed: not sure, a worker is at work, the copy is not sound."""
        try:
            if drill:
                self._drill(file or backups.newest(settings.BACKUP_DIR))
            elif file is None:
                raise CommandError("Say which copy: a file that `backup` made.")
            elif not sure:
                raise CommandError("This replaces everything that is in the database now. Say --sure.")
            elif _is_at_work(DEFAULT_DB_ALIAS):
                raise CommandError(
                    "A worker was at work a moment ago. Stop web and workers, wait two minutes, try again."
                )
            else:
                self._restore(file, replay=replay)
        except (backups.BackupFailed, ImproperlyConfigured) as error:
            raise CommandError(str(error)) from error
        except Error as error:
            raise CommandError(f"The database says: {error}".strip()) from error

    def _restore(self, file: Path, *, replay: bool) -> None:
        database = settings.DATABASES["default"]
        _require_readable(backups.migrations_in(database, file), file)
        if connection.vendor == "postgresql" and backups.is_of_sqlite(file):
            self._move(file)
            replay = True
        else:
            connections.close_all()
            backups.restore(database, file)
            _make_tables()
        self.stdout.write(f"Restored: {_contents()}")
        require_keys(DEFAULT_DB_ALIAS)
        if replay:
            self._replay()

    def _replay(self) -> None:
        """Raises CommandError, naming the games that differ; what was restored stays."""
        if not Game.objects.exclude(started_at=None).exists():
            return
        lines, differences = StringIO(), StringIO()
        try:
            call_command("replay_games", stdout=lines, stderr=differences)
        except CommandError as error:
            raise CommandError(
                f"{differences.getvalue()}{error} What was restored stays: these games are so in the copy."
            ) from error
        self.stdout.write(f"{len(lines.getvalue().splitlines())} games played again, each to the same state and hash.")

    def _move(self, file: Path) -> None:
        """Moves a SQLite database into an empty PostgreSQL: all of it, or nothing if one row is not the same there."""
        require_empty()
        with _open_copy(file):
            if _is_at_work(FILE):
                raise CommandError(f"A worker was at work with {file} a moment ago: stop that service, and copy again.")
            require_keys(FILE)
            _make_tables()
            models = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
            with transaction.atomic():
                for statement in connection.ops.sql_flush(no_style(), [model._meta.db_table for model in models]):
                    _execute(statement)
                for model in models:
                    _copy_rows(model)
                connection.check_constraints()
                for statement in connection.ops.sequence_reset_sql(no_style(), models):
                    _execute(statement)
                for model in models:
                    if _digest(model, FILE) != _digest(model, DEFAULT_DB_ALIAS):
                        raise CommandError(f"{model._meta.db_table} is not the same there. Nothing was moved.")
        self.stdout.write(f"Moved, and compared row by row: {len(models)} tables.")

    def _drill(self, file: Path) -> None:
        """Restores a copy beside the service, in a process of its own, as it would be done in earnest."""
        database, url = settings.DATABASES["default"], os.environ.get("DATABASE_URL", "")
        with backups.throw_away(database, url, settings.BACKUP_DIR) as beside:
            try:
                said = _run_beside(beside, "restore", str(file.absolute()), "--sure", "--replay")
            except CommandError as error:
                raise CommandError(f"{file} would not bring the service back:\n{error}") from error
        age = present.now() - datetime.fromtimestamp(file.stat().st_mtime, UTC)
        self.stdout.write(
            f"{said}{file}, {age // timedelta(hours=1)} hours old, would bring all of this back."
            " The service was left alone."
        )


def _run_beside(url: str, *words: str) -> str:
    """Runs a command on another database in a process of its own. Raises CommandError."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), *words]
    environment = os.environ | {"DATABASE_URL": url}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CommandError(done.stderr.strip())
    return done.stdout


def _make_tables() -> None:
    call_command("migrate", verbosity=0, interactive=False)
    call_command("createcachetable", verbosity=0)


def _is_at_work(alias: str) -> bool:
    try:
        beat = Heartbeat.objects.using(alias).filter(name=HEART).first()
    except Error:  # an empty database, or a broken one: nobody works with it
        return False
    return beat is not None and present.now() - beat.beat_at < metrics.LATE


def _require_readable(applied: set[tuple[str, str]], file: Path) -> None:
    """Raises CommandError if a newer version made a copy, or one before 1.0.0rc1."""
    if former.is_former(applied):
        raise CommandError(former.REFUSAL)
    known = set(MigrationLoader(None).disk_migrations)
    if unknown := sorted(name for app, name in applied - known if app in ("games", "notifications")):
        raise CommandError(
            f"{file} was made by a newer version than {settings.VERSION}, which has no {', '.join(unknown)}:"
            " restore it with that version."
        )


def require_empty() -> None:
    """Raises CommandError if somebody uses the PostgreSQL, this service or another one."""
    own = {*connection.introspection.django_table_names(), "django_migrations", "cache"}
    tables = set(connection.introspection.table_names())
    if foreign := sorted(tables - own):
        raise CommandError(f"The PostgreSQL is not empty: {', '.join(foreign[:3])} is in it. Give an empty database.")
    if User._meta.db_table in tables and (people := User.count_accounts()):
        raise CommandError(f"The PostgreSQL is not empty: {people} accounts are in it. Give an empty database.")


def require_keys(alias: str) -> None:
    """Raises CommandError if what is sealed there opens with none of our keys: saved again it would be lost."""
    sessions = Session.objects.using(alias).values_list("session_data", flat=True)[:ROWS_AT_ONCE]
    if sessions and not any(map(unseal, sessions)):
        raise CommandError(WRONG_KEY)
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if isinstance(field, SealedField):
                rows: QuerySet[Model] = QuerySet(model, using=alias).exclude(**{field.name: None})
                values = rows.values_list(field.name, Cast(field.name, TextField()))
                if any(sealed and not text for text, sealed in values[:ROWS_AT_ONCE]):
                    raise CommandError(WRONG_KEY)


def _contents() -> str:
    last = Move.objects.order_by("-pk").values_list("made_at", flat=True).first()
    return (
        f"{User.objects.count()} accounts, {Game.objects.count()} games, {Move.objects.count()} moves in rows,"
        f" the last one {f'of {last:%Y-%m-%d %H:%M} UTC' if last else 'never'}."
    )


@contextmanager
def _open_copy(file: Path) -> Iterator[None]:
    """Lets FILE be a copy of a SQLite database, so that the file itself stays as it is."""
    settings.BACKUP_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    with TemporaryDirectory(dir=settings.BACKUP_DIR, prefix="move-") as folder:
        path = Path(folder) / "copy.sqlite3"
        backups.restore({"ENGINE": "django.db.backends.sqlite3", "NAME": path}, file)
        _run_beside(f"sqlite:///{path}", "migrate", "-v", "0")  # migrations look at the default database alone
        connections.databases[FILE] = connection.settings_dict | {
            "ENGINE": "django.db.backends.sqlite3", "NAME": path, "OPTIONS": {},
        }  # fmt: skip
        try:
            yield
        finally:
            connections[FILE].close()
            del connections[FILE], connections.databases[FILE]


def _execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def _copy_rows(model: type[Model]) -> None:
    rows: Iterator[Model] = QuerySet(model, using=FILE).iterator(chunk_size=ROWS_AT_ONCE)
    try:
        while some := list(islice(rows, ROWS_AT_ONCE)):
            QuerySet[Model](model).bulk_create(some)
    except Error as error:
        raise CommandError(f"PostgreSQL refuses a row of {model._meta.db_table}: {error}Nothing was moved.") from error


def _digest(model: type[Model], alias: str) -> Digest:
    names = [field.attname for field in model._meta.concrete_fields]
    count = total = 0
    for row in QuerySet(model, using=alias).values_list(*names).iterator(chunk_size=ROWS_AT_ONCE):
        digest = hashlib.sha256("\0".join(map(_plain, row)).encode()).digest()
        count, total = count + 1, (total + int.from_bytes(digest)) % DIGESTS
    return count, total


def _plain(value: object) -> str:
    """The same text for the same value, whichever database gave it."""
    if isinstance(value, memoryview):
        value = bytes(value)
    if isinstance(value, dict | list):
        return json.dumps(value, sort_keys=True)
    return value.isoformat() if isinstance(value, date) else repr(value)
