"""The palace guard: nobody competes here; who is strong enough enters, the others may pay the difference."""

from engine.aladdins_dragons.board import effects
from engine.aladdins_dragons.board.facts import GUARD, rooms
from engine.aladdins_dragons.board.model import Bribes, Eviction, Ranking, State
from engine.aladdins_dragons.board.verbs import Board
from engine.aladdins_dragons.cards import windows
from engine.aladdins_dragons.cards.deck import ARTIFACTS, LAMP
from engine.core import Seat


def reward(board: Board) -> None:
    """Admits the strong (A61), then asks the others in player sequence (A63)."""
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

    If it can bribe, or could have something that lets it in. Where hoards are hidden whoever has tokens there is asked:
    who is not would show how rich he is (A46).
    """
    if not state.asks_less:
        return _was_asked(state, seat)
    return seat not in state.admitted and (_could_bribe(state, seat) or _could_unlock(state, seat))


def missing_at_guard(state: State, seat: Seat) -> int:
    """What its tokens there lack."""
    return state.guard - sum(token.value for token in effects.own_tokens(state, seat, GUARD))


def _could_bribe(state: State, seat: Seat) -> bool:
    has_tokens = bool(effects.own_tokens(state, seat, GUARD))
    is_known_poor = state.open_hoards and sum(state.hoards[seat].values()) < missing_at_guard(state, seat)
    return has_tokens and not is_known_poor


def _could_unlock(state: State, seat: Seat) -> bool:
    """With a tile that it may have, or with its power borrowed by a spell once an opponent has used one (S13)."""
    if not state.has_magic:
        return False
    tiles = windows.could_have(state, seat) if windows.has_use(state, seat) else []
    if any(windows.ENTRY in ARTIFACTS[name].moments for name in tiles):
        return True
    has_light = windows.is_lit(state, seat) or LAMP in tiles
    return has_light and bool(state.magic.spells[seat]) and _has_seen_entry(state, seat)


def _has_seen_entry(state: State, seat: Seat) -> bool:
    """An opponent has used what lets one in."""
    others = [name for other, used in enumerate(state.magic.used) if other != seat for name in used]
    return any(windows.ENTRY in ARTIFACTS[name].moments for name in others)


def _was_asked(state: State, seat: Seat) -> bool:
    """As `is_asked`, in version 1: with tokens there always; without any if it may use an artifact at all."""
    if not state.has_magic or effects.own_tokens(state, seat, GUARD):
        return seat not in state.admitted
    if seat in state.admitted:
        return False
    if windows.has_use(state, seat):
        return True
    return _has_seen_entry(state, seat) and windows.is_lit(state, seat) and bool(state.magic.spells[seat])


def go_on(board: Board, frame: Bribes) -> None:
    """The first of those waiting, if any is left, is not asked after all. Off the agenda when called."""
    state, rest = board.state, frame.waiting[1:]
    for seat in frame.waiting[:1]:
        if state.asks_less and seat not in state.admitted and effects.own_tokens(state, seat, GUARD):
            board.stay_out(seat)
    if rest:
        state.agenda.append(Bribes(rest))


def _strengths(ranking: Ranking | None) -> dict[Seat, int]:
    return dict(zip(ranking.seats, ranking.totals, strict=True)) if ranking else {}


def evict(board: Board) -> None:
    """Who is not in the palace takes his tokens out of its rooms, unseen (A68)."""
    state = board.state
    for seat in state.sequence():
        has_tokens = any(token.seat == seat for room in rooms(state.seats) for token in state.spaces[room])
        if has_tokens and seat not in state.admitted:
            board.evict(seat)
