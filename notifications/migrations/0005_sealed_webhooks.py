"""Addresses and secrets of webhooks are sealed. The columns become texts, then what is in them is sealed."""

from django.db import migrations, models

import notifications.models
import notifications.sealed


def seal_all(apps, schema_editor):
    Endpoint = apps.get_model("notifications", "Endpoint")
    for row in Endpoint.objects.using(schema_editor.connection.alias).all():
        row.url, row.secret = notifications.sealed.seal(row.url), notifications.sealed.seal(row.secret)
        row.save(update_fields=["url", "secret"])


def unseal_all(apps, schema_editor):
    Endpoint = apps.get_model("notifications", "Endpoint")
    for row in Endpoint.objects.using(schema_editor.connection.alias).all():
        row.url, row.secret = notifications.sealed.unseal(row.url), notifications.sealed.unseal(row.secret)
        row.save(update_fields=["url", "secret"])


class Migration(migrations.Migration):
    dependencies = [("notifications", "0004_answers_by_mail")]

    operations = [
        migrations.AlterField("endpoint", "url", models.TextField(verbose_name="address")),
        migrations.AlterField("endpoint", "secret", models.TextField(verbose_name="secret")),
        migrations.AddField(
            "endpoint", "old_secret", notifications.sealed.SealedField(blank=True, default="", verbose_name="former secret")
        ),
        migrations.AddField(
            "endpoint", "old_secret_until", models.DateTimeField(blank=True, null=True, verbose_name="former secret until")
        ),
        migrations.RunPython(seal_all, unseal_all),
        migrations.AlterField("endpoint", "url", notifications.sealed.SealedField(verbose_name="address")),
        migrations.AlterField(
            "endpoint", "secret", notifications.sealed.SealedField(default=notifications.models.new_secret, verbose_name="secret")
        ),
    ]
