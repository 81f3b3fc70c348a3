"""Changing a game: an answer, orders, the way over a phase boundary, and its end.

`submit` is the one way to answer; pages, API, replies, bots and deadlines call it."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, Min, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Concat
from django.utils.translation import gettext as _
from msgspec import to_builtins

from engine.core import IllegalAction, Outcome, StaleDecision
from engine.orders.answers import ActionWithOrders, CommonAction
from engine.orders.model import CancelOrders, OrderMove
from engine.records import model
from engine.registry import AnyRules
from engine.rules import OpenDecision
from games.errors import Conflict, Illegal, KeyReused, Quarantined, ServiceError
from games.people.models import User
from games.play import clocks, deadline_rule, decisions, locking, notify, pauses, stored_moves
from games.play.locking import EngineFailure, Table, locked, quarantine, quarantined_on_failure
from games.play.models import SUBJECT, Decision, Move, OrderDate, Receipt
from games.tables.models import Game, by_known_rules
from games.tables.seats import Seat, hide_names
from notifications.database.bulk_write import insert, update
from notifications.database.compiled_query import compiled, compiled_exists
from notifications.models import Inbound
from notifications.worker_hints import hint_workers_on_commit

ON_DATE = "date"


def store_order_dates(
    rules: AnyRules, state: object, seat: Seat, dates: Sequence[datetime | None], now: datetime
) -> None:
    """Stores when a seat's orders end; dates of orders that are gone or end otherwise are deleted.

    Arguments:
        dates: in the order of the seat's orders; None, or missing, to keep the date that is stored.
    Raises Illegal for an order that ends on a date nobody gave, or on one that has passed.
    """
    orders = rules.orders(state, seat.number).orders
    dated = {order.id for order in orders if order.until == ON_DATE}
    seat.order_dates.exclude(order__in=dated).delete()
    dated_before = set(seat.order_dates.values_list("order", flat=True))
    for place, order in enumerate(orders):
        ends_at = dates[place] if place < len(dates) else None
        if order.id not in dated or (ends_at is None and order.id in dated_before):
            continue
        if ends_at is None:
            raise Illegal(
                _("Order %(number)s: choose the date it ends.") % {"number": order.tag}, code="missing", field="orders"
            )
        if ends_at <= now:
            raise Illegal(
                _("Order %(number)s: that date has passed.") % {"number": order.tag}, code="in-the-past", field="orders"
            )
        OrderDate.objects.update_or_create(seat=seat, order=order.id, defaults={"ends_at": ends_at})


def delete_order_dates(game: Game) -> None:
    """Deletes the dates of a game: all its orders have ended."""
    OrderDate.objects.filter(seat__game=game).delete()


# Receipts: when an answer reached us, stored before the game is locked.

NEAR = timedelta(minutes=15)  # before a deadline; earlier than that no receipt is needed
LONGEST = timedelta(minutes=10)  # an answer that we lost delays its deadline by this at most


@dataclass(frozen=True)
class AnsweredDecision:
    """The decision that is being answered.

    Arguments:
        code: the engine's id of the decision.
        due_at: its deadline, or an earlier one of the game, as it was read a moment ago; None to find out.
    """

    game_id: int
    seat: int
    code: str
    due_at: datetime | None = None


@contextmanager
def keep_receipt(question: AnsweredDecision, received_at: datetime) -> Iterator[datetime]:
    """Keeps a receipt while the answer is handled; yields when the first attempt reached us.

    The receipt stays if the block ends with an error that is not a refusal, or the process dies. Enter it outside
    of any transaction: it must be committed at once.
    """
    near = received_at + NEAR
    is_far = question.due_at is not None and question.due_at > near
    rows = () if is_far else _due_before(question.game_id, question.seat, question.code, near)
    row = next(iter(rows), None)
    if row is None:
        yield received_at
        return
    receipt = Receipt.objects.create(decision=row, received_at=received_at)
    lately = row.receipts.filter(received_at__gt=received_at - LONGEST)
    first: datetime = lately.aggregate(first=Min("received_at"))["first"] or received_at
    try:
        yield first
    except ServiceError:
        receipt.delete()
        raise
    delete_receipts(row.pk)


@compiled()
def _due_before(game: int, seat: int, code: str, at: datetime) -> QuerySet[Decision]:
    rows = Decision.objects.filter(game_id=game, seat__number=seat, code=code, due_at__lte=at)
    return rows.filter(status=Decision.Status.OPEN)


def delete_receipts(decision_id: int) -> None:
    """Deletes the receipts of a decision that has been answered or passed."""
    Receipt.objects.filter(decision=decision_id).delete()


def is_being_answered(after: datetime) -> Q:
    """Matches decisions with an answer that has arrived and is not handled yet.

    Arguments:
        after: older receipts are ignored; `LONGEST` ago.
    """
    here = Receipt.objects.filter(decision=OuterRef("pk"), received_at__gt=after)
    mailed = Inbound.objects.filter(state=Inbound.State.WAITING, subject=Concat(Value(SUBJECT), OuterRef("ref")))
    return Q(Exists(here)) | Q(Exists(mailed))


# The one way to change a running game.

PEOPLE = Move.PEOPLE
CHANGED = ("seq", "chain", "state", "public_events", "failures", "advance_at")  # by a move
ENDED = (
    *CHANGED,
    "outcome",
    "status",
    "finished_at",
    "pack_at",
)  # by the last one; each index of what is named is written anew
on_end: list[Callable[[Game, datetime], datetime | None]] = []
"""Called in the transaction that ends a game; each returns until when the email about the end waits, or None."""


class AlreadyDone(ServiceError):
    """The answer was given before, with the same idempotency key: nothing is changed, and its move is returned."""

    def __init__(self, move: Move) -> None:
        super().__init__(_("This question has already been answered or is no longer open."))
        self.move = move


def submit(  # each is one fact of an answer
    *,
    game_id: int,
    seat: int,
    decision: str,
    action: object | None,
    source: str,
    received_at: datetime,
    actor: User | None = None,
    idempotency_key: str = "",
    now: datetime | None = None,
    due_at: datetime | None = None,
    read: Game | None = None,
    held_until: datetime | None = None,
) -> Move:
    """Answers a decision.

    Arguments:
        seat: the seat's number.
        decision: the engine's id of the decision that is answered.
        action: {"type": ..., fields} as JSON gives it; None for the rules' default (only deadlines answer with that).
        received_at: when the answer reached us; this decides whether it came in time.
        idempotency_key: a second answer of this seat with the same key gives back the first move.
        now: when it is dealt with, if that is later: what it leads to happens now, and clocks that start with it too.
        due_at: the deadline, or an earlier one of the game, as it was read a moment ago; None to read it.
        read: the game as read a moment ago, if the caller has loaded its state.
        held_until: until then the caller goes on with what bots are asked next: see `games.play.locking`.
    Raises Conflict (no longer asked, too late, game over), Illegal (the rules forbid it), KeyReused (another seat's
    key), Quarantined (the rules broke; an answer of a person is kept).
    """
    move = Move(kind=Move.Kind.ANSWER, seat=seat, decision=decision, source=source, actor=actor)
    move.idempotency_key, move.received_at, move.held_until = idempotency_key, received_at, held_until
    try:
        if source not in PEOPLE:
            return _submit(game_id, move, action, now or received_at, read)
        question = AnsweredDecision(game_id, seat, decision, due_at)
        with keep_receipt(question, received_at) as move.received_at:
            return _submit(game_id, move, action, now or received_at, read)
    except AlreadyDone as again:
        return again.move


def _submit(game_id: int, move: Move, action: object | None, now: datetime, read: Game | None) -> Move:
    assert move.seat is not None
    seat, source, decision = move.seat, move.source, move.decision
    try:
        with locked(game_id, move.idempotency_key, read=read) as table:
            if repeated := _find_repeated(table, seat, move.idempotency_key):
                raise AlreadyDone(repeated)
            _check_player(table, seat, source)
            opened = _open(table, decision, seat, source)
            parsed = _parse(opened, action, table)
            move.action = table.rules.dump_action(parsed).decode()
            _settle_clock(table, move)
            if source in PEOPLE and _end_substitutes(table, seat, now):
                opened = _open(table, decision, seat, source)
            return _record_answer(table, move, opened, parsed, now)
    except EngineFailure as error:
        is_kept = False
        if source in PEOPLE:  # everything else answers anew, by the clock that starts when the game is released
            kept = decisions.KeptAnswer(action, source, move.idempotency_key)
            is_kept = decisions.keep_answer(game_id, decision, seat, kept)
        quarantine(game_id, move.received_at)
        raise Quarantined(_failure_message(is_kept=is_kept)) from error


def _failure_message(*, is_kept: bool) -> str:
    if is_kept:
        return _("Something went wrong in this game. Your answer is saved and will count once the game is repaired.")
    return _("Something went wrong in this game, and nothing was changed. We're repairing it; please come back later.")


def advance(*, game_id: int, now: datetime) -> Move:
    """Takes a game over the phase boundary it stands at. Raises Conflict if it stands at none."""
    with locked(game_id) as table:
        if not table.rules.is_advance_pending(table.state):
            raise Conflict(_("This game waits for a player."))
        move = Move(kind=Move.Kind.ADVANCE, source=Move.Source.ADVANCE, received_at=now)
        return record(table, move, lambda: table.rules.advance(table.state), now)


def instruct(
    *,
    game_id: int,
    seat: int,
    change: Callable[[Table], OrderMove],
    source: str,
    now: datetime,
    actor: User | None = None,
    after: Callable[[Table], None] | None = None,
    idempotency_key: str = "",
) -> Move:
    """Gives or cancels orders of a seat: hidden from everybody else, and no open decision is answered by it.

    Arguments:
        change: returns the move, given the locked table, so that no update is lost.
        after: called in the same transaction when the move is stored.
        idempotency_key: as of `submit`.
    Raises Conflict, Illegal (with the number of the order and the reason) and Quarantined.
    """
    with quarantined_on_failure(game_id, now), locked(game_id, idempotency_key) as table:
        repeated = _find_repeated(table, seat, idempotency_key)
        if repeated:
            return repeated
        _check_player(table, seat, source)
        orders = change(table)
        move = Move(kind=Move.Kind.ORDERS, seat=seat, source=source, actor=actor, received_at=now)
        move.idempotency_key = idempotency_key
        move.action = table.rules.dump_orders(orders).decode()
        recorded = record(table, move, lambda: table.rules.instruct(table.state, seat, orders), now)
        if after is not None:
            after(table)
        return recorded


def begin(table: Table, events: list[object], now: datetime) -> Move:
    """Adds the first move of a game whose state has just been made. Called by `tables.start`, in its transaction."""
    move = Move(kind=Move.Kind.START, source=Move.Source.ADVANCE, received_at=now)
    return record(table, move, lambda: (table.state, events), now)


def _find_repeated(table: Table, seat: int, key: str) -> Move | None:
    """Returns the move this seat made with the key. Raises KeyReused for another seat's: its move may be sealed."""
    move = find_by_key(table.game, key) if table.is_key_known else None
    if move is not None and move.seat != seat:
        raise KeyReused(_("This Idempotency-Key was already used for a different answer. Use a new one."))
    return move


