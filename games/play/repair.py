"""Games whose rules broke: setting them going again once the rules are repaired."""

import logging
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.errors import Conflict, Illegal, KeyReused
from games.models import Decision, Extension, Game
from games.play import decisions, game_moves, notify
from games.timing import clocks

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
        raise Conflict(_("This game is not in quarantine."))
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
