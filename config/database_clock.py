"""Where several machines share one database its clock decides, so that no deadline depends on who looks at it."""

from datetime import UTC, datetime

from django.db import Error, connection

from notifications.clock import present
from notifications.clock.follow import Follower


def look() -> datetime | None:
    """What time it is in the database; None while it cannot be asked. Harmless within a transaction."""
    if connection.in_atomic_block and connection.needs_rollback:
        return None
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT statement_timestamp()")  # unlike now() it does not stand still in a transaction
            (told,) = cursor.fetchone()
    except Error:
        return None
    at: datetime = told.astimezone(UTC)
    return at


def install() -> None:
    """Goes by the database's clock, if it has one of its own; SQLite's is the machine's."""
    if connection.vendor == "postgresql":
        present.go_by(Follower(look))