def find_by_key(game: Game, key: str) -> Move | None:
    """Returns the move of this game that was made with an idempotency key, or None."""
    move = stored_moves.with_key(game, key)
    if move is not None:
        move.game, move.is_repeated = game, True
    return move


def _check_player(table: Table, number: int, source: str) -> None:
    """Raises Conflict for a person's answer from a seat that is not theirs, or is absent or resigned."""
    seat = table.seats.get(number)
    if seat is None or (source in PEOPLE and not seat.is_person):
        is_away = seat is not None and seat.status == Seat.Status.ABSENT
        raise Conflict(
            _("You're marked as absent in this game. Return to it first.") if is_away else _("This isn't your seat.")
        )


def _open(table: Table, decision: str, seat: int, source: str) -> OpenDecision:
    try:
        opened = table.rules.open(table.state, decision, seat)
        # Only its player may replace a sealed answer: a deadline or bot that comes a moment late must not.
        if not (opened.decision.prompted or source in PEOPLE):
            raise StaleDecision("stale")
    except StaleDecision as error:
        raise Conflict(_("This question has already been answered or is no longer open.")) from error
    return opened


def _parse(opened: OpenDecision, action: object | None, table: Table) -> object:
    if action is None:
        return table.rules.default(table.state, opened.decision)
    try:
        return opened.parse(action)
    except IllegalAction as error:
        raise Illegal(decisions.render_text(table.game, error.text)) from error


