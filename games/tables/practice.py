"""Lessons and sandboxes count for nothing, and are removed after some time."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from games.models import Game
from games.tables.models import PRACTICE
from notifications.database.compiled_query import compiled_exists

LESSON_KEPT = timedelta(days=60)  # after it was taken up or played for the last time


def remove_one(now: datetime) -> bool:
    """Removes one table whose time is over; a lesson that is still played gets more. Returns whether there was one."""
    if not _is_any_expired(now):
        return False
    with transaction.atomic():
        game = _expired(now).select_for_update().defer("state").first()
        if game is None:
            return False
        last = game.moves.order_by("-pk").values_list("received_at", flat=True).first() if game.is_lesson else None
        if last is not None and last + LESSON_KEPT > now:
            Game.objects.filter(pk=game.pk).update(expires_at=last + LESSON_KEPT)
        else:
            game.delete()
        return True


def _expired(now: datetime) -> QuerySet[Game]:
    return Game.objects.filter(PRACTICE, expires_at__lte=now).order_by("expires_at")


_is_any_expired = compiled_exists(_expired)
