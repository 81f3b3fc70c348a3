"""How a game ends and in which order the seats are ranked."""

from engine.aladdins_dragons.board.model import State
from engine.aladdins_dragons.board.verbs import Board
from engine.core import Ending, Seat, Text


def ranking(state: State) -> list[Seat]:
    """Best first: those who stayed, by artifacts, then scrolls (A96), then sequence from the camel (A97)."""
    sequence = state.sequence()
    return sorted(
        sequence, key=lambda seat: (seat in state.resigned, -len(state.artifacts[seat]), -scrolls(state, seat))
    )


def scrolls(state: State, seat: Seat) -> int:
    """The scrolls of a seat; they count in the magic version only."""
    return state.artifacts[seat].count("scroll") if state.has_magic else 0


def finish_complete(board: Board) -> None:
    """The last artifact of all rooms is bought (A94)."""
    _finish(board, Ending.COMPLETE, "won")


def finish_stopped(board: Board) -> None:
    """The safety stop (A19)."""
    _finish(board, Ending.STOPPED, "stopped")


def _finish(board: Board, ending: Ending, code: str) -> None:
    order = ranking(board.state)
    counts = [len(board.state.artifacts[seat]) for seat in order]
    is_tied = counts[0] == counts[1] and order[1] not in board.state.resigned
    params = {"winner": {"seat": order[0]}, "artifacts": counts[0]}
    first, second = (scrolls(board.state, seat) for seat in order[:2])
    if is_tied and first > second:
        reason = Text(f"{code}-scrolls", {**params, "scrolls": first})
    else:
        reason = Text(f"{code}-tie" if is_tied else code, params)
    board.finish(ending, order, reason)


def finish_abandoned(board: Board, seat: Seat) -> None:
    """The last person at the table ends the game (A99), against bots too."""
    others = [other for other in ranking(board.state) if other != seat]
    board.finish(Ending.ABANDONED, [seat, *others], Text("abandoned", {"winner": {"seat": seat}}))
