"""Takes the time from the database where several machines share one, so that all agree on deadlines."""

from datetime import UTC, datetime

from django.db import Error, connection

from notifications.clock import present
from notifications.clock.present import Follower


def read_clock() -> datetime | None:
    """The database's time, None if it cannot be asked now. May be called within a transaction."""
    if connection.in_atomic_block and connection.needs_rollback:
        return None
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT statement_timestamp()")  # unlike now() it does not stand still in a transaction
            (now,) = cursor.fetchone()
    except Error:
        return None
    at: datetime = now.astimezone(UTC)
    return at


def install() -> None:
    """Follows the clock of PostgreSQL; SQLite uses the machine's."""
    if connection.vendor == "postgresql":
        present.go_by(Follower(read_clock))
