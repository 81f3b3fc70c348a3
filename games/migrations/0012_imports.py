import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

import games.ids
import notifications.clock.present

IS_OPEN = Q(("state__in", ("waiting", "running")))


class Migration(migrations.Migration):
    """Records that were given to us and are checked by a worker."""

    dependencies = [("games", "0011_request_counts")]

    operations = [
        migrations.CreateModel(
            "Import",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ref", models.CharField(default=games.ids.random_ref, editable=False, max_length=12, unique=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("running", "being checked"),
                            ("done", "imported"),
                            ("refused", "refused"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("data", models.BinaryField(default=b"")),
                ("moves", models.PositiveIntegerField(default=0)),
                ("checked", models.PositiveIntegerField(default=0)),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("leased_until", models.DateTimeField(blank=True, null=True)),
                ("refusal", models.TextField(blank=True, default="")),
                ("is_new", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(default=notifications.clock.present.now)),
                ("settled_at", models.DateTimeField(blank=True, null=True)),
                (
                    "game",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="imports",
                        to="games.game",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="imports",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(condition=IS_OPEN, fields=["created_at"], name="import_to_check"),
                    models.Index(
                        condition=Q(("settled_at__isnull", False)), fields=["settled_at"], name="imports_to_forget"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(condition=IS_OPEN, fields=("user",), name="one_import_at_a_time"),
                ],
            },
        ),
    ]
