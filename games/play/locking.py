"""Locking a running game for one transaction; quarantine, for a game whose rules have failed; and holds of workers."""

import logging
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from celery.exceptions import SoftTimeLimitExceeded
from django.db import Error as DatabaseTrouble
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext as _

from engine.core import Decision as Asked
from engine.registry import AnyRules
from games.errors import Conflict, Quarantined, ServiceError
from games.play import decisions
from games.play.models import Decision, Move, Vacation
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.channels.webhook.channel import listening_endpoints
from notifications.clock import present
from notifications.database.compiled_query import compiled

logger = logging.getLogger(__name__)
# The database failed, or the worker was stopped while it ran the rules: no reason to quarantine the game.
NOT_ENGINE_FAILURES = (DatabaseTrouble, SoftTimeLimitExceeded)


class EngineFailure(Exception):
    """A game raised something other than a refusal: a bug, or a state that cannot be read."""


@dataclass
class Table:
    """A locked game: its row, rules, state, seats and open decisions, for one transaction.

    Arguments:
        rows: the open decisions, in the order in which they were asked; their game and seat are set.
        listening: the keys of the recipients of whom a webhook is told; None for a game that is being created.
        is_key_known: whether a move was made with the idempotency key given to `locked`.
        asked: what the rules ask since its last move, if it has made one.
        begun_at: when the lock was asked for.
    """

    game: Game
    rules: AnyRules
    state: object
    seats: dict[int, Seat] = field(default_factory=dict)
    rows: list[Decision] = field(default_factory=list)
    listening: Collection[int] | None = None
    is_key_known: bool = False
    asked: list[Asked] = field(default_factory=list)
    begun_at: datetime = field(default_factory=present.now)

    def spent(self) -> timedelta:
        """How long ago the lock was asked for: the wait for it, and the work since."""
        return max(timedelta(0), present.now() - self.begun_at)

    def is_to_advance(self) -> bool:
        """True at a phase boundary that a worker crosses: in a lesson the beginner himself crosses some."""
        lesson = self.rules.lesson if self.game.is_lesson and self.game.is_guided else None
        is_held = lesson is not None and lesson.is_held(self.rules.view(self.state, None))
        return self.rules.is_advance_pending(self.state) and not is_held

    def has_work(self) -> bool:
        """True if there is something to do here for a worker that no worker is on."""
        is_left = any(row.wants_proposal or (row.is_automatic and row.held_until is None) for row in self.rows)
        return is_left or self.game.advance_at is not None

    def wait_on(self, asked: list[Asked], move: Move, now: datetime) -> list[Decision]:
        """Opens and closes decisions as the rules ask now, and returns those it opened."""
        self.asked = asked
        opened = decisions.reconcile(self.game, self.seats, self.rows, asked, move, now)
        self.rows = [row for row in (*self.rows, *opened) if row.is_open]
        return opened


@contextmanager
def locked(
    game_id: int, idempotency_key: str = "", *, even_broken: bool = False, read: Game | None = None
) -> Iterator[Table]:
    """Locks the game until the block is left; the block is one transaction.

    Arguments:
        even_broken: accept a game in quarantine; its state is not loaded, since it may be unreadable.
        read: the game as read before the lock; its state is used again unless it has changed since.
    """
    begun_at = present.now()
    with transaction.atomic():
        game = next(iter(_locked_row(game_id)), None)
        if game is None:
            raise Game.DoesNotExist(game_id)
        if game.status != Game.Status.RUNNING:
            raise Conflict(_("This game is over.") if game.is_over else _("This game hasn't started yet."))
        if game.quarantined_at and not even_broken:
            raise Quarantined(_("We're repairing this game. Nothing is lost; please come back later."))
        chairs: list[Any] = _seated_rows(game.pk, game.thread, idempotency_key)
        with _engine_failures(game):
            state = None if even_broken else game.load_state(read)
            table = _table(game, state, chairs)
            table.begun_at = begun_at
            yield table


@compiled()
def _locked_row(game: int) -> QuerySet[Game]:
    return Game.objects.select_for_update().filter(pk=game)


def _table(game: Game, state: object, chairs: list[Any]) -> Table:
    """Builds the table from the rows of `_seated_rows`."""
    seats: dict[int, Seat] = {chair.number: chair for chair in chairs}
    game.know_seats(chairs)
    for chair in chairs:
        if chair.user is not None:
            chair.user.away_until = chair.away_until
    listening = {chair.user.recipient_id for chair in chairs if chair.user is not None and chair.is_heard}
    is_key_known = any(chair.is_key_known for chair in chairs)
    return Table(game, game.rules, state, seats, decisions.open_rows(game, seats), listening, is_key_known)


@compiled("user", "user__recipient")
def _seated_rows(game: int, thread: str, key: str) -> QuerySet[Seat]:
    """The seats with their users, the end of each user's last vacation, who listens, and whether the key is known.

    A statement of its own after the lock: what the locking statement reads may be older than the wait for the lock.
    """
    absences = Vacation.objects.filter(user=OuterRef("user")).order_by("-ends_at").values("ends_at")
    move = Move.objects.filter(~Q(idempotency_key=""), game_id=game, idempotency_key=key)
    return (
        Seat.objects.filter(game_id=game)
        .annotate(
            is_heard=Exists(listening_endpoints(OuterRef("user__recipient"), thread)),
            away_until=Subquery(absences[:1]),
            is_key_known=Exists(move),
        )
        .order_by("number")
    )


@contextmanager
def _engine_failures(game: Game) -> Iterator[None]:
    """Turns whatever a game raises, other than a refusal, into an EngineFailure."""
    try:
        yield
    except (ServiceError, EngineFailure, *NOT_ENGINE_FAILURES):
        raise
    except Exception as error:  # a failure must stop one game, not the worker; it is logged
        logger.exception("Game %s broke after move %s", game.ref, game.seq)
        raise EngineFailure from error


@contextmanager
def quarantined_on_failure(game_id: int, now: datetime) -> Iterator[None]:
    """Turns an engine failure into a Quarantined error for the player, and quarantines the game."""
    try:
        yield
    except EngineFailure as error:
        quarantine(game_id, now)
        raise Quarantined(_("We're repairing this game. Nothing is lost; please come back later.")) from error


def quarantine(game_id: int, now: datetime) -> None:
    """Stops a game until staff releases it; see `repair.release`."""
    Game.objects.filter(pk=game_id).update(quarantined_at=now)


# Holds: what one worker is on, others leave to it, so that no two think about one question. A hold lapses by itself, so
# a worker that dies keeps nobody waiting for longer. It saves time and decides nothing: two that answer one question
# store one answer, with holds or without.

HOLD = timedelta(seconds=5)  # longer than a bot thinks, on a busy machine too


def is_free(now: datetime) -> Q:
    """Matches decisions that nobody holds."""
    return Q(held_until=None) | Q(held_until__lte=now)


def take_hold(rows: Q, now: datetime) -> bool:
    """Takes all of these decisions that are open and free. Returns whether there was one."""
    free = Decision.objects.filter(is_free(now), rows, status=Decision.Status.OPEN)
    return bool(free.update(held_until=now + HOLD))


def release_holds(rows: Q) -> None:
    """Lets others take these decisions, as far as they are open still."""
    Decision.objects.filter(rows, status=Decision.Status.OPEN).update(held_until=None)
