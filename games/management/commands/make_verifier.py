"""`manage.py make_verifier FILE`: the stand-alone verifier, as its page offers it."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from engine.registry import INSTALLED
from games.archive import verifier


class Command(BaseCommand):
    """Writes the verifier. The same sources give the same file to the last byte."""

    help = "Write the stand-alone verifier of game records, and print its SHA-256."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where to."""
        parser.add_argument("file", nargs="?", metavar="FILE")
        parser.add_argument("--package", default="", choices=sorted(INSTALLED), help="also with the games of a package")

    def handle(self, *args: object, file: str | None, package: str, **options: object) -> None:
        """Raises CommandError for a place where nothing can be written."""
        file = file or verifier.name_of(package)
        try:
            Path(file).write_bytes(verifier.bundle(package))
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from error
        self.stdout.write(f"{verifier.digest(package)}  {file}")
