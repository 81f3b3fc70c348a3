"""The cave: a hexagon of 61 spaces, five to a side (C2), and the lines one may walk in it.

Rows have letters from A (top) to I (bottom), the spaces of a row numbers from left to right: E5 is in the middle.
"""

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
"""All 61 spaces in reading order."""


def _line(space: str, step: tuple[int, int]) -> tuple[str, ...]:
    names = {axial: name for name, axial in AXIAL.items()}
    (q, r), line = AXIAL[space], []
    while (q := q + step[0], r := r + step[1]) in names:
        line.append(names[q, r])
    return tuple(line)


LINES = {space: {name: _line(space, step) for name, step in DIRECTIONS.items()} for space in SPACES}
"""For each space and direction the spaces up to the wall, the nearest first (C14)."""

assert len(SPACES) == 61, SPACES
