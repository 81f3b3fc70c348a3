from django.db import migrations, models
from django.db.models import F
from django.db.models.functions import Coalesce

ALIVE = ("open", "running")


def allow_where_they_play(apps, schema_editor):
    """Tables that are not over and where a player and that player's bot, or two bots of one player, sit already."""
    Game, Seat = apps.get_model("games", "Game"), apps.get_model("games", "Seat")
    seats = Seat.objects.filter(game__status__in=ALIVE, user__isnull=False)
    people = seats.annotate(person=Coalesce("user__owner_id", F("user_id"))).values("game_id", "person")
    shared = people.annotate(count=models.Count("pk")).filter(count__gt=1)
    Game.objects.filter(pk__in=[row["game_id"] for row in shared.order_by()]).update(allows_own_bots=True)


class Migration(migrations.Migration):
    """Whether a player and that player's bot, or two bots of one player, may sit at one table."""

    dependencies = [("games", "0008_second_factors_sealed")]

    operations = [
        migrations.AddField("game", "allows_own_bots", models.BooleanField(db_default=False, default=False)),
        migrations.RunPython(allow_where_they_play, migrations.RunPython.noop),
    ]
