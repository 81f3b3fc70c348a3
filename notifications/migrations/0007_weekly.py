from django.db import migrations, models


class Migration(migrations.Migration):
    """When the next weekly summary of a recipient is due."""

    dependencies = [
        ('notifications', '0006_rewritten_words'),
    ]

    operations = [
        migrations.AddField(
            model_name='recipient',
            name='weekly_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='next weekly summary'),
        ),
        migrations.AddIndex(
            model_name='recipient',
            index=models.Index(condition=models.Q(('weekly_at__isnull', False)), fields=['weekly_at'], name='recipient_weekly'),
        ),
    ]
