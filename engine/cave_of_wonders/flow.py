"""What happens in which order: a turn from its roll to its end, and the answers of the seat whose turn it is.

Every loop here takes a token out of the cave on its way, so sixty steps are the most between two stops.
"""

from engine.cave_of_wonders import actions
from engine.cave_of_wonders.actions import Action
from engine.cave_of_wonders.board.model import Flying, Moving, PlacingGenie, TurnOver
from engine.cave_of_wonders.board.verbs import Board
from engine.cave_of_wonders.endings import end_cause, finish_complete
from engine.cave_of_wonders.moves import landings, targets


def begin_turn(board: Board) -> None:
    """The next seat rolls at once (C13)."""
    _move(board, board.begin_turn())


def answer(board: Board, action: Action) -> None:
    """Takes the answer, which has been checked, and runs on."""
    match action:
        case actions.MoveAladdin(to):
            _pick_up(board, to, flew=False)
        case actions.Fly(to):
            _pick_up(board, to, flew=True)
        case actions.PlaceGenie(square):
            board.place_genie(square)
            _go_on(board, "genie")


def _move(board: Board, roll: int) -> None:
    """A choice if there is more than one landing; without any the game ends (C20, C21)."""
    state = board.state
    possible = list(landings(state.spaces, state.aladdin, roll, full_distance=state.full_distance))
    if not possible:
        board.be_stuck()
        finish_complete(board, "stuck")
    elif len(possible) == 1:
        _pick_up(board, possible[0], flew=False, unasked=True)
    else:
        state.frame = Moving(roll)


def _pick_up(board: Board, space: str, *, flew: bool, unasked: bool = False) -> None:
    """Move, flip, place and score; a genie waits for its square (C23, C33)."""
    state = board.state
    lying = state.spaces[space]
    assert lying is not None, space
    board.move_aladdin(space, flew=flew, unasked=unasked)
    if not lying.face_up:
        board.reveal()
    if lying.token.character == "genie":
        board.take_genie()
        state.frame = PlacingGenie()
    else:
        board.take()
        _go_on(board, lying.token.character)


def _go_on(board: Board, character: str) -> None:
    """A token has been scored: the game ends if its end has come (C42), or else its ability follows (C23)."""
    state = board.state
    cause = end_cause(state)
    if cause and not state.equal_turns:
        finish_complete(board, cause)
        return
    if cause and not state.is_last_round:
        board.call_last_round(cause)
    if character == "monkey":
        _move(board, board.roll_again())  # C37
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
        _pick_up(board, possible[0], flew=True, unasked=True)
    else:
        board.state.frame = Flying()


def _end_turn(board: Board) -> None:
    """A last round ends the game when all have had the same number of turns (C46)."""
    state = board.state
    if state.is_last_round and state.turn % state.seats == 0:
        finish_complete(board, "round")
    else:
        state.frame = TurnOver()
