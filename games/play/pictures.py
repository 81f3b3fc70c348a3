"""Draws boards for emails: the page's SVG, cut into pieces that are drawn once and laid on one another (ADR 24)."""

import io
import logging
import re
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from math import ceil, floor
from pathlib import Path
from threading import Lock
from time import thread_time
from typing import NamedTuple, TypedDict
from xml.etree import ElementTree

import resvg_py
from PIL import Image

from engine.registry import AnyRules
from games.play import history, queries
from games.tables import boards
from notifications.messages import Picture

FILE = re.compile(r"\s*(?:<\?xml\b.*?\?>\s*)?<svg\b([^>]*)>(.*)</svg>\s*", re.DOTALL)
BOX = re.compile(r'\bviewBox="0 0 ([\d.]+) ([\d.]+)"')
DEFINITIONS = re.compile(r"<defs\b[^>]*>(.*?)</defs>", re.DOTALL)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
INHERITED = re.compile(r'\s(?:color|fill|font|letter|stroke|text|word)[\w-]*="[^"]*"')  # of the sheet, by all in it
UNSEEN = re.compile(r"<title[^<]*</title>|<desc[^<]*</desc>" r'| (?:data-[\w-]+|class)(?:="[^"]*")?(?=[^<>]*>)')
GROUP = re.compile(r"<g\b([^>]*)(?<!/)>|</g>")
MOVE = re.compile(r' transform="((?:\s*translate\([^)]*\))+)\s*"')
STEP = re.compile(r"translate\(([-\d.]+)(?:[ ,]+([-\d.]+))?\)")
WHOLE = re.compile(r' (?:opacity|transform|clip-path)="')  # of a group that cannot be cut up
REFERENCE = re.compile(r'(?:href="#|url\(#)([\w-]+)')


class PicturePiece(NamedTuple):
    """A part of a picture: what draws it around the origin, and where the origin lies on the sheet."""

    source: str
    x: float
    y: float


@dataclass(frozen=True)
class Definitions:
    """The shared part of pieces: attributes of the sheet, and what they refer to, by its id."""

    inherited: str
    by_id: Mapping[str, str]

    def used_by(self, source: str) -> str:
        """Returns the definitions that a piece needs."""
        needed: dict[str, str] = {}
        wanted = REFERENCE.findall(source)
        while wanted:
            name = wanted.pop()
            if name not in needed:
                needed[name] = self.by_id[name]
                wanted += REFERENCE.findall(self.by_id[name])
        return "".join(needed.values())


class PictureInPieces(NamedTuple):
    """A picture in pieces, the lowest first, and the size of its sheet."""

    width: float
    height: float
    definitions: Definitions
    pieces: tuple[PicturePiece, ...]


@dataclass
class _Group:
    attributes: str = ""
    x: float = 0
    y: float = 0
    move: str = ""  # its `transform`, where that is nothing but a move
    parts: list["_Group | str"] = field(default_factory=list)
    holds_places: bool = False


def cut(svg: str) -> PictureInPieces:
    """Cut the SVG of a board, without what is not seen. Raises ValueError for what is no such file."""
    if (file := FILE.fullmatch(UNSEEN.sub("", COMMENT.sub("", svg)))) is None:
        raise ValueError("the picture isn't one <svg> element")
    if (box := BOX.search(file[1])) is None:
        raise ValueError('the picture\'s <svg> has no viewBox="0 0 WIDTH HEIGHT"')
    inherited = "".join(INHERITED.findall(file[1]))
    parts = DEFINITIONS.split(file[2])  # every other one is what stands in <defs>
    definitions = _definitions(inherited, "".join(parts[1::2]))
    pieces = tuple(_pieces(_read("".join(parts[::2])), 0, 0, "", ""))
    return PictureInPieces(float(box[1]), float(box[2]), definitions, pieces)


@lru_cache(maxsize=64)
def _definitions(inherited: str, source: str) -> Definitions:
    elements = ElementTree.fromstring(f"<defs>{source}</defs>")  # noqa: S314  # our own file
    by_id = {element.get("id", ""): ElementTree.tostring(element, encoding="unicode") for element in elements}
    return Definitions(inherited, by_id)


def _read(body: str) -> _Group:
    """The groups of a file, in one another."""
    sheet = _Group()
    open_groups, end = [sheet], 0
    for tag in GROUP.finditer(body):
        group = open_groups[-1]
        if between := body[end : tag.start()].strip():
            group.parts.append(between)
        end = tag.end()
        if tag[1] is None:
            open_groups.pop()
            open_groups[-1].holds_places |= group.holds_places or bool(group.move)
        else:
            open_groups.append(_group(tag[1]))
            group.parts.append(open_groups[-1])
    if between := body[end:].strip():
        sheet.parts.append(between)
    return sheet


