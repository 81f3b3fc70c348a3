"""Which games are reviewed: each that somebody with an account has played, and others when somebody asks for it."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from engine.registry import RULES
from games.archive.models import IS_OPEN, GameReview
from games.errors import Conflict, TooMany, check_rate
from games.people.models import User
from games.tables.models import Game

HOLD = timedelta(minutes=3)
"""So long the email about the end of a game waits for its review, and no longer."""

MOST_EXPECTED = 200  # reviews of ended games that wait at once: some hours' work; others can be asked for later
MOST_ASKED = 30  # reviews that were asked for and wait at once
MOST_OF_GUESTS = 10  # of these, for all guests together
MOST_OF_ONE = 3  # of these, for one person
ASKED_A_DAY = 20  # reviews that one person may ask for
DAY = timedelta(days=1)


def expect_review(game: Game, now: datetime) -> datetime | None:
    """Queues the review of a game that has just ended, in the caller's transaction.

    Returns until when the email about the end waits for it; None if it does not wait, since others are made first, or
    if there will be none by itself: of a practice game, of one that only guests and bots have played, or while too many
    wait, as when somebody resigns one game after another.
    """
    if not settings.REVIEW_SECONDS or game.is_practice or not _has_account(game):
        return None
    before = GameReview.objects.filter(IS_OPEN, is_asked=False).exclude(game=game).count()
    if before >= MOST_EXPECTED:
        return None
    _queue(game, now)
    return None if before else now + HOLD


def _has_account(game: Game) -> bool:
    """Whether a person with an account of their own sits there, who is neither a guest nor a bot."""
    return any(
        seat.user is not None and not (seat.is_bot or seat.user.is_guest)
        for seat in game.seats.filter(user__isnull=False).select_related("user")
    )


@transaction.atomic
def request_review(game: Game, by: User, now: datetime) -> GameReview:
    """Queues the review of a finished game that has none, because somebody asks for it. Asking again changes nothing.

    Raises Conflict for a game that cannot be reviewed, TooMany while many others wait, or others of this person, past
    the day's limit, and for one that could not be made within the last day.
    """
    by.one_at_a_time()  # his are counted
    if refusal := why_none(game):
        raise Conflict(refusal)
    row = GameReview.objects.select_for_update().filter(game=game).first()
    if row is not None and (row.state in (row.State.WAITING, row.State.RUNNING) or is_current(row, game)):
        return row
    if row is not None and row.state == row.State.FAILED and row.requested_at > now - DAY:
        raise TooMany(
            _("This game couldn't be reviewed. You can try once more tomorrow."), row.requested_at + DAY - now
        )
    _check_limits(by, now)
    return _queue(game, now, asked_by=by)


def _check_limits(by: User, now: datetime) -> None:
    """Raises TooMany: what one person asks for must leave room for the others."""
    waiting, hour = GameReview.objects.filter(IS_OPEN, is_asked=True), timedelta(hours=1)
    if waiting.filter(asked_by=by).count() >= MOST_OF_ONE:
        raise TooMany(_("You're already waiting for several reviews. Ask for more when they're done."), hour)
    many = by.is_guest and waiting.filter(asked_by__is_guest=True).count() >= MOST_OF_GUESTS
    if many or waiting.count() >= MOST_ASKED:
        raise TooMany(_("Many reviews are waiting already. Please ask again in an hour."), hour)
    message = _("You've asked for many reviews today. Please ask for more tomorrow.")
    check_rate(by.reviews_asked.all(), most=ASKED_A_DAY, within=DAY, now=now, message=message, time="requested_at")


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


def _queue(game: Game, now: datetime, *, asked_by: User | None = None) -> GameReview:
    waiting = {
        "state": GameReview.State.WAITING,
        "is_asked": asked_by is not None,
        "asked_by": asked_by,
        "chain": "",
        "data": b"",
        "tries": 0,
        "leased_until": None,
        "requested_at": now,
        "made_at": None,
    }
    return GameReview.objects.update_or_create(game=game, defaults=waiting)[0]
