"""Makes the data that the board's SVG template draws."""

from collections.abc import Iterable, Sequence
from math import ceil, sqrt

from engine.cave_of_wonders import model
from engine.cave_of_wonders.describe import player_line, status
from engine.cave_of_wonders.facts import (
    AXIAL,
    CHARACTER_NUMBERS,
    GOAL,
    KINDS,
    NUMBERS,
    RADIUS,
    ROWS,
    SPACES,
    TRIO_SIZE,
    Token,
)
from engine.cave_of_wonders.model import View
from engine.cave_of_wonders.questions import open_landings, open_targets
from engine.cave_of_wonders.scoring import complete_columns, complete_rows
from engine.cave_of_wonders.words import Words
from engine.core import JsonObject, Seat
from engine.kits import COLOURS, hexagon, hexagon_centre

# Where everything lies in the picture: a sheet 400 wide, made for a portrait phone. The template computes nothing.

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


def centre(space: str) -> tuple[float, float]:
    """The middle of a space on the sheet."""
    x, y = hexagon_centre(*AXIAL[space], HEX)
    return round(CENTRE_X + x, 1), round(CENTRE_Y + y, 1)


def lay_out(picture: JsonObject) -> None:
    """Adds the places to a picture.

    The picture gets `width`, `height`, `head` (where the cave begins), `goods_y` (where the player boards begin),
    `outline` and `wall` (polygons around the cave) and `cell` (the polygon of a space around its middle). Spaces and
    row letters get `x`, `y`; lines to landings `x`, `y` and how far they go, `dx`, `dy`; lines of the keys `x`, `y`;
    players `x`, `y`, `colour`, `track`; their squares `x`, `y`; row and column heads `x`, `y`.
    """
    picture["width"], picture["head"] = WIDTH, TITLE
    picture["panel_width"], picture["panel_height"], picture["track"] = PANEL_WIDTH, PANEL_HEIGHT, TRACK
    picture["cell"] = hexagon(0, 0, SIDE - 0.8)
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


# The data of the board's SVG template, every word already in the reader's language.

MOST_PIPS = 6  # for a stack: the sixth makes another trio (C31)


def picture(view: View, language: str, names: Sequence[str]) -> JsonObject:
    """The view as plain data for the template.

    Returns a dictionary of this shape ("label", "name" and the like are words for the reader; ids are not):

        rules         "cave-of-wonders"
        title         the name of the game
        alt           one sentence for the image's alternative text
        turn_label    "Turn 12"
        status        what the game waits for, or how it ended
        roll          the number on the die, or None
        roll_label    "Roll 3", or ""
        viewer        seat, or None for a spectator
        you           "You", for the viewer instead of his name
        outcome       the sentence that names the winner, or None
        rows          [{"label": "A"}] the letters beside the cave
        spaces        [space] in reading order
        lines         [{"origin", "to"}] from Aladdin to each legal landing
        kinds         [{"id": "emerald", "label": "Emeralds"}]
        characters    [{"id": "carpet", "label": "Carpet", "rule": what it does}]
        cards_label   "What the characters do"
        cards         [{"label", "cards": [{"name", "rule"}]}] the same, for beside the picture
        players       [player] in the order of play

    space:

        id            "E5"
        state         "aladdin" | "empty" | "open" | "hidden"
        kind          kind of the token there, or None
        number        its number, None if hidden, absent or a genie
        character     who is on it, "" for nobody or unknown
        is_landing    bool: Aladdin may go there now, walking or flying
        summary       the token in words, "" if there is none
        rule          what the character does, "" if none is seen

    player:

        seat, name, is_viewer, is_active, is_resigned, favourite (kind)
        takes_genie   bool: this reader chooses a square here for a genie
        score         int
        place         final place, the same for equals, once the game is over, else None
        rows          [{"kind", "label", "is_favourite", "is_complete", "squares": [square]}]
        columns       [{"number", "is_complete"}]
        summary       the player in a line of words

    square:

        id            "ruby-3"
        number        of its column
        count         tokens there
        pips          [{}] one for each token, at most six
        is_trio       bool: three lie there
        has_carpet    bool: a carpet that helps a princess of its kind
        has_genie     bool

    Beside these there is where everything lies on the sheet: see `picture_layout.lay_out`.
    """
    words = Words(language, names)
    reached = {*open_landings(view), *open_targets(view)}
    characters = [
        {"id": character, "label": words.character(character), "rule": words.character_rule(character)}
        for character in CHARACTER_NUMBERS
    ]
    roll = view.frame.roll if isinstance(view.frame, model.Moving) else None
    drawn: JsonObject = {
        "rules": "cave-of-wonders",
        "title": words.sentence("title"),
        "alt": words.sentence("board-alt", turn=view.turn),
        "turn_label": words.sentence("turn", turn=view.turn),
        "status": words.say(view.outcome.reason) if view.outcome else status(view, words),
        "roll": roll,
        "roll_label": words.sentence("roll-label", roll=roll) if roll else "",
        "viewer": view.seat,
        "you": words.sentence("you").capitalize(),
        "outcome": words.say(view.outcome.reason) if view.outcome else None,
        "rows": [{"label": letter} for letter in ROWS],
        "spaces": [_space(view, words, space, reached) for space in SPACES],
        "lines": [{"origin": view.aladdin, "to": space} for space in open_landings(view)],
        "kinds": [{"id": kind, "label": words.kinds(kind)} for kind in KINDS],
        "characters": characters,
        "cards_label": words.sentence("characters"),
        "cards": [
            {
                "label": "",
                "cards": [{"name": character["label"], "rule": character["rule"]} for character in characters],
            }
        ],
        "players": [_player(view, words, (view.start + step) % view.seats) for step in range(view.seats)],
    }
    lay_out(drawn)
    return drawn


