"""Ending a game without a result: when all active players agree, or by a moderator.

The wishes are public. A game ends only when somebody votes: a player who becomes absent does not complete the vote.
"""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.errors import Conflict
from games.models import Decision, Game
from games.play import notify
from games.timing import clocks


@transaction.atomic
def set_wish(*, game_id: int, seat: int, is_wanted: bool, now: datetime) -> Game:
    """Records whether a player wants the game to end without a result; ends it when all want it.

    Repeating the wish counts again, which matters when somebody has become absent or resigned since.
    Raises Conflict in a game that is not running, and for a seat that is not waited for.
    """
    game = lock_running(game_id)
    chair = game.seats.get(number=seat)
    if not chair.has_a_say:
        raise Conflict(_("Only players who are waited for decide about the end."))
    if chair.wants_end != is_wanted:
        chair.wants_end = is_wanted
        chair.save(update_fields=["wants_end"])
    wanted, people = count_wishes(game)
    if is_wanted and wanted == people:
        close(game, now)
    return game


def count_wishes(game: Game) -> tuple[int, int]:
    """Returns how many active players want the end, and how many there are."""
    people = [seat for seat in game.seated() if seat.has_a_say]
    return sum(seat.wants_end for seat in people), len(people)


def lock_running(game_id: int) -> Game:
    """Locks a game. Raises Conflict if it is not running."""
    game = Game.objects.select_for_update().get(pk=game_id)
    if game.status != Game.Status.RUNNING:
        raise Conflict(_("This game is over.") if game.is_over else _("This game has not begun yet."))
    return game


def close(game: Game, now: datetime) -> None:
    """Ends a running game without a result and notifies the players. Called with the game locked."""
    game.status, game.finished_at = Game.Status.CLOSED, now
    game.advance_at = game.paused_at = game.pause_ends_at = game.quarantined_at = None
    game.save()
    rows = game.decisions.filter(status=Decision.Status.OPEN)
    rows.update(status=Decision.Status.WITHDRAWN, closed_at=now, **clocks.NOT_RUNNING)
    seats = game.seats.filter(user__isnull=False).select_related("user__recipient")
    notify.closed(game, [seat.user.recipient for seat in seats if seat.user], now)
