from typing import Any

from django.db import migrations, models

NAMES = {"pass": "ask", "bot": "proposal"}


def rename(names: dict[str, str], apps: Any) -> None:
    """Gives the values of the option their other names."""
    for old, new in names.items():
        apps.get_model("games", "Game").objects.filter(missed=old).update(missed=new)


def forwards(apps: Any, schema_editor: object) -> None:
    """What a bot answered is what the rules propose now; what was passed still is."""
    rename(NAMES, apps)


def backwards(apps: Any, schema_editor: object) -> None:
    """A round that was left to the defaults is asked about again."""
    rename({new: old for old, new in NAMES.items()} | {"default": "pass"}, apps)


class Migration(migrations.Migration):
    """What a missed deadline does, under new names."""

    dependencies = [("games", "0015_proposals_shown")]

    operations = [
        migrations.RenameField("game", "on_timeout", "missed"),
        migrations.AlterField(
            "game",
            "missed",
            models.CharField(
                choices=[
                    ("proposal", "what the rules propose is played"),
                    ("default", "the rules’ default is done; for a sheet, for its whole round"),
                    ("ask", "the rules’ default is done; after a sheet its player is asked token by token"),
                ],
                default="ask",
                max_length=10,
            ),
        ),
        migrations.RunPython(forwards, backwards),
    ]
