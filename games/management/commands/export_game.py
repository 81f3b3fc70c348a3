"""`manage.py export_game GAME`: the record of a finished game."""

import sys
from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from engine.records import model
from games.archive import records
from games.errors import ServiceError
from games.tables.models import Game


class Command(BaseCommand):
    """Writes the record of a finished game as JSON; docs/record.md says what is in it."""

    help = "Write the record of a finished game as JSON, to the screen or a file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The game, and where to."""
        parser.add_argument("ref", metavar="GAME", help="the reference in the game's address")
        parser.add_argument("--out", metavar="FILE", help="write to this file instead of the screen")

    def handle(self, *args: object, ref: str, out: str | None, **options: object) -> None:
        """Raises CommandError for a game there is not, and for one that is not over."""
        game = Game.objects.filter(ref=ref).first()
        if game is None:
            raise CommandError(f"There is no game {ref}.")
        try:
            data = model.dump(records.record_of(game))
        except ServiceError as error:
            raise CommandError(error.message) from error
        if out is None:
            sys.stdout.write(data.decode())
            return
        try:
            Path(out).write_bytes(data)
        except OSError as error:
            raise CommandError(f"{out}: {error.strerror}") from error
        self.stdout.write(f"{game.ref}: {game.seq} moves written to {out}")
