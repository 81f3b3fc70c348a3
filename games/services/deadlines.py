"""Deadlines: stored instants that ticks look at, never sleeping timers.

Each function does one thing and says whether there was one. What a deadline does goes through `play.submit` like any
other answer. Nobody is passed who was not told in time (extension instead), and nobody for time in which the service
was down.
"""

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F

from games.errors import Illegal, ServiceError
from games.models import Decision, Extension, Game, Heartbeat, Move, Seat
from games.services import absences, automatic, decisions, pace, play, telling
from notifications import outbox

TOLD_BEFORE = timedelta(hours=6)  # or half the time, if that is less
MOST_EXTENSIONS = 3  # for a player who cannot be reached at all; then the game goes on without him
OUTAGE = timedelta(minutes=2)  # a longer gap between two heartbeats is an outage
HEART = "ticker"

logger = logging.getLogger(__name__)


def remind_one(now: datetime) -> bool:
    """Writes one reminder that is due."""
    with transaction.atomic():
        row = (
            Decision.objects.select_for_update(of=("self",))
            .filter(remind_at__lte=now, status=Decision.Status.OPEN)
            .select_related("game", "seat__user__recipient", "seat__game")
            .order_by("remind_at")
            .first()
        )
        if row is None:
            return False
        row.remind_at = None
        row.save(update_fields=["remind_at"])
        telling.about_decision("reminder", row, now)
        return True


def expire_one(now: datetime) -> bool:
    """Deals with one decision whose deadline has passed: extends it or answers it for its player."""
    row = (
        Decision.objects.filter(
            due_at__lte=now, status=Decision.Status.OPEN, is_automatic=False, game__quarantined_at__isnull=True
        )
        .order_by("due_at")
        .first()
    )
    if row is None:
        return False
    reason = _claim(row.pk, now)
    if reason is None:
        _pass(row.pk, now)
    return True


def _claim(pk: int, now: datetime) -> str | None:
    """Extends the deadline if it must not count, and says why; None if it counts."""
    with transaction.atomic():
        # The game first, as every move does: two that lock in different orders would wait for each other.
        Game.objects.select_for_update(of=("self",)).filter(decisions=pk).first()
        row = _locked(pk)
        if row is None or row.due_at is None or row.due_at > now:
            return "moved"
        reason = _why_not(row)
        if reason == Extension.Reason.EXCUSED:
            row.seat.is_excused = True
            row.seat.save(update_fields=["is_excused"])
        if reason:
            extend(row, reason, now)
        if reason == Extension.Reason.EXCUSED:
            telling.about_decision("excused", row, now)
        return reason


def _locked(pk: int) -> Decision | None:
    return (
        Decision.objects.select_for_update(of=("self",))
        .filter(pk=pk, status=Decision.Status.OPEN, is_automatic=False)
        .select_related("game", "seat__user__recipient", "seat__game")
        .first()
    )


def _why_not(row: Decision) -> str | None:
    if not was_told_in_time(row) and _extensions(row, Extension.Reason.NOT_TOLD) < MOST_EXTENSIONS:
        return Extension.Reason.NOT_TOLD
    if row.game.is_first_miss_excused and not row.seat.is_excused:
        return Extension.Reason.EXCUSED
    return None


def _extensions(row: Decision, reason: str) -> int:
    return row.extensions.filter(reason=reason).count()


def was_told_in_time(row: Decision) -> bool:
    """True if the question reached a mail server or webhook long enough before the deadline."""
    accepted = outbox.accepted_at(row.due_key)
    if accepted is None or row.due_at is None:
        return False
    window = pace.allowance(row.game.pace)
    return accepted <= row.due_at - min(TOLD_BEFORE, window / 2)


def extend(row: Decision, reason: str, now: datetime) -> None:
    """Starts the decision's clock anew at `now`, and records publicly why."""
    assert row.due_at is not None, row
    old = row.due_at
    decisions.set_clock(row, now)
    row.save(update_fields=["due_at", "remind_at"])
    Extension.objects.create(decision=row, reason=reason, old_due_at=old, new_due_at=row.due_at, created_at=now)


def _pass(pk: int, now: datetime) -> None:
    """Answers for a player whose time is over and tells him so: both or neither, whenever this process may die."""
    row = Decision.objects.select_related("game", "seat__user__recipient", "seat__game").get(pk=pk)
    uses_bot = row.game.on_timeout == Game.OnTimeout.BOT
    action = automatic.bot_action(row.game, row, automatic.SUBSTITUTE) if uses_bot else None
    with transaction.atomic():
        try:
            _answer(row, action, now)
        except ServiceError:
            return  # answered in the meantime, or the game is quarantined
        _note_miss(row, now)


def _answer(row: Decision, action: object | None, now: datetime) -> None:
    try:
        _submit(row, action, now)
    except Illegal:  # else this decision would be overdue for ever, and all that are due after it
        logger.exception("Bot %s answered decision %s against the rules", automatic.SUBSTITUTE, row.ref)
        _submit(row, None, now)


def _submit(row: Decision, action: object | None, now: datetime) -> None:
    play.submit(
        game_id=row.game_id,
        seat=row.seat.number,
        decision=row.code,
        action=action,
        source=Move.Source.DEADLINE,
        received_at=now,
    )


def _note_miss(row: Decision, now: datetime) -> None:
    Seat.objects.filter(pk=row.seat.pk).update(misses=F("misses") + 1)
    row.seat.refresh_from_db()
    telling.about_decision("passed", row, now)
    if row.seat.misses >= row.game.absent_after:
        absences.make_absent(row.seat, row, now)


def beat(now: datetime) -> None:
    """Says that deadlines are being looked after. After a gap, gives back the time that was lost.

    Both or neither: a process that dies in between leaves the gap for the next one to see, and another worker that
    looks at the same moment waits until the time is given back.
    """
    heart, is_new = Heartbeat.objects.get_or_create(name=HEART, defaults={"beat_at": now})
    if is_new or now - heart.beat_at < timedelta(seconds=10):
        return
    with transaction.atomic():
        claimed = Heartbeat.objects.filter(name=HEART, beat_at=heart.beat_at).update(beat_at=now)
        if claimed and now - heart.beat_at > OUTAGE:
            give_back(heart.beat_at, now)


def give_back(start: datetime, end: datetime) -> None:
    """After an outage: whoever's deadline fell into it, or would fall right after it, gets the lost time back."""
    outage = end - start
    rows = Decision.objects.filter(status=Decision.Status.OPEN, due_at__gte=start, due_at__lte=end + outage)
    for pk in rows.order_by("pk").values_list("pk", flat=True):  # in the order in which moves lock them
        with transaction.atomic():
            row = _locked(pk)
            if row is None or row.due_at is None:
                continue
            old, window = row.due_at, pace.allowance(row.game.pace)
            row.due_at = max(old + min(outage, window), end + window / 4)
            row.save(update_fields=["due_at"])
            Extension.objects.create(
                decision=row,
                reason=Extension.Reason.OUTAGE,
                old_due_at=old,
                new_due_at=row.due_at,
                created_at=end,
            )