def _group(attributes: str) -> _Group:
    group = _Group(attributes)
    if (move := MOVE.search(attributes)) is not None:
        steps = STEP.findall(move[1])
        group.x, group.y = sum(float(x) for x, _ in steps), sum(float(y or 0) for _, y in steps)
        group.move = move[0]
        group.attributes = attributes.replace(move[0], "")
    return group


def _pieces(group: _Group, x: float, y: float, opening: str, closing: str) -> Iterator[PicturePiece]:
    """The pieces of a group that is cut up; `opening` and `closing` are tags with what they inherit."""
    for part in group.parts:
        if isinstance(part, str):
            yield PicturePiece(f"{opening}{part}{closing}", x, y)
        elif part.holds_places and not WHOLE.search(part.attributes):
            around = (opening, closing) if not part.attributes else (f"{opening}<g{part.attributes}>", f"</g>{closing}")
            yield from _pieces(part, x + part.x, y + part.y, *around)
        else:
            source = f"{opening}<g{part.attributes}>{_source(part)}</g>{closing}"
            yield PicturePiece(source, x + part.x, y + part.y)


def _source(group: _Group) -> str:
    return "".join(
        part if isinstance(part, str) else f"<g{part.attributes}{part.move}>{_source(part)}</g>" for part in group.parts
    )


# Draws boards in pixels: every piece of an SVG file is drawn once in a process, and a picture is laid out of them.

# All of Inter 3.19 but what picks other forms of its letters (pyftsubset --unicodes='*' --no-hinting
# --layout-features=kern,mark,mkmk,ccmp,locl): that was read anew for each piece of text.
FONTS = sorted(str(path) for path in (Path(__file__).parent / "fonts").glob("*.otf"))
FAMILY = "Inter"
OTHER_SCRIPTS = re.compile(r"[^\x00-\u052f\u2000-\u2dff]")  # Inter writes Latin, Greek, Cyrillic, and signs
NEAREST = Image.Resampling.NEAREST
COLOURS = 96  # of the palette: a third of the bytes, and nobody sees the difference
SAMPLED = 4  # for the palette: every fourth pixel of every fourth line
COMPRESSION = 4  # of zlib: in half the time of 6, for a twentieth more bytes
PHASES = 4  # pieces are drawn for places a quarter of a pixel apart
COARSE = 16  # units in a pixel of the drawing by which a piece is measured, in which everything is a pixel thick
THICK = f"* {{ stroke: #000; stroke-opacity: 1; stroke-width: {COARSE}; stroke-dasharray: none }}"
ROUNDED = 400  # units to which the sides of sheets are rounded up
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


class SpriteKey(NamedTuple):
    """What a piece is drawn from. Boards of other heights, with other definitions beside, have many pieces in common.

    Arguments:
        needed: the definitions that the source refers to.
        inherited: attributes of the sheet.
        reach: units that a piece reaches from its origin at most.
        zoom: pixels for each unit.
        across: from 0 to 1, how far into a pixel the origin lies.
        down: the same, downwards.
    """

    source: str
    needed: str
    inherited: str
    reach: int
    zoom: float
    across: float
    down: float


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
    zoom = width / sheet.width
    image = Image.new("RGB", (width, floor(sheet.height * zoom)))
    inherited, used_by = sheet.definitions.inherited, sheet.definitions.used_by
    reach = ceil(max(sheet.width, sheet.height) / ROUNDED) * ROUNDED
    for piece in sheet.pieces:
        left, across = _pixel(piece.x * zoom)
        top, down = _pixel(piece.y * zoom)
        key = SpriteKey(piece.source, used_by(piece.source), inherited, reach, zoom, across, down)
        if (sprite := sprites.get(key, lambda: _draw_piece(key))) is not None:  # noqa: B023  # called at once
            image.paste(sprite.colours, (left + sprite.x, top + sprite.y), sprite.opacity)
    return image


