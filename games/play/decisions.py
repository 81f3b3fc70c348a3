"""The decisions a game waits on, kept in step with what the rules ask."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from operator import attrgetter

import msgspec
from django.db.models import QuerySet
from django.utils.translation import get_language

from engine.core import Decision as Asked
from engine.core import Text
from games.models import Decision, Game, Move, Seat
from games.timing import clocks
from notifications.database.bulk_write import OnConflict, insert
from notifications.database.compiled_query import compiled

CLOSED = OnConflict(
    unique=("game", "code", "seat"), changed=("status", "closed_at", "remind_at", "left"), only_if=("status", "open")
)  # what is written of an open decision that is closed; what has been closed is left alone
Key = tuple[str, int]  # (the engine's id, seat number)


class KeptAnswer(msgspec.Struct, frozen=True):
    """An answer the rules broke on, with all that makes it its player's own when it is given again."""

    action: object
    source: str  # a Move.Source
    idempotency_key: str


def open_rows(game: Game, seats: Mapping[int, Seat]) -> list[Decision]:
    """What the game waits on, in the order in which it was asked; the rows know the game and the seats."""
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
    """Closes what is no longer asked and opens what is new; a clock that is running keeps running.

    What was withdrawn, because somebody did unasked what goes first, may be asked again: then the same row opens
    again, so that its links lead somewhere, and its clock starts anew. So does a sealed one whose answer its player has
    taken back, but its clock has never stopped.

    Arguments:
        rows: the open decisions, from `open_rows`; those that are closed say so afterwards.

    Returns the decisions that were opened; of sealed ones those too that an order has answered at once.
    """
    wanted: dict[Key, Asked] = {(decision.id, decision.seat): decision for decision in asked}
    known: dict[Key, Decision] = {(row.code, row.seat.number): row for row in rows}
    gone = {key: row for key, row in known.items() if key not in wanted or not wanted[key].prompted}
    for key, row in gone.items():
        _close(row, is_answered=key in wanted or key == (move.decision, move.seat), now=now)
    fresh = {key: decision for key, decision in wanted.items() if decision.prompted and key not in known}
    opened = _open(game, seats, wanted.values(), fresh, {}, now)
    written = insert([*gone.values(), *opened], CLOSED)
    if len(written) == len(gone) + len(opened):
        return opened
    # Some were asked before, which is rare: then all of it once more, with them, for they share clocks with the others.
    Decision.objects.filter(pk__in=[row.pk for row in written if row in opened]).delete()
    again = _reopened(game, seats, fresh.keys(), now)
    opened = _open(game, seats, wanted.values(), fresh, again, now)
    for row in again.values():
        row.save()
    insert([row for row in opened if row._state.adding])
    return opened


def _open(
    game: Game,
    seats: Mapping[int, Seat],
    asked: Iterable[Asked],
    fresh: Mapping[Key, Asked],
    again: Mapping[Key, Decision],
    now: datetime,
) -> list[Decision]:
    """The rows of what is asked now, with their clocks; nothing is written.

    Arguments:
        again: those of them that were asked before.
    """
    new = [_opened(game, seats[decision.seat], decision, now) for key, decision in fresh.items() if key not in again]
    ready = _answered_at_once(asked, {row.code for row in new})
    at_once = [_opened(game, seats[decision.seat], decision, now) for decision in ready]
    anew = [row for row in again.values() if not row.is_sealed or row.status == Decision.Status.WITHDRAWN]
    for row in again.values():
        row.status, row.closed_at = Decision.Status.OPEN, None
    for row in anew:
        row.opened_at, row.due_at = now, None
    clocks.start(game, [row for row in (*anew, *new, *at_once) if not row.is_automatic], now)
    for row in again.values():
        if row not in anew:
            clocks.run_on(row, now)
    for row in at_once:  # to everybody else it looks like one that waits
        row.status, row.closed_at, row.remind_at = Decision.Status.ANSWERED, now, None
    return [*again.values(), *new, *at_once]


def _answered_at_once(asked: Iterable[Asked], opened: Collection[str]) -> list[Asked]:
    """What an order has answered the moment it opened, of sealed questions: nobody else may know."""
    return [decision for decision in asked if decision.sealed and not decision.prompted and decision.id in opened]


def _reopened(game: Game, seats: Mapping[int, Seat], keys: Collection[Key], now: datetime) -> dict[Key, Decision]:
    """Those of the decisions that were asked before: they open again, and are not saved."""
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


def _opened(game: Game, seat: Seat, asked: Asked, now: datetime) -> Decision:
    facts = {"code": asked.id, "kind": asked.kind, "is_sealed": asked.sealed, "opened_at": now}
    return Decision(game=game, seat=seat, is_automatic=not seat.is_person, **facts)


def stop_waiting(seat: Seat) -> None:
    """From now on this seat's open decisions are answered without waiting for a person."""
    rows = seat.decisions.filter(status=Decision.Status.OPEN)
    rows.update(is_automatic=True, **clocks.NOT_RUNNING)


def start_waiting(seat: Seat, now: datetime) -> list[Decision]:
    """The seat's person is back: its open decisions get a fresh clock. Returns them."""
    rows = list(seat.decisions.filter(status=Decision.Status.OPEN, is_automatic=True).select_related("game"))
    for row in rows:
        row.seat, row.is_automatic = seat, False
    clocks.start(seat.game, rows, now)
    for row in rows:
        row.save(update_fields=["is_automatic", *clocks.FIELDS])
    return rows


def keep_answer(game_id: int, code: str, seat: int, answer: KeptAnswer) -> bool:
    """Keeps an answer the rules broke on, so that it counts once the game is repaired.

    Returns whether it could: what somebody did unasked answers no decision, and is not kept.
    """
    text = msgspec.json.encode(answer).decode()
    return bool(Decision.objects.filter(game_id=game_id, code=code, seat__number=seat).update(kept_answer=text))


def load_kept_answer(row: Decision) -> KeptAnswer:
    """The answer that is kept for a decision; only for rows that have one."""
    return msgspec.json.decode(row.kept_answer, type=KeptAnswer)


def render_text(game: Game, text: Text) -> str:
    """A sentence of the rules in the language of the request."""
    return game.rules.say(text, get_language() or "en", game.spoken_names())
