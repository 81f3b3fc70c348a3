"""Scores a token on a player board, part by part."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias, TypeVar

from engine.cave_of_wonders import facts
from engine.cave_of_wonders.facts import (
    KINDS,
    LINES,
    NUMBERS,
    REST_OF_COLUMN,
    REST_OF_ROW,
    SPACES,
    SQUARES,
    Token,
    square_of,
)
from engine.cave_of_wonders.model import SeenToken, View
from engine.core import Seat

# Where Aladdin may go: the one source of what is legal, for states and for views.


def walk(spaces: Mapping[str, object | None], aladdin: str, direction: str, roll: int) -> list[str]:
    """The treasures Aladdin walks over, the last one his landing: `roll` of them, or up to the wall if it comes first.

    Empty spaces are jumped and not counted (C15); none at all means that there is no move that way (C19).
    """
    return _walk(spaces, LINES[aladdin][direction], roll)


def _walk(spaces: Mapping[str, object | None], line: Sequence[str], roll: int) -> list[str]:
    return [space for space in line if spaces[space] is not None][:roll]


def landings(spaces: Mapping[str, object | None], aladdin: str, roll: int, *, full_distance: bool) -> dict[str, str]:
    """The landings of a roll, each with its direction (C14 to C19).

    Arguments:
        full_distance: if some direction allows the full number, leave out those that do not (C17).
    """
    walks = {direction: _walk(spaces, line, roll) for direction, line in LINES[aladdin].items()}
    if full_distance and any(len(walked) == roll for walked in walks.values()):
        return {walked[-1]: direction for direction, walked in walks.items() if len(walked) == roll}
    return {walked[-1]: direction for direction, walked in walks.items() if walked}


class Aimable(Protocol):
    """Holds what a carpet asks of a token in the cave."""

    @property
    def is_open_character(self) -> bool:
        """True if a character is to be seen on it."""


A = TypeVar("A", bound=Aimable)


def targets(spaces: Mapping[str, A | None]) -> list[str]:
    """Where a carpet may fly: every token without a visible character, wherever it lies (C38)."""
    return [space for space in SPACES if (token := spaces[space]) is not None and not token.is_open_character]


PlayerBoard: TypeAlias = Mapping[str, Sequence[Token]]
"""Tokens by square."""

Points: TypeAlias = dict[str, int]
"""Points by what they are for; parts that give nothing are left out."""


def points_for(board: PlayerBoard, favourite: str, token: Token, square: str) -> Points:
    """Returns what the token brings when it is put on that square of the board, before it lies there (C24 to C34)."""
    points: Points = {}
    if token.character != "genie":  # a genie brings nothing for itself, not even as a favourite (C34)
        _add_own_points(points, board, favourite, token)
    _add_pattern_points(points, board, square)
    return points


def _add_own_points(points: Points, board: PlayerBoard, favourite: str, token: Token) -> None:
    """For the token itself."""
    if token.character == "sorcerer":
        points["sorcerer"] = facts.SORCERER_POINTS
    elif token.number:
        points["number"] = token.number
    is_princess = token.character == "princess"
    if token.kind == favourite:
        points["favourite"] = facts.FAVOURITE_PRINCESS_BONUS if is_princess else facts.FAVOURITE_BONUS
    if is_princess and _has_carpet(board, token.kind):
        points["carpet"] = facts.PRINCESS_ON_CARPET_BONUS


def _has_carpet(board: PlayerBoard, kind: str) -> bool:
    """Is there a carpet of the same kind? A plain 1 or a genie does not count (C27)."""
    return any(token.character == "carpet" for token in board[f"{kind}-1"])


def _add_pattern_points(points: Points, board: PlayerBoard, square: str) -> None:
    """For rows, columns (C29) and trios (C30, C31) that are completed."""
    lying = len(board[square])
    if not lying and all(board[other] for other in REST_OF_ROW[square]):
        points["row"] = facts.LINE_BONUS
    if not lying and all(board[other] for other in REST_OF_COLUMN[square]):
        points["column"] = facts.LINE_BONUS
    if (lying + 1) % facts.TRIO_SIZE == 0:
        points["trio"] = facts.TRIO_BONUS


def score_after(score: int, points: Points) -> int:
    """The sum of all parts is applied at once, and the marker never goes below its start (C35, C36)."""
    return max(0, score + sum(points.values()))


def is_full(board: PlayerBoard) -> bool:
    """Is there at least one token on every square (C44)?"""
    return all(board[square] for square in SQUARES)


def complete_rows(board: PlayerBoard) -> list[str]:
    """The kinds whose row is filled."""
    return [kind for kind in KINDS if all(board[f"{kind}-{number}"] for number in NUMBERS)]


def complete_columns(board: PlayerBoard) -> list[int]:
    """The numbers whose column is filled."""
    return [number for number in NUMBERS if all(board[f"{kind}-{number}"] for kind in KINDS)]


# What a choice is sure to bring at once: what the default goes by (C50), and the hint beside each option.

HIDDEN_GAIN = 2
"""The value of a face-down token (C50); the mean of all sixty is 2.2."""


def gain_on(view: View, seat: Seat, token: Token, square: str) -> int:
    """Points for the token on that square, all bonuses included."""
    return sum(points_for(view.boards[seat], view.favourites[seat], token, square).values())


def gains_on(view: View, seat: Seat, token: Token) -> dict[str, int]:
    """The points a genie brings at once, by square: it may go anywhere."""
    return {square: gain_on(view, seat, token, square) for square in SQUARES}


def best_square(view: View, seat: Seat, gains: Mapping[str, int]) -> str:
    """Where a genie brings most; without any gain the first empty square, or the first of all (C50)."""
    board = view.boards[seat]
    return max(gains, key=lambda square: (gains[square], not board[square]))


def gain_at(view: View, seat: Seat, space: str) -> int:
    """Points the token on that space is sure to bring."""
    seen_token = view.spaces[space]
    assert seen_token is not None, space
    if not seen_token.face_up:
        return HIDDEN_GAIN
    token = seen_token.token()
    if token.character == "genie":
        return max(gains_on(view, seat, token).values())
    return gain_on(view, seat, token, square_of(token))


def gains_at(view: View, seat: Seat, spaces: Iterable[str]) -> dict[str, int]:
    """The points each of these spaces is sure to bring at once."""
    return {space: gain_at(view, seat, space) for space in spaces}


def best_space(gains: Mapping[str, int]) -> str:
    """The space with the highest sure gain, the first of them among equals (C50)."""
    return max(gains, key=gains.__getitem__)


def seen_at(view: View, space: str) -> SeenToken:
    """The token on a space that has one."""
    seen_token = view.spaces[space]
    assert seen_token is not None, space
    return seen_token
