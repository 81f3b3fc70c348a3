"""A running game in the hands of one transaction: locked, read, and left alone by everybody once its rules break."""

import logging
from collections.abc import Iterator
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
from games.models import Decision, Game, Move, Seat, Vacation
from games.play import decisions
from games.play.notify import thread_of
from notifications.channels.webhook.listeners import listening_endpoints
from notifications.clock import present
from notifications.database.compiled_query import compiled

logger = logging.getLogger(__name__)
NOT_THE_RULES = (DatabaseTrouble, SoftTimeLimitExceeded)  # nor is a game at fault when its worker was stopped in it


class EngineBroke(Exception):
    """A game raised something other than a refusal: a bug, or a state nobody can read; no fault of the player's."""


@dataclass
class Table:
    """A locked game in the hands of one transaction: the row, its rules, its state, its seats, what it waits on.

    Arguments:
        rows: the open decisions, in the order in which they were asked; they know their game and seat.
        heard: the keys of the recipients to whom a webhook listens here; None for a game that is just being made.
        is_key_known: a move was made with the idempotency key for which it was locked.
        asked: what the rules ask since its last move, if it has made one.
        begun_at: when the lock was asked for.
    """

    game: Game
    rules: AnyRules
    state: Any
    seats: dict[int, Seat] = field(default_factory=dict)
    rows: list[Decision] = field(default_factory=list)
    heard: frozenset[int] | None = None
    is_key_known: bool = False
    asked: list[Asked] = field(default_factory=list)
    begun_at: datetime = field(default_factory=present.now)

    def spent(self) -> timedelta:
        """How long ago the lock was asked for: the wait for it, and the work since."""
        return max(timedelta(0), present.now() - self.begun_at)

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
    """The game, locked until the block is left; everything in the block is one transaction.

    Arguments:
        even_broken: also one in quarantine; its state, which may be what is broken, is not loaded.
        read: the game as it was read a moment ago, whose state need not be made again unless it has changed.
    """
    begun_at = present.now()
    with transaction.atomic():
        game = next(iter(_locked_row(game_id)), None)
        if game is None:
            raise Game.DoesNotExist(game_id)
        if game.status != Game.Status.RUNNING:
            raise Conflict(_("This game is over.") if game.is_over else _("This game has not begun yet."))
        if game.quarantined_at and not even_broken:
            raise Quarantined(_("This game is being repaired. Nothing is lost; please come back later."))
        chairs: list[Any] = _chairs(game.pk, thread_of(game), idempotency_key)
        with _blaming(game):
            state = None if even_broken else game.load_state(read)
            table = _table(game, state, chairs)
            table.begun_at = begun_at
            yield table


@compiled()
def _locked_row(game: int) -> QuerySet[Game]:
    return Game.objects.select_for_update().filter(pk=game)


def _table(game: Game, state: Any, chairs: list[Any]) -> Table:
    """All of it, from what `_chairs` has read."""
    seats: dict[int, Seat] = {chair.number: chair for chair in chairs}
    game.know_seats(chairs)
    for chair in chairs:
        if chair.user is not None:
            chair.user.away_until = chair.away_until
    heard = frozenset(chair.user.recipient_id for chair in chairs if chair.user is not None and chair.is_heard)
    is_key_known = any(chair.is_key_known for chair in chairs)
    return Table(game, game.rules, state, seats, decisions.open_rows(game, seats), heard, is_key_known)


@compiled("user", "user__recipient")
def _chairs(game: int, thread: str, key: str) -> QuerySet[Seat]:
    """The seats with their people, until when each is away, whether a webhook listens to him, and whether the key was
    used.

    Asked behind the lock, by a statement of its own: what is read with the lock may have changed while it was waited
    for.
    """
    absences = Vacation.objects.filter(user=OuterRef("user")).order_by("-ends_at").values("ends_at")
    made = Move.objects.filter(~Q(idempotency_key=""), game_id=game, idempotency_key=key)
    return (
        Seat.objects.filter(game_id=game)
        .annotate(
            is_heard=Exists(listening_endpoints(OuterRef("user__recipient"), thread)),
            away_until=Subquery(absences[:1]),
            is_key_known=Exists(made),
        )
        .order_by("number")
    )


@contextmanager
def _blaming(game: Game) -> Iterator[None]:
    """Makes EngineBroke of whatever else than a refusal comes out of a game: a state that cannot be read, a bug."""
    try:
        yield
    except (ServiceError, EngineBroke, *NOT_THE_RULES):
        raise
    except Exception as error:  # it must stop one game, and not whoever comes to the next one; it is logged
        logger.exception("Game %s broke after move %s", game.ref, game.seq)
        raise EngineBroke from error


def quarantine(game_id: int, now: datetime) -> None:
    """Leaves a game alone until someone has looked at it; every other game goes on."""
    Game.objects.filter(pk=game_id).update(quarantined_at=now)
