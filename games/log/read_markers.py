"""How far a person has read a game, so that he finds what is new."""

from datetime import datetime, timedelta

from django.db.models import QuerySet

from games.models import Game, Look, User
from notifications.database.bulk_write import update
from notifications.database.compiled_query import compiled

VISIT = timedelta(minutes=30)  # looks nearer to each other are one visit: what was new stays new
EXACT = timedelta(minutes=1)  # a look so soon after the last one that shows nothing more is not written down


def look(*, user: User, game: Game, now: datetime) -> int | None:
    """Notes that somebody looks at a game. Returns behind which public event everything is new to him.

    None for his first look, to which nothing is news.
    """
    row = next(iter(_look_of(game.pk, user.pk)), None)
    if row is None:
        seen = game.public_events
        first = Look(game=game, user=user, since=seen, until=seen, looked_at=now)
        Look.objects.bulk_create([first], ignore_conflicts=True)  # two tabs at once
        return None
    if now - row.looked_at < EXACT and row.until == game.public_events:
        return row.since
    if now - row.looked_at > VISIT:
        row.since = row.until
    row.until, row.looked_at = game.public_events, now
    update(row, "since", "until", "looked_at")
    return row.since


def since(*, user: User, game: Game) -> int | None:
    """The same for a page that asks by itself: nobody looks."""
    return next((row.since for row in _look_of(game.pk, user.pk)), None)


@compiled()
def _look_of(game: int, user: int) -> QuerySet[Look]:
    return Look.objects.filter(game_id=game, user_id=user)
