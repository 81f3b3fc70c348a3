"""The palace guard: nobody competes here; who is strong enough enters, the others may pay the difference."""

from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.facts import GUARD, rooms
from engine.aladdins_dragons.model import Bribes, Eviction, Ranking
from engine.core import Seat


def reward(board: Board) -> None:
    """Admits the strong (A61), then asks the others with tokens here in player sequence, rich or not (A63)."""
    state = board.state
    strengths = _strengths(state.rankings.get(GUARD))
    for seat in state.sequence():
        if strengths.get(seat, 0) >= state.guard:
            board.admit(seat, bribed=False)
    waiting = [seat for seat in state.sequence() if seat in strengths and seat not in state.admitted]
    state.agenda.append(Eviction())
    if waiting:
        state.agenda.append(Bribes(waiting))


def _strengths(ranking: Ranking | None) -> dict[Seat, int]:
    return dict(zip(ranking.seats, ranking.totals, strict=True)) if ranking else {}


def evict(board: Board) -> None:
    """Who is not in the palace takes his tokens out of its rooms, unseen (A68)."""
    state = board.state
    for seat in state.sequence():
        has_tokens = any(token.seat == seat for room in rooms(state.seats) for token in state.spaces[room])
        if has_tokens and seat not in state.admitted:
            board.evict(seat)
