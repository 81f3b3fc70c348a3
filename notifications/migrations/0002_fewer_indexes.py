import django.db.models.deletion
from django.db import migrations, models


def drop_patterns(apps, schema_editor):
    """Nobody looks for the beginning of a reference: what Django adds on PostgreSQL for that only costs."""
    if schema_editor.connection.vendor == "postgresql":
        for table, column in (
            ("notifications_notice", "ref"),
            ("notifications_notice", "dedupe_key"),
            ("notifications_delivery", "message_id"),
        ):
            name = schema_editor._create_index_name(table, [column], suffix="_like")
            schema_editor.execute(f"DROP INDEX IF EXISTS {schema_editor.quote_name(name)}")


def link(to: str, name: str, on_delete=django.db.models.deletion.CASCADE, **more) -> models.ForeignKey:
    return models.ForeignKey(db_index=False, on_delete=on_delete, related_name=name, to=to, **more)


class Migration(migrations.Migration):
    """A delivery and a notice are in half as many indexes as before.

    PostgreSQL writes to each of them whenever a delivery is claimed and settled. Two begin like others; of most
    deliveries three hold nothing.
    """

    dependencies = [("notifications", "0001_tables")]

    operations = [
        migrations.RemoveIndex("delivery", "delivery_to_endpoint"),
        migrations.RemoveIndex("delivery", "delivery_at_provider"),
        migrations.AlterField(
            "delivery",
            "leader",
            link(
                "notifications.delivery",
                "followers",
                django.db.models.deletion.SET_NULL,
                blank=True,
                null=True,
            ),
        ),
        # Django would drop it with the index of the column, and not make it again.
        migrations.RemoveConstraint("delivery", "delivery_one_mail"),
        migrations.AlterField("delivery", "notice", link("notifications.notice", "deliveries")),
        migrations.AddConstraint(
            "delivery",
            models.UniqueConstraint(fields=["notice"], name="delivery_one_mail", condition=models.Q(channel="mail")),
        ),
        migrations.AlterField("notice", "recipient", link("notifications.recipient", "notices")),
        migrations.AddIndex(
            "delivery",
            models.Index(
                fields=["endpoint", "-id"],
                name="delivery_to_endpoint",
                condition=models.Q(endpoint__isnull=False),
            ),
        ),
        migrations.AddIndex(
            "delivery",
            models.Index(fields=["leader"], name="delivery_of_leader", condition=models.Q(leader__isnull=False)),
        ),
        migrations.AddIndex(
            "delivery",
            models.Index(fields=["provider_id"], name="delivery_at_provider", condition=~models.Q(provider_id="")),
        ),
        migrations.RunPython(drop_patterns, migrations.RunPython.noop, elidable=True),
    ]
