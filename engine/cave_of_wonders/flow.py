"""What happens in which order: a turn from its roll to its end, and the answers of the seat whose turn it is.

Every loop here takes a token out of the cave on its way, so sixty steps are the most between two stops.
"""

from engine.cave_of_wonders import actions
from engine.cave_of_wonders.actions import Action
from engine.cave_of_wonders.board import Board
from engine.cave_of_wonders.endings import end_cause, finish_complete
from engine.cave_of_wonders.facts import square_of
from engine.cave_of_wonders.model import Flying, Moving, TurnOver, Wishing
from engine.cave_of_wonders.moves import landings, targets


def begin_turn(board: Board) -> None:
    """The next seat rolls at once (C13)."""
    board.begin_turn()
    _roll(board)


def answer(board: Board, action: Action) -> None:
    """Takes the answer, which has been checked, and runs on."""
    match action:
        case actions.Move(to):
            _pick_up(board, to, flew=False)
        case actions.Fly(to):
            _pick_up(board, to, flew=True)
        case actions.PlaceGenie(square):
            _place(board, square)


def _roll(board: Board) -> None:
    """A roll, and a choice if there is more than one landing. Without any the game ends (C20, C21)."""
    state, roll = board.state, board.roll()
    possible = list(landings(state.spaces, state.aladdin, roll, full_distance=state.full_distance))
    if not possible:
        board.be_stuck()
        finish_complete(board, "stuck")
    elif len(possible) == 1:
        _pick_up(board, possible[0], flew=False)
    else:
        state.frame = Moving(roll)


def _pick_up(board: Board, space: str, *, flew: bool) -> None:
    """Move, flip, take and place; a genie waits for its square (C23, C33)."""
    state = board.state
    lying = state.spaces[space]
    assert lying is not None, space
    board.move_aladdin(space, flew=flew)
    if not lying.face_up:
        board.reveal()
    board.take()
    if lying.token.character == "genie":
        state.frame = Wishing()
    else:
        _place(board, square_of(lying.token))


def _place(board: Board, square: str) -> None:
    """The points come first, then the end of the game if it has come (C42), the ability last (C23)."""
    state = board.state
    assert state.held is not None
    character = state.held.character
    board.place(square)
    cause = end_cause(state)
    if cause and not state.equal_turns:
        finish_complete(board, cause)
        return
    if cause and not state.is_last_round:
        board.call_last_round(cause)
    if character == "monkey":
        _roll(board)  # C37
    elif character == "carpet":
        _fly(board)
    else:
        _end_turn(board)


def _fly(board: Board) -> None:
    """A choice if there is more than one target (C38); without any the ability lapses (C39)."""
    possible = targets(board.state.spaces)
    if not possible:
        board.let_carpet_lapse()
        _end_turn(board)
    elif len(possible) == 1:
        _pick_up(board, possible[0], flew=True)
    else:
        board.state.frame = Flying()


def _end_turn(board: Board) -> None:
    """A last round ends the game when all have had the same number of turns (C46)."""
    state = board.state
    board.end_turn()
    if state.is_last_round and state.turn % state.seats == 0:
        finish_complete(board, "round")
    else:
        state.frame = TurnOver()
