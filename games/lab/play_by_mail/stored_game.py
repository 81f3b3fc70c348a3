"""A game as the database has it, as plain data: read for the comparison after the run, never to play.

It is printed by `manage.py play_by_mail --facts GAME`, so that it can be read in the service's own surroundings.
"""

import json
from collections.abc import Callable
from typing import TypeVar

import msgspec
from django.db.models import BooleanField, ExpressionWrapper, Model, Q, QuerySet
from django.db.models.functions import Coalesce

from games.play import stored_moves
from games.play.models import Extension, Move
from games.tables.models import Game
from notifications.channels.mail.channel import MailChannel
from notifications.clock import present
from notifications.models import Delivery, DeliveryState

T = TypeVar("T")


class StoredSeat(msgspec.Struct):
    """A seat and its player."""

    number: int
    name: str
    address: str
    bot: str
    status: str


class StoredDecision(msgspec.Struct):
    """A decision that was asked."""

    ref: str
    seat: int
    code: str
    status: str
    is_sealed: bool
    is_automatic: bool


class StoredMove(msgspec.Struct):
    """A move; of its action only the type."""

    seq: int
    kind: str
    seat: int | None
    decision: str
    source: str
    answer: str = ""


class StoredDelivery(msgspec.Struct):
    """A delivery by email and its state; one that is not to go out yet is not `is_due`."""

    kind: str
    subject: str
    address: str
    message_id: str
    state: str
    reason: str
    is_due: bool = True


class StoredGame(msgspec.Struct):
    """A game with its seats, decisions, moves and emails."""

    ref: str
    status: str
    ending: str
    winners: list[str]
    seats: list[StoredSeat]
    decisions: list[StoredDecision]
    moves: list[StoredMove]
    mails: list[StoredDelivery]
    extensions: dict[str, int]  # by reason

    def seat_of(self, address: str) -> StoredSeat | None:
        """The seat of the player with this mail address."""
        return next((seat for seat in self.seats if seat.address == address), None)


def load_stored_game(ref: str) -> StoredGame:
    """Loads a game. Raises Game.DoesNotExist."""
    game = Game.objects.get(ref=ref)
    seats = [
        StoredSeat(seat.number, seat.name, seat.user.email if seat.user else "", seat.bot, seat.status)
        for seat in game.seats.select_related("user").order_by("number")
    ]
    outcome = game.outcome or {}
    return StoredGame(
        ref=ref,
        status=game.status,
        ending=str(outcome.get("ending", "")),
        winners=[seats[number].name for number in outcome.get("winners", [])],
        seats=seats,
        decisions=_rows(
            StoredDecision,
            game.decisions.order_by("pk"),
            "ref",
            "seat__number",
            "code",
            "status",
            "is_sealed",
            "is_automatic",
        ),
        moves=[_move(move) for move in stored_moves.find(game)],
        mails=_rows(
            StoredDelivery,
            _mails(game),
            "notice__kind",
            "notice__subject",
            "notice__recipient__address",
            "went_as",
            "state",
            "reason",
            "is_due",
        ),
        extensions={
            reason: Extension.objects.filter(decision__game=game, reason=reason).count()
            for reason in Extension.Reason.values
        },
    )


def _mails(game: Game) -> QuerySet[Delivery]:
    """The mails of a game; several may have gone out as one, under the Message-ID of the one that led."""
    rows = Delivery.objects.filter(notice__thread=game.thread, channel=MailChannel.kind)
    later = Q(state=DeliveryState.WAITING, tries=0, attempt_after__gt=present.now())
    return rows.annotate(
        went_as=Coalesce("leader__message_id", "message_id"), is_due=ExpressionWrapper(~later, BooleanField())
    ).order_by("pk")


def _move(move: Move) -> StoredMove:
    answer = json.loads(move.action)["type"] if move.action else ""
    return StoredMove(move.seq, move.kind, move.seat, move.decision, move.source, answer)


def _rows(kind: Callable[..., T], rows: QuerySet[Model], *names: str) -> list[T]:
    return [kind(*row) for row in rows.values_list(*names)]
