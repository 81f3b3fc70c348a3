"""Boards to put together: squares, hexagons, cards and lines of text, each with places, taps and its telling in words.

A part says where its spaces lie and what lies on them. `stacked` puts parts below each other, and `picture_of` makes
the data that games/jinja2/games/boards/kit.svg draws: for pages, where a space whose id is the value of an option that
may be chosen now is a place to tap, and for emails.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import ceil, sqrt
from types import MappingProxyType

import msgspec
from msgspec.structs import replace

from engine.core import JsonObject, Seat
from engine.core.language import folded

WIDTH = 390  # of a picture: a phone held upright
MARGIN = 12
ROOM = WIDTH - 2 * MARGIN
HEAD = 40  # the strip with the title
STRIP = 30  # the line of a player
TEXT_LINE, PITCH, COLUMNS = 17, 7.9, 46  # of text: from line to line, from letter to letter, letters in a line
LARGEST = 64  # a side of a square
LANE = 36
CARD_WIDTH, CARD_HEIGHT, CARD_STEP = 44, 60, 52

COLOURS = ("#b3261e", "#1d56b8", "#1f7a4d", "#6b34a8", "#8a5a00", "#0f6b73")
"""Colours of the seats."""

SIGNS = ("X", "O", "#", "@", "%", "&")
"""Stand for the seats in words and, beside the colours, in pictures."""


class BoardPiece(msgspec.Struct, frozen=True):
    """Lies on a space.

    Arguments:
        seat: whose it is; None for nobody's.
        text: one or two letters; by default the sign of the seat.
        id: names it where it can move, so that a moving picture shows it moving.
    """

    seat: Seat | None = None
    text: str = ""
    id: str = ""

    @property
    def sign(self) -> str:
        """The letters that stand for it."""
        return self.text or (SIGNS[self.seat] if self.seat is not None else "")


class Space(msgspec.Struct, frozen=True):
    """A place on the board.

    Arguments:
        id: names it; where it is the value of an option, a tap on it chooses that.
        x, y: its middle.
        outline: its corners around the middle, as points of a polygon.
        text: stands on it where nothing lies.
        piece: what lies on it.
        fill: its colour.
    """

    id: str
    x: float
    y: float
    outline: str
    text: str = ""
    piece: BoardPiece | None = None
    fill: str = "#f7ecd2"


class Label(msgspec.Struct, frozen=True):
    """A line of text beside the spaces; of even width where it is part of a board made of signs."""

    x: float
    y: float
    text: str
    is_even: bool = False
    is_centred: bool = False


class BoardPart(msgspec.Struct, frozen=True):
    """A part of a board, or all of it.

    Arguments:
        height: in the units of WIDTH.
        told: the same as lines of text.
    """

    height: float
    told: list[str]
    spaces: list[Space] = []
    labels: list[Label] = []


class Player(msgspec.Struct, frozen=True):
    """A line of the strip of players: name, points, and whether the game waits for this one."""

    seat: Seat
    name: str
    note: str = ""
    status: str = ""
    is_active: bool = False
    is_viewer: bool = False
    is_resigned: bool = False


def hexagon(x: float, y: float, side: float) -> str:
    """The outline of a hexagon that stands on a corner, as points of a polygon."""
    half = side * sqrt(3) / 2
    around = ((0, -side), (half, -side / 2), (half, side / 2), (0, side), (-half, side / 2), (-half, -side / 2))
    return " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in around)


def hexagon_centre(q: float, r: float, width: float) -> tuple[float, float]:
    """The middle of the hexagon at axial coordinates, from the middle of the one at 0, 0; `width` is one's breadth."""
    return width * (q + r / 2), width / sqrt(3) * 1.5 * r


def rectangle(width: float, height: float) -> str:
    """The outline of a rectangle around its middle."""
    right, bottom = width / 2, height / 2
    return " ".join(
        f"{x:.1f},{y:.1f}" for x, y in ((-right, -bottom), (right, -bottom), (right, bottom), (-right, bottom))
    )


def letters(column: int) -> str:
    """The name of a column: "a" to "z"."""
    return "abcdefghijklmnopqrstuvwxyz"[column]


