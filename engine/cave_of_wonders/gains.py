"""What a choice is sure to bring at once: what the default goes by (C50), and the hint beside each option."""

from collections.abc import Iterable

from engine.cave_of_wonders.facts import SQUARES, Token, square_of
from engine.cave_of_wonders.model import SeenToken, View
from engine.cave_of_wonders.scoring import points_for
from engine.core import Seat

HIDDEN_GAIN = 2
"""What a face-down token counts for (C50); the mean of all sixty is 2.2."""


def gain_on(view: View, seat: Seat, token: Token, square: str) -> int:
    """Points for the token on that square, all bonuses included."""
    return sum(points_for(view.boards[seat], view.favourites[seat], token, square).values())


def best_square(view: View, seat: Seat, token: Token) -> str:
    """Where a genie brings most; without any gain the first empty square, or the first of all (C50)."""
    board = view.boards[seat]
    return max(SQUARES, key=lambda square: (gain_on(view, seat, token, square), not board[square]))


def gain_at(view: View, seat: Seat, space: str) -> int:
    """Points the token on that space is sure to bring."""
    seen = view.spaces[space]
    assert seen is not None, space
    if not seen.face_up:
        return HIDDEN_GAIN
    token = seen.token()
    square = best_square(view, seat, token) if token.character == "genie" else square_of(token)
    return gain_on(view, seat, token, square)


def best_space(view: View, seat: Seat, spaces: Iterable[str]) -> str:
    """The space with the highest sure gain, the first of them among equals (C50)."""
    return max(spaces, key=lambda space: gain_at(view, seat, space))


def seen_at(view: View, space: str) -> SeenToken:
    """The token on a space that has one."""
    seen = view.spaces[space]
    assert seen is not None, space
    return seen
