import django.db.models.deletion
import notifications.clock.present
from django.db import migrations, models


class Migration(migrations.Migration):
    """Answers that the rules propose, and whether a table has them: those that have been opened have none."""

    dependencies = [
        ('games', '0013_trusted_devices'),
    ]

    operations = [
        migrations.CreateModel(
            name='SealedProposal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('opened_at', models.DateTimeField()),
                ('link_generation', models.PositiveIntegerField()),
                ('branch', models.PositiveSmallIntegerField()),
                ('answer', models.TextField(blank=True, default='')),
                ('reason', models.TextField(blank=True, default='')),
                ('made_at', models.DateTimeField(default=notifications.clock.present.now)),
            ],
        ),
        migrations.AddField(
            model_name='decision',
            name='wants_proposal',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name='game',
            name='proposals',
            field=models.CharField(choices=[('on', 'on'), ('off', 'off')], db_default='off', default='off', max_length=3),
        ),
        migrations.AddIndex(
            model_name='decision',
            index=models.Index(condition=models.Q(('status', 'open'), ('wants_proposal', True)), fields=['opened_at'], name='decision_to_propose'),
        ),
        migrations.AddField(
            model_name='sealedproposal',
            name='decision',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='proposal', to='games.decision'),
        ),
    ]
