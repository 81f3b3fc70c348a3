from django.db import migrations, models

from notifications.database.migrating import without_own_index, without_patterns


class Migration(migrations.Migration):
    """A usual mail is in half as many indexes as before: PostgreSQL writes to each of them whenever one is claimed and
    settled. One began like another; of most deliveries three hold nothing.
    """

    dependencies = [("notifications", "0001_tables")]

    operations = [
        migrations.AddIndex(
            "delivery",
            models.Index(fields=["leader"], name="delivery_of_leader", condition=models.Q(leader__isnull=False)),
        ),
        migrations.RemoveIndex("delivery", "delivery_to_endpoint"),
        migrations.AddIndex(
            "delivery",
            models.Index(
                fields=["endpoint", "-id"],
                name="delivery_to_endpoint",
                condition=models.Q(endpoint__isnull=False),
            ),
        ),
        migrations.RemoveIndex("delivery", "delivery_at_provider"),
        migrations.AddIndex(
            "delivery",
            models.Index(fields=["provider_id"], name="delivery_at_provider", condition=~models.Q(provider_id="")),
        ),
        without_own_index(
            "notifications",
            "delivery",
            "leader",
            models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=models.SET_NULL,
                related_name="followers",
                to="notifications.delivery",
            ),
        ),
        without_own_index(
            "notifications",
            "delivery",
            "notice",
            models.ForeignKey(
                db_index=False, on_delete=models.CASCADE, related_name="deliveries", to="notifications.notice"
            ),
        ),
        without_patterns("notifications", "delivery", "message_id"),
    ]
