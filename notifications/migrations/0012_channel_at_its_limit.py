from django.db import migrations, models


class Migration(migrations.Migration):
    """Whether a channel's limit a minute was used up, so that the log has one line for it and one for its end."""

    dependencies = [("notifications", "0011_answers_of_a_recipient")]

    operations = [
        migrations.AddField(
            "channelhealth",
            "is_at_limit",
            models.BooleanField(db_default=False, default=False, verbose_name="at its limit"),
        ),
    ]