def encode(image: Image.Image) -> bytes:
    """The picture as a PNG of few colours."""
    sample = image.resize((-(-image.width // SAMPLED), -(-image.height // SAMPLED)), NEAREST)
    palette = sample.quantize(COLOURS, method=Image.Quantize.FASTOCTREE)
    out = io.BytesIO()
    image.quantize(palette=palette, dither=Image.Dither.NONE).save(out, "PNG", compress_level=COMPRESSION)
    return out.getvalue()


def _pixel(place: float) -> tuple[int, float]:
    """The pixel of a place, and how far into it the place lies, in steps of a phase."""
    steps = round(place * PHASES)
    return steps // PHASES, steps % PHASES / PHASES


def _draw_piece(piece: SpriteKey) -> Sprite | None:
    """Draw a piece, as far as it reaches."""
    left, top, _, _ = box = _measure(piece)
    drawn = _rasterise(piece, box)
    if (ink := drawn.getbbox()) is None:
        return None
    drawn = drawn.crop(ink)
    opacity = drawn.getchannel("A")
    is_opaque = opacity.getextrema() == (255, 255)
    return Sprite(drawn.convert("RGB"), None if is_opaque else opacity, left + ink[0], top + ink[1])


def _measure(piece: SpriteKey) -> Box:
    """A box that holds a piece, from a drawing that is small and coarse."""
    edge = piece.reach // COARSE + 1
    coarse = _rasterise(piece._replace(zoom=1 / COARSE, across=0, down=0), (-edge, -edge, edge, edge), THICK)
    ink = coarse.getbbox() or (0, 0, 1, 1)
    scale = COARSE * piece.zoom
    return (
        floor((ink[0] - edge - 1) * scale),
        floor((ink[1] - edge - 1) * scale),
        ceil((ink[2] - edge + 1) * scale),
        ceil((ink[3] - edge + 1) * scale),
    )


def _rasterise(piece: SpriteKey, box: Box, style: str = "") -> Image.Image:
    """Draw a piece within a box around its origin, which is given in pixels."""
    left, top, width, height = box[0], box[1], box[2] - box[0], box[3] - box[1]
    move = f"translate({piece.across - left} {piece.down - top}) scale({piece.zoom})"
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f'{piece.inherited}><defs>{piece.needed}</defs><g transform="{move}">{piece.source}</g></svg>'
    )
    return rasterise(svg, style)


def rasterise(svg: str, style: str = "") -> Image.Image:
    """A whole SVG in pixels, one for each of its units. Names in other scripts take what fonts the machine has."""
    png = resvg_py.svg_to_bytes(
        svg_string=svg,
        style_sheet=style or None,
        font_files=FONTS,
        font_family=FAMILY,
        sans_serif_family=FAMILY,
        skip_system_fonts=OTHER_SCRIPTS.search(svg) is None,
    )
    with Image.open(io.BytesIO(png)) as image:
        return image.convert("RGBA")


# The board as a picture in a mail: the page's own SVG template, drawn as a small PNG for one reader.

WIDTH = 400  # pixels, the template's own: with twice as many, a mail with its picture passes 100 kB
MOST_KEPT = 64  # drawings of 40 kB each: for mails that are tried again, and reminders

logger = logging.getLogger(__name__)


class DrawnBoard(TypedDict, total=False):
    """The template context of a board's picture; empty where there is none."""

    picture: Picture
    picture_width: int
    picture_height: int
    board_summary: str


def board_picture(access: queries.Access, view: object, *, is_moving: bool = False) -> DrawnBoard:
    """The board as its reader may see it, for a template; {} if it cannot be drawn.

    Arguments:
        is_moving: it shows what has happened since the seat's last answer, if that can be drawn small and soon enough.

    Its alternative text is the board in short: what the board in words says before its first gap. A mail without its
    picture still says everything in words, so what goes wrong here is logged and nothing more.
    """
    try:
        board = queries.picture(access, view)
        svg = boards.svg(access.game.rules_name, board, is_plain=True)
        gif = _since_last_answer(access, svg) if is_moving else None
        png, width, height = gif or _drawn(svg)
    except Exception:
        logger.exception("The board of game %s could not be drawn", access.game.ref)
        return {}
    summary = " ".join(queries.describe(access, view).strip().split("\n\n", 1)[0].split())
    picture = Picture(png, "gif" if gif else "png")
    return {"picture": picture, "picture_width": width, "picture_height": height, "board_summary": summary}


def try_out(rules: AnyRules) -> None:
    """Draws the board of a new game for each number of seats, for a page and for an email. Raises what goes wrong."""
    for seats in rules.seat_counts:
        state, _events = rules.new(seats, {}, "00" * 32)
        board = rules.picture(rules.view(state, 0), "en", [f"Player {seat}" for seat in range(seats)])
        boards.figure(rules.name, board)
        plain = boards.svg(rules.name, board, is_plain=True)
        boards.size(plain)
        _drawn(plain)


def game_picture(rules_name: str, alt: str) -> DrawnBoard:
    """Draws a game's first board, for people who have not seen it; {} for a game without a picture."""
    path = boards.static_picture(rules_name)
    if not path:
        return {}
    png, width, height = _drawn(boards.static_svg(path))
    return {"picture": Picture(png), "picture_width": width, "picture_height": height, "board_summary": alt}


@lru_cache(maxsize=MOST_KEPT)
def _drawn(svg: str) -> tuple[bytes, int, int]:
    """Caches drawings by their SVG source, which holds everything that is shown."""
    image = draw(svg, WIDTH)
    return encode(image), image.width, image.height


# What happened, moving: in an email as a GIF, which every mail program shows, and as a WebP to save.

MOST_SCENES = 7  # of an email: with the board at both ends four seconds
MOST_BYTES_MOVING = 500_000
MOST_SECONDS = 0.5  # of processor time for one email: 0.1 is usual, where the pieces were drawn before
PRESENT, SCENE = 900, 450  # milliseconds of a frame
_one_at_a_time = Lock()  # the boards of one moving picture take 20 million bytes while they are drawn
NIGHT = "#141a3c"  # below a board that is lower than others
FILM_FRAMES = 24
FILM_SECONDS = 20


def _since_last_answer(access: queries.Access, present: str) -> tuple[bytes, int, int] | None:
    """Returns a GIF of what happened since the seat's last answer; None if no board shows it, or it would be too much.

    It begins and ends with the board as it is: some programs show the first picture alone.
    """
    played = history.play_since_last_answer(access, MOST_SCENES)
    before = [played.before, *(frame.view for frame in played.frames[:-1])] if played.frames else []
    svgs = [boards.svg(access.game.rules_name, queries.picture(access, view), is_plain=True) for view in before]
    scenes = tuple(svg for svg, _alike in groupby([present, *svgs, present]))
    return _moving(scenes) if len(scenes) > 1 else None


@lru_cache(maxsize=MOST_KEPT // 8)
def _moving(scenes: tuple[str, ...]) -> tuple[bytes, int, int] | None:
    until, drawn = thread_time() + MOST_SECONDS, dict[str, Image.Image]()
    with _one_at_a_time:
        for svg in scenes:
            drawn[svg] = drawn.get(svg) or draw(svg, WIDTH)
            if thread_time() > until:
                return None
        frames = dict(zip(drawn, _of_one_size(list(drawn.values())), strict=True))
        width, height = frames[scenes[0]].size
        sample = Image.new("RGB", (width // SAMPLED, height // SAMPLED * len(frames)))
        for place, frame in enumerate(frames.values()):
            sample.paste(frame.resize((width // SAMPLED, height // SAMPLED), NEAREST), (0, height // SAMPLED * place))
        palette = sample.quantize(COLOURS, method=Image.Quantize.FASTOCTREE)
        flat = {svg: frame.quantize(palette=palette, dither=Image.Dither.NONE) for svg, frame in frames.items()}
        first, *others = (flat[svg] for svg in scenes)
        out = io.BytesIO()
        first.save(out, "GIF", save_all=True, append_images=others, duration=[PRESENT, *(SCENE for _frame in others)])
    gif = out.getvalue()
    return (gif, width, height) if len(gif) <= MOST_BYTES_MOVING else None


def _of_one_size(drawn: Sequence[Image.Image]) -> list[Image.Image]:
    height, sheets = max(image.height for image in drawn), []
    for image in drawn:
        if image.height < height:
            sheet = Image.new("RGB", (image.width, height), NIGHT)
            sheet.paste(image)
        sheets.append(image if image.height == height else sheet)
    return sheets


def film(access: queries.Access, views: Sequence[object]) -> bytes:
    """Returns boards one after the other as an animated WebP that plays once: of many, as many as can be followed."""
    count = min(len(views), FILM_FRAMES)
    shown = [views[place * (len(views) - 1) // max(count - 1, 1)] for place in range(count)]
    svgs = (boards.svg(access.game.rules_name, queries.picture(access, view), is_plain=True) for view in shown)
    first, *others = _of_one_size([rasterise(svg).convert("RGB") for svg in svgs])
    out = io.BytesIO()
    length = min(2 * SCENE, 1000 * FILM_SECONDS // count)
    first.save(out, "WEBP", save_all=True, append_images=others, duration=length, loop=1, quality=50, method=2)
    return out.getvalue()
