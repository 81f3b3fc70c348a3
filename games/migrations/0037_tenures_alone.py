from django.db import migrations


class Migration(migrations.Migration):
    """Tenures say who has played: a seat and a packed log no longer do."""

    dependencies = [("games", "0036_tenures")]

    operations = [
        migrations.RemoveField("packedactor", "is_player"),
        migrations.RemoveField("seat", "played_since"),
    ]
