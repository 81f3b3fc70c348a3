"""Acting on deadlines that have passed, and on reminders that are due: ticks query stored times, no timer sleeps.

Each function handles one row and returns whether there was one. A deadline answers by `game_moves.submit` like
everybody else. `deadline_rule` says whether it may; otherwise the deadline is extended.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import msgspec
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext as _
from msgspec import to_builtins

from engine.core import Answer, JsonObject, Question, Text
from engine.orders.answers import SHEET
from games.errors import Illegal, ServiceError
from games.play import (
    absences,
    clocks,
    deadline_rule,
    game_moves,
    locking,
    notify,
    pauses,
    proposals,
    queries,
    stewards,
)
from games.play.deadline_rule import why_not
from games.play.models import Decision, Extension, Move
from games.tables.models import Game, by_known_rules
from games.tables.seats import Seat
from notifications.clock.calendar import NOTHING
from notifications.database.compiled_query import compiled, compiled_exists, compiled_rows
from notifications.delivery import health

logger = logging.getLogger(__name__)

# What is played for whoever has missed a deadline, as the table says, and the words that say so beforehand

FORFEITED = Text("orders.default-sheet-nothing")
PROPOSED = Text("proposal")  # no sentence of the rules


@dataclass(frozen=True)
class StandIn:
    """An answer in place of a player.

    Arguments:
        action: as JSON gives it; None for the rules' default.
        told: what the notice about it says: of a sealed answer nothing else can be told.
    """

    action: Answer | None
    told: JsonObject


def stand_in(row: Decision, now: datetime) -> StandIn:
    """The answer to a decision whose player has missed its deadline; `game` and `seat` of it are set.

    Where the rules find nothing to propose they do what they do by default.
    """
    if row.game.missed == Game.Missed.PROPOSAL:
        proposed = proposals.load_or_make(row, now)
        if proposed is not None:
            return StandIn(proposals.playable_answer(proposed), {"is_proposal": True})
    if row.game.missed == Game.Missed.DEFAULT and row.kind == SHEET:
        return StandIn(_forfeit(row), {"silence": to_builtins(FORFEITED)})
    return StandIn(None, _silence(row))


def say_missed(game: Game, question: Question, say: Callable[[Text], str]) -> str:
    """Says what happens to a question that nobody answers in time."""
    text = silence_of(game, question)
    return _("The proposal is played for you.") if text == PROPOSED else say(text)


def silence_of(game: Game, question: Question) -> Text:
    """The same as a code: that of the rules, or one of the two that belong to a table."""
    if game.missed == Game.Missed.PROPOSAL:
        return PROPOSED
    is_round = game.missed == Game.Missed.DEFAULT and question.decision.kind == SHEET
    return FORFEITED if is_round else question.default


def _forfeit(row: Decision) -> Answer | None:
    """The sheet that leaves its whole round to the defaults."""
    rules = row.game.rules
    try:
        state = row.game.look_at_state()
        action = rules.forfeit(state, rules.open(state, row.code, row.seat.number).decision)
        return msgspec.json.decode(rules.dump_action(action), type=dict[str, object])
    except locking.NOT_ENGINE_FAILURES:
        raise
    except Exception:  # a state the rules cannot read: to answer in it puts the game into quarantine
        logger.exception("Decision %s cannot be left to the defaults", row.ref)
        return None


def _silence(row: Decision) -> JsonObject:
    """Returns the rules' answer for a silent player."""
    try:
        open_questions = queries.open_questions(queries.Access(row.game, row.seat))
    except locking.NOT_ENGINE_FAILURES:
        raise
    except Exception:  # as above
        logger.exception("What decision %s would come to by silence cannot be said", row.ref)
        return {}
    default = next((item.question.default for item in open_questions if item.question.decision.id == row.code), None)
    return {"silence": to_builtins(default)} if default else {}


MOST_ANSWERS = 20  # to one decision


def remind_one(now: datetime) -> bool:
    """Writes one reminder that is due."""
    if not _is_any_to_remind(now):
        return False
    with transaction.atomic():
        rows = _to_remind(now).select_for_update(of=("self",), skip_locked=True)
        row = rows.select_related("game", "seat__user__recipient", "seat__game").first()
        if row is None:
            return False
        if row.due_at is not None and now < row.due_at:  # after the deadline it would come too late to be of use
            notify.reminder(row, now, is_wanted=clocks.leads_of(row) != [])
        row.remind_at = _next_reminder(row, now)
        row.save(update_fields=["remind_at"])
        return True


def _to_remind(now: datetime) -> QuerySet[Decision]:
    rows = Decision.objects.filter(
        by_known_rules("game__"), remind_at__lte=now, status=Decision.Status.OPEN, game__quarantined_at__isnull=True
    )
    return rows.order_by("remind_at")


_is_any_to_remind = compiled_exists(_to_remind)


def _next_reminder(row: Decision, now: datetime) -> datetime | None:
    """The next of the times the player chose; who chose none is reminded once."""
    if not clocks.leads_of(row):
        return None
    return clocks.next_reminder(row, clocks.calendar_of(row, now), now)


