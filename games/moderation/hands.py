"""Looking at what a player hides. Each look is written down before anything is shown; players are not told of it."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _
from msgspec.structs import replace

from games.errors import Conflict, NotFound
from games.log import log_entries
from games.log.log_entries import LogLine
from games.models import Game, ModerationEntry, Seat, User
from games.moderation.entries import LOOK, check_moderator, record_entry
from games.play import queries

LINES = 100


@dataclass(frozen=True)
class Hand:
    """What a seat sees: the board in words, and the newest lines of its log. What it is asked is left out."""

    seat: Seat
    board: str
    lines: list[LogLine]


@transaction.atomic
def reveal_hand(*, game: Game, seat: int, by: User, reason: str, now: datetime) -> Hand:
    """Shows a moderator what one seat sees; only with a right of its own, and never of a game he plays or has played.

    Raises Forbidden, Conflict for a game that has not begun, NotFound for a seat there is not.
    """
    check_moderator(by, game, LOOK)
    if not game.started_at:
        raise Conflict(_("This game has not begun yet."))
    chair = game.seats.filter(number=seat).first()
    if chair is None:
        raise NotFound(_("There is no such seat at this table."))
    chair.game = game
    record_entry(ModerationEntry.Action.LOOK, by=by, game=game, seat=seat, user=chair.user, reason=reason, now=now)
    access = queries.Access(game, chair)
    view = replace(queries.view_of(access), questions=[])  # who has answered a sealed question is for nobody to know
    return Hand(chair, queries.describe(access, view), log_entries.recent_lines(access, LINES))
