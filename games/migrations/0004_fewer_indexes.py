import django.db.models.deletion
from django.db import migrations, models


def tell_postgresql(apps, schema_editor):
    """Drops an index by which nobody asks, and says how much a game asks.

    Nobody looks for the beginning of a reference: what Django adds for that on PostgreSQL only costs. And as long as
    most games have just begun PostgreSQL would take it that none has asked more than some questions, and read all of
    those of a long game to find those that are open: a game has 200 for each of them that differ (1 : 200 = 0.005).
    """
    if schema_editor.connection.vendor == "postgresql":
        name = schema_editor._create_index_name("games_decision", ["ref"], suffix="_like")
        schema_editor.execute(f"DROP INDEX IF EXISTS {schema_editor.quote_name(name)}")
        schema_editor.execute("ALTER TABLE games_decision ALTER COLUMN game_id SET (n_distinct = -0.005)")


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
        migrations.RunPython(tell_postgresql, migrations.RunPython.noop, elidable=True),
    ]