def expire_one(now: datetime) -> bool:
    """Deals with one decision whose deadline has passed: extends it or answers it for its player.

    What another process holds is skipped, not waited for: many processes deal with different games at once.
    """
    before, heard_after = now - deadline_rule.patience(), now - game_moves.LONGEST
    if not _is_any_overdue(before, heard_after):  # most looks find nothing: they open no transaction
        return False
    if not (deadline_rule.is_reachable(now) and deadline_rule.is_settled()):
        return False
    with transaction.atomic():
        row = next((row for (key,) in _claim(before, heard_after) for row in _claimed(key)), None)
        if row is None or row.due_at is None or not deadline_rule.is_heard(row.due_at):
            return False
        if row.game.is_live_hour:
            pauses.miss_hour(row.game, now)
            return True
        reason = why_not(row, now)
        if reason is None:
            _pass(row, now)
        else:
            _give_time(row, reason, now)
    return True


def _overdue(before: datetime, heard_after: datetime) -> QuerySet[Decision]:
    rows = Decision.objects.filter(
        by_known_rules("game__"),
        due_at__lte=before,
        status=Decision.Status.OPEN,
        is_automatic=False,
        game__quarantined_at__isnull=True,
    )
    return rows.exclude(game_moves.is_being_answered(heard_after)).order_by("due_at")


_is_any_overdue = compiled_exists(_overdue)


@compiled_rows("pk")
def _claim(before: datetime, heard_after: datetime) -> QuerySet[Decision]:
    """The key of the oldest overdue decision that nobody holds, locked with its game.

    Both are locked, so that PostgreSQL checks the conditions again on rows that changed while the statement ran.
    """
    return _overdue(before, heard_after).select_for_update(skip_locked=True)[:1]


@compiled("game", "seat", "seat__user", "seat__user__recipient", "seat__game")
def _claimed(key: int) -> QuerySet[Decision]:
    return Decision.objects.filter(pk=key)


def _give_time(row: Decision, reason: str, now: datetime) -> None:
    """Extends a deadline that must not count, and tells the player."""
    if reason == Extension.Reason.EXCUSED:
        row.seat.is_excused = True
        if row.is_on_bank and row.seat.bank:
            row.seat.bank = NOTHING
        row.seat.save(update_fields=["is_excused", "bank"])
    if reason == Extension.Reason.OUTAGE:
        _restart(row, now)
        return
    beside = _missed_beside(row) if reason == Extension.Reason.EXCUSED else []
    for late in (row, *beside):
        extend(late, reason, now)
    if reason == Extension.Reason.EXCUSED:
        notify.about_decision("excused", row, now)
    else:
        notify.extended(row, now)


def _restart(row: Decision, now: datetime) -> None:
    """Starts a question's clocks anew since we could not ask its player, and asks once more what came back.

    Those of a sealed one together, answered or not: no clock tells who was not reached.
    """
    rows = [row]
    if row.is_sealed:
        decisions = clocks.asked(row.game).filter(code=row.code, is_automatic=False, seat__user__isnull=False)
        rows = [decision for decision in decisions if decision.due_at is not None]
    old = {decision.pk: decision.due_at for decision in rows}
    clocks.start(row.game, rows, now)
    for decision in rows:
        decision.save(update_fields=clocks.FIELDS)
        before = old[decision.pk]
        assert before is not None, decision
        clocks.record_extension(decision, Extension.Reason.OUTAGE, before, now)
        health.send_again(decision.due_key, now)
        notify.extended(decision, now)


def _missed_beside(row: Decision) -> list[Decision]:
    """Finds questions asked of the seat at the same moment, such as treasures beside the first sheet: one miss."""
    rows = Decision.objects.filter(seat=row.seat, status=Decision.Status.OPEN, due_at=row.due_at)
    return list(rows.select_related("seat__user__recipient", "game").exclude(pk=row.pk))


def extend(row: Decision, reason: str, now: datetime) -> None:
    """Starts the decision's clock anew at `now`, and records publicly why."""
    assert row.due_at is not None, row
    old = row.due_at
    clocks.start(row.game, [row], now)
    row.save(update_fields=clocks.FIELDS)
    Extension.objects.create(decision=row, reason=reason, old_due_at=old, new_due_at=row.due_at, created_at=now)


def _pass(row: Decision, now: datetime) -> None:
    """Answers for a player whose time is over and tells him so: both or neither, whenever this process may die."""
    if stewards.has_acted(row, now):
        return
    facts: JsonObject = {}
    for _answered in range(MOST_ANSWERS):  # a wave asks for one token after the other
        answer = stand_in(row, now)
        facts = facts or answer.told
        try:
            _answer(row, answer.action, now)
        except ServiceError:
            return  # the game is quarantined
        if not stewards.is_still_open(row):
            break
    _note_miss(row, facts, now)
    game_moves.delete_receipts(row.pk)


def _answer(row: Decision, action: object | None, now: datetime) -> None:
    try:
        _submit(row, action, now)
    except Illegal:  # else this decision would be overdue for ever, and all that are due after it
        logger.exception("What was to stand in for the answer to decision %s is against the rules", row.ref)
        _submit(row, None, now)


def _submit(row: Decision, action: object | None, now: datetime) -> None:
    game_moves.submit(
        game_id=row.game_id,
        seat=row.seat.number,
        decision=row.code,
        action=action,
        source=Move.Source.DEADLINE,
        received_at=now,
    )


def _note_miss(row: Decision, facts: dict[str, object], now: datetime) -> None:
    Seat.objects.filter(pk=row.seat.pk).update(misses=F("misses") + 1)
    row.seat.refresh_from_db()
    notify.passed(row, now, facts)
    if row.seat.misses >= row.game.absent_after:
        absences.make_absent(row.seat, row, now)
