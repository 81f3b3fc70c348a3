"""What a token is worth on a player board, part by part."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from engine.cave_of_wonders.board import facts
from engine.cave_of_wonders.board.facts import KINDS, NUMBERS, REST_OF_COLUMN, REST_OF_ROW, SQUARES, Token

PlayerBoard: TypeAlias = Mapping[str, Sequence[Token]]
"""Tokens by square."""

Points: TypeAlias = dict[str, int]
"""Points by what they are for; parts that give nothing are left out."""


def points_for(board: PlayerBoard, favourite: str, token: Token, square: str) -> Points:
    """What the token brings when it is put on that square of the board, before it lies there (C24 to C34)."""
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
