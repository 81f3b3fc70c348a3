from django.db import migrations, models


class Migration(migrations.Migration):
    """A line of the host's own in an invitation."""

    dependencies = [
        ('games', '0018_guests'),
    ]

    operations = [
        migrations.AddField(
            model_name='invitation',
            name='words',
            field=models.CharField(blank=True, db_default='', default='', max_length=200),
        ),
    ]
