"""Repairs of games: taken out of quarantine when the rules are mended, or rolled back to an earlier step."""

import logging
from contextlib import suppress
from datetime import datetime
from functools import partial

from django.db import transaction
from django.utils.translation import gettext as _

from engine.records.checking import Origin
from games.errors import Conflict, Illegal, KeyReused
from games.people.models import User
from games.play import clocks, decisions, game_moves, history, notify, order_dates, replay
from games.play.game_moves import record
from games.play.locking import Table, locked, quarantined_on_failure
from games.play.models import Decision, Extension, Move
from games.tables.models import Game
from games.tables.seats import Seat

logger = logging.getLogger(__name__)


def release(*, game_id: int, now: datetime) -> int:
    """Takes a game out of quarantine: clocks start anew, and the answers the rules broke on are given again.

    Returns how many of those answers count now. Raises Conflict for a game that is not in quarantine, Quarantined if
    the rules break again (then the answer is still kept).
    """
    _set_going(game_id, now)
    kept = Decision.objects.filter(game_id=game_id).exclude(kept_answer="").select_related("seat__user")
    return sum([_submit_kept(row, now) for row in kept.order_by("opened_at", "pk")])


@transaction.atomic
def _set_going(game_id: int, now: datetime) -> None:
    game = Game.objects.select_for_update().get(pk=game_id)
    if game.quarantined_at is None:
        raise Conflict(_("This game isn't in quarantine."))
    game.quarantined_at = None
    game.failures = 0
    if game.advance_at:
        game.advance_at = now
    game.save(update_fields=["quarantined_at", "failures", "advance_at"])
    _start_clocks(game, now)


def _start_clocks(game: Game, now: datetime) -> None:
    """All of them anew, together: a sealed question keeps one deadline for all, whether or not they have answered."""
    waiting = clocks.asked(game).filter(is_automatic=False, due_at__isnull=False, seat__user__isnull=False)
    rows = list(waiting.order_by("pk"))
    old = {row.pk: row.due_at for row in rows}
    clocks.start(game, rows, now)
    for row in rows:
        row.save(update_fields=clocks.FIELDS)
        before = old[row.pk]
        if before is not None and row.due_at != before:
            clocks.record_extension(row, Extension.Reason.OUTAGE, before, now)
            notify.extended(row, now)


def _submit_kept(row: Decision, now: datetime) -> bool:
    """Gives a kept answer again, as its player gave it: by his way, with his key, and ending his row of misses.

    What no longer fits is dropped: its seat is still asked, or the question is gone.
    """
    kept = decisions.load_kept_answer(row)
    try:
        game_moves.submit(
            game_id=row.game_id,
            seat=row.seat.number,
            decision=row.code,
            action=kept.action,
            source=kept.source,
            actor=row.seat.user,
            received_at=now,
            idempotency_key=kept.idempotency_key,
        )
        is_counted = True
    except (Conflict, Illegal, KeyReused):
        logger.warning("The kept answer to decision %s no longer fits", row.ref)
        is_counted = False
    Decision.objects.filter(pk=row.pk).update(kept_answer="")
    return is_counted


def branch_off(*, game_id: int, step: int, actor: User, now: datetime) -> Move:
    """Rolls a game back to one of its steps, as its history counts them; later draws come from a new seed.

    Later moves stay in the log. Ends a quarantine. Seats that resigned after that step stay resigned.

    Raises Conflict for a step that is not behind the game, Quarantined if the rules break.
    """
    with quarantined_on_failure(game_id, now), locked(game_id, even_broken=True) as table:
        game = table.game
        if not 1 <= step < history.count_steps(game):
            raise Conflict(_("This game has no such earlier step."))
        game.branch += 1
        game.quarantined_at = None
        game.save(update_fields=["branch", "quarantined_at"])
        origin = Origin(step, history.moves_of_step(game, step)[-1].seq, game.branch)
        move = Move(kind=Move.Kind.BRANCH, source=Move.Source.MODERATOR, actor=actor, received_at=now)
        move.action = origin.dump()
        order_dates.delete_all(game)
        made = record(table, move, lambda: replay.step(game, None, move, partial(history.state_after, game)), now)
        decisions.propose_anew(table.rows)
        for seat in [seat for seat in table.seats.values() if seat.status == Seat.Status.RESIGNED]:
            _restore_resignation(table, seat.number, now)
        notify.rolled_back(game, table.seats.values(), now)
        return made


def _restore_resignation(table: Table, seat: int, now: datetime) -> None:
    move = Move(kind=Move.Kind.RESIGN, seat=seat, source=Move.Source.ADVANCE, received_at=now)
    with suppress(Illegal):  # he had resigned by then
        record(table, move, lambda: table.rules.resign(table.state, seat), now)
