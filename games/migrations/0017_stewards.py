from django.db import migrations, models


class Migration(migrations.Migration):
    """After how many hours a seat's steward acts, and when."""

    dependencies = [
        ('games', '0016_missed'),
    ]

    operations = [
        migrations.AddField(
            model_name='decision',
            name='steward_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='decision',
            name='steward_before',
            field=models.DurationField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='seat',
            name='steward_hours',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='move',
            name='source',
            field=models.CharField(choices=[('web', 'web page'), ('link', 'link in a mail'), ('mail', 'reply by mail'), ('api', 'API'), ('bot', 'bot'), ('deadline', 'deadline'), ('steward', 'steward'), ('absent', 'nobody waited for'), ('advance', 'the service'), ('moderator', 'moderator'), ('record', 'a player elsewhere')], max_length=10),
        ),
        migrations.AddIndex(
            model_name='decision',
            index=models.Index(condition=models.Q(('status', 'open'), ('steward_at__isnull', False)), fields=['steward_at'], name='decision_of_steward'),
        ),
    ]
