"""Revealing a player's hand to a moderator. It is logged before anything is shown; players are not notified."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _
from msgspec.structs import replace

from games.errors import Conflict, NotFound
from games.moderation.entries import LOOK, check_moderator, record_entry
from games.moderation.models import ModerationEntry
from games.people.models import User
from games.play import history, queries
from games.play.history import LogLine
from games.tables.models import Game
from games.tables.seats import Seat

LINES = 100


@dataclass(frozen=True)
class Hand:
    """The view of a seat: the board as text, and the newest lines of its log. Open questions are left out."""

    seat: Seat
    board: str
    lines: list[LogLine]


@transaction.atomic
def reveal_hand(*, game: Game, seat: int, by: User, reason: str, now: datetime) -> Hand:
    """Logs the access and returns what one seat sees. Needs its own right; never of a game he plays or has played.

    Raises Forbidden, Conflict for a game that has not begun, NotFound for a seat there is not.
    """
    check_moderator(by, game, LOOK)
    if not game.started_at:
        raise Conflict(_("This game hasn't started yet."))
    chair = game.seats.filter(number=seat).first()
    if chair is None:
        raise NotFound(_("There's no such seat at this table."))
    chair.game = game
    record_entry(ModerationEntry.Action.LOOK, by=by, game=game, seat=seat, user=chair.user, reason=reason, now=now)
    access = queries.Access(game, chair)
    view = replace(queries.view_of(access), questions=[])  # who has answered a sealed question is for nobody to know
    return Hand(chair, queries.describe(access, view), history.recent_lines(access, LINES))
