from django.db import migrations, models
from django.db.models import Q

from notifications.database.migrating import AddIndexMeanwhile, RemoveIndexMeanwhile
from notifications.database.prefix import Folded


class Migration(migrations.Migration):
    """Moderators find tables and accounts by how a name begins, and what needs them, among very many."""

    atomic = False
    dependencies = [("games", "0031_holds")]

    operations = [
        AddIndexMeanwhile("game", models.Index(Folded("title"), name="game_by_title")),
        AddIndexMeanwhile(
            "game",
            models.Index(
                fields=["quarantined_at"], name="game_quarantined", condition=Q(quarantined_at__isnull=False)
            ),
        ),
        AddIndexMeanwhile(
            "game",
            models.Index(fields=["status", "id"], name="game_not_over", condition=Q(status__in=("open", "running"))),
        ),
        RemoveIndexMeanwhile("game", "game_alive"),
        AddIndexMeanwhile("user", models.Index(Folded("name"), name="user_by_name")),
        AddIndexMeanwhile("user", models.Index(fields=["id"], name="user_staff", condition=Q(is_staff=True))),
    ]
