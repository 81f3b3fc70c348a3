"""How a game ends and in which order the seats are ranked."""

from engine.cave_of_wonders.board.facts import GOAL
from engine.cave_of_wonders.board.model import State
from engine.cave_of_wonders.board.verbs import Board
from engine.cave_of_wonders.scoring import is_full
from engine.core import Ending, Seat, Text


def end_cause(state: State) -> str | None:
    """Which end the seat whose turn it is has brought about: "full" (C44), "fifty" (C42) or none."""
    if is_full(state.boards[state.active]):
        return "full"
    return "fifty" if state.scores[state.active] >= GOAL else None


def ranking(state: State) -> list[Seat]:
    """Best first: those who stayed, by points; equals in the order of play."""
    order = [(state.start + step) % state.seats for step in range(state.seats)]
    return sorted(order, key=lambda seat: (seat in state.resigned, -state.scores[seat]))


def winners(state: State) -> list[Seat]:
    """Everybody who has as many points as the first in the ranking shares the victory (C47)."""
    order = ranking(state)
    best = order[0]
    return [
        seat
        for seat in order
        if state.scores[seat] == state.scores[best] and (seat in state.resigned) == (best in state.resigned)
    ]


def finish_complete(board: Board, cause: str) -> None:
    """The rules' own end. `cause`: "fifty", "full", "stuck", or "round" when the last round is over (C45)."""
    state = board.state
    best = winners(state)
    code = f"{cause}-won" if len(best) == 1 else f"{cause}-tie"
    params = {
        "by": {"seat": state.active},
        "winners": {"seats": best},
        "points": {"points": state.scores[best[0]]},
    }
    board.finish(Ending.COMPLETE, best, ranking(state), Text(code, params))


def finish_abandoned(board: Board, seat: Seat) -> None:
    """The last person at the table ends the game (A99), against bots too."""
    others = [other for other in ranking(board.state) if other != seat]
    board.finish(Ending.ABANDONED, [seat], [seat, *others], Text("abandoned", {"winner": {"seat": seat}}))
