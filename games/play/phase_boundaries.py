"""Taking games over phase boundaries: placing is complete, the round is over."""

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from games.errors import ServiceError
from games.play import game_moves, locking
from games.tables.models import Game, by_known_rules
from notifications.database.compiled_query import compiled, compiled_exists

logger = logging.getLogger(__name__)
MOST_FAILURES = 3
PAUSE_AFTER_FAILURE = timedelta(minutes=1)


def advance_one(now: datetime) -> bool:
    """Takes one game over its phase boundary. Returns whether there was one; what another process holds is skipped.

    A game whose rules break is tried again a minute later, and quarantined after three failures in a row.
    """
    if not _is_any_due(now):  # most looks find nothing: they open no transaction
        return False
    with transaction.atomic():
        game = next(iter(_claim(now)), None)
        if game is None:
            return False
        try:
            game_moves.advance(game_id=game.pk, now=now)
        except ServiceError as error:
            logger.info("Game %s needed no advance: %s", game.ref, error.code)
        except locking.EngineFailure:
            _failed(game, now)
    return True


def _due(now: datetime) -> QuerySet[Game]:
    rows = Game.objects.filter(
        by_known_rules(), advance_at__lte=now, quarantined_at__isnull=True, status=Game.Status.RUNNING
    )
    return rows.order_by("advance_at")


_is_any_due = compiled_exists(_due)


@compiled()
def _claim(now: datetime) -> QuerySet[Game]:
    """The game that has waited longest at its boundary of those that nobody holds, locked."""
    return _due(now).select_for_update(skip_locked=True)[:1]


def _failed(game: Game, now: datetime) -> None:
    failures = game.failures + 1
    Game.objects.filter(pk=game.pk).update(failures=failures, advance_at=now + PAUSE_AFTER_FAILURE)
    if failures >= MOST_FAILURES:
        locking.quarantine(game.pk, now)
