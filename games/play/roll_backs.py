"""Which moves of a game count, and which a roll-back has undone.

The log only grows. A roll-back is a move itself: it names the step from which the game continues. The moves after that
step stay in the log, marked as taken back.
"""

from collections.abc import Iterable

from engine.records.checking import origin_of
from games.play import stored_moves
from games.play.models import Move
from games.tables.models import Game

__all__ = ["NEWEST", "Span", "origin_of", "roll_backs", "standing", "standing_spans", "stands"]

Span = tuple[int, int]  # numbers of moves, both included
NEWEST = 2**31 - 1  # as large as the column takes: a move may have been made since the game was read


def roll_backs(game: Game) -> list[Move]:
    """The moves that took the game back, oldest first; asks the database only if there are any."""
    return stored_moves.find(game, kind=Move.Kind.BRANCH) if game.branch else []


def standing_spans(game: Game) -> list[Span]:
    """The moves that lead to where the game stands, newest first: each branch, as far as the next one begins in it."""
    spans, last = [], NEWEST
    for move in reversed(roll_backs(game)):
        if move.seq <= last:
            spans.append((move.seq, last))
            last = origin_of(move).seq
    return [*spans, (1, last)]


def stands(spans: Iterable[Span], seq: int) -> bool:
    """Whether the move of this number is one of them."""
    return any(first <= seq <= last for first, last in spans)


def standing(game: Game) -> list[Move]:
    """The moves that lead to where the game stands, in order."""
    return stored_moves.of_spans(game, standing_spans(game))
