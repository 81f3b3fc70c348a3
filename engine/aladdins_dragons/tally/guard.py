"""The palace guard: nobody competes here; who is strong enough enters, the others may pay the difference."""

from engine.aladdins_dragons.board import effects
from engine.aladdins_dragons.board.facts import GUARD, rooms
from engine.aladdins_dragons.board.model import Bribes, Eviction, Ranking, State
from engine.aladdins_dragons.board.verbs import Board
from engine.aladdins_dragons.cards import windows
from engine.aladdins_dragons.cards.deck import ARTIFACTS
from engine.core import Seat


def reward(board: Board) -> None:
    """Admits the strong (A61), then asks the others with tokens here in player sequence, rich or not (A63)."""
    state = board.state
    strengths = _strengths(state.rankings.get(GUARD))
    for seat in state.sequence():
        if strengths.get(seat, 0) >= state.guard:
            board.admit(seat, bribed=False)
    waiting = [seat for seat in state.sequence() if seat not in state.admitted]
    if not state.has_magic:
        waiting = [seat for seat in waiting if seat in strengths]
    state.agenda.append(Eviction())
    if waiting:
        state.agenda.append(Bribes(waiting))


def is_asked(state: State, seat: Seat) -> bool:
    """Is the seat asked at the guard, as far as everybody can see (A63)?

    With tokens there always. Without any if it may use an artifact at all, whatever tiles it is known to have; or if it
    has a lamp lit and a spell after an opponent has used what lets one in (S13).
    """
    if not state.has_magic or effects.own_tokens(state, seat, GUARD):
        return seat not in state.admitted
    if seat in state.admitted:
        return False
    if windows.has_use(state, seat):
        return True
    others = [name for other, used in enumerate(state.magic.used) if other != seat for name in used]
    has_seen_entry = any(windows.ENTRY in ARTIFACTS[name].moments for name in others)
    return has_seen_entry and windows.is_lit(state, seat) and bool(state.magic.spells[seat])


def go_on(board: Board, frame: Bribes) -> None:
    """The first of those waiting is not asked after all; whoever comes next may be. Off the agenda when called."""
    rest = frame.waiting[1:]
    if rest:
        board.state.agenda.append(Bribes(rest))


def _strengths(ranking: Ranking | None) -> dict[Seat, int]:
    return dict(zip(ranking.seats, ranking.totals, strict=True)) if ranking else {}


def evict(board: Board) -> None:
    """Who is not in the palace takes his tokens out of its rooms, unseen (A68)."""
    state = board.state
    for seat in state.sequence():
        has_tokens = any(token.seat == seat for room in rooms(state.seats) for token in state.spaces[room])
        if has_tokens and seat not in state.admitted:
            board.evict(seat)
