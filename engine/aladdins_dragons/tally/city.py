"""The city: only the strongest gets anything, in the tent the second strongest as well."""

from engine.aladdins_dragons.board.model import Camel, Market, State, Tent
from engine.aladdins_dragons.board.verbs import Board
from engine.core import Seat


def reward(board: Board, space: str) -> None:
    """Rewards or asks the strongest seat, if there is one (A33, A53, A57, A58, A59)."""
    ranking = board.state.rankings.get(space)
    if ranking is None:
        return
    seat = ranking.seats[0]
    match space:
        case "tent":
            _draw(board, seat, _second(board, ranking.seats))
        case "djinn":
            board.raise_allowance(seat)
        case "market":
            _ask_to_exchange(board, seat)
        case "caravanserai":
            board.state.agenda.append(Camel(seat))


def can_exchange(state: State, seat: Seat) -> bool:
    """Has the seat something to give, and the bank something for it (A44, A58)?"""
    return any(state.hoards[seat].values()) and any(state.bank.values())


def _ask_to_exchange(board: Board, seat: Seat) -> None:
    """Who has nothing to give keeps it unasked, where everybody can see that (A46)."""
    state = board.state
    if state.asks_less and state.open_hoards and not can_exchange(state, seat):
        board.keep_treasure(seat)
    else:
        state.agenda.append(Market(seat))


def _second(board: Board, seats: list[Seat]) -> Seat | None:
    """The next in strength with a token of his own in the tent (A53)."""
    present = {token.seat for token in board.state.spaces["tent"]}
    return next((seat for seat in seats[1:] if seat in present), None)


def _draw(board: Board, seat: Seat, second: Seat | None) -> None:
    """Two cards, of which the seat keeps one; of a single card there is nothing to choose (A53, A55)."""
    count = min(2, len(board.state.magic.spell_deck))
    cards = board.draw_spells(seat, count) if count else []
    if count == 2:
        board.state.agenda.append(Tent(seat, cards, second))
    elif cards:
        board.keep_spell(seat, cards[0], None, None)
