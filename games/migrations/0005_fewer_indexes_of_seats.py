from django.db import migrations, models

from notifications.database.migrating import without_own_index


class Migration(migrations.Migration):
    """A unique index begins with a seat's game."""

    dependencies = [("games", "0004_fewer_indexes_of_questions")]

    operations = [
        without_own_index(
            "games",
            "seat",
            "game",
            models.ForeignKey(db_index=False, on_delete=models.CASCADE, related_name="seats", to="games.game"),
        ),
    ]
