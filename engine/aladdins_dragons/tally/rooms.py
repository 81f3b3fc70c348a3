"""The palace rooms: the strongest is the first to be offered the artifact, at the price of his own tokens."""

from engine.aladdins_dragons.board.model import Purchase, State
from engine.aladdins_dragons.board.verbs import Board
from engine.aladdins_dragons.tally.payments import can_pay
from engine.core import Seat


def reward(board: Board, room: str) -> None:
    """Offers it to the seats by rank (A70). A room without tokens is skipped."""
    ranking = board.state.rankings.get(room)
    if ranking is not None:
        board.state.agenda.append(Purchase(room, list(ranking.seats)))


def is_asked(state: State, seat: Seat, room: str) -> bool:
    """Who cannot pay is not, where everybody can see that (A46); else who is not would show how rich he is (A63)."""
    return not state.asks_less or not state.open_hoards or can_pay(state, seat, room)


def go_on(board: Board, frame: Purchase) -> None:
    """The first of those waiting cannot pay; whoever comes next may. Off the agenda when called."""
    seat, *rest = frame.waiting
    board.decline(seat, frame.room)
    if rest:
        board.state.agenda.append(Purchase(frame.room, rest))
    else:
        board.leave_unsold(frame.room)


def is_sold_out(board: Board) -> bool:
    """True when no room has an artifact left (A94)."""
    return not any(board.state.stacks.values())
