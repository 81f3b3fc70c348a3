"""`manage.py restore FILE --sure`: the way back from a copy that `manage.py backup` made."""

from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import Error, connections

from config.database import backups
from games.play.deadline_rule import HEART
from games.web import metrics
from notifications.clock import present


class Command(BaseCommand):
    """Puts a copy in the place of everything that is in the database."""

    help = "Replaces everything in the database by a copy that `backup` made. Stop web and workers first."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where from."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--sure", action="store_true", help="needed: what is in the database now is lost")

    def handle(self, *args: object, file: Path, sure: bool, **options: object) -> None:
        """Raises CommandError, with nothing changed: not sure, a worker is at work, the copy is not sound."""
        if not sure:
            raise CommandError("This replaces everything that is in the database now. Say --sure.")
        if _is_at_work():
            raise CommandError("A worker was at work a moment ago. Stop web and workers, wait two minutes, try again.")
        connections.close_all()
        try:
            backups.restore(settings.DATABASES["default"], file)
        except backups.BackupFailed as error:
            raise CommandError(str(error)) from error
        self.stdout.write("Restored. Now: python -m config.prepare, and start web and workers.")


def _is_at_work() -> bool:
    try:
        beat = metrics.heartbeat_ages(present.now()).get(HEART)
    except Error:  # an empty database, or a broken one: nobody works with it
        return False
    return beat is not None and beat < metrics.LATE
