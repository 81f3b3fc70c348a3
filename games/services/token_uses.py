"""When API tokens were last used: each web process keeps it in memory, and writes it down with its heartbeat.

A program that answers every few minutes would else make two transactions of each answer. Of a process that is killed
the uses of the last quarter of a minute are forgotten.
"""

from datetime import datetime, timedelta

from django.db import connection, transaction

from games.models import ApiToken

NOTED_EVERY = timedelta(minutes=1)
NOTE = """
    UPDATE games_apitoken SET last_used_at = %s WHERE id = %s AND (last_used_at IS NULL OR last_used_at < %s)
"""
_used: dict[int, datetime] = {}  # by key of the token: what is not written down


def note(token: ApiToken, now: datetime) -> None:
    """It was used."""
    if token.last_used_at is None or now - token.last_used_at >= NOTED_EVERY:
        _used[token.pk] = now


def write_down() -> int:
    """Returns of how many tokens. After an error of the database all are kept for the next time."""
    uses = dict(_used)
    if not uses:
        return 0
    with transaction.atomic(), connection.cursor() as cursor:
        for key, used_at in sorted(uses.items()):  # all processes in one order: none waits for another crosswise
            at = connection.ops.adapt_datetimefield_value(used_at)
            cursor.execute(NOTE, [at, key, at])
    for key, used_at in uses.items():
        if _used.get(key) == used_at:  # else it was used again meanwhile
            _used.pop(key, None)
    return len(uses)
