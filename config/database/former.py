"""Refuses a database that a release before 1.0.0rc1 made, at the first connection of whatever process asks it.

Migrations began anew with 1.0.0rc1. Such a database is neither migrated nor taken for migrated, and nothing is written.
"""

from contextlib import suppress
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db import Error, connection, connections
from django.db.backends.signals import connection_created

FIRST = "0001_release_1"  # a name that no migration had before
REFUSAL = (
    "This database was made by a release before 1.0.0rc1, and is left as it is.\n"
    "Let the last release before (0.1.0) finish its games, and save their records there with export_game.\n"
    "Then give this release an empty database (DATABASE_URL, or VAR_DIR without it); import_game takes the records."
)

_looked_at: set[object] = set()  # databases of this process


def install() -> None:
    """Looks at each database when this process first connects to it."""
    connection_created.connect(_refuse_former, dispatch_uid="config.database.former")


def connect_once() -> None:
    """Connects, for who is about to serve: raises ImproperlyConfigured if a former release made the database.

    One that is away may come later, and is looked at then.
    """
    with suppress(Error):
        connection.ensure_connection()
    connection.close()


def is_former(applied: set[tuple[str, str]]) -> bool:
    """Whether migrations, as pairs of app and name, are those of a release before 1.0.0rc1."""
    return any((app, FIRST) not in applied for app, _name in applied if app in ("games", "notifications"))


def _refuse_former(connection: Any, **_: object) -> None:
    name = connection.settings_dict["NAME"]
    if connection.alias not in connections or name in _looked_at:
        return
    with connection.cursor() as cursor:
        if "django_migrations" in connection.introspection.table_names(cursor):
            cursor.execute("SELECT app, name FROM django_migrations WHERE app IN ('games', 'notifications')")
            applied = set(cursor.fetchall())
            if is_former(applied):
                connection.close()
                raise ImproperlyConfigured(REFUSAL)
    _looked_at.add(name)
