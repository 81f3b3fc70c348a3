"""`manage.py backup FILE`: a copy of the whole database, while the service runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config import backups


class Command(BaseCommand):
    """Writes a copy of the database of this moment to a file that nobody else may read."""

    help = "Copies the whole database of this moment to a new file; the service may run."
    requires_system_checks: list[str] = []  # what is wrong with a setting must not keep anybody from a backup

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where to."""
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError if there is no whole copy in the end."""
        try:
            backups.save(settings.DATABASES["default"], options["file"])
        except backups.BackupFailed as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{options['file']}: {options['file'].stat().st_size:,} bytes")
