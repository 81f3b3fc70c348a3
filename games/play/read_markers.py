"""Read markers: how far each user has read a game, so that the page can mark what is new."""

from datetime import datetime, timedelta

from django.db.models import QuerySet

from games.people.models import User
from games.play.models import Look
from games.tables.models import Game
from notifications.database.bulk_write import update
from notifications.database.compiled_query import compiled

VISIT = timedelta(minutes=30)  # page views nearer to each other are one visit: what was new stays new
EXACT = timedelta(minutes=1)  # a page view so soon after the last one, with nothing new, is not stored


def record_visit(*, user: User, game: Game, now: datetime, answered: int = 0) -> int | None:
    """Records that a user views a game. Returns the last public event he had seen before this visit.

    None on his first visit: nothing is marked as new.

    Arguments:
        answered: the public event before his own answer, if one has just led him here: until then he has seen all.
    """
    row = next(iter(_marker_of(game.pk, user.pk)), None)
    if row is None:
        seen = game.public_events
        first = Look(game=game, user=user, since=seen, until=seen, looked_at=now)
        Look.objects.bulk_create([first], ignore_conflicts=True)  # two tabs at once
        return None
    if now - row.looked_at < EXACT and row.until == game.public_events and row.since >= answered:
        return row.since
    if now - row.looked_at > VISIT:
        row.since = row.until
    row.since = max(row.since, answered)
    row.until, row.looked_at = game.public_events, now
    update(row, "since", "until", "looked_at")
    return row.since


def load_since(*, user: User, game: Game) -> int | None:
    """Returns the last public event the user had seen before this visit, without recording one: for pages that refresh
    by themselves."""
    return next((row.since for row in _marker_of(game.pk, user.pk)), None)


@compiled()
def _marker_of(game: int, user: int) -> QuerySet[Look]:
    return Look.objects.filter(game_id=game, user_id=user)
