"""What a choice is sure to bring at once: what the default goes by (C50), and the hint beside each option."""

from collections.abc import Iterable, Mapping

from engine.cave_of_wonders.board.facts import SQUARES, Token, square_of
from engine.cave_of_wonders.board.model import SeenToken, View
from engine.cave_of_wonders.scoring import points_for
from engine.core import Seat

HIDDEN_GAIN = 2
"""What a face-down token counts for (C50); the mean of all sixty is 2.2."""


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
    seen = view.spaces[space]
    assert seen is not None, space
    if not seen.face_up:
        return HIDDEN_GAIN
    token = seen.token()
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
    seen = view.spaces[space]
    assert seen is not None, space
    return seen
