"""Logs of games that are over are packed: `games.play.stored_moves`."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import notifications.clock.present


def refuse_to_lose_logs(apps: Any, schema_editor: Any) -> None:
    """What is packed must be in rows again before its table is dropped."""
    if apps.get_model("games", "PackedLog").objects.using(schema_editor.connection.alias).exists():
        raise RuntimeError("There are packed logs. Run `manage.py pack_logs --unpack` first.")


class Migration(migrations.Migration):
    dependencies = [("games", "0028_hidden_tournaments")]

    operations = [
        migrations.CreateModel(
            "PackedLog",
            [
                (
                    "game",
                    models.OneToOneField(
                        "games.game",
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        serialize=False,
                        related_name="packed_log",
                    ),
                ),
                ("format", models.PositiveSmallIntegerField(default=1)),
                ("facts", models.BinaryField()),
                ("texts", models.BinaryField()),
                ("questions", models.BinaryField()),
                ("extensions", models.BinaryField()),
                ("packed_at", models.DateTimeField(default=notifications.clock.present.now)),
            ],
        ),
        migrations.CreateModel(
            "PackedActor",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "log",
                    models.ForeignKey(
                        "games.packedlog",
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="actors",
                        db_index=False,
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "user",
                    models.ForeignKey(
                        settings.AUTH_USER_MODEL,
                        on_delete=django.db.models.deletion.SET_NULL,
                        null=True,
                        related_name="+",
                        db_index=False,
                    ),
                ),
                ("is_player", models.BooleanField()),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["user", "log"], name="packed_logs_of_actor", condition=models.Q(user__isnull=False)
                    )
                ],
                "constraints": [models.UniqueConstraint(fields=["log", "number"], name="one_actor_per_number")],
            },
        ),
        migrations.AddField("game", "is_packed", models.BooleanField(default=False, db_default=False, editable=False)),
        migrations.AddField("game", "pack_at", models.DateTimeField(null=True, blank=True, editable=False)),
        migrations.AddIndex(
            "game",
            models.Index(fields=["pack_at"], name="game_to_pack", condition=models.Q(pack_at__isnull=False)),
        ),
        migrations.RunPython(migrations.RunPython.noop, refuse_to_lose_logs),
    ]