def squares(
    columns: int, rows: int, pieces: Mapping[str, BoardPiece], texts: Mapping[str, str] = MappingProxyType({})
) -> BoardPart:
    """A board of squares named "a1" (below on the left) to "h8", as on a chess board.

    Arguments:
        pieces: by the name of the square what lies there.
        texts: by the name of the square what stands on it where nothing lies.
    """
    side = min(LARGEST, (ROOM - 18) / columns)
    left = (WIDTH - side * columns) / 2 + 9
    spaces, labels = [], []
    for row in range(rows):
        y = side * (rows - row - 0.5) + 4
        labels.append(Label(round(left - 14, 1), round(y + 5, 1), str(row + 1)))
        for column in range(columns):
            name = f"{letters(column)}{row + 1}"
            x = left + side * (column + 0.5)
            shade = "#e3cfa4" if (column + row) % 2 == 0 else "#f7ecd2"
            outline = rectangle(side - 1, side - 1)
            spaces.append(
                Space(name, round(x, 1), round(y, 1), outline, texts.get(name, ""), pieces.get(name), fill=shade)
            )
    foot = side * rows + 20
    labels += [
        Label(round(left + side * (column + 0.5), 1), round(foot - 2, 1), letters(column), is_centred=True)
        for column in range(columns)
    ]
    head = "   " + " ".join(letters(column).ljust(2) for column in range(columns))
    lines = [
        f"{row + 1:>2} "
        + " ".join(_sign(pieces, texts, f"{letters(column)}{row + 1}").ljust(2) for column in range(columns))
        for row in reversed(range(rows))
    ]
    return BoardPart(foot + 6, [*lines, head], spaces, labels)


