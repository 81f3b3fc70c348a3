"""The pieces in the box: the tokens, loaded from data/ and checked once, when this module is imported."""

from collections import Counter
from importlib.resources import files

import msgspec

from engine.core import JsonObject

KINDS = ("emerald", "ruby", "sapphire", "topaz")
"""The four kinds of treasure, the rows of a player board from top to bottom (C4, C6)."""

NUMBERS = (1, 2, 3, 4, 5)
"""The columns of a player board from left to right (C5)."""

SQUARES = tuple(f"{kind}-{number}" for kind in KINDS for number in NUMBERS)
"""The squares of a player board, row by row (C6)."""

DIE = 4  # faces
GOAL = 50  # points that end the game (C42)
TRIO_SIZE = 3
LINE_BONUS = 5  # a complete row or column (C29)
TRIO_BONUS = 3  # (C30)
FAVOURITE_BONUS = 1  # (C25)
FAVOURITE_PRINCESS_BONUS = 2  # in its place (C25)
PRINCESS_ON_CARPET_BONUS = 2  # (C27)
SORCERER_POINTS = -3  # in place of the number (C24)

CHARACTER_NUMBERS = {"carpet": 1, "monkey": 2, "princess": 3, "sorcerer": 5, "genie": None}
"""The number on the token of each character; the genie has none (C5)."""


class Token(msgspec.Struct, frozen=True, omit_defaults=True):
    """A treasure token: its kind (of a genie: what its back shows, C11), its number, who is on it ("" for nobody)."""

    kind: str
    number: int | None
    character: str = ""

    @property
    def param(self) -> JsonObject:
        """The token as the parameter of a sentence."""
        return token_param(self.kind, self.number, self.character)


def token_param(kind: str, number: int | None, character: str | None) -> JsonObject:
    """A token as the parameter of a sentence; `character` "hidden" for one that lies face down."""
    return {"token": [kind, number, character or ""]}


class _Printed(msgspec.Struct, frozen=True):
    """A token as the data file has it."""

    kind: str
    number: int | None
    character: str | None


def square_of(token: Token) -> str:
    """Where on a player board a token belongs; of a genie its player decides."""
    assert token.number is not None, token
    return f"{token.kind}-{token.number}"


def _others_alike(part: int) -> dict[str, tuple[str, ...]]:
    """By square the others whose name is the same in that part."""
    parts = {square: square.split("-")[part] for square in SQUARES}
    return {
        square: tuple(other for other in SQUARES if other != square and parts[other] == parts[square])
        for square in SQUARES
    }


REST_OF_ROW = _others_alike(0)
"""By square the other squares of its kind."""

REST_OF_COLUMN = _others_alike(1)
"""By square the other squares of its number."""


def _load() -> tuple[Token, ...]:
    data = (files("engine.cave_of_wonders") / "data" / "tokens.json").read_bytes()
    printed = msgspec.json.decode(data, type=list[_Printed])
    tokens = tuple(Token(each.kind, each.number, each.character or "") for each in printed)
    assert Counter(token.kind for token in tokens) == dict.fromkeys(KINDS, 15)
    for token in tokens:
        if token.character:
            assert token.number == CHARACTER_NUMBERS[token.character], token
        else:
            assert token.number in NUMBERS, token
    return tokens


TOKENS = _load()
"""The sixty tokens (C3; the mix is ours)."""


# The cave: a hexagon of 61 spaces, five to a side (C2), and the lines one may walk in it.

ROWS = "ABCDEFGHI"
RADIUS = 4

DIRECTIONS = {
    "right": (1, 0),
    "down-right": (0, 1),
    "down-left": (-1, 1),
    "left": (-1, 0),
    "up-left": (0, -1),
    "up-right": (1, -1),
}
"""The six directions across the sides of a space (C14), clockwise; steps in axial coordinates (q, r)."""


def _row(r: int) -> range:
    """The q of the spaces of row r, from left to right."""
    return range(max(-RADIUS, -RADIUS - r), min(RADIUS, RADIUS - r) + 1)


def _named() -> dict[str, tuple[int, int]]:
    rows = zip(ROWS, range(-RADIUS, RADIUS + 1), strict=True)
    return {f"{letter}{place}": (q, r) for letter, r in rows for place, q in enumerate(_row(r), start=1)}


AXIAL = _named()
"""Axial coordinates (q, r) by name, in reading order; (0, 0) is the middle."""

SPACES = tuple(AXIAL)
"""The 61 spaces in reading order."""


def _line(space: str, step: tuple[int, int]) -> tuple[str, ...]:
    names = {axial: name for name, axial in AXIAL.items()}
    (q, r), line = AXIAL[space], []
    while (q := q + step[0], r := r + step[1]) in names:
        line.append(names[q, r])
    return tuple(line)


LINES = {space: {name: _line(space, step) for name, step in DIRECTIONS.items()} for space in SPACES}
"""For each space and direction the spaces up to the wall, the nearest first (C14)."""

assert len(SPACES) == 61, SPACES
