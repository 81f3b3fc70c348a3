"""A person may have several webhooks, and a thread its own; deliveries keep what was sent, and wait by address."""

import hashlib
import hmac

from django.conf import settings
from django.db import migrations, models
from django.db.models import Q
import django.db.models.deletion

import notifications.ids


def fill(apps, schema_editor):
    Endpoint, Delivery = apps.get_model("notifications", "Endpoint"), apps.get_model("notifications", "Delivery")
    alias = schema_editor.connection.alias
    for row in Endpoint.objects.using(alias).all():
        text = f"standard {row.recipient_id} {row.url}"
        row.target = hmac.new(settings.SECRET_KEY.encode(), text.encode(), hashlib.sha256).hexdigest()
        row.ref = notifications.ids.new_ref()
        row.save(update_fields=["target", "ref"])
        Delivery.objects.using(alias).filter(endpoint=row).update(target=row.target)


def name_recipients(apps, schema_editor):
    """What was meant for a person in an older version is his, and nobody else's.

    Last of all: PostgreSQL changes no table while checks of foreign keys are pending.
    """
    Delivery, alias = apps.get_model("notifications", "Delivery"), schema_editor.connection.alias
    old = Delivery.objects.using(alias).filter(channel="webhook", recipient=None)
    notices = apps.get_model("notifications", "Notice").objects.using(alias).filter(pk=models.OuterRef("notice"))
    old.update(recipient=models.Subquery(notices.values("recipient")[:1]))


class Migration(migrations.Migration):
    dependencies = [("notifications", "0006_given_up_deliveries")]

    operations = [
        migrations.RemoveConstraint("delivery", "delivery_one_begun"),
        migrations.RemoveConstraint("delivery", "delivery_once_per_channel"),
        migrations.RemoveIndex("delivery", "delivery_open"),
        migrations.AlterField(
            "endpoint",
            "recipient",
            models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="endpoints", to="notifications.recipient"),
        ),
        migrations.AddField("endpoint", "ref", models.CharField(max_length=32, default="", editable=False, verbose_name="reference")),
        migrations.AddField("endpoint", "thread", models.CharField(blank=True, default="", max_length=120, verbose_name="thread"), preserve_default=False),
        migrations.AddField("endpoint", "name", models.CharField(blank=True, default="", max_length=60, verbose_name="name"), preserve_default=False),
        migrations.AddField(
            "endpoint",
            "target",
            models.CharField(default="", editable=False, max_length=64, verbose_name="keyed hash of the address"),
            preserve_default=False,
        ),
        migrations.AddField(
            "endpoint",
            "shape",
            models.CharField(
                choices=[
                    ("standard", "data for programs (Standard Webhooks)"),
                    ("discord", "a message for a Discord channel"),
                    ("slack", "a message for a Slack channel"),
                ],
                default="standard",
                max_length=10,
                verbose_name="shape",
            ),
        ),
        migrations.AddField(
            "endpoint", "muted", models.JSONField(blank=True, default=list, verbose_name="events that are not wanted")
        ),
        migrations.AddField(
            "endpoint", "disabled_at", models.DateTimeField(blank=True, null=True, verbose_name="switched off")
        ),
        migrations.AddField(
            "endpoint", "failing_since", models.DateTimeField(blank=True, null=True, verbose_name="failing since")
        ),
        migrations.AddField(
            "endpoint", "refusals", models.PositiveIntegerField(default=0, verbose_name="refused in a row")
        ),
        migrations.AddField("attempt", "excerpt", models.CharField(blank=True, default="", max_length=300, verbose_name="beginning of the answer"), preserve_default=False),
        migrations.AddField("delivery", "body", models.TextField(blank=True, default="", verbose_name="what was sent"), preserve_default=False),
        migrations.AddField("delivery", "is_by_hand", models.BooleanField(default=False, verbose_name="sent again by hand")),
        migrations.AddField(
            "delivery",
            "target",
            models.CharField(blank=True, max_length=64, null=True, verbose_name="keyed hash of the address"),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AlterField(
            "endpoint",
            "ref",
            models.CharField(
                default=notifications.ids.new_ref, editable=False, max_length=32, unique=True, verbose_name="reference"
            ),
        ),
        migrations.AddIndex("endpoint", models.Index(condition=~Q(thread=""), fields=["thread"], name="endpoint_of_thread")),
        migrations.AddIndex("endpoint", models.Index(fields=["target"], name="endpoint_at_target")),
        migrations.AddIndex(
            "delivery",
            models.Index(condition=Q(attempt_after__isnull=False), fields=["target", "tries"], name="delivery_open"),
        ),
        migrations.AddIndex("delivery", models.Index(fields=["endpoint", "-id"], name="delivery_to_endpoint")),
        migrations.AddConstraint(
            "delivery", models.UniqueConstraint(condition=Q(channel="mail"), fields=["notice"], name="delivery_one_mail")
        ),
        migrations.AddConstraint(
            "delivery", models.UniqueConstraint(fields=["notice", "endpoint"], name="delivery_once_per_endpoint")
        ),
        migrations.AddConstraint(
            "delivery",
            models.UniqueConstraint(
                condition=Q(attempt_after__isnull=False, tries__gt=0), fields=["target"], name="delivery_one_begun"
            ),
        ),
        migrations.RunPython(name_recipients, migrations.RunPython.noop),
    ]
