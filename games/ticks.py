"""Ticks: everything that is due without a player. Each step finds its work in the database and is safe to repeat.

Every worker calls `tick` every few seconds, with or without a broker; Celery tasks only start the work sooner.
"""

import logging
from collections.abc import Callable
from datetime import datetime
from functools import partial
from time import monotonic

from games.archive import ratings, records, reviews, weekly
from games.lobby import guests, lifecycle, practice, puzzles
from games.moderation import people, reports
from games.play import (
    automatic_answers,
    deadline_rule,
    deadlines,
    game_moves,
    pauses,
    proposals,
    standing_orders,
    stewards,
    stored_moves,
)
from games.privacy import erasure, retention
from games.tournaments import matches, rounds
from notifications.clock import present
from notifications.delivery.sending import deliver_due, handle_waiting_replies
from notifications.worker_hints import hint_workers

logger = logging.getLogger(__name__)
LONGEST = 10.0  # seconds that one kind of work may take in a tick


def play_due(*, proposes: bool = True) -> None:
    """Advances phases, answers for bots and absent seats, and proposes answers to people, until nothing is due.

    What a game waits for goes first: a proposal is begun only while nothing else is to be done.
    """
    turns = automatic_answers.BotTurns()
    steps = (game_moves.advance_one, turns.answer_one, *([proposals.make_one] if proposes else []))
    try:
        is_done = _drain(lambda now: any(step(now) for step in steps))
    finally:
        turns.leave()
    if not is_done:
        hint_workers("play")


def tick(deliver: Callable[[], object] | None = None, *, is_whole: bool = True) -> None:
    """Runs every kind of due work once.

    Arguments:
        deliver: called to deliver notifications; None to deliver channel by channel in this thread.
        is_whole: whether to do, too, what nobody waits for: half the statements of a tick.
    """
    _safely(lambda: deadline_rule.beat(present.now()))
    _safely(lambda: _drain(deadline_rule.give_back_one))
    _safely(handle_waiting_replies)  # before deadlines: an answer that is here has come in time
    _safely(lambda: play_due(proposes=False))
    _safely(lambda: _drain(stewards.act_one))
    _safely(lambda: _drain(deadlines.expire_one))
    _safely(lambda: _drain(_propose_one))
    _safely(lambda: _drain(deadlines.remind_one))
    _safely(lambda: _drain(pauses.end_one))
    _safely(lambda: _drain(pauses.step_one_hour))
    _safely(lambda: _drain(standing_orders.end_one))
    _safely(lambda: _drain(ratings.rate_one))
    _safely(lambda: _drain(rounds.step_one))
    _safely(lambda: _drain(matches.step_one))
    if is_whole:
        _do_unhurried()
    _safely(deliver or deliver_due)


def _do_unhurried() -> None:
    steps = (
        lifecycle.expire_one,
        people.open_one,
        reports.tell_one,
        practice.remove_one,
        guests.delete_idle,
        weekly.write_one,
        puzzles.write_one,
        erasure.erase_one,
        retention.clear_some,
    )
    for step in steps:
        _safely(partial(_drain, step))
    _safely(lambda: stored_moves.pack_due(present.now()))


def _propose_one(now: datetime) -> bool:
    """Proposes one answer. What became due while that was thought out goes before the next one."""
    is_made = proposals.make_one(now)
    if is_made:
        _safely(lambda: play_due(proposes=False))
        _safely(lambda: _drain(deadlines.expire_one))
    return is_made


def look_at_processes() -> None:
    """Polls the import that is being checked and the review that is being made, without blocking.

    Only the ticker calls it, again and again.
    """
    _safely(lambda: records.check_next_import(present.now()))
    _safely(lambda: reviews.make_next_review(present.now()))


def _drain(step: Callable[[datetime], bool]) -> bool:
    """Takes steps until there is nothing to do, which is when it returns True, or the time is up."""
    stop = monotonic() + LONGEST
    while monotonic() < stop:
        if not step(present.now()):
            return True
    return False


def _safely(part: Callable[[], object]) -> None:
    try:
        part()
    except Exception:  # one failing part must not stop the others; the next tick tries it again
        logger.exception("A part of the tick broke")
