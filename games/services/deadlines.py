"""Deadlines: stored instants that ticks look at, never sleeping timers.

Each function does one thing and says whether there was one. What a deadline does goes through `play.submit` like any
other answer. Nobody is passed who was not told in time (extension instead), and nobody for time in which the service
was down.
"""

import logging
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from msgspec import to_builtins

from games import queries
from games.errors import Illegal, ServiceError
from games.models import Decision, Extension, Game, Heartbeat, Move, Seat
from games.services import absences, automatic, clocks, lateness, pace, play, receipts, telling
from games.services.lateness import HEART, OUTAGE, why_not
from notifications.clock.calendar import NOTHING, used

BREATH = timedelta(minutes=15)  # after an outage nobody is passed sooner, unless his whole time was shorter

logger = logging.getLogger(__name__)


def remind_one(now: datetime) -> bool:
    """Writes one reminder that is due."""
    with transaction.atomic():
        row = (
            Decision.objects.select_for_update(of=("self",))
            .filter(remind_at__lte=now, status=Decision.Status.OPEN, game__quarantined_at__isnull=True)
            .select_related("game", "seat__user__recipient", "seat__game")
            .order_by("remind_at")
            .first()
        )
        if row is None:
            return False
        if row.due_at is not None and now < row.due_at:  # after the deadline it would come too late to be of use
            telling.reminder(row, now, is_wanted=clocks.leads_of(row) != [])
        row.remind_at = _next_reminder(row, now)
        row.save(update_fields=["remind_at"])
        return True


def _next_reminder(row: Decision, now: datetime) -> datetime | None:
    """The next of the times the player chose; who chose none is reminded once."""
    if not clocks.leads_of(row):
        return None
    return clocks.next_reminder(row, clocks.calendar_of(row, now), now)


def expire_one(now: datetime) -> bool:
    """Deals with one decision whose deadline has passed: extends it or answers it for its player."""
    row = (
        Decision.objects.filter(
            due_at__lte=now - lateness.patience(),
            status=Decision.Status.OPEN,
            is_automatic=False,
            game__quarantined_at__isnull=True,
        )
        .exclude(receipts.is_being_answered(now))
        .order_by("due_at")
        .first()
    )
    if row is None or row.due_at is None or not (lateness.is_heard(row.due_at) and lateness.is_reachable(now)):
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
        reason = why_not(row)
        if reason == Extension.Reason.EXCUSED:
            row.seat.is_excused = True
            if row.is_on_bank and row.seat.bank:
                row.seat.bank = NOTHING
            row.seat.save(update_fields=["is_excused", "bank"])
        if reason:
            extend(row, reason, now)
        if reason == Extension.Reason.EXCUSED:
            telling.about_decision("excused", row, now)
        elif reason:
            telling.extended(row, now)
        return reason


def _locked(pk: int) -> Decision | None:
    return (
        Decision.objects.select_for_update(of=("self",))
        .filter(pk=pk, status=Decision.Status.OPEN, is_automatic=False)
        .select_related("game", "seat__user__recipient", "seat__game")
        .first()
    )


def extend(row: Decision, reason: str, now: datetime) -> None:
    """Starts the decision's clock anew at `now`, and records publicly why."""
    assert row.due_at is not None, row
    old = row.due_at
    clocks.start(row.game, [row], now)
    row.save(update_fields=clocks.FIELDS)
    Extension.objects.create(decision=row, reason=reason, old_due_at=old, new_due_at=row.due_at, created_at=now)


def _pass(pk: int, now: datetime) -> None:
    """Answers for a player whose time is over and tells him so: both or neither, whenever this process may die."""
    row = Decision.objects.select_related("game", "seat__user__recipient", "seat__game").get(pk=pk)
    uses_bot = row.game.on_timeout == Game.OnTimeout.BOT
    action = automatic.bot_action(row.game, row, automatic.SUBSTITUTE) if uses_bot else None
    silence = {} if uses_bot else _silence(row)
    with transaction.atomic():
        try:
            _answer(row, action, now)
        except ServiceError:
            return  # answered in the meantime, or the game is quarantined
        _note_miss(row, silence, now)
        receipts.forget(pk)