def _record_answer(table: Table, move: Move, opened: OpenDecision, action: object, now: datetime) -> Move:
    recorded = record(table, move, lambda: opened.apply(action, by_player=move.is_by_person, in_place=True), now)
    if isinstance(action, CommonAction | ActionWithOrders) and action.orders is not None:
        store_order_dates(table.rules, table.state, table.seats[opened.seat], (), now)
    table.game.keep_state(table.state, table.asked)
    return recorded


def record(table: Table, move: Move, run: Callable[[], tuple[object, list[object]]], now: datetime) -> Move:
    """Runs the rules, stores the move and the state, opens and closes decisions, and notifies the players."""
    game, rules = table.game, table.rules
    table.state, events = _run_rules(game, run)
    data = rules.dump(table.state)
    move.game = game
    move.seq = game.seq + 1
    move.first_public = game.public_events + 1
    move.events = rules.dump_events(events).decode()
    move.made_at = now + table.spent()
    outcome = rules.outcome(table.state)
    move.chain = model.link(game.chain, move, data, outcome)
    game.seq = move.seq
    game.chain = move.chain
    game.state = data.decode()
    game.public_events += sum(rules.redact(event, None) is not None for event in events)
    if move.kind != Move.Kind.ORDERS:  # orders are hidden: they must not change the public count of failures
        game.failures = 0
    _set_status(table, move, outcome, now)
    insert([move])
    if move.kind == Move.Kind.START:
        game.save()
    else:
        update(game, *(ENDED if game.is_over else CHANGED))
    opened = table.wait_on(rules.decisions(table.state), move, now)
    if move.kind == Move.Kind.ANSWER:
        decisions.outdate_proposal(table.rows, move)
    review_until = None
    if outcome is not None:
        review_until = max((until for call in on_end if (until := call(game, now))), default=None)
    notify.after_move(game, table.seats, opened, events, now, table.listening, review_until)
    if table.has_work():
        hint_workers_on_commit("play")
    return move


