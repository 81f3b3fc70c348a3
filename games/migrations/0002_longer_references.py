from django.db import migrations, models


class Migration(migrations.Migration):
    """A webhook has a longer reference than what games are made of; PostgreSQL refused to write it down."""

    dependencies = [("games", "0001_tables")]

    operations = [migrations.AlterField("keyed", "ref", models.CharField(blank=True, default="", max_length=32))]
