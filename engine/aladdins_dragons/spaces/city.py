"""The city: only the strongest gets anything."""

from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.model import Camel, Market
from engine.core import Seat


def reward(board: Board, space: str) -> None:
    """Asks the strongest seat, if there is one (A33, A58, A59)."""
    ranking = board.state.rankings.get(space)
    if ranking is None:
        return
    board.state.agenda.append(_frame(space, ranking.seats[0]))


def _frame(space: str, seat: Seat) -> Market | Camel:
    match space:
        case "market":
            return Market(seat)
        case "caravanserai":
            return Camel(seat)
    raise AssertionError(space)  # A26: the tent and the Djinn are closed in the basic version
