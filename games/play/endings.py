"""Leaving a game, and ending it: by resigning, as the last player, or by a vote.

Votes are public. A game ends only when somebody votes: a player who becomes absent does not complete the vote.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.errors import Conflict
from games.people.models import User
from games.play import clocks, decisions, notify, pauses, stored_moves
from games.play.game_moves import record
from games.play.locking import locked, quarantined_on_failure
from games.play.models import Decision, Move
from games.tables.models import Game
from games.tables.seats import Seat


def resign(*, game_id: int, seat: int, actor: User | None, source: str, now: datetime) -> Move:
    """Gives up a seat. The game goes on; the seat is answered for and ranks below all who stay (A99).

    Raises Conflict, and Quarantined if the rules break.
    """
    with quarantined_on_failure(game_id, now), locked(game_id) as table:
        chair = table.seats[seat]
        if chair.status == Seat.Status.RESIGNED:
            raise Conflict(_("You've already resigned from this game."))
        if all(other.status == Seat.Status.RESIGNED for other in table.seats.values() if other.number != seat):
            raise Conflict(_("Everyone else has resigned: end the game and win, or play on."))
        chair.status, chair.wants_pause, chair.wants_end = Seat.Status.RESIGNED, False, False
        chair.link_generation += 1
        chair.steward_hours = None
        chair.save(update_fields=["status", "wants_pause", "wants_end", "link_generation", "steward_hours"])
        decisions.stop_waiting(chair)
        table.rows = decisions.open_rows(table.game, table.seats)
        move = Move(kind=Move.Kind.RESIGN, seat=seat, source=source, actor=actor, received_at=now)
        move = record(table, move, lambda: table.rules.resign(table.state, seat), now)
        pauses.apply_wishes(table.game, now)
        return move


def end(*, game_id: int, seat: int, actor: User | None, source: str, now: datetime) -> Move:
    """Ends a game in which `seat` is the only person left; it wins (A99). Raises Conflict and Quarantined."""
    with quarantined_on_failure(game_id, now), locked(game_id) as table:
        if not is_last_person(table.seats.values(), seat):
            raise Conflict(_("Only the last player at a table can end the game."))
        move = Move(kind=Move.Kind.END, seat=seat, source=source, actor=actor, received_at=now)
        return record(table, move, lambda: table.rules.end(table.state, seat), now)


def is_last_person(seats: Iterable[Seat], number: int) -> bool:
    """True if every other person at the table has resigned, and at least one has (A99); bots may be left."""
    others = [seat for seat in seats if seat.number != number and seat.user_id is not None and not seat.is_bot]
    return bool(others) and all(seat.status == Seat.Status.RESIGNED for seat in others)


@transaction.atomic
def set_wish(*, game_id: int, seat: int, is_wanted: bool, now: datetime) -> Game:
    """Records whether a player wants the game to end without a result; ends it when all want it.

    Repeating the wish counts again, which matters when somebody has become absent or resigned since.
    Raises Conflict in a game that is not running, and for a seat that is not waited for.
    """
    game = lock_running(game_id)
    chair = game.seats.get(number=seat)
    if not chair.has_a_say:
        raise Conflict(_("Only active players can vote to end the game."))
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
        raise Conflict(_("This game is over.") if game.is_over else _("This game hasn't started yet."))
    return game


def close(game: Game, now: datetime) -> None:
    """Ends a running game without a result and notifies the players. Called with the game locked."""
    game.status, game.finished_at, game.pack_at = Game.Status.CLOSED, now, stored_moves.packing_due_at(game, now)
    game.advance_at = game.paused_at = game.pause_ends_at = game.quarantined_at = None
    game.save()
    rows = game.decisions.filter(status=Decision.Status.OPEN)
    rows.update(status=Decision.Status.WITHDRAWN, closed_at=now, **clocks.NOT_RUNNING)
    seats = game.seats.filter(user__isnull=False).select_related("user__recipient")
    notify.closed(game, [seat.user.recipient for seat in seats if seat.user], now)
