from django.db import migrations, models


class Migration(migrations.Migration):
    """What the hashes of a game are made over: of those that have begun, version 1."""

    dependencies = [("games", "0009_own_bots")]

    operations = [
        migrations.AddField("game", "chain_version", models.PositiveSmallIntegerField(db_default=1, default=1)),
    ]
