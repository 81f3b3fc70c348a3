"""Everything that happens without a player: found in the database, done in small steps, safe to do twice.

Every worker calls `tick` every few seconds, whether or not a broker is there; Celery tasks only make it happen sooner.
"""

import logging
from collections.abc import Callable
from datetime import datetime
from time import monotonic

from games.accounts.privacy import erasure, retention
from games.archive import imports, ratings
from games.moderation import people
from games.orders import standing_orders
from games.play import automatic_answers, phase_boundaries
from games.tables import lifecycle, practice
from games.timing import deadlines, outages, pauses
from notifications.clock import present
from notifications.delivery.ticks import deliver_due, handle_waiting_replies

logger = logging.getLogger(__name__)
LONGEST = 10.0  # seconds one kind of work may take before the others have their turn


def play_due() -> None:
    """Takes games over phase boundaries and answers for bots and absent seats, until nothing is left."""
    _drain(lambda now: phase_boundaries.advance_one(now) or automatic_answers.answer_one(now))


def tick(deliver: Callable[[], object] | None = None) -> None:
    """One round of everything: answers by mail, deadlines, reminders, pauses, phases, bots, old tables, deliveries,
    deleting.

    Arguments:
        deliver: what delivers; None for one channel after the other, in this thread.
    """
    _safely(lambda: outages.beat(present.now()))
    _safely(lambda: _drain(outages.give_back_one))
    _safely(handle_waiting_replies)  # before deadlines: an answer that is here has come in time
    _safely(play_due)
    _safely(lambda: _drain(deadlines.expire_one))
    _safely(lambda: _drain(deadlines.remind_one))
    _safely(lambda: _drain(pauses.end_one))
    _safely(lambda: _drain(standing_orders.end_one))
    _safely(lambda: _drain(lifecycle.expire_one))
    _safely(lambda: _drain(people.open_one))
    _safely(lambda: _drain(practice.remove_one))
    _safely(lambda: _drain(ratings.rate_one))
    _safely(deliver or deliver_due)
    _safely(lambda: _drain(erasure.erase_one))
    _safely(lambda: _drain(retention.clear_some))


def look_at_imports() -> None:
    """Goes on with the record that is being checked. Waits for nothing; for the ticker alone, which comes back."""
    _safely(lambda: imports.look(present.now()))


def _drain(step: Callable[[datetime], bool]) -> None:
    stop = monotonic() + LONGEST
    while monotonic() < stop and step(present.now()):
        pass


def _safely(part: Callable[[], object]) -> None:
    try:
        part()
    except Exception:  # one part that breaks must not stop the others; it is tried again at the next tick
        logger.exception("A part of the tick broke")