def _run_rules(game: Game, run: Callable[[], tuple[object, list[object]]]) -> tuple[object, list[object]]:
    try:
        return run()
    except StaleDecision as error:
        raise Conflict(decisions.render_text(game, error.text)) from error
    except IllegalAction as error:
        raise Illegal(decisions.render_text(game, error.text)) from error


def _set_status(table: Table, move: Move, outcome: Outcome | None, now: datetime) -> None:
    game = table.game
    at = game.advance_at or now if move.kind == Move.Kind.ORDERS else now
    game.advance_at = at if table.is_to_advance() else None
    if outcome is not None:
        game.outcome = to_builtins(outcome)
        game.status = Game.Status.FINISHED
        game.finished_at, game.pack_at = now, stored_moves.packing_due_at(game, now)
        show_names(game, table.seats.values())


def show_names(game: Game, seats: Iterable[Seat] = ()) -> None:
    """Shows who has played, as the game is over.

    Arguments:
        seats: those that were read already.
    """
    if game.hides_names:
        hide_names(game, until_the_end=False)
        for seat in seats:
            seat.hides_name = False


def _end_substitutes(table: Table, seat: int, now: datetime) -> bool:
    """Ends the orders that were to answer until the player is back: he has just answered himself.

    Returns whether there were any, and so the state has changed.
    """
    ids = [order.id for order in table.rules.orders(table.state, seat).orders if order.until == "return"]
    if ids:
        cancel = CancelOrders(ids, "return")
        move = Move(kind=Move.Kind.ORDERS, seat=seat, source=Move.Source.ADVANCE, received_at=now)
        move.action = table.rules.dump_orders(cancel).decode()
        record(table, move, lambda: table.rules.instruct(table.state, seat, cancel), now)
    return bool(ids)


def _settle_clock(table: Table, move: Move) -> None:
    """Refuses a late answer, updates the seat's time bank, and resets the missed deadlines of a person."""
    if move.source not in (*PEOPLE, Move.Source.DEADLINE, Move.Source.STEWARD):
        return
    assert move.seat is not None
    seat = table.seats[move.seat]
    row = next((row for row in table.rows if (row.code, row.seat) == (move.decision, seat)), None)
    if row is not None:
        if move.source in PEOPLE:
            deadline_rule.refuse_late(row, move.received_at)
        clocks.settle_bank(row, move.received_at)
    if move.source in PEOPLE:
        _reset_misses(seat)