def _silence(row: Decision) -> dict[str, Any]:
    """What the rules say they do for whoever is silent: of a sealed answer nothing else can be told."""
    try:
        asked = queries.open_questions(queries.Access(row.game, row.seat))
    except Exception:  # a state the rules cannot read: to answer in it puts the game into quarantine
        logger.exception("What decision %s would come to by silence cannot be said", row.ref)
        return {}
    default = next((one.question.default for one in asked if one.question.decision.id == row.code), None)
    return {"silence": to_builtins(default)} if default else {}


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


def _note_miss(row: Decision, silence: dict[str, Any], now: datetime) -> None:
    Seat.objects.filter(pk=row.seat.pk).update(misses=F("misses") + 1)
    row.seat.refresh_from_db()
    telling.about_decision("passed", row, now, silence)
    if row.seat.misses >= row.game.absent_after:
        absences.make_absent(row.seat, row, now)


def beat(now: datetime) -> None:
    """Says that deadlines are being looked after. After a gap, gives back the time that was lost.

    While the web is down nobody can be waited for either: that is the same gap. Both or neither: a process that dies in
    between leaves the gap for the next one to see, and another worker that looks at the same moment waits until the
    time is given back.
    """
    if not lateness.is_web_up(now):
        return
    heart, is_new = Heartbeat.objects.get_or_create(name=HEART, defaults={"beat_at": now})
    if is_new or now - heart.beat_at < timedelta(seconds=10):
        return
    with transaction.atomic():
        claimed = Heartbeat.objects.filter(name=HEART, beat_at=heart.beat_at).update(beat_at=now)
        if claimed and now - heart.beat_at > OUTAGE:
            give_back(heart.beat_at, now)


def beat_of_web(now: datetime) -> None:
    """Says that answers can be given by web. Every web process does so; one that lives is enough."""
    Heartbeat.objects.update_or_create(name=lateness.WEB, defaults={"beat_at": now})


def give_back(start: datetime, end: datetime) -> None:
    """After an outage: whoever's deadline fell into it, or would fall soon after it, gets the lost time back.

    His clock stood still meanwhile, and it goes on with a quarter of his time at least.
    """
    open_now = Decision.objects.filter(status=Decision.Status.OPEN, is_automatic=False, due_at__gte=start)
    games = open_now.filter(game__status=Game.Status.RUNNING).order_by("game").values_list("game", flat=True).distinct()
    for pk in games:
        with transaction.atomic():
            game = Game.objects.select_for_update(of=("self",)).get(pk=pk)  # the game first, as every move does
            _give_back_in(game, start, end)


def _give_back_in(game: Game, start: datetime, end: datetime) -> None:
    rows = list(clocks.asked(game).filter(is_automatic=False, due_at__gte=start, seat__user__isnull=False))
    theirs = clocks.calendars(game, {row.seat.user for row in rows if row.seat.user}, start)
    allowance, old = pace.find(game.pace).allowance, {row.pk: row.due_at for row in rows}
    for row in rows:
        assert row.due_at is not None, row
        row.game, calendar = game, clocks.calendar_in(theirs, row)
        window = allowance.on(calendar)
        share = max(window / clocks.FAIR, min(BREATH, window))
        if used(end, row.due_at, calendar) < max(share, used(start, end, calendar)):
            clocks.set_left(row, max(used(start, row.due_at, calendar), share), calendar, end)
    clocks.finish(rows, theirs, end)
    for row in rows:
        before = old[row.pk]
        if before is not None and row.due_at != before:
            row.save(update_fields=clocks.FIELDS)
            clocks.note(row, Extension.Reason.OUTAGE, before, end)
            telling.extended(row, end)
