"""`manage.py replay_games`: proves that games are what their logs say."""

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.play.replay import ReplayMismatch, replay
from games.tables.models import Game


class Command(BaseCommand):
    """Replays games from seed and log and compares every state, event and hash on the way."""

    help = "Replay games from their logs and check states, events and hash chains. Without a reference: all games."

    def add_arguments(self, parser: CommandParser) -> None:
        """References of games, or nothing for all."""
        parser.add_argument("refs", nargs="*", metavar="GAME", help="the reference in the game's address")

    def handle(self, *args: object, refs: list[str], **options: object) -> None:
        """Prints a line for each game; fails if any differs or none is found."""
        games = Game.objects.exclude(started_at=None).order_by("pk")
        if refs:
            games = games.filter(ref__in=refs)
            if missing := set(refs) - set(games.values_list("ref", flat=True)):
                raise CommandError(f"No game that has begun: {', '.join(sorted(missing))}")
        keys = list(games.values_list("pk", flat=True))
        failed = sum(not self._replay(key, f"{at} of {len(keys)}") for at, key in enumerate(keys, start=1))
        if failed:
            raise CommandError(f"{failed} of {len(keys)} games differ from their logs.")

    def _replay(self, key: int, progress: str) -> bool:
        game = Game.objects.get(pk=key)  # one at a time: states of all would not fit into memory
        try:
            done = replay(game)
        except ReplayMismatch as error:
            self.stderr.write(f"{progress}, {game.ref}: {error}")
            return False
        except Exception as error:  # noqa: BLE001  # such as rules that are gone: the other games are looked at all the same
            self.stderr.write(f"{progress}, {game.ref}: cannot be replayed: {type(error).__name__}: {error}")
            return False
        self.stdout.write(f"{progress}, {game.ref}: {done.moves} moves replayed to the same state and hash")
        return True
