import datetime

from django.db import migrations, models


class Migration(migrations.Migration):
    """How long the players of a game have paused it by vote."""

    dependencies = [("games", "0037_tenures_alone")]

    operations = [
        migrations.AddField(
            "game",
            "paused_for",
            models.DurationField(db_default=datetime.timedelta(), default=datetime.timedelta()),
        ),
    ]
