"""Each seat's chance to win as a turn is over, judged from the board alone: where playouts of reviews stop.

The weights were fitted to games of `greedy` players. How well they hold is measured on other games: docs/reviews.md.
"""

from collections.abc import Sequence

from engine.cave_of_wonders.board.facts import GOAL, KINDS, NUMBERS, TRIO_SIZE, Token
from engine.cave_of_wonders.board.model import State, TurnOver
from engine.core import Seat
from engine.core.chances import shares

WEIGHTS = (1.20, 1.45, 1.90, -2.40, 1.15, -0.90, 0.14)
"""What counts: points; points, the nearer the end the more; and still more; the turns until one's own; lines that
fill; lines as the end comes near; pairs."""


def chances(state: State) -> list[float] | None:
    """The chance of each seat to win; None in the midst of a turn."""
    if state.outcome is not None or not isinstance(state.frame, TurnOver):
        return None
    near = max(state.scores) / GOAL
    scores = [
        sum(weight * fact for weight, fact in zip(WEIGHTS, _facts(state, seat, near), strict=True))
        for seat in range(state.seats)
    ]
    return shares(scores, set(state.resigned))


def _facts(state: State, seat: Seat, near: float) -> list[float]:
    """What is known of a seat, in the order of the weights.

    Arguments:
        near: how near the end is, from 0 to 1.
    """
    points, board = state.scores[seat] / 10, state.boards[seat]
    wait = ((seat - state.start - state.turn) % state.seats) / state.seats
    lines = sum(_promise([board[f"{kind}-{number}"] for number in NUMBERS]) for kind in KINDS)
    lines += sum(_promise([board[f"{kind}-{number}"] for kind in KINDS]) for number in NUMBERS)
    pairs = sum(len(tokens) % TRIO_SIZE == TRIO_SIZE - 1 for tokens in board.values())
    return [points, points * near, points * near**3, wait * near, lines, lines * near, pairs]


def _promise(line: Sequence[Sequence[Token]]) -> float:
    """What a line of squares that is not full yet promises: the fuller, the more."""
    return 0.0 if all(line) else (sum(map(bool, line)) / len(line)) ** 2
