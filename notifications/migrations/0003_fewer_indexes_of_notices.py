from django.db import migrations, models

from notifications.database.migrating import without_own_index, without_patterns


class Migration(migrations.Migration):
    """The ledger's index begins with a notice's recipient."""

    dependencies = [("notifications", "0002_fewer_indexes_of_deliveries")]

    operations = [
        without_own_index(
            "notifications",
            "notice",
            "recipient",
            models.ForeignKey(
                db_index=False, on_delete=models.CASCADE, related_name="notices", to="notifications.recipient"
            ),
        ),
        without_patterns("notifications", "notice", "ref", "dedupe_key"),
    ]