def _reset_misses(seat: Seat) -> None:
    if seat.misses:
        seat.misses = 0
        update(seat, "misses")


# Leaving a game, and ending it: by resigning, as the last player, or by a vote.


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
        chair.absent_wish, chair.seeks_successor, chair.agrees_to_hour = "", False, False
        chair.link_generation += 1
        chair.steward_hours = None
        left = ["status", "wants_pause", "wants_end", "absent_wish", "seeks_successor", "agrees_to_hour"]
        chair.save(update_fields=[*left, "link_generation", "steward_hours"])
        decisions.stop_waiting(chair)
        table.rows = decisions.open_rows(table.game, table.seats)
        move = Move(kind=Move.Kind.RESIGN, seat=seat, source=source, actor=actor, received_at=now)
        move = record(table, move, lambda: table.rules.resign(table.state, seat), now)
        pauses.apply_wishes(table.game, now)
        return move


def end_by_wish(*, game_id: int, seat: int, actor: User | None, source: str, now: datetime) -> Move:
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
def set_end_wish(*, game_id: int, seat: int, is_wanted: bool, now: datetime) -> Game:
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
    wanted, people = count_end_wishes(game)
    if is_wanted and wanted == people:
        close_game(game, now)
    return game


def count_end_wishes(game: Game) -> tuple[int, int]:
    """Returns how many active players want the end, and how many there are."""
    people = [seat for seat in game.seated() if seat.has_a_say]
    return sum(seat.wants_end for seat in people), len(people)


def lock_running(game_id: int) -> Game:
    """Locks a game. Raises Conflict if it is not running."""
    game = Game.objects.select_for_update().get(pk=game_id)
    if game.status != Game.Status.RUNNING:
        raise Conflict(_("This game is over.") if game.is_over else _("This game hasn't started yet."))
    return game


def close_game(game: Game, now: datetime) -> None:
    """Ends a running game without a result and notifies the players. Called with the game locked."""
    game.status, game.finished_at, game.pack_at = Game.Status.CLOSED, now, stored_moves.packing_due_at(game, now)
    game.advance_at = game.paused_at = game.pause_ends_at = game.quarantined_at = None
    game.save()
    show_names(game)
    rows = game.decisions.filter(status=Decision.Status.OPEN)
    rows.update(status=Decision.Status.WITHDRAWN, closed_at=now, **clocks.NOT_RUNNING)
    seats = game.seats.filter(user__isnull=False).select_related("user__recipient")
    notify.closed(game, [seat.user.recipient for seat in seats if seat.user], now)


# Taking games over phase boundaries: placing is complete, the round is over.

logger = logging.getLogger(__name__)
MOST_FAILURES = 3
PAUSE_AFTER_FAILURE = timedelta(minutes=1)


def advance_one(now: datetime) -> bool:
    """Takes one game over its phase boundary. Returns whether there was one; what another process holds is skipped.

    A game whose rules break is tried again a minute later, and quarantined after three failures in a row.
    """
    if not _is_any_due(now):  # most looks find nothing: they open no transaction
        return False
    with transaction.atomic():
        game = next(iter(_claim_boundary(now)), None)
        if game is None:
            return False
        try:
            advance(game_id=game.pk, now=now)
        except ServiceError as error:
            logger.info("Game %s needed no advance: %s", game.ref, error.code)
        except locking.EngineFailure:
            _record_failure(game, now)
    return True


def _due_boundaries(now: datetime) -> QuerySet[Game]:
    rows = Game.objects.filter(
        by_known_rules(), advance_at__lte=now, quarantined_at__isnull=True, status=Game.Status.RUNNING
    )
    return rows.order_by("advance_at")


_is_any_due = compiled_exists(_due_boundaries)


@compiled()
def _claim_boundary(now: datetime) -> QuerySet[Game]:
    """The game that has waited longest at its boundary of those that nobody holds, locked."""
    return _due_boundaries(now).select_for_update(skip_locked=True)[:1]


def _record_failure(game: Game, now: datetime) -> None:
    failures = game.failures + 1
    Game.objects.filter(pk=game.pk).update(failures=failures, advance_at=now + PAUSE_AFTER_FAILURE)
    if failures >= MOST_FAILURES:
        locking.quarantine(game.pk, now)
