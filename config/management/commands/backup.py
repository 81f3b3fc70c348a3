"""`manage.py backup`, `backup FILE` or `backup --into FOLDER --keep 14`: a copy of the database while it is used."""

from argparse import ArgumentParser, ArgumentTypeError
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import Error

from config.database import backups
from games.play.models import Heartbeat
from notifications.clock import present

BACKUP = "backup"  # the part of the service in `heartbeat_age_seconds`


class Command(BaseCommand):
    """Writes a copy of the database of this moment to a file that nobody else may read."""

    help = "Copies the whole database of this moment to a new file; the service may run."
    requires_system_checks: list[str] = []  # what is wrong with a setting must not keep anybody from a backup

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where to."""
        where = parser.add_mutually_exclusive_group()
        where.add_argument("file", type=Path, nargs="?", help="a new file")
        where.add_argument(
            "--into",
            type=Path,
            metavar="FOLDER",
            default=settings.BACKUP_DIR,
            help="a new file in this folder, named by the time; BACKUP_DIR if nothing is said",
        )
        parser.add_argument("--keep", type=_number, default=14, help="how many stay in the folder")

    def handle(self, *args: object, file: Path | None, into: Path, keep: int, **options: object) -> None:
        """Raises CommandError if there is no whole copy in the end."""
        database = settings.DATABASES["default"]
        try:
            if file is None:
                file = backups.save_among(database, into, keep, present.now())
            else:
                backups.save(database, file)
        except backups.BackupFailed as error:
            raise CommandError(str(error)) from error
        with suppress(Error):  # a copy is worth having even of a database that takes no more rows
            Heartbeat.objects.update_or_create(name=BACKUP, defaults={"beat_at": present.now()})
        self.stdout.write(f"{file}: {file.stat().st_size:,} bytes")


def _number(word: str) -> int:
    """At least one: the copy that has just been made. Raises ArgumentTypeError."""
    if not word.isdecimal() or int(word) < 1:
        raise ArgumentTypeError(f"{word} is no number of copies to keep")
    return int(word)
