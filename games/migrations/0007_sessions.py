import django.db.models.deletion
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.core import signing
from django.db import migrations, models

SALT = "django.contrib.sessions.SessionStore"  # of Django's engine and of the former one of ours
AT_ONCE = 500  # rows


def move(apps, schema_editor):
    """Who is signed in stays so: the keys are hashed, the data sealed, and the table that had both in clear is emptied.

    What nobody can read any more, such as after another SECRET_KEY, is deleted with it.
    """
    from games.people.sessions import SessionStore, hash_session_key

    former, new = apps.get_model("sessions", "Session"), apps.get_model("games", "Session")
    store, rows = SessionStore(), []
    for row in former.objects.iterator(chunk_size=AT_ONCE):
        try:
            data = signing.loads(row.session_data, salt=SALT, serializer=store.serializer)
        except Exception:  # noqa: BLE001, S112  # whatever it is, its session holds nothing
            continue
        whose = int(data[SESSION_KEY]) if SESSION_KEY in data else None
        facts = {"session_data": store.encode(data), "expire_date": row.expire_date, "user_id": whose}
        rows.append(new(session_key=hash_session_key(row.session_key), **facts))
    new.objects.bulk_create(rows, batch_size=AT_ONCE, ignore_conflicts=True)
    former.objects.all().delete()


class Migration(migrations.Migration):
    """Sessions in a table of ours, their keys hashed and their data sealed."""

    dependencies = [("games", "0006_games_change_in_their_place"), ("sessions", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Session",
            fields=[
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                ("session_key", models.CharField(max_length=64, primary_key=True, serialize=False)),
                (
                    "user",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sessions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"verbose_name": "session", "verbose_name_plural": "sessions", "abstract": False},
        ),
        migrations.RunPython(move, migrations.RunPython.noop),
    ]
