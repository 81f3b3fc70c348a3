from django.db import migrations, models


class Migration(migrations.Migration):
    """Guests, and games against bots without the words of a lesson."""

    dependencies = [
        ('games', '0017_stewards'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='is_guided',
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.AddField(
            model_name='user',
            name='is_guest',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddIndex(
            model_name='user',
            index=models.Index(condition=models.Q(('is_guest', True)), fields=['last_login'], name='user_guest'),
        ),
    ]
