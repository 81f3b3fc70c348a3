import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Invitations to the seat of an absent player."""

    dependencies = [
        ("games", "0019_invitation_words"),
    ]

    operations = [
        migrations.AddField(
            model_name="invitation",
            name="seat",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="offers",
                to="games.seat",
            ),
        ),
    ]
