"""Where everything lies in the picture: a sheet 400 wide, made for a portrait phone. The template computes nothing.

The cave is on top, its spaces standing on a corner; below it the player boards, two beside each other.
"""

from collections.abc import Iterable
from math import ceil, sqrt

from engine.cave_of_wonders.board.cave import AXIAL, RADIUS
from engine.core import JsonObject

WIDTH = 400
MARGIN = 6
TITLE = 34  # height of the strip with turn and state
HEX = 40  # width of a space; its height is HEX * 2 / sqrt(3)
SIDE = HEX / sqrt(3)
CENTRE_X = 204  # a little right of the middle, for the letters of the rows
CENTRE_Y = TITLE + 4 + SIDE * (1.5 * RADIUS + 1)
CAVE_HEIGHT = 2 * SIDE * (1.5 * RADIUS + 1) + 8
KEY_STEP = 14  # between two lines of the key

PANEL_WIDTH = (WIDTH - 3 * MARGIN) // 2
PANEL_HEAD = 50  # name, points, track and numbers of the columns
SQUARE_WIDTH, SQUARE_HEIGHT = 29, 25
ROW_HEAD = 22
FEW_PIPS, PIP_STEP, PIP_STEP_CLOSE = 3, 8, 4.6  # the dots of a stack; more than a few stand closer
PANEL_FOOT = 17
PANEL_HEIGHT = PANEL_HEAD + 4 * SQUARE_HEIGHT + PANEL_FOOT
TRACK = PANEL_WIDTH - 16  # length of the track of points

COLOURS = ("#b3261e", "#1d57b5", "#25702b", "#6b35a8")
"""Of the seats."""


def centre(space: str) -> tuple[float, float]:
    """The middle of a space on the sheet."""
    q, r = AXIAL[space]
    return round(CENTRE_X + HEX * (q + r / 2), 1), round(CENTRE_Y + SIDE * 1.5 * r, 1)


def corners(x: float, y: float, side: float) -> str:
    """The outline of a hexagon that stands on a corner, as points of a polygon."""
    half = side * sqrt(3) / 2
    around = ((0, -side), (half, -side / 2), (half, side / 2), (0, side), (-half, side / 2), (-half, -side / 2))
    return " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in around)


def lay_out(picture: JsonObject) -> None:
    """Adds the places to a picture.

    The picture gets `width`, `height`, `goods_y` (where the player boards begin), `outline` and `wall` (polygons around
    the cave) and `cell` (the polygon of a space around its middle). Spaces and row letters get `x`, `y`; lines to
    landings `x`, `y` and how far they go, `dx`, `dy`; lines of the keys `x`, `y`; players `x`, `y`, `colour`, `track`;
    their squares `x`, `y`; row and column heads `x`, `y`.
    """
    picture["width"] = WIDTH
    picture["panel_width"], picture["panel_height"], picture["track"] = PANEL_WIDTH, PANEL_HEIGHT, TRACK
    picture["cell"] = corners(0, 0, SIDE - 0.8)
    picture["wall"] = _wall(SIDE * 1.35)
    for space in picture["spaces"]:
        space["x"], space["y"] = centre(space["id"])
    for row in picture["rows"]:
        x, y = centre(f"{row['label']}1")
        row["x"], row["y"] = round(x - HEX * 0.72, 1), round(y + 4, 1)
    for line in picture["lines"]:
        (line["x"], line["y"]), (x, y) = centre(line["origin"]), centre(line["to"])
        line["dx"], line["dy"] = round(x - line["x"], 1), round(y - line["y"], 1)
    _lay_out_keys(picture)
    bottom = TITLE + CAVE_HEIGHT
    picture["goods_y"] = round(bottom, 1)
    for index, player in enumerate(picture["players"]):
        player["x"] = MARGIN + (index % 2) * (PANEL_WIDTH + MARGIN)
        player["y"] = round(bottom + MARGIN + (index // 2) * (PANEL_HEIGHT + MARGIN), 1)
        _lay_out_player(player)
    panels = (len(picture["players"]) + 1) // 2
    picture["height"] = ceil(bottom + panels * (PANEL_HEIGHT + MARGIN) + MARGIN)


def _wall(beyond: float) -> str:
    """The outline of the whole cave: a hexagon lying on a side, through the middles of the corner spaces and beyond."""
    spread = (RADIUS * HEX + beyond) / (RADIUS * HEX)
    ends = ("A1", "A5", "E9", "I5", "I1", "E1")
    points = ((CENTRE_X + (x - CENTRE_X) * spread, CENTRE_Y + (y - CENTRE_Y) * spread) for x, y in map(centre, ends))
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _lay_out_keys(picture: JsonObject) -> None:
    """In the two lower corners that the hexagon leaves free."""
    for key, x in (("kinds", MARGIN + 8), ("characters", WIDTH - MARGIN - 8)):
        lines: list[JsonObject] = picture[key]
        foot = TITLE + CAVE_HEIGHT - 8
        for index, line in enumerate(lines):
            line["x"], line["y"] = x, round(foot - KEY_STEP * (len(lines) - 1 - index), 1)


def _lay_out_player(player: JsonObject) -> None:
    player["colour"] = COLOURS[player["seat"]]
    player["filled"] = round(TRACK * min(player["score"], 50) / 50, 1)
    for row, line in enumerate(player["rows"]):
        line["x"], line["y"] = ROW_HEAD / 2 + 1, PANEL_HEAD + SQUARE_HEIGHT * (row + 0.5)
        line["end_x"] = ROW_HEAD + 5 * SQUARE_WIDTH + 10
        _lay_out_squares(line["squares"], line["y"])
    for column, head in enumerate(player["columns"]):
        head["x"] = _middle(column)
        head["y"], head["foot_y"] = PANEL_HEAD - 4, PANEL_HEAD + 4 * SQUARE_HEIGHT + 12


def _lay_out_squares(squares: Iterable[JsonObject], y: float) -> None:
    for column, square in enumerate(squares):
        square["x"], square["y"] = _middle(column), y
        step = PIP_STEP if len(square["pips"]) <= FEW_PIPS else PIP_STEP_CLOSE
        for index, pip in enumerate(square["pips"]):
            pip["x"] = round(step * (index - (len(square["pips"]) - 1) / 2), 1)


def _middle(column: int) -> float:
    return ROW_HEAD + SQUARE_WIDTH * (column + 0.5)
