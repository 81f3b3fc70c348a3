"""The board as a picture in a mail: the page's own SVG template, drawn as a small PNG for one reader."""

import io
import logging
from functools import lru_cache
from pathlib import Path
from typing import TypedDict

import resvg_py
from PIL import Image

from games.play import queries
from games.tables import boards
from notifications.composers import Picture

# All of Inter 3.19 but what picks other forms of its letters (pyftsubset --unicodes='*' --no-hinting
# --layout-features=kern,mark,mkmk,ccmp,locl): that was read anew for each piece of text, a fifth of drawing a board.
FONTS = sorted(str(path) for path in (Path(__file__).parent / "fonts").glob("*.otf"))
FAMILY = "Inter"
WIDTH = 400  # pixels, the template's own: a wider picture costs more than a tenth of a second
MOST_KEPT = 16  # drawings of 30 kB each: for mails that are tried again, and reminders
COLOURS = 128  # of the palette: a third of the bytes, and nobody sees the difference
OWN_SCRIPTS = 0x0530  # Inter writes Latin, Greek and Cyrillic, which come before this code point

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


@lru_cache(maxsize=MOST_KEPT)
def _drawn(svg: str) -> tuple[bytes, int, int]:
    """Caches drawings by their SVG source, which holds everything that is shown."""
    return as_png(svg)


def as_png(svg: str, width: int = WIDTH) -> tuple[bytes, int, int]:
    """Draw an SVG file `width` pixels wide; return the PNG, its width and its height. Raises ValueError."""
    drawn = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        font_files=FONTS,
        font_family=FAMILY,
        sans_serif_family=FAMILY,
        # Names in other scripts are written with what fonts the machine has.
        skip_system_fonts=all(ord(sign) < OWN_SCRIPTS or 0x2000 <= ord(sign) < 0x2E00 for sign in svg),
    )
    with Image.open(io.BytesIO(drawn)) as image:
        small = image.convert("RGB").quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    out = io.BytesIO()
    small.save(out, "PNG")
    return out.getvalue(), small.width, small.height
