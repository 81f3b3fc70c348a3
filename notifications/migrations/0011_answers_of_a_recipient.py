import django.db.models.deletion
from django.db import migrations, models

from notifications.database.migrating import without_own_index


class Migration(migrations.Migration):
    """`inbound_of` begins with an answer's recipient."""

    dependencies = [("notifications", "0010_chosen_conversations")]

    operations = [
        without_own_index(
            "notifications",
            "inbound",
            "recipient",
            models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="answers",
                to="notifications.recipient",
            ),
        ),
    ]  # fmt: skip
