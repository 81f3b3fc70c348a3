"""What an API token is good for, and a name for it that says nothing. Those made before may do all but moderate."""

import games.ids
import games.models.user
from django.db import migrations, models


def name_them(apps, schema_editor):
    """Gives every token there is a name of its own."""
    for row in apps.get_model("games", "ApiToken").objects.filter(ref=""):
        row.ref = games.ids.random_ref()
        row.save(update_fields=["ref"])


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0020_sign_ins'),
    ]

    operations = [
        migrations.AddField(
            model_name='apitoken',
            name='scopes',
            field=models.JSONField(default=games.models.user.everyday_scopes),
        ),
        migrations.AddField(
            model_name='apitoken',
            name='ref',
            field=models.CharField(default='', max_length=12),
            preserve_default=False,
        ),
        migrations.RunPython(name_them, migrations.RunPython.noop, elidable=True),
        migrations.AlterField(
            model_name='apitoken',
            name='ref',
            field=models.CharField(default=games.ids.random_ref, editable=False, max_length=12, unique=True),
        ),
    ]
