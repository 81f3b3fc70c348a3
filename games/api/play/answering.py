"""Services for the API's views: answer a decision, resign, end the game."""

import hashlib
from datetime import datetime

from django.utils.translation import gettext as _

from engine.core import IllegalAction
from games.api.base.problems import Problem
from games.api.play import reading
from games.errors import Conflict, KeyReused, NotFound, ServiceError
from games.idempotency.keys import check_key
from games.play import endings, game_moves, stored_moves
from games.play.models import Decision, Move
from games.play.queries import Access
from games.tables.models import Game
from games.tables.seats import Seat


def answer(access: Access, code: str, action: reading.Data, key: str, received_at: datetime) -> Move:
    """Answers a decision of this viewer's seat.

    Arguments:
        key: the Idempotency-Key, "" for none. The same answer with the same key gives the first one's move.
    Raises ServiceError; a Conflict says what became of the decision.
    """
    seat = acting_seat(access)
    try:
        move = game_moves.submit(
            game_id=access.game.pk,
            seat=seat.number,
            decision=code,
            action=action,
            source=Move.Source.API,
            actor=seat.user,
            received_at=received_at,
            idempotency_key=_scoped(seat, key),
            due_at=access.game.next_due_at,
        )
    except Conflict as error:
        raise _with_the_truth(error, seat, code) from error
    if move.is_repeated and not _is_same(access.game, move, code, action):
        raise KeyReused(_("This Idempotency-Key was already used for a different answer. Use a new one."))
    return move


def resign(access: Access, now: datetime) -> Move:
    """Resigns the viewer's seat."""
    assert access.seat is not None
    seat = access.seat
    return endings.resign(game_id=access.game.pk, seat=seat.number, actor=seat.user, source=Move.Source.API, now=now)


def end(access: Access, now: datetime) -> Move:
    """Ends the game for the viewer, who is the last player."""
    assert access.seat is not None
    seat = access.seat
    return endings.end(game_id=access.game.pk, seat=seat.number, actor=seat.user, source=Move.Source.API, now=now)


def acting_seat(access: Access) -> Seat:
    """Returns the viewer's seat. Raises Conflict if it is absent or has resigned."""
    seat = access.seat
    assert seat is not None
    if access.game.status == Game.Status.RUNNING and seat.status == Seat.Status.RESIGNED:
        raise Conflict(_("You've resigned from this game, and that can't be undone."))
    if access.game.status == Game.Status.RUNNING and seat.status == Seat.Status.ABSENT:
        raise Conflict(_("You're marked as absent in this game. Return to it on its page first."))
    return seat


def _scoped(seat: Seat, key: str) -> str:
    """Returns the key as it is stored, so that keys of different people do not collide."""
    if not key:
        return ""
    check_key(key)
    return hashlib.sha256(f"api:{seat.pk}:{seat.user_id}:{key}".encode(errors="replace")).hexdigest()


def _is_same(game: Game, move: Move, code: str, action: reading.Data) -> bool:
    try:
        return move.decision == code and game.rules.dump_action(game.rules.parse(action)).decode() == move.action
    except IllegalAction:
        return False


def _with_the_truth(error: Conflict, seat: Seat, code: str) -> ServiceError:
    """Adds what was answered to the conflict; NotFound if this seat was never asked that."""
    decision = Decision.objects.select_related("game", "seat").filter(seat=seat, code=code).first()
    if decision is None and (seat.game.started_at is None or _was_done_unasked(seat.game, code)):
        return error
    if decision is None:
        return NotFound(_("You haven't been asked this."))
    return Problem(error, decision=decision.status, happened=list(map(_as_json, reading.closed_data(decision))))


def _was_done_unasked(game: Game, code: str) -> bool:
    """Returns whether a public move of this code was made by a seat that was not asked."""
    return stored_moves.last(game, decision=code) is not None and not game.decisions.filter(code=code).exists()


def _as_json(line: reading.Data) -> reading.Data:
    return {**line, "at": line["at"].isoformat()}


def happened(access: Access, move: Move) -> reading.Data:
    """Returns the events of a move, the state of the game, and the open decisions of the viewer."""
    game, number = move.game, access.number
    seat = next(seat for seat in game.seated() if seat.number == number)
    access = Access(game, seat, is_host=access.is_host)
    return {
        "happened": reading.move_data(access, move),
        "status": access.game.status,
        "decisions": reading.questions_data(access, is_new=True),
    }
