"""`manage.py demo`: an account and a table against bots, so that a first look needs no mail at all."""

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from engine.registry import newest
from games.lobby import lifecycle
from games.people import sign_in
from games.people.models import User
from games.tables.models import Game
from games.tables.settings import TablePlan
from notifications.clock import present

ADDRESS = "demo@example.org"


class Command(BaseCommand):
    """Makes the demo account and its table once; every run prints a fresh link to sign in, on its last line."""

    help = "Create a demo account with a table against bots, and print a sign-in link on the last line."

    def handle(self, *args: object, **options: object) -> None:
        """Raises CommandError in production, where nobody but its owner may have an account."""
        if settings.IS_PRODUCTION:
            raise CommandError("There is no demo in production.")
        user = User.objects.filter(email=ADDRESS).first() or User.objects.create_user(ADDRESS, name="Anna")
        sign_in.confirm_address(user)
        live = (Game.Status.OPEN, Game.Status.RUNNING)
        if not user.seats.filter(game__status__in=live).exists():
            self._start_table(user)
        self.stdout.write(f"Sign in as {user.name}; the link is good once, within ten minutes:")
        self.stdout.write(sign_in.sign_in_link(user))

    def _start_table(self, user: User) -> None:
        rules = newest()[0]
        bots = tuple(rules.bots)
        count = min(rules.seat_counts)
        plan = TablePlan(
            title=_("A first look"),
            rules_name=rules.name,
            seat_count=count,
            options={option.name: option.suggested for option in rules.options},
            bots=tuple(bots[number % len(bots)] for number in range(count - 1)),
        )
        now = present.now()
        game = lifecycle.open_table(host=user, plan=plan, now=now)
        lifecycle.start(game_id=game.pk, host=user, now=now)
        self.stdout.write(f"The table “{game.title}” waits for {user.name}.")
