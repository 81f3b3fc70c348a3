import django.db.models.deletion
from django.db import migrations, models

from notifications.database.migrating import without_own_index

SET_NULL, CASCADE = django.db.models.deletion.SET_NULL, django.db.models.deletion.CASCADE


class Migration(migrations.Migration):
    """Few games are of a club, again of another one, or a copy of one: partial indexes find them."""

    dependencies = [("games", "0034_seats_of_few_bots")]

    operations = [
        without_own_index(
            "games",
            "game",
            name,
            models.ForeignKey(
                blank=True, db_index=False, null=True, on_delete=on_delete, related_name=related_name, to=to
            ),
        )
        for name, on_delete, related_name, to in (
            ("club", SET_NULL, "games", "games.club"),
            ("again_of", SET_NULL, "sequels", "games.game"),
            ("sandbox_of", CASCADE, "sandboxes", "games.game"),
        )
    ]
