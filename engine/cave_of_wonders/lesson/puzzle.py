"""A roll of 2 in a cave that lies open: which landing brings most is found out by playing them."""

from engine.cave_of_wonders import flow
from engine.cave_of_wonders.actions import MoveAladdin
from engine.cave_of_wonders.board.facts import Token, square_of
from engine.cave_of_wonders.board.model import CaveToken, Moving, State, View
from engine.cave_of_wonders.board.setup import lay_out
from engine.cave_of_wonders.board.verbs import Board, copy_state
from engine.cave_of_wonders.lesson import told
from engine.cave_of_wonders.moves import landings
from engine.cave_of_wonders.questions import token_param
from engine.cave_of_wonders.views.view import view
from engine.core import Text
from engine.core.lessons import PuzzleAnswer

ME = 0
ALADDIN, ROLL = "E5", 2
OWN = [Token("ruby", 1), Token("ruby", 2), Token("ruby", 3), Token("ruby", 5), Token("topaz", 1), Token("sapphire", 1)]
CAVE = {
    "E6": Token("ruby", 4), "E7": Token("topaz", 5),
    "F5": Token("topaz", 3), "G5": Token("emerald", 1),
    "F4": Token("sapphire", 2), "G3": Token("emerald", 4),
    "E4": Token("sapphire", 3), "E3": Token("ruby", 5, "sorcerer"),
    "C3": Token("topaz", 2), "B2": Token("ruby", 4),
    "D5": Token("emerald", 3), "C5": Token("ruby", 3, "princess"),
}  # fmt: skip


def position() -> State:
    """A row of rubies lacks its 4."""
    state = lay_out(2, {}, "00" * 32, 1).state
    state.start, state.turn, state.favourites, state.aladdin = ME, 1, ["ruby", "topaz"], ALADDIN
    state.spaces = dict.fromkeys(state.spaces)
    state.spaces |= {space: CaveToken(token, face_up=True) for space, token in CAVE.items()}
    for token in OWN:
        state.boards[ME][square_of(token)].append(token)
    state.scores = [17, 15]
    state.frame = Moving(ROLL)
    return state


def seen() -> View:
    """What you see of it."""
    return view(position(), ME)


def choices() -> list[tuple[str, Text]]:
    """Where Aladdin may land."""
    return [
        (space, Text("lesson-choice", {"space": space, "token": _token(token)})) for space, token in _reach().items()
    ]


def _reach() -> dict[str, Token]:
    state = position()
    found = {space: state.spaces[space] for space in landings(state.spaces, ALADDIN, ROLL, full_distance=False)}
    return {space: lying.token for space, lying in found.items() if lying}


def _token(token: Token) -> dict[str, object]:
    return dict(token_param(token.kind, token.number, token.character))


def solve(choice: str) -> PuzzleAnswer:
    """Goes there; right is what brings most."""
    start = position()
    scores: dict[str, int] = {}
    said: list[Text] = []
    for space in _reach():
        board = Board(copy_state(start))
        flow.answer(board, MoveAladdin(space))
        scores[space] = board.state.scores[ME]
        if space == choice:
            said = told.own_turn(board.events)[1:]  # without the way
    is_right = scores[choice] == max(scores.values())
    return PuzzleAnswer(is_right, said if is_right else [*said, Text("lesson-less")])
