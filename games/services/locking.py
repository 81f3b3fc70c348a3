"""A running game in the hands of one transaction: locked, read, and left alone by everybody once its rules break."""

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from celery.exceptions import SoftTimeLimitExceeded
from django.db import Error as DatabaseTrouble
from django.db import transaction
from django.utils.translation import gettext as _

from engine.core import Decision as Asked
from engine.registry import AnyRules
from games.errors import Conflict, Quarantined, ServiceError
from games.models import Decision, Game, Move, Seat
from games.services import decisions

logger = logging.getLogger(__name__)
NOT_THE_RULES = (DatabaseTrouble, SoftTimeLimitExceeded)  # nor is a game at fault when its worker was stopped in it


class EngineBroke(Exception):
    """A game raised something other than a refusal: a bug, or a state nobody can read; no fault of the player's."""


@dataclass
class Table:
    """A locked game in the hands of one transaction: the row, its rules, its state, its seats, what it waits on."""

    game: Game
    rules: AnyRules
    state: Any
    seats: dict[int, Seat] = field(default_factory=dict)
    _rows: list[Decision] | None = None

    @property
    def rows(self) -> list[Decision]:
        """The open decisions, read when they are first asked for; they know their game and seat."""
        if self._rows is None:
            self._rows = decisions.open_rows(self.game, self.seats)
        return self._rows

    def wait_on(self, asked: Iterable[Asked], move: Move, now: datetime) -> list[Decision]:
        """Opens and closes decisions as the rules ask now; returns those that were opened."""
        opened = decisions.reconcile(self.game, self.seats, self.rows, asked, move, now)
        self._rows = [row for row in (*self.rows, *opened) if row.is_open]
        return opened


@contextmanager
def locked(game_id: int, *, even_broken: bool = False) -> Iterator[Table]:
    """The game, locked until the block is left; everything in the block is one transaction.

    Arguments:
        even_broken: also one in quarantine; its state, which may be what is broken, is not loaded.
    """
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=game_id)
        if game.status != Game.Status.RUNNING:
            raise Conflict(_("This game is over.") if game.is_over else _("This game has not begun yet."))
        if game.quarantined_at and not even_broken:
            raise Quarantined(_("This game is being repaired. Nothing is lost; please come back later."))
        seats = {seat.number: seat for seat in game.seats.select_related("user__recipient")}
        for seat in seats.values():
            seat.game = game
        with _blaming(game):
            yield Table(game, game.rules, None if even_broken else game.load_state(), seats)


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
