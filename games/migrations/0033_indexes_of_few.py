from django.db import migrations, models
from django.db.models import Q

from notifications.database.migrating import AddIndexMeanwhile, RemoveIndexMeanwhile


class Migration(migrations.Migration):
    """Indexes of what few rows have hold those alone; no index is kept that nobody looks into."""

    atomic = False
    dependencies = [("games", "0032_found_by_name")]

    operations = [
        RemoveIndexMeanwhile("ratingchange", "rating_curve"),
        AddIndexMeanwhile(
            "seat", models.Index(fields=["owner"], name="seat_of_bot", condition=Q(owner__isnull=False))
        ),
        AddIndexMeanwhile(
            "game", models.Index(fields=["club"], name="game_of_club", condition=Q(club__isnull=False))
        ),
        AddIndexMeanwhile(
            "game", models.Index(fields=["again_of"], name="game_again_of", condition=Q(again_of__isnull=False))
        ),
        AddIndexMeanwhile(
            "game",
            models.Index(fields=["sandbox_of"], name="game_sandbox_of", condition=Q(sandbox_of__isnull=False)),
        ),
    ]
