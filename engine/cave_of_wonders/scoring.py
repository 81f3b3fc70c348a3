"""What a token is worth on a player board, part by part."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from engine.cave_of_wonders import facts
from engine.cave_of_wonders.facts import KINDS, NUMBERS, SQUARES, Token

PlayerBoard: TypeAlias = Mapping[str, Sequence[Token]]
"""Tokens by square."""

Points: TypeAlias = dict[str, int]
"""Points by what they are for; parts that give nothing are left out."""


def points_for(board: PlayerBoard, favourite: str, token: Token, square: str) -> Points:
    """What the token brings when it is put on that square of the board, before it lies there (C24 to C34)."""
    parts = _own_points(board, favourite, token) | _pattern_points(board, square)
    return {part: points for part, points in parts.items() if points}


def _own_points(board: PlayerBoard, favourite: str, token: Token) -> Points:
    """For the token itself; a genie brings nothing, not even as a favourite (C34)."""
    if token.character == "genie":
        return {}
    is_favourite, is_princess = token.kind == favourite, token.character == "princess"
    bonus = facts.FAVOURITE_PRINCESS_BONUS if is_princess else facts.FAVOURITE_BONUS
    return {
        "number": 0 if token.character == "sorcerer" else token.number or 0,
        "sorcerer": facts.SORCERER_POINTS if token.character == "sorcerer" else 0,
        "favourite": bonus if is_favourite else 0,
        "carpet": facts.PRINCESS_ON_CARPET_BONUS if is_princess and _has_carpet(board, token.kind) else 0,
    }


def _has_carpet(board: PlayerBoard, kind: str) -> bool:
    """Is there a carpet of the same kind? A plain 1 or a genie does not count (C27)."""
    return any(token.character == "carpet" for token in board[f"{kind}-1"])


def _pattern_points(board: PlayerBoard, square: str) -> Points:
    """For rows, columns (C29) and trios (C30, C31) that are completed."""
    is_new = not board[square]
    return {
        "row": facts.LINE_BONUS if is_new and _completes(board, facts.row_of(square), square) else 0,
        "column": facts.LINE_BONUS if is_new and _completes(board, facts.column_of(square), square) else 0,
        "trio": facts.TRIO_BONUS if (len(board[square]) + 1) % facts.TRIO_SIZE == 0 else 0,
    }


def _completes(board: PlayerBoard, line: Sequence[str], square: str) -> bool:
    return all(board[other] for other in line if other != square)


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
