"""`manage.py import_game FILE --by you@example.org`: a table of the record of a game that was played elsewhere."""

import sys
from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from engine.records.model import MOST_BYTES
from games.archive import records
from games.errors import ServiceError
from games.people.models import User, normal_address
from games.tables import table_links
from notifications.clock import present


class Command(BaseCommand):
    """Takes a record in after it has been played again; nothing is stored of one that does not fit."""

    help = "Check the record of a game and create a read-only table from it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The record, and whose table it becomes."""
        parser.add_argument("file", metavar="FILE", help="the record; - for standard input")
        parser.add_argument(
            "--by", required=True, metavar="ADDRESS", help="the email address of the account that will own the table"
        )

    def handle(self, *args: object, file: str, by: str, **options: object) -> None:
        """Raises CommandError for a person, a file or a record that is none."""
        host = User.objects.filter(email=normal_address(by), is_active=True).first()
        if host is None:
            raise CommandError(f"Nobody here has the address {by}.")
        try:
            game, is_new = records.take_in(data=_read(file), by=host, now=present.now())
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from error
        except ServiceError as error:
            raise CommandError(error.message) from error
        self.stdout.write(
            f"{game.seq} moves checked; {'now' if is_new else 'since before'} at {table_links.game_url(game)}"
        )


def _read(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    with Path(name).open("rb") as file:
        return file.read(MOST_BYTES + 1)
