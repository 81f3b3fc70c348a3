"""`manage.py told ADDRESS [--game REF]`: what somebody was told, and why he got no email, in words."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from games.people.models import User, normal_address
from games.tables.models import Game
from notifications import ledger
from notifications.channels.mail import suppressions
from notifications.reasons import in_words


class Command(BaseCommand):
    """Prints the ledger that its owner sees in his email settings, newest first; nothing of what a notice says."""

    help = "Print the notifications sent to a person: the channel, the outcome and the reason."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Adds the arguments: the person, and the game."""
        parser.add_argument("address", help="the email address of an account")
        parser.add_argument("--game", metavar="REF", help="only what is about this game")
        parser.add_argument("--last", type=int, default=50, help="how many notifications at most")

    def handle(self, *args: object, address: str, game: str | None, last: int, **options: object) -> None:
        """Raises CommandError without such an account or game."""
        user = User.objects.select_related("recipient").filter(email=normal_address(address), erased_at=None).first()
        if user is None:
            raise CommandError(f"There is no account of {address}.")
        if closed := suppressions.why_suppressed(user.recipient.address):
            self.stdout.write(f"No email goes to this address: {in_words(closed)}.")
        entries = ledger.History(user.recipient, self._thread(game))[0 : max(1, last)]
        for entry in entries:
            self.stdout.write(f"{entry.notice.created_at:%Y-%m-%d %H:%M} UTC  {entry.name}")
            for line in entry.lines:
                when = f" ({line.at:%Y-%m-%d %H:%M} UTC)" if line.at else ""
                why = f": {line.reason}" if line.reason else ""
                self.stdout.write(f"    {line.channel} {line.words}{why}{when}")
        if not entries:
            self.stdout.write("There was nothing to tell.")

    def _thread(self, ref: str | None) -> str:
        if not ref:
            return ""
        game = Game.objects.filter(ref=ref).first()
        if game is None:
            raise CommandError(f"There is no game {ref}.")
        return game.thread
