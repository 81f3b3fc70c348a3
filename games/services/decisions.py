"""The decisions a game waits on, kept in step with what the rules ask."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

import msgspec
from django.utils.translation import get_language

from engine.core import Decision as Asked
from engine.core import Text
from games.models import Decision, Game, Move, Seat
from games.services import pace

Key = tuple[str, int]  # (the engine's id, seat number)


class KeptAnswer(msgspec.Struct, frozen=True):
    """An answer the rules broke on, with all that makes it its player's own when it is given again."""

    action: object
    source: str  # a Move.Source
    idempotency_key: str


def reconcile(
    game: Game, seats: Mapping[int, Seat], asked: Iterable[Asked], move: Move, now: datetime
) -> list[Decision]:
    """Closes what is no longer asked and opens what is new; a clock that is running keeps running.

    What was withdrawn, because somebody did unasked what goes first, may be asked again: then the same row opens
    again, so that its links lead somewhere, and its clock starts anew.

    Returns the decisions that were opened.
    """
    wanted: dict[Key, Asked] = {(decision.id, decision.seat): decision for decision in asked}
    known: dict[Key, Decision] = {
        (row.code, row.seat.number): row
        for row in game.decisions.filter(status=Decision.Status.OPEN).select_related("seat").order_by("pk")
    }
    for key, row in known.items():
        if key not in wanted or not wanted[key].prompted:
            _close(row, is_answered=key in wanted or key == (move.decision, move.seat), now=now)
    fresh = {key: decision for key, decision in wanted.items() if decision.prompted and key not in known}
    again = _reopen(game, seats, fresh.keys(), now)
    new = [_opened(game, seats[asked.seat], asked, now) for key, asked in fresh.items() if key not in again]
    ready = _answered_at_once(wanted.values(), {asked.id for asked in fresh.values()} - {key[0] for key in again})
    Decision.objects.bulk_create([_ready(game, seats[asked.seat], asked, now) for asked in ready])
    return [*again.values(), *Decision.objects.bulk_create(new)]


def _answered_at_once(asked: Iterable[Asked], opened: Collection[str]) -> list[Asked]:
    """Seats whose order has answered a sealed question the moment it opened, which nobody else may know."""
    return [decision for decision in asked if decision.sealed and not decision.prompted and decision.id in opened]


def _ready(game: Game, seat: Seat, asked: Asked, now: datetime) -> Decision:
    """A question that was answered as it opened: to everybody else it looks like one that waits."""
    row = _opened(game, seat, asked, now)
    row.status, row.closed_at, row.remind_at = Decision.Status.ANSWERED, now, None
    return row


def _reopen(game: Game, seats: Mapping[int, Seat], keys: Collection[Key], now: datetime) -> dict[Key, Decision]:
    """Opens those of the decisions that were withdrawn before."""
    if not keys:
        return {}
    rows = game.decisions.filter(status=Decision.Status.WITHDRAWN, code__in={code for code, _seat in keys})
    again = {(row.code, row.seat.number): row for row in rows.select_related("seat")}
    again = {key: row for key, row in again.items() if key in keys}
    for key, row in again.items():
        row.game, row.seat = game, seats[key[1]]
        row.status, row.opened_at, row.closed_at, row.due_at = Decision.Status.OPEN, now, None, None
        _set_waiting(row, now)
        row.save()
    return again


def _close(row: Decision, *, is_answered: bool, now: datetime) -> None:
    row.status = Decision.Status.ANSWERED if is_answered else Decision.Status.WITHDRAWN
    row.closed_at = now
    row.remind_at = None
    row.save(update_fields=["status", "closed_at", "remind_at"])


def _opened(game: Game, seat: Seat, asked: Asked, now: datetime) -> Decision:
    row = Decision(game=game, seat=seat, code=asked.id, kind=asked.kind, is_sealed=asked.sealed, opened_at=now)
    _set_waiting(row, now)
    return row


def _set_waiting(row: Decision, now: datetime) -> None:
    row.is_automatic = not row.seat.is_person
    if not row.is_automatic:
        set_clock(row, now)


def set_clock(row: Decision, now: datetime) -> None:
    """Starts the decision's clock at `now`: when it is due, and when its player is reminded."""
    window = pace.allowance(row.game.pace)
    reminder = pace.reminder_after(window)
    row.due_at = now + window
    row.remind_at = now + reminder if reminder else None


def stop_waiting(seat: Seat) -> None:
    """From now on this seat's open decisions are answered without waiting for a person."""
    seat.decisions.filter(status=Decision.Status.OPEN).update(is_automatic=True, due_at=None, remind_at=None)


def start_waiting(seat: Seat, now: datetime) -> list[Decision]:
    """The seat's person is back: its open decisions get a fresh clock. Returns them."""
    rows = list(seat.decisions.filter(status=Decision.Status.OPEN, is_automatic=True).select_related("game"))
    for row in rows:
        row.is_automatic = False
        set_clock(row, now)
        row.save(update_fields=["is_automatic", "due_at", "remind_at"])
    return rows


def keep_answer(game_id: int, code: str, seat: int, answer: KeptAnswer) -> bool:
    """Keeps an answer the rules broke on, so that it counts once the game is repaired.

    Returns whether it could: what somebody did unasked answers no decision, and is not kept.
    """
    text = msgspec.json.encode(answer).decode()
    return bool(Decision.objects.filter(game_id=game_id, code=code, seat__number=seat).update(kept_answer=text))


def kept_answer(row: Decision) -> KeptAnswer:
    """The answer that is kept for a decision; only for rows that have one."""
    return msgspec.json.decode(row.kept_answer, type=KeptAnswer)


def in_words(game: Game, text: Text) -> str:
    """A sentence of the rules in the language of the request."""
    return game.rules.say(text, get_language() or "en", game.seat_names())
