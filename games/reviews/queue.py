"""Which games are reviewed: each that ends among people, and others when somebody asks for it."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from engine.registry import RULES
from games.errors import Conflict, TooMany
from games.models import Game, GameReview
from games.reviews.models import IS_OPEN

HOLD = timedelta(minutes=3)
"""So long the email about the end of a game waits for its review, and no longer."""

MOST_EXPECTED = 200  # reviews of ended games that wait at once: some hours' work; others can be asked for later
MOST_ASKED = 30  # reviews that were asked for and wait at once


def expect_review(game: Game, now: datetime) -> datetime | None:
    """Queues the review of a game that has just ended, in the caller's transaction.

    Returns until when the email about the end waits for it; None if it does not wait, since others are made first, or
    if there will be none by itself: of a practice game, or while too many wait, as when somebody resigns one game after
    another.
    """
    if not settings.REVIEW_SECONDS or game.is_practice:
        return None
    before = GameReview.objects.filter(IS_OPEN, is_asked=False).exclude(game=game).count()
    if before >= MOST_EXPECTED:
        return None
    _queue(game, now, is_asked=False)
    return None if before else now + HOLD


@transaction.atomic
def request_review(game: Game, now: datetime) -> GameReview:
    """Queues the review of a finished game that has none, because somebody asks for it. Asking again changes nothing.

    Raises Conflict for a game that cannot be reviewed, TooMany while many others wait.
    """
    if refusal := why_none(game):
        raise Conflict(refusal)
    row = GameReview.objects.select_for_update().filter(game=game).first()
    if row is not None and (row.state in (row.State.WAITING, row.State.RUNNING) or is_current(row, game)):
        return row
    if GameReview.objects.filter(IS_OPEN, is_asked=True).count() >= MOST_ASKED:
        raise TooMany(_("Many reviews are waiting already. Please ask again in an hour."), timedelta(hours=1))
    return _queue(game, now, is_asked=True)


def why_none(game: Game) -> str:
    """Returns why there is no review of a game and cannot be one, in words; "" if there can be."""
    if game.status == Game.Status.CLOSED:
        return _("This game was called off without a result, so there's nothing to review.")
    if game.status != Game.Status.FINISHED:
        return _("A game is reviewed once it's over.")
    if game.sandbox_of_id is not None:
        return _("A sandbox isn't reviewed, because it doesn't start at the beginning of a game.")
    if (game.rules_name, game.rules_version) not in RULES:
        return _("The rules of this game aren't installed here any more, so it can't be reviewed.")
    if not settings.REVIEW_SECONDS:
        return _("This service makes no reviews.")
    return ""


def is_current(row: GameReview, game: Game) -> bool:
    """True of a review that is made, of the game as it ended: a roll-back may have led to another end since."""
    return row.state == GameReview.State.DONE and row.chain == game.chain


def _queue(game: Game, now: datetime, *, is_asked: bool) -> GameReview:
    waiting = {
        "state": GameReview.State.WAITING,
        "is_asked": is_asked,
        "chain": "",
        "data": b"",
        "tries": 0,
        "leased_until": None,
        "requested_at": now,
        "made_at": None,
    }
    return GameReview.objects.update_or_create(game=game, defaults=waiting)[0]
