"""Cuts the SVG of a board into pieces, each with its place: the same pieces come again in other pictures.

A piece is a group, or what stands in the file between two groups. A group is cut up itself if it only moves what it
holds, holds a group with a place of its own, and gives it nothing but attributes that are inherited.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple
from xml.etree import ElementTree

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


@dataclass(frozen=True, eq=False)
class Definitions:
    """What pieces share: attributes of the sheet, its size, and what they refer to, by its id."""

    inherited: str
    width: float
    height: float
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
    """A picture in pieces, the lowest first."""

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
    definitions = _definitions(inherited, float(box[1]), float(box[2]), "".join(DEFINITIONS.findall(file[2])))
    body = _read(DEFINITIONS.sub("", file[2]))
    return PictureInPieces(definitions, tuple(_pieces(body, 0, 0, "", "")))


@lru_cache(maxsize=8)
def _definitions(inherited: str, width: float, height: float, source: str) -> Definitions:
    elements = ElementTree.fromstring(f"<defs>{source}</defs>")  # noqa: S314  # our own file
    by_id = {element.get("id", ""): ElementTree.tostring(element, encoding="unicode") for element in elements}
    return Definitions(inherited, width, height, by_id)


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
