"""The review of a game in the email about its end: the curve as a picture, and one sentence for its reader."""

import logging
from collections.abc import Mapping

from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from games import page_urls
from games.archive import reviews
from games.archive.review_sentences import own_sentence
from games.archive.reviews import LETTER_FRAME, curve_of
from games.letters.pictures.board import WIDTH
from games.letters.pictures.drawing import draw, encode
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.messages import Picture

logger = logging.getLogger(__name__)
STROKES = (("#c0392b", "none"), ("#2f6fd0", "9 4"), ("#2a8a4a", "2 4"), ("#b07a10", "12 4 2 4"), ("#9050c0", "5 3"))
"""Colour and dashes of each seat's line, as on the pages."""


def review_context(seat: Seat) -> Mapping[str, object]:
    """What the email's templates say of the review; {} if there is none and none will come.

    The email waits for no review longer than some minutes: then it says where the review will be.
    """
    game = seat.game
    found = reviews.review_of(game)
    if found.review is None:
        return {"review_url": page_urls.review_url(game), "is_review_coming": True} if found.is_coming else {}
    context: dict[str, object] = {"review_url": page_urls.review_url(game)}
    try:
        context["review_sentence"] = own_sentence(game, found.review, seat.number)
        context |= _drawn(game, found)
    except Exception:
        # An email without its chart still says everything else in words.
        logger.exception("The review of game %s could not be drawn", game.ref)
    return context


def _drawn(game: Game, found: reviews.ReviewState) -> Mapping[str, object]:
    assert found.review is not None
    curve = curve_of(found.review, LETTER_FRAME)
    if curve is None:
        return {}
    lines = [(line, *STROKES[line.seat % len(STROKES)]) for line in curve.lines]
    image = draw(render_to_string("games/letters/parts/review_chart.svg", {"curve": curve, "lines": lines}), WIDTH)
    last = [f"{name} {chance / 10:.0f} %" for name, chance in zip(game.spoken_names(), _start(found), strict=True)]
    return {
        "chart": Picture(encode(image)),
        "chart_width": image.width,
        "chart_height": image.height,
        "chart_alt": _("Each player's chance to win, move by move. At the start: %(chances)s.")
        % {"chances": ", ".join(last)},
        "chart_key": [(name, STROKES[number % len(STROKES)][0]) for number, name in enumerate(game.seat_names())],
    }


def _start(found: reviews.ReviewState) -> list[int]:
    assert found.review is not None
    return found.review.points[0].chances
