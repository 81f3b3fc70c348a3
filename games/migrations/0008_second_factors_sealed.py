from django.db import migrations


def seal_keys(apps, schema_editor):
    """The keys of second factors lay in clear. A sealed one is longer than django-otp's column; SQLite bounds none."""
    from notifications.database.sealed import seal

    device = apps.get_model("otp_totp", "TOTPDevice")
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f'ALTER TABLE {device._meta.db_table} ALTER COLUMN "key" TYPE text')
    for pk, key in device.objects.values_list("pk", "key"):
        device.objects.filter(pk=pk).update(key=seal(key))


class Migration(migrations.Migration):
    """What an app makes codes of is sealed."""

    dependencies = [("games", "0007_sessions"), ("otp_totp", "0003_add_timestamps")]

    operations = [
        migrations.CreateModel(
            name="SealedTOTPDevice",
            fields=[],
            options={"proxy": True, "indexes": [], "constraints": []},
            bases=("otp_totp.totpdevice",),
        ),
        migrations.RunPython(seal_keys, migrations.RunPython.noop),
    ]
