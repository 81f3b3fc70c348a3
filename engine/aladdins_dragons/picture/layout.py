"""Where everything lies in the picture of the board: whole units on a sheet 400 wide, made for a portrait phone.

The template draws at these places and computes none. Palace on top, city in the middle, caves at the bottom, as the
tally winds through them from below (A32).
"""

from collections.abc import Iterable, Sequence
from textwrap import wrap

from engine.core import JsonObject

WIDTH = 400
MARGIN = 8  # left and right of the sheet
GAP = 4  # between two spaces
STEP = 17  # from one token to the next
LINE = 18  # from one line of tokens to the next
TITLE = 36  # height of the strip with round and phase
BANNER = 32  # height of the strip above the spaces of a group
HEAD = {"palace": 44, "city": 44, "caves": 36}  # of a space, above its tokens; caves: without their shelves
SHELF = 17
LEAST_ROWS = 1  # lines of tokens for which there is always room
PLAYER = 27  # height of a player's line
TILES = 20  # height of the line of a player's artifacts below it
NOTE = 15  # height of a line of a note
NOTE_LETTERS = {"window": 50, "ask": 50, "play": 56, "effect": 56}  # in a line of a note, about; the first are bold
OFFER = 13  # height of the name of an artifact for sale
CARD = 21  # height of a line of spell cards
CARDS_ACROSS = 2
NARROW = 62  # width of a closed space of the city
GUARD = 70

COLOURS = ("#b3261e", "#1d57b5", "#25702b", "#6b35a8", "#7a4a00")
"""Of the seats' tokens; their shapes and the dashes of their rims differ too."""
DASHES = ("none", "3 2", "1.2 1.6", "7 2.5", "4 1.5 1 1.5")


def lay_out(picture: JsonObject) -> None:
    """Adds the places to a picture.

    The picture gets `width`, `height`, `shelf_count`, `goods_y` (where everybody's
    goods begin) and `hand_y`, `players_y`, `bank_y` of those lines. Each group
    gets `y`, `height`; each space `x`, `y`, `width`, `height` and `head`; each row `y`, `height`, `colour`,
    `total_x`, `total_y`; each player `y`, `height`, `colour`; each note `y`, `height`, `lines` ({"y", "text"}); what
    belongs to a seat its `colour` and `dash`. Each spell gets `x`, `y`, `width`. Within a space, rows count from its
    top, and the centre of every face is its `x`, `y`.
    """
    picture["width"] = WIDTH
    picture["shelf_count"] = max(1, *(len(space["shelves"]) for space in _spaces(picture)))
    y = _lay_out_notes(picture["notes"])
    for group in picture["groups"]:
        _lay_out_group(group, y, picture["shelf_count"])
        y += group["height"]
    picture["goods_y"] = y
    picture["hand_y"] = y + 8
    y += 8 + (34 if picture["hand"] else 0)
    y = _lay_out_spells(picture, y)
    picture["players_y"] = y
    for player in picture["players"]:
        height = PLAYER - 2 + (TILES if player["spells"] is not None else 0)
        player |= {"y": y, "height": height, **_colour(player["seat"])}
        y += height + 2
    picture["bank_y"] = y
    picture["height"] = y + PLAYER + MARGIN


def _lay_out_notes(notes: Sequence[JsonObject]) -> int:
    """One below the other under the title; returns where the board begins."""
    y = TITLE
    for note in notes:
        parts = wrap(note["text"], NOTE_LETTERS[note["kind"]])
        lines = [{"y": 14 + NOTE * number, "text": text} for number, text in enumerate(parts)]
        note |= {"y": y, "lines": lines, "height": NOTE * len(lines) + 5, **_colour(note["seat"])}
        y += note["height"] + 3
    return y


def _colour(seat: int | None) -> dict[str, str]:
    return {} if seat is None else {"colour": COLOURS[seat], "dash": DASHES[seat]}


def _lay_out_spells(picture: JsonObject, y: int) -> int:
    """The viewer's spell cards side by side; returns where they end."""
    width = (WIDTH - 2 * MARGIN - GAP * (CARDS_ACROSS - 1)) // CARDS_ACROSS
    spells = picture["own_spells"]
    for number, spell in enumerate(spells):
        line, place = divmod(number, CARDS_ACROSS)
        spell |= {"x": MARGIN + place * (width + GAP), "y": y + line * CARD, "width": width}
    return y + -(-len(spells) // CARDS_ACROSS) * CARD + (4 if spells else 0)


def _spaces(picture: JsonObject) -> Iterable[JsonObject]:
    return (space for group in picture["groups"] for space in group["spaces"])


def _lay_out_group(group: JsonObject, y: int, shelves: int) -> None:
    spaces = group["spaces"]
    head = HEAD[group["id"]] + (shelves * SHELF if group["id"] == "caves" else 0)
    head += OFFER if any(space["offer"] for space in spaces) else 0
    x = MARGIN
    for space, width in zip(spaces, _widths(group["id"], spaces), strict=True):
        space |= {"x": x, "y": y + BANNER, "width": width, "head": head}
        for mark in space["marks"]:
            mark.update(_colour(mark["seat"]))
        _lay_out_rows(space)
        x += width + GAP
    height = max(space["height"] for space in spaces)
    for space in spaces:
        space["height"] = height
    group |= {"y": y, "height": BANNER + height + MARGIN}


def _widths(group: str, spaces: Sequence[JsonObject]) -> list[int]:
    """Guard and closed spaces of the city have a width of their own; the others share the rest."""
    fixed = [_own_width(group, space) for space in spaces]
    rest = WIDTH - 2 * MARGIN - GAP * (len(spaces) - 1) - sum(fixed)
    return [width or rest // fixed.count(0) for width in fixed]


def _own_width(group: str, space: JsonObject) -> int:
    if group == "palace":
        return GUARD if space["id"] == "guard" else 0
    return NARROW if group == "city" and space["state"] == "closed" else 0


def _lay_out_rows(space: JsonObject) -> None:
    across = max(2, (space["width"] - 4) // STEP)
    left = (space["width"] - across * STEP) // 2 + STEP // 2
    y = space["head"]
    for row in space["rows"]:
        lines = _lay_out_row(row, y, left, across)
        row |= {"y": y, "height": lines * LINE + 2, **_colour(row["seat"])}
        y += row["height"] + 1
    space["height"] = max(y, space["head"] + LEAST_ROWS * LINE + 3) + 3


def _lay_out_row(row: JsonObject, y: int, left: int, across: int) -> int:
    """Sets the tokens of one seat in lines, and after the last one its strength. Returns the number of lines."""
    places = [
        (left + place % across * STEP, y + 1 + LINE // 2 + place // across * LINE) for place in range(row["count"] + 1)
    ]
    for face, (x, line) in zip(row["faces"], places, strict=False):
        face |= {"x": x, "y": line}
    row["total_x"], row["total_y"] = places[-1][0] + 1, places[-1][1]
    taken: int = row["count"] + (row["total"] is not None)
    return -(-taken // across)
