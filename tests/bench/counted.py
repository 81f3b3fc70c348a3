"""What PostgreSQL says that statements have cost it: how many, how long, how many blocks looked at, how many rows."""

from dataclasses import dataclass

from django.db import connection

ASK = """
SELECT coalesce(sum(calls), 0), coalesce(sum(total_exec_time), 0),
       coalesce(sum(shared_blks_hit + shared_blks_read), 0), coalesce(sum(rows), 0)
FROM pg_stat_statements WHERE query LIKE %s AND query NOT LIKE '%%pg_stat_statements%%'
AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


@dataclass(frozen=True)
class Counted:
    """Since the counters were set to nothing.

    Arguments:
        milliseconds: of the server, without the way there and back.
        blocks: of 8 kB, in memory or not.
    """

    statements: int
    milliseconds: float
    blocks: int
    rows: int


def begin() -> None:
    """Sets the counters to nothing."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
        cursor.execute("SELECT pg_stat_statements_reset()")


def end() -> Counted:
    """What was counted since."""
    return about("%")


def about(like: str) -> Counted:
    """What was counted since of the statements that are like this, as SQL means it."""
    with connection.cursor() as cursor:
        cursor.execute(ASK, [like])
        statements, milliseconds, blocks, rows = cursor.fetchone()
    return Counted(int(statements), float(milliseconds), int(blocks), int(rows))
