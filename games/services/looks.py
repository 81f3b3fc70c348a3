"""How far a person has read a game, so that he finds what is new."""

from datetime import datetime, timedelta

from games.models import Game, Look, User

VISIT = timedelta(minutes=30)  # looks nearer to each other are one visit: what was new stays new


def look(*, user: User, game: Game, now: datetime) -> int | None:
    """Notes that somebody looks at a game. Returns behind which public event everything is new to him.

    None for his first look, to which nothing is news.
    """
    row = Look.objects.filter(game=game, user=user).first()
    if row is None:
        seen = {"since": game.public_events, "until": game.public_events, "looked_at": now}
        Look.objects.get_or_create(game=game, user=user, defaults=seen)
        return None
    if now - row.looked_at > VISIT:
        row.since = row.until
    row.until, row.looked_at = game.public_events, now
    row.save(update_fields=["since", "until", "looked_at"])
    return row.since


def since(*, user: User, game: Game) -> int | None:
    """The same for a page that asks by itself: nobody looks."""
    return Look.objects.filter(game=game, user=user).values_list("since", flat=True).first()
