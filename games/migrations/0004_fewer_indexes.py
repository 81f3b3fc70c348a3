import django.db.models.deletion
from django.db import migrations, models


def drop_pattern(apps, schema_editor):
    """Nobody looks for the beginning of a reference: what Django adds on PostgreSQL for that only costs."""
    if schema_editor.connection.vendor == "postgresql":
        name = schema_editor._create_index_name("games_decision", ["ref"], suffix="_like")
        schema_editor.execute(f"DROP INDEX IF EXISTS {schema_editor.quote_name(name)}")


class Migration(migrations.Migration):
    """Each question is in one index less, and a seat, of which a unique index begins with the game."""

    dependencies = [("games", "0003_rows_of_one_game")]

    operations = [
        migrations.AlterField(
            "seat",
            "game",
            models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="games.game"
            ),
        ),
        migrations.RunPython(drop_pattern, migrations.RunPython.noop, elidable=True),
    ]
