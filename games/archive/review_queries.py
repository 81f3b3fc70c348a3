"""What there is of the review of a game, for whoever may see that game."""

import zlib
from dataclasses import dataclass

import msgspec
from django.utils.translation import gettext as _

from engine.reviews.model import Review
from games.archive import review_queue
from games.archive.models import GameReview
from games.tables.models import Game


@dataclass(frozen=True)
class ReviewState:
    """The review of a game, or what is to be said in its place.

    Arguments:
        review: what was found; None if there is nothing to show.
        message: why not, in words.
        is_coming: it will be made by itself, or is being made.
        may_be_asked: it can be asked for.
        row: what is stored, if anything is.
    """

    review: Review | None = None
    message: str = ""
    is_coming: bool = False
    may_be_asked: bool = False
    row: GameReview | None = None


def review_of(game: Game) -> ReviewState:
    """The review of a game, which is None before the end and of games that have none; never anything half made."""
    row = GameReview.objects.filter(game=game).first() if game.status == Game.Status.FINISHED else None
    if row is not None and review_queue.is_current(row, game):
        return ReviewState(unpack(row), row=row)
    if refusal := review_queue.why_none(game):
        return ReviewState(message=refusal, row=row)
    if row is not None and row.state in (GameReview.State.WAITING, GameReview.State.RUNNING):
        return ReviewState(message=_("This review is being made. It takes a few minutes."), is_coming=True, row=row)
    if row is not None and row.state == GameReview.State.FAILED:
        return ReviewState(message=_("This game couldn't be reviewed."), may_be_asked=True, row=row)
    return ReviewState(message=_("Nobody has asked for a review of this game yet."), may_be_asked=True, row=row)


def unpack(row: GameReview) -> Review:
    """The stored review of a row that is done."""
    return msgspec.json.decode(zlib.decompress(bytes(row.data)), type=Review)
