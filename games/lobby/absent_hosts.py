"""When the host of a running game has vanished, so that another player may take the role."""

from datetime import datetime, timedelta

from games.play.models import Look
from games.tables.models import Game
from games.tables.seats import Seat

AFTER = timedelta(days=7)  # since the host last did or looked at anything at the table


def has_vanished(game: Game, now: datetime) -> bool:
    """Whether the host of a running game plays no more (the seat is absent, resigned or somebody else's) and has done
    and looked at nothing there for a week.

    A tournament's tables are not meant: the service runs them, and their host need not play.
    """
    of_tournament = Game.objects.filter(pk=game.pk, tournament_table__isnull=False)
    if game.status != Game.Status.RUNNING or game.is_practice or of_tournament.exists():
        return False
    is_playing = game.seats.filter(user=game.host, status=Seat.Status.ACTIVE).exists()
    return not is_playing and last_seen(game) < now - AFTER


def last_seen(game: Game) -> datetime:
    """When the host last did or looked at something at the table; when the game has begun, for never."""
    assert game.started_at is not None
    times = (
        game.moves.filter(actor=game.host).order_by("-seq").values_list("received_at", flat=True)[:1],
        Look.objects.filter(game=game, user=game.host).values_list("looked_at", flat=True)[:1],
        game.moderation.filter(actor=game.host).order_by("-pk").values_list("created_at", flat=True)[:1],
        game.comments.filter(author=game.host).order_by("-pk").values_list("created_at", flat=True)[:1],
    )
    return max([game.started_at, *(at for found in times for at in found)])
