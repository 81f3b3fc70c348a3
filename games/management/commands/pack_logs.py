"""`manage.py pack_logs`: packs logs that no worker packs by itself."""

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.play import stored_moves
from notifications.clock import present

EVERY = 100  # games, then a line


class Command(BaseCommand):
    """Packs one game after the other, each in a transaction of its own: it can be stopped and begun anew."""

    help = (
        "Pack the logs of games that ended PACK_AFTER_DAYS ago, those included that ended while it was 0. "
        "Without a reference: all games."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """References of games, or nothing for all."""
        parser.add_argument("refs", nargs="*", metavar="GAME", help="the reference in the game's address")

    def handle(self, *args: object, refs: list[str], **options: object) -> None:
        """Prints a line for every hundred games, and how many it were. Fails if one could not be packed."""
        now = present.now()
        games = stored_moves.to_pack(now)
        if refs:
            games = games.filter(ref__in=refs)
            if missing := set(refs) - set(games.values_list("ref", flat=True)):
                raise CommandError(f"Nothing to do for: {', '.join(sorted(missing))}")
        keys = list(games.order_by("pk").values_list("pk", flat=True))
        done = failed = 0
        for at, key in enumerate(keys, start=1):
            try:
                done += stored_moves.pack_log(key, now)
            except Exception as error:  # noqa: BLE001  # the other games are packed all the same
                failed += 1
                self.stderr.write(f"game {key}: {type(error).__name__}: {error}")
            if at % EVERY == 0:
                self.stdout.write(f"{at} of {len(keys)}")
        self.stdout.write(f"{done} logs packed.")
        if failed:
            raise CommandError(f"{failed} logs could not be; their games are as they were.")
