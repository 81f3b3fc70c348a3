import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def of_game(name: str) -> models.ForeignKey:
    return models.ForeignKey(
        db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name=name, to="games.game"
    )


class Migration(migrations.Migration):
    """What a page and a move ask of one game is found without what else there is.

    An open page asks for the viewer's last move in its game; his moves in others are no longer in the way. Two indexes
    for the game alone go: others begin with it, and with them all that the game has ever asked is not looked at.
    """

    dependencies = [("games", "0002_longer_references")]

    operations = [
        migrations.AlterField("decision", "game", of_game("decisions")),
        migrations.AlterField("move", "game", of_game("moves")),
        migrations.AlterField(
            "move",
            "actor",
            models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddIndex(
            "move",
            models.Index(
                condition=models.Q(("actor__isnull", False)), fields=["actor", "game", "seq"], name="move_of_actor"
            ),
        ),
    ]
