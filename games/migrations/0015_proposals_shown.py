from django.db import migrations, models


class Migration(migrations.Migration):
    """When a person is shown what is proposed to him, and whether it is the first proposal to a question."""

    dependencies = [
        ('games', '0014_proposals'),
    ]

    operations = [
        migrations.AddField(
            model_name='sealedproposal',
            name='is_first',
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.AddField(
            model_name='user',
            name='proposals_shown',
            field=models.CharField(blank=True, choices=[('', 'at once; where the game is rated, when I ask for them'), ('now', 'at once'), ('folded', 'when I ask for them'), ('never', 'never')], db_default='', default='', max_length=6),
        ),
    ]