def _space(view: View, words: Words, space: str, reached: set[str]) -> JsonObject:
    token = view.spaces[space]
    drawn: JsonObject = {"id": space, "kind": None, "number": None, "character": "", "summary": "", "rule": ""}
    if token is None:
        drawn["state"] = "aladdin" if space == view.aladdin else "empty"
    else:
        drawn |= {
            "state": "open" if token.face_up else "hidden",
            "kind": token.kind,
            "number": token.number,
            "character": token.character or "",
            "summary": words.token(token.kind, token.number, (token.character or "") if token.face_up else "hidden"),
            "rule": words.character_rule(token.character) if token.face_up and token.character else "",
        }
    return drawn | {"is_landing": space in reached}


def _player(view: View, words: Words, seat: Seat) -> JsonObject:
    rows, columns = complete_rows(view.boards[seat]), complete_columns(view.boards[seat])
    return {
        "seat": seat,
        "name": words.name(seat),
        "is_viewer": seat == view.seat,
        "is_active": view.outcome is None and seat == view.active,
        "is_resigned": seat in view.resigned,
        "takes_genie": seat == view.seat == view.active and isinstance(view.frame, model.PlacingGenie),
        "favourite": view.favourites[seat],
        "score": view.scores[seat],
        "goal": GOAL,
        "place": _place(view, seat),
        "rows": [
            {
                "kind": kind,
                "label": words.kind(kind),
                "is_favourite": kind == view.favourites[seat],
                "is_complete": kind in rows,
                "squares": [_square(kind, number, view.boards[seat][f"{kind}-{number}"]) for number in NUMBERS],
            }
            for kind in KINDS
        ],
        "columns": [{"number": number, "is_complete": number in columns} for number in NUMBERS],
        "summary": player_line(view, words, seat),
    }


def _place(view: View, seat: Seat) -> int | None:
    if view.outcome is None:
        return None
    winners, order = view.outcome.winners, view.outcome.ranking
    standings = [(other in winners, other in view.resigned, view.scores[other]) for other in order]
    return 1 + standings.index(standings[order.index(seat)])


def _square(kind: str, number: int, tokens: Sequence[Token]) -> JsonObject:
    return {
        "id": f"{kind}-{number}",
        "number": number,
        "count": len(tokens),
        "pips": [{} for _ in tokens[:MOST_PIPS]],
        "is_trio": len(tokens) >= TRIO_SIZE,
        "has_carpet": any(token.character == "carpet" for token in tokens),
        "has_genie": any(token.character == "genie" for token in tokens),
    }
