"""Games that end without a result: by the wish of everybody who still plays, or by a moderator.

The wishes are public. Only a wish ends a game: that somebody became absent does not, though all the others had agreed.
"""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.errors import Conflict
from games.models import Decision, Game
from games.play import notify
from games.timing import clocks


@transaction.atomic
def wish(*, game_id: int, seat: int, is_wanted: bool, now: datetime) -> Game:
    """A player wishes the end of the game without a result, or does so no more; the last of all to wish it ends it.

    Saying it again counts the wishes anew, which matters when somebody has become absent or resigned since.
    Raises Conflict in a game that is not running, and for a seat nobody waits for.
    """
    game = locked(game_id)
    chair = game.seats.get(number=seat)
    if not chair.has_a_say:
        raise Conflict(_("Only players who are waited for decide about the end."))
    if chair.wants_end != is_wanted:
        chair.wants_end = is_wanted
        chair.save(update_fields=["wants_end"])
    wanted, people = tally(game)
    if is_wanted and wanted == people:
        close(game, now)
    return game


def tally(game: Game) -> tuple[int, int]:
    """How many wish the end, and of how many."""
    people = [seat for seat in game.seated() if seat.has_a_say]
    return sum(seat.wants_end for seat in people), len(people)


def locked(game_id: int) -> Game:
    """The running game, locked. Raises Conflict for another."""
    game = Game.objects.select_for_update().get(pk=game_id)
    if game.status != Game.Status.RUNNING:
        raise Conflict(_("This game is over.") if game.is_over else _("This game has not begun yet."))
    return game


def close(game: Game, now: datetime) -> None:
    """Ends a running game without a result; everybody is told. Called with the game locked."""
    game.status, game.finished_at = Game.Status.CLOSED, now
    game.advance_at = game.paused_at = game.pause_ends_at = game.quarantined_at = None
    game.save()
    rows = game.decisions.filter(status=Decision.Status.OPEN)
    rows.update(status=Decision.Status.WITHDRAWN, closed_at=now, **clocks.NOT_RUNNING)
    seats = game.seats.filter(user__isnull=False).select_related("user__recipient")
    notify.closed(game, [seat.user.recipient for seat in seats if seat.user], now)
