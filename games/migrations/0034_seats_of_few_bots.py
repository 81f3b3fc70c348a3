import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from notifications.database.migrating import without_own_index


class Migration(migrations.Migration):
    """Few seats are of bot accounts: `seat_of_bot` finds them."""

    dependencies = [("games", "0033_indexes_of_few")]

    operations = [
        without_own_index(
            "games",
            "seat",
            "owner",
            models.ForeignKey(
                blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT,
                related_name="+", to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]  # fmt: skip
