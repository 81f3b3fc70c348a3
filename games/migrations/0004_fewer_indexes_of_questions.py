from django.db import migrations

from notifications.database.migrating import without_patterns


def say_how_much_is_asked(apps, schema_editor):
    """As long as most games have just begun PostgreSQL would take it that none has asked more than some questions, and
    read all of those of a long game to find those that are open. Of 200 questions one is the first of its game.
    """
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("ALTER TABLE games_decision ALTER COLUMN game_id SET (n_distinct = -0.005)")


class Migration(migrations.Migration):
    """Each question is in one index less, and PostgreSQL knows how many a game has."""

    dependencies = [("games", "0003_rows_of_one_game")]

    operations = [
        without_patterns("games", "decision", "ref"),
        migrations.RunPython(say_how_much_is_asked, migrations.RunPython.noop),
    ]
