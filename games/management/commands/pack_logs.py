"""`manage.py pack_logs`: packs logs that no worker packs by itself, or unpacks them."""

from collections.abc import Callable

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import QuerySet

from games.play import stored_moves
from games.tables.models import Game
from notifications.clock import present

EVERY = 100  # games, then a line


class Command(BaseCommand):
    """Packs or unpacks one game after the other, each in a transaction of its own: it can be stopped and begun anew."""

    help = (
        "Pack the logs of games that ended PACK_AFTER_DAYS ago, those included that ended before this version. With "
        "--unpack make them rows again, as the former version needs them. Without a reference: all games."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """References of games, or nothing for all; which way."""
        parser.add_argument("refs", nargs="*", metavar="GAME", help="the reference in the game's address")
        parser.add_argument("--unpack", action="store_true", help="make rows of packed logs")

    def handle(self, *args: object, refs: list[str], unpack: bool, **options: object) -> None:
        """Prints a line for every hundred games, and how many it were. Fails if one could not be packed."""
        now = present.now()
        found = Game.objects.filter(is_packed=True) if unpack else stored_moves.to_pack(now)
        if refs:
            found = found.filter(ref__in=refs)
            if missing := set(refs) - set(found.values_list("ref", flat=True)):
                raise CommandError(f"Nothing to do for: {', '.join(sorted(missing))}")
        done, failed = self._each(
            found, stored_moves.unpack_log if unpack else lambda key: stored_moves.pack_log(key, now)
        )
        self.stdout.write(f"{done} logs {'unpacked' if unpack else 'packed'}.")
        if failed:
            raise CommandError(f"{failed} logs could not be; their games are as they were.")

    def _each(self, found: QuerySet[Game], act: Callable[[int], bool]) -> tuple[int, int]:
        """Does it for each; returns for how many it was done, and how many failed."""
        keys = list(found.order_by("pk").values_list("pk", flat=True))
        done = failed = 0
        for at, key in enumerate(keys, start=1):
            try:
                done += act(key)
            except Exception as error:  # noqa: BLE001  # the other games are packed all the same
                failed += 1
                self.stderr.write(f"game {key}: {type(error).__name__}: {error}")
            if at % EVERY == 0:
                self.stdout.write(f"{at} of {len(keys)}")
        return done, failed
