"""Draws boards in pixels: every piece of an SVG file is drawn once in a process, and a picture is laid out of them."""

import io
from collections import OrderedDict
from collections.abc import Callable
from math import ceil, floor
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import resvg_py
from PIL import Image

from games.letters.pictures.pieces import Definitions, cut

# All of Inter 3.19 but what picks other forms of its letters (pyftsubset --unicodes='*' --no-hinting
# --layout-features=kern,mark,mkmk,ccmp,locl): that was read anew for each piece of text.
FONTS = sorted(str(path) for path in (Path(__file__).parent / "fonts").glob("*.otf"))
FAMILY = "Inter"
OWN_SCRIPTS = 0x0530  # Inter writes Latin, Greek and Cyrillic, which come before this code point
COLOURS = 128  # of the palette: a third of the bytes, and nobody sees the difference
SAMPLED = 4  # for the palette: every fourth pixel of every fourth line
COMPRESSION = 4  # of zlib: in half the time of 6, for a twentieth more bytes
PHASES = 4  # pieces are drawn for places a quarter of a pixel apart
COARSE = 16  # units in a pixel of the drawing by which a piece is measured, in which everything is a pixel thick
THICK = f"* {{ stroke: #000; stroke-opacity: 1; stroke-width: {COARSE}; stroke-dasharray: none }}"
MOST_BYTES = 24_000_000  # of drawn pieces in a process: those of a board at 400 pixels take 2 million


class Sprite(NamedTuple):
    """A drawn piece: its colours, how opaque they are (None: wholly), and where it lies from the piece's origin."""

    colours: Image.Image
    opacity: Image.Image | None
    x: int
    y: int

    @property
    def size(self) -> int:
        """The bytes it takes in memory, where a pixel of any colour takes four."""
        return self.colours.width * self.colours.height * (4 if self.opacity is None else 5)


SpriteKey = tuple[str, Definitions, float, float, float]
Box = tuple[int, int, int, int]  # left, top, right, bottom


class SpriteCache:
    """Keeps the sprites that were used last, up to a number of bytes."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.bytes = 0
        self._sprites: OrderedDict[SpriteKey, Sprite | None] = OrderedDict()
        self._lock = Lock()

    def get(self, key: SpriteKey, draw: Callable[[], Sprite | None]) -> Sprite | None:
        """Returns the sprite of a key, drawn if it is not kept; None for a piece without any ink."""
        try:
            sprite = self._sprites[key]
            self._sprites.move_to_end(key)
        except KeyError:  # never kept, or dropped by another thread just now
            sprite = draw()
            self._keep(key, sprite)
        return sprite

    def _keep(self, key: SpriteKey, sprite: Sprite | None) -> None:
        with self._lock:
            if key not in self._sprites:
                self._sprites[key] = sprite
                self.bytes += sprite.size if sprite else 0
            while self.bytes > self.most_bytes:
                _, dropped = self._sprites.popitem(last=False)
                self.bytes -= dropped.size if dropped else 0

    def clear(self) -> None:
        """Drops all sprites."""
        with self._lock:
            self._sprites.clear()
            self.bytes = 0


sprites = SpriteCache(MOST_BYTES)


def draw(svg: str, width: int) -> Image.Image:
    """Draw the SVG of a board `width` pixels wide. Raises ValueError."""
    sheet = cut(svg)
    zoom = width / sheet.definitions.width
    image = Image.new("RGB", (width, floor(sheet.definitions.height * zoom)))
    for piece in sheet.pieces:
        left, across = _pixel(piece.x * zoom)
        top, down = _pixel(piece.y * zoom)
        key = piece.source, sheet.definitions, zoom, across, down
        if (sprite := sprites.get(key, lambda: _draw_piece(*key))) is not None:  # noqa: B023  # called at once
            image.paste(sprite.colours, (left + sprite.x, top + sprite.y), sprite.opacity)
    return image


def encode(image: Image.Image) -> bytes:
    """The picture as a PNG of few colours."""
    sample = image.resize((-(-image.width // SAMPLED), -(-image.height // SAMPLED)), Image.Resampling.NEAREST)
    palette = sample.quantize(COLOURS, method=Image.Quantize.FASTOCTREE)
    out = io.BytesIO()
    image.quantize(palette=palette, dither=Image.Dither.NONE).save(out, "PNG", compress_level=COMPRESSION)
    return out.getvalue()


def _pixel(place: float) -> tuple[int, float]:
    """The pixel of a place, and how far into it the place lies, in steps of a phase."""
    steps = round(place * PHASES)
    return steps // PHASES, steps % PHASES / PHASES


def _draw_piece(source: str, definitions: Definitions, zoom: float, across: float, down: float) -> Sprite | None:
    """Draw a piece, as far as it reaches."""
    left, top, _, _ = box = _measure(source, definitions, zoom)
    drawn = _rasterise(source, definitions, box, zoom, across, down)
    if (ink := drawn.getbbox()) is None:
        return None
    drawn = drawn.crop(ink)
    opacity = drawn.getchannel("A")
    is_opaque = opacity.getextrema() == (255, 255)
    return Sprite(drawn.convert("RGB"), None if is_opaque else opacity, left + ink[0], top + ink[1])


def _measure(source: str, definitions: Definitions, zoom: float) -> Box:
    """A box that holds a piece, from a drawing that is small and coarse."""
    right, bottom = ceil(definitions.width / COARSE) + 1, ceil(definitions.height / COARSE) + 1
    left, top = -right, -bottom  # its origin may lie at any edge of the sheet
    coarse = _rasterise(source, definitions, (left, top, right, bottom), 1 / COARSE, style=THICK)
    ink = coarse.getbbox() or (0, 0, 1, 1)
    scale = COARSE * zoom
    return (
        floor((left + ink[0] - 1) * scale),
        floor((top + ink[1] - 1) * scale),
        ceil((left + ink[2] + 1) * scale),
        ceil((top + ink[3] + 1) * scale),
    )


def _rasterise(
    source: str,
    definitions: Definitions,
    box: Box,
    zoom: float,
    across: float = 0,
    down: float = 0,
    style: str = "",
) -> Image.Image:
    """Draw a piece within a box around its origin, which is given in pixels."""
    left, top, width, height = box[0], box[1], box[2] - box[0], box[3] - box[1]
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f"{definitions.inherited}><defs>{definitions.used_by(source)}</defs>"
        f'<g transform="translate({across - left} {down - top}) scale({zoom})">{source}</g></svg>'
    )
    png = resvg_py.svg_to_bytes(
        svg_string=svg,
        style_sheet=style or None,
        font_files=FONTS,
        font_family=FAMILY,
        sans_serif_family=FAMILY,
        # Names in other scripts are written with what fonts the machine has.
        skip_system_fonts=all(ord(sign) < OWN_SCRIPTS or 0x2000 <= ord(sign) < 0x2E00 for sign in source),
    )
    with Image.open(io.BytesIO(png)) as image:
        return image.convert("RGBA")
