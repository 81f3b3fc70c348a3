from django.db import migrations, models


class Migration(migrations.Migration):
    """How many requests were answered, for the metrics."""

    dependencies = [("games", "0010_chain_versions")]

    operations = [
        migrations.CreateModel(
            "RequestCount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("area", models.CharField(max_length=60)),
                ("status", models.PositiveSmallIntegerField()),
                ("count", models.BigIntegerField(default=0)),
                ("seconds", models.FloatField(default=0.0)),
                ("within_100_ms", models.BigIntegerField(default=0)),
                ("within_1_s", models.BigIntegerField(default=0)),
                ("within_5_s", models.BigIntegerField(default=0)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("area", "status"), name="one_count_per_area_and_status")],
            },
        ),
    ]
