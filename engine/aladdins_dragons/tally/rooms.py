"""The palace rooms: the strongest is the first to be offered the artifact, at the price of his own tokens."""

from engine.aladdins_dragons.board.model import Purchase
from engine.aladdins_dragons.board.verbs import Board


def reward(board: Board, room: str) -> None:
    """Asks the seats by rank, able to pay or not (A70). A room without tokens is skipped."""
    ranking = board.state.rankings.get(room)
    if ranking is not None:
        board.state.agenda.append(Purchase(room, list(ranking.seats)))


def is_sold_out(board: Board) -> bool:
    """True when no room has an artifact left (A94)."""
    return not any(board.state.stacks.values())