def hexagons(
    columns: int, rows: int, pieces: Mapping[str, BoardPiece], texts: Mapping[str, str] = MappingProxyType({})
) -> BoardPart:
    """A rhombus of hexagons named "a1" (above on the left), letters to the right and numbers down, as in Hex.

    Arguments:
        pieces: by the name of the space what lies there.
        texts: by the name of the space what stands on it where nothing lies; its name, if there is none.
    """
    width = min(48, (ROOM - 12) / (columns + (rows - 1) / 2))
    side = width / sqrt(3)
    left = (WIDTH - width * (columns + (rows - 1) / 2)) / 2 + width / 2 + 6
    spaces, labels = [], []
    for row in range(rows):
        for column in range(columns):
            name = f"{letters(column)}{row + 1}"
            across, down = hexagon_centre(column, row, width)
            x, y = left + across, side + 20 + down
            outline = hexagon(0, 0, side - 0.8)
            spaces.append(Space(name, round(x, 1), round(y, 1), outline, texts.get(name, name), pieces.get(name)))
        across, down = hexagon_centre(-1, row, width)
        labels.append(
            Label(round(left + across + width / 4, 1), round(side + 25 + down, 1), str(row + 1), is_centred=True)
        )
    labels += [
        Label(round(left + width * column, 1), 14, letters(column), is_centred=True) for column in range(columns)
    ]
    lines = ["   " + " ".join(letters(column).ljust(2) for column in range(columns))]
    lines += [
        " " * (row * 3 // 2)
        + f"{row + 1:>2} "
        + " ".join(_sign(pieces, texts, f"{letters(column)}{row + 1}").ljust(2) for column in range(columns))
        for row in range(rows)
    ]
    return BoardPart(side * (1.5 * rows + 0.5) + 26, lines, spaces, labels)


def _sign(pieces: Mapping[str, BoardPiece], texts: Mapping[str, str], name: str) -> str:
    return pieces[name].sign if name in pieces else texts.get(name, ".")


def cards(label: str, faces: Iterable[str | int], *, prefix: str = "", colour: str = "#fffdf5") -> BoardPart:
    """Cards in a row, or several if they are many, under a label.

    Arguments:
        faces: what stands on each; the id of its space is `prefix` and that.
        prefix: "" where a tap on a card is to choose it.
        colour: of the cards.
    """
    shown = [str(face) for face in faces]
    each = max(1, ROOM // CARD_STEP)
    outline = rectangle(CARD_WIDTH, CARD_HEIGHT)
    spaces = [
        Space(
            f"{prefix}{face}",
            MARGIN + CARD_STEP * (place % each) + CARD_WIDTH / 2,
            24 + CARD_HEIGHT / 2 + (CARD_HEIGHT + 8) * (place // each),
            outline,
            face,
            fill=colour,
        )
        for place, face in enumerate(shown)
    ]
    height = 24 + (CARD_HEIGHT + 8) * ceil(len(shown) / each) + 4
    return BoardPart(height, [f"{label}: {', '.join(shown) or '-'}"], spaces, [Label(MARGIN, 16, label)])


def track(goal: int, values: Sequence[int]) -> BoardPart:
    """A lane for each seat, from nothing to the goal, with its piece where its number lies."""
    spaces, lines = [], []
    for seat, value in enumerate(values):
        y, way = 22 + LANE * seat, min(max(value, 0), goal) / goal
        spaces.append(Space(f"lane-{seat}", WIDTH / 2, y, rectangle(ROOM - 28, 12)))
        x = round(MARGIN + 14 + (ROOM - 28) * way, 1)
        spaces.append(Space(f"at-{seat}", x, y, rectangle(1, 1), piece=BoardPiece(seat, id=f"runner-{seat}")))
        lines.append(f"{SIGNS[seat]} [{'=' * round(COLUMNS / 2 * way):<{COLUMNS // 2}}] {value}/{goal}")
    return BoardPart(LANE * len(values) + 8, lines, spaces)


def lines(texts: Sequence[str], *, is_even: bool = True) -> BoardPart:
    """Lines of text, folded where they are long; of even width by default, so that signs stand below each other."""
    shown = [part for text in texts for part in (folded([text], COLUMNS) if text.strip() else [""])]
    labels = [Label(MARGIN, TEXT_LINE * (row + 1), text, is_even=is_even) for row, text in enumerate(shown)]
    return BoardPart(TEXT_LINE * len(shown) + 10, list(texts), [], labels)


def stacked(*parts: BoardPart | None) -> BoardPart:
    """One board of several, one below the other; None is left out."""
    height: float = 0
    lines: list[str] = []
    spaces: list[Space] = []
    labels: list[Label] = []
    for part in parts:
        if part is None:
            continue
        lines += part.told
        spaces += [replace(space, y=round(space.y + height, 1)) for space in part.spaces]
        labels += [replace(label, y=round(label.y + height, 1)) for label in part.labels]
        height += part.height
    return BoardPart(height, lines, spaces, labels)


def picture_of(
    board: BoardPart, players: Sequence[Player], *, title: str, note: str, summary: str, may_choose: Collection[str]
) -> JsonObject:
    """The data of the kit's template: title, a line for each player, and the board below them.

    Arguments:
        note: stands beside the title.
        summary: the picture in a sentence, for whoever does not see it.
        may_choose: values of options that the viewer may choose now.
    """
    top = HEAD + STRIP * len(players) + 6
    spaces = [
        {
            "id": space.id,
            "x": space.x,
            "y": round(space.y + top, 1),
            "outline": space.outline,
            "fill": space.fill,
            "text": "" if space.piece else space.text,
            "sign": space.piece.sign if space.piece else "",
            "piece": space.piece.id if space.piece else "",
            "colour": _colour(space.piece),
            "is_open": space.id in may_choose,
        }
        for space in board.spaces
    ]
    return {
        "kit": "kit",
        "width": WIDTH,
        "height": ceil(top + board.height + MARGIN),
        "title": title,
        "note": note,
        "summary": summary,
        "players": [
            {
                **msgspec.structs.asdict(player),
                "y": HEAD + STRIP * place,
                "colour": COLOURS[player.seat],
                "sign": SIGNS[player.seat],
            }
            for place, player in enumerate(players)
        ],
        "spaces": spaces,
        "labels": [
            {
                "x": " ".join(
                    f"{label.x + PITCH * (place + label.is_even / 2):.1f}"
                    for place in range(len(label.text) if label.is_even else 1)
                ),
                "y": round(label.y + top, 1),
                "text": label.text.replace(" ", "\N{NO-BREAK SPACE}") if label.is_even else label.text,
                "is_centred": label.is_centred or label.is_even,
            }
            for label in board.labels
        ],
    }


def _colour(piece: BoardPiece | None) -> str:
    return COLOURS[piece.seat] if piece is not None and piece.seat is not None else "#5c4a2f"
