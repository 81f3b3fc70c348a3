"""Opening and closing the decisions of a game as the rules ask."""

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from operator import attrgetter

import msgspec
from django.db.models import QuerySet
from django.utils.translation import get_language

from engine.core import Decision as Asked
from engine.core import Text
from games.play import clocks
from games.play.models import Decision, Move, SealedProposal
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.database.bulk_write import OnConflict, insert
from notifications.database.compiled_query import compiled
from notifications.worker_hints import hint_workers_on_commit

CLOSED = OnConflict(
    unique=("game", "code", "seat"), changed=("status", "closed_at", "remind_at", "left"), only_if=("status", "open")
)  # closes a decision that is open; a closed one is not changed
OUTDATED = datetime(1970, 1, 1, tzinfo=UTC)  # no question was asked then
Key = tuple[str, int]  # (the engine's id, seat number)


class KeptAnswer(msgspec.Struct, frozen=True):
    """An answer on which the rules failed, with what is needed to submit it again as its player's."""

    action: object
    source: str  # a Move.Source
    idempotency_key: str


def open_rows(game: Game, seats: Mapping[int, Seat]) -> list[Decision]:
    """Returns the open decisions in the order in which they were asked, with `game` and `seat` set."""
    by_key = {seat.pk: seat for seat in seats.values()}
    rows = sorted(_open_in(game.pk), key=attrgetter("pk"))
    for row in rows:
        row.game, row.seat = game, by_key[row.seat_id]
    return rows


@compiled()
def _open_in(game: int) -> QuerySet[Decision]:
    return Decision.objects.filter(game_id=game, status=Decision.Status.OPEN)


def reconcile(  # what is open, what is asked, and the move that lies between
    game: Game,
    seats: Mapping[int, Seat],
    rows: Iterable[Decision],
    asked: Iterable[Asked],
    move: Move,
    now: datetime,
) -> list[Decision]:
    """Closes decisions that are no longer asked and opens new ones; running clocks keep running.

    A withdrawn decision may be asked again: then its row opens again, so that its links stay valid, with a new clock.
    So does a sealed decision whose player took his answer back, but its clock has never stopped.

    Arguments:
        rows: the open decisions, from `open_rows`; their status is updated.

    Returns the decisions that were opened, including sealed ones that an order answered at once.
    """
    wanted: dict[Key, Asked] = {(decision.id, decision.seat): decision for decision in asked}
    by_key: dict[Key, Decision] = {(row.code, row.seat.number): row for row in rows}
    gone = {key: row for key, row in by_key.items() if key not in wanted or not wanted[key].prompted}
    for key, row in gone.items():
        _close(row, is_answered=key in wanted or key == (move.decision, move.seat), now=now)
    fresh = {key: decision for key, decision in wanted.items() if decision.prompted and key not in by_key}
    opened = _hold_for_bots(_open(game, seats, wanted.values(), fresh, {}, now), move)
    written = insert([*gone.values(), *opened], CLOSED)
    if len(written) == len(gone) + len(opened):
        return opened
    # Rarely, some were asked before: start again with their rows, since sealed decisions share their clocks.
    Decision.objects.filter(pk__in=[row.pk for row in written if row in opened]).delete()
    again = _reopened(game, seats, fresh.keys())
    opened = _hold_for_bots(_open(game, seats, wanted.values(), fresh, again, now), move)
    for row in again.values():
        row.save()
    insert([row for row in opened if row._state.adding])
    return opened


def _open(
    game: Game,
    seats: Mapping[int, Seat],
    asked: Collection[Asked],
    fresh: Mapping[Key, Asked],
    again: Mapping[Key, Decision],
    now: datetime,
) -> list[Decision]:
    """Builds the rows of what is asked now, with their clocks; nothing is written.

    Arguments:
        again: the rows that were asked before.
    """
    new = {key: decision for key, decision in fresh.items() if key not in again}
    at_once = _answered_at_once(asked, {decision.id for decision in new.values()})
    opened = {  # in the order in which they are asked: that of the rows must not tell which an order has answered
        (decision.id, decision.seat): _opened(game, seats[decision.seat], decision, now)
        for decision in asked
        if (decision.id, decision.seat) in new or decision in at_once
    }
    anew = [row for row in again.values() if not row.is_sealed or row.status == Decision.Status.WITHDRAWN]
    for row in again.values():
        row.status, row.closed_at = Decision.Status.OPEN, None
    for row in anew:
        row.opened_at, row.due_at, row.wants_proposal = now, None, row.seat.is_proposed_to
    clocks.start(game, [row for row in (*anew, *opened.values()) if not row.is_automatic], now)
    for row in again.values():
        if row not in anew:
            clocks.run_on(row, now)
    for decision in at_once:  # shown to everybody else as open
        row = opened[decision.id, decision.seat]
        row.status, row.closed_at, row.remind_at = Decision.Status.ANSWERED, now, None
    return [*again.values(), *opened.values()]


