from django.db import migrations, models
from django.db.models import Q

from notifications.database.migrating import AddIndexMeanwhile

CHOSEN = ~Q(rhythm="") | ~Q(ways="") | Q(snoozed_until__isnull=False) | ~Q(muted=[])


class Migration(migrations.Migration):
    """The admin site lists the conversations in which somebody has chosen something."""

    atomic = False
    dependencies = [("notifications", "0009_reasons")]

    operations = [
        AddIndexMeanwhile(
            "conversation", models.Index(fields=["id"], name="conversation_chosen", condition=CHOSEN)
        ),
    ]
