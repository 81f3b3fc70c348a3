from typing import Any

from django.db import migrations

UNUSED = (
    "notifications_delivery_message_id_df4d325b_like",
    "notifications_notice_dedupe_key_af7e3447_like",
    "notifications_notice_ref_22301fa0_like",
)


def tune(apps: Any, schema_editor: Any) -> None:
    """Drops indexes by which PostgreSQL would find the beginnings of unique texts, where nobody asks so."""
    if schema_editor.connection.vendor == "postgresql":
        for index in UNUSED:
            schema_editor.execute(f"DROP INDEX {index}")


class Migration(migrations.Migration):
    dependencies = [("notifications", "0001_release_1")]

    operations = [migrations.RunPython(tune, migrations.RunPython.noop)]
