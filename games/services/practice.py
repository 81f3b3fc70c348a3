"""Lessons and sandboxes count for nothing, and are removed after some time."""

from datetime import datetime, timedelta

from django.db import transaction

from games.models import Game
from games.models.game import PRACTICE

LESSON_KEPT = timedelta(days=60)  # after it was taken up or played for the last time


def remove_one(now: datetime) -> bool:
    """Removes one table whose time is over; a lesson that is still played gets more. Returns whether there was one."""
    with transaction.atomic():
        rows = Game.objects.select_for_update().filter(PRACTICE, expires_at__lte=now).defer("state")
        game = rows.order_by("expires_at").first()
        if game is None:
            return False
        last = game.moves.order_by("-pk").values_list("received_at", flat=True).first() if game.is_lesson else None
        if last is not None and last + LESSON_KEPT > now:
            Game.objects.filter(pk=game.pk).update(expires_at=last + LESSON_KEPT)
        else:
            game.delete()
        return True
