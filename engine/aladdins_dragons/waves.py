"""Faster tables: several tokens at a time, of one seat in its turn or of everybody at once (table options).

What a seat chooses stays sealed, and can be taken back, until everybody in the wave has chosen; then all of it is laid
out in player order. Whatever is declared in between starts the wave anew, for it may change where tokens can go.
"""

from msgspec.structs import replace

from engine.aladdins_dragons.actions import Action, Forfeit, Place, StartOver
from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.model import Placing, State, View, Wave
from engine.core import Decision, Seat
from engine.core.games import copied


def first(state: State) -> Placing:
    """The frame with which placing begins."""
    if not state.has_tempo:
        return Placing(state.camel)
    return _wave(state, state.camel, 1)


def _wave(state: State, seat: Seat, number: int) -> Wave:
    able = [other for other in state.sequence() if _left(state, other)]
    seats = able if state.tempo.has_waves else [seat]
    return Wave(seat, number, seats, [[] for _ in seats])


def _left(state: State, seat: Seat) -> int:
    """Tokens the seat has yet to place (A21)."""
    return len(state.hands[seat]) - state.forfeits[seat]


def quota(state: State, seat: Seat) -> int:
    """How many the seat chooses in this wave."""
    return min(state.tempo.tokens, _left(state, seat))


def placements(state: State, frame: Placing) -> list[Decision]:
    """One token of one seat (A20), or a decision for each seat of a wave and all its tokens there.

    The id of a wave counts waves and declarations, which everybody can see.
    """
    if not isinstance(frame, Wave):
        return [Decision(f"{state.round_id}-place-{frame.seat}-{state.turns[frame.seat] + 1}", frame.seat, "place")]
    wave = frame
    declared = f"-{state.magic.declared}" if state.has_magic else ""
    name = f"{state.round_id}-wave-{wave.number}{declared}"
    return [
        Decision(name, seat, "place", True, len(chosen) < quota(state, seat))
        for seat, chosen in zip(wave.seats, wave.chosen, strict=True)
    ]


def answer(board: Board, wave: Wave, seat: Seat, action: Action) -> None:
    """Takes one choice; with the last one of all everything is laid out."""
    state, chosen = board.state, wave.chosen[wave.seats.index(seat)]
    match action:
        case Place(token, space):
            chosen.append((token, space))
        case StartOver():
            chosen.clear()
        case Forfeit():
            chosen += [(0, "")] * (quota(state, seat) - len(chosen))
        case _:
            raise AssertionError(action)
    if all(len(mine) == quota(state, other) for other, mine in zip(wave.seats, wave.chosen, strict=True)):
        _lay_out(board, wave)


def start_anew(frame: Placing) -> None:
    """Something has been declared: everybody in a wave chooses again."""
    if isinstance(frame, Wave):
        frame.chosen = [[] for _ in frame.seats]


def _lay_out(board: Board, wave: Wave) -> None:
    state = board.state
    for seat, chosen in zip(wave.seats, wave.chosen, strict=True):
        for token, space in chosen:
            if space:
                board.place(seat, token, space)
            else:
                board.forfeit(seat)
    state.agenda.pop()
    following = [(wave.seat + step) % state.seats for step in range(1, state.seats + 1)]
    able = [seat for seat in following if _left(state, seat)]
    if able:
        state.agenda.append(_wave(state, able[0], wave.number + 1))
    else:
        board.end_placing()


def own_choice(state: State | View, seat: Seat | None) -> list[tuple[int, str]]:
    """Returns what the seat has chosen in the wave that is open, forfeits left out."""
    frame = state.agenda[-1] if state.agenda else None
    if not isinstance(frame, Wave) or seat not in frame.seats:
        return []
    return [(token, space) for token, space in frame.chosen[frame.seats.index(seat)] if space]


def redacted(wave: Wave, viewer: Seat | None) -> Wave:
    """The wave with the viewer's own choice alone."""
    mine = [list(chosen) if seat == viewer else [] for seat, chosen in zip(wave.seats, wave.chosen, strict=True)]
    return replace(wave, seats=list(wave.seats), chosen=mine)


def as_seen(state: State, seat: Seat | None) -> State:
    """The state as the seat sees it: what it has chosen lies there already."""
    chosen = own_choice(state, seat)
    if not chosen or seat is None:
        return state
    board = Board(copied(state))
    for token, space in chosen:
        board.place(seat, token, space)
        board.state.turns[seat] -= 1
    return board.state


def as_it_is(view: View) -> View:
    """The view without what its seat has chosen: what everybody else sees."""
    chosen = own_choice(view, view.seat)
    if not chosen or view.hand is None:
        return view
    spaces = {space: list(row) for space, row in view.spaces.items()}
    for token, space in reversed(chosen):
        spaces[space].remove(next(lying for lying in spaces[space] if (lying.seat, lying.value) == (view.seat, token)))
    hand = sorted([*view.hand, *(token for token, _ in chosen)])
    return replace(view, hand=hand, spaces=spaces)
