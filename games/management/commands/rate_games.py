"""`manage.py rate_games`: all ratings, made again from the public finished games."""

from django.core.management.base import BaseCommand

from games.archive import ratings
from games.archive.models import Rating
from notifications.clock import present


class Command(BaseCommand):
    """Recomputes all ratings; running it again gives the same ones."""

    help = "Recompute all ratings from the public finished games. Running it twice changes nothing."

    def handle(self, *args: object, **options: object) -> None:
        """Says how many games count, and for how many people."""
        counted = ratings.rate_all(present.now())
        people = Rating.objects.values("user").distinct().count()
        self.stdout.write(f"{counted} games rated, of {people} people.")