def _hold_for_bots(opened: list[Decision], move: Move) -> list[Decision]:
    """Keeps the bots' next questions for the worker that has just answered for one of them."""
    for row in opened:
        row.held_until = move.held_until if row.is_automatic else None
    return opened


def _answered_at_once(asked: Iterable[Asked], opened: Collection[str]) -> list[Asked]:
    """Sealed questions that an order answered as they opened: they get a row too, so that nobody can tell."""
    return [decision for decision in asked if decision.sealed and not decision.prompted and decision.id in opened]


def _reopened(game: Game, seats: Mapping[int, Seat], keys: Collection[Key]) -> dict[Key, Decision]:
    """Loads the closed decisions that are asked again; they are not saved."""
    if not keys:
        return {}
    by_key = {seat.pk: seat.number for seat in seats.values()}
    rows = _closed_in(game.pk, *{code for code, _seat in keys})
    again = {(row.code, by_key[row.seat_id]): row for row in rows}
    again = {key: row for key, row in again.items() if key in keys}
    for key, row in again.items():
        row.game, row.seat = game, seats[key[1]]
        row.is_automatic = not row.seat.is_person
    return again


@compiled()
def _closed_in(game: int, *codes: str) -> QuerySet[Decision]:
    return Decision.objects.exclude(status=Decision.Status.OPEN).filter(game_id=game, code__in=codes)


def _close(row: Decision, *, is_answered: bool, now: datetime) -> None:
    row.status = Decision.Status.ANSWERED if is_answered else Decision.Status.WITHDRAWN
    row.closed_at = now
    row.remind_at = None
    if (
        not row.is_sealed
    ):  # else its clock goes on with the others': what everybody sees of them must not tell who answered
        row.left = None


def _opened(game: Game, seat: Seat, decision: Asked, now: datetime) -> Decision:
    facts = {"code": decision.id, "kind": decision.kind, "is_sealed": decision.sealed, "opened_at": now}
    return Decision(game=game, seat=seat, is_automatic=not seat.is_person, wants_proposal=seat.is_proposed_to, **facts)


def stop_waiting(seat: Seat) -> None:
    """Marks this seat's open decisions as answered automatically, and stops their clocks."""
    rows = seat.decisions.filter(status=Decision.Status.OPEN)
    rows.update(is_automatic=True, **clocks.NOT_RUNNING)


def start_waiting(seat: Seat, now: datetime) -> list[Decision]:
    """Restarts the clocks of a seat whose player is back. Returns its open decisions."""
    rows = list(seat.decisions.filter(status=Decision.Status.OPEN, is_automatic=True).select_related("game"))
    for row in rows:
        row.seat, row.is_automatic, row.wants_proposal = seat, False, seat.is_proposed_to
    clocks.start(seat.game, rows, now)
    for row in rows:
        row.save(update_fields=["is_automatic", "wants_proposal", *clocks.FIELDS])
    return rows


def outdate_proposal(rows: Iterable[Decision], move: Move) -> None:
    """Deletes the proposal of a seat that has answered in part and is still asked: it no longer fits."""
    key = (move.decision, move.seat)
    row = next((row for row in rows if (row.code, row.seat.number) == key), None)
    if row is None or not row.game.may_propose:
        return
    SealedProposal.objects.filter(decision=row).update(opened_at=OUTDATED)
    row.wants_proposal = row.seat.is_proposed_to
    if row.wants_proposal:
        Decision.objects.filter(pk=row.pk).update(wants_proposal=True, held_until=None)


def propose_anew(rows: Iterable[Decision]) -> None:
    """Has a worker propose answers once more to what is asked still, but in another position."""
    wanting = [row.pk for row in rows if row.seat.is_proposed_to]
    Decision.objects.filter(pk__in=wanting).update(wants_proposal=True, held_until=None)
    hint_workers_on_commit("play")


def keep_answer(game_id: int, code: str, seat: int, answer: KeptAnswer) -> bool:
    """Keeps an answer on which the rules failed, so that it counts once the game is repaired.

    Returns False for an action that answers no decision: it is not kept.
    """
    text = msgspec.json.encode(answer).decode()
    return bool(Decision.objects.filter(game_id=game_id, code=code, seat__number=seat).update(kept_answer=text))


def load_kept_answer(row: Decision) -> KeptAnswer:
    """Loads the kept answer of a decision that has one."""
    return msgspec.json.decode(row.kept_answer, type=KeptAnswer)


def render_text(game: Game, text: Text) -> str:
    """Renders a text of the rules in the language of the request."""
    return game.rules.say(text, get_language() or "en", game.spoken_names())
