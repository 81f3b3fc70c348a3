"""The board as a picture in a mail: the page's own SVG template, drawn as a small PNG for one reader."""

import logging
from functools import lru_cache
from typing import TypedDict

from engine.registry import AnyRules
from games.letters.pictures.drawing import draw, encode
from games.play import queries
from games.tables import boards
from notifications.messages import Picture

WIDTH = 400  # pixels, the template's own: with twice as many, a mail with its picture passes 100 kB
MOST_KEPT = 64  # drawings of 40 kB each: for mails that are tried again, and reminders

logger = logging.getLogger(__name__)


class DrawnBoard(TypedDict, total=False):
    """What a template needs to show the picture of a board; empty where there is none."""

    picture: Picture
    picture_width: int
    picture_height: int
    board_summary: str


def board_picture(access: queries.Access, view: object) -> DrawnBoard:
    """The board as its reader may see it, for a template; {} if it cannot be drawn.

    Its alternative text is the board in short: what the board in words says before its first gap. A mail without its
    picture still says everything in words, so what goes wrong here is logged and nothing more.
    """
    try:
        board = queries.picture(access, view)
        png, width, height = _drawn(boards.svg(access.game.rules_name, board, is_plain=True))
    except Exception:
        logger.exception("The board of game %s could not be drawn", access.game.ref)
        return {}
    summary = " ".join(queries.describe(access, view).strip().split("\n\n", 1)[0].split())
    return {"picture": Picture(png), "picture_width": width, "picture_height": height, "board_summary": summary}


def try_out(rules: AnyRules) -> None:
    """Draws the board of a new game for each number of seats, for a page and for an email. Raises what goes wrong."""
    for seats in rules.seat_counts:
        state, _events = rules.new(seats, {}, "00" * 32)
        board = rules.picture(rules.view(state, 0), "en", [f"Player {seat}" for seat in range(seats)])
        boards.size(boards.svg(rules.name, board))
        _drawn(boards.svg(rules.name, board, is_plain=True))


def game_picture(rules_name: str, language: str, alt: str) -> DrawnBoard:
    """What a game looks like, for who has not seen it; {} for a game without a picture."""
    path = boards.static_picture(rules_name, language)
    if not path:
        return {}
    png, width, height = _drawn(boards.static_svg(path))
    return {"picture": Picture(png), "picture_width": width, "picture_height": height, "board_summary": alt}


@lru_cache(maxsize=MOST_KEPT)
def _drawn(svg: str) -> tuple[bytes, int, int]:
    """Caches drawings by their SVG source, which holds everything that is shown."""
    image = draw(svg, WIDTH)
    return encode(image), image.width, image.height
