"""Holds: what one worker is on, others leave to it, so that no two think about one question.

A hold lapses by itself, so a worker that dies keeps nobody waiting for longer. It saves time and decides nothing: two
that answer one question store one answer, with holds or without.
"""

from datetime import datetime, timedelta

from django.db.models import Q

from games.play.models import Decision

HOLD = timedelta(seconds=5)  # longer than a bot thinks, on a busy machine too


def is_free(now: datetime) -> Q:
    """Matches decisions that nobody holds."""
    return Q(held_until=None) | Q(held_until__lte=now)


def take(rows: Q, now: datetime) -> bool:
    """Takes all of these decisions that are open and free. Returns whether there was one."""
    free = Decision.objects.filter(is_free(now), rows, status=Decision.Status.OPEN)
    return bool(free.update(held_until=now + HOLD))


def release(rows: Q) -> None:
    """Lets others take these decisions, as far as they are open still."""
    Decision.objects.filter(rows, status=Decision.Status.OPEN).update(held_until=None)
