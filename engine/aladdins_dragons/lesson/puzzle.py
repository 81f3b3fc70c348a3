"""A position with one token left to place: which space brings the artifact is found out by playing it."""

from random import Random

from engine.aladdins_dragons import flow, questions
from engine.aladdins_dragons.actions import Action, Place
from engine.aladdins_dragons.board.model import Boundary, Placing, State, Token
from engine.aladdins_dragons.board.setup import OPTIONS, lay_out
from engine.aladdins_dragons.board.verbs import Board
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.bots.greedy import GreedyBot
from engine.aladdins_dragons.lesson.told import OwnTally
from engine.aladdins_dragons.views.view import view
from engine.core import Text
from engine.core.lessons import PuzzleAnswer
from engine.core.rule_set import chosen_options

ME, BEN, CARLA = range(3)
TOKEN = 4
CHOICES = ("market", "caravanserai", "guard", "room-2")
ROWS = {
    "market": [(BEN, 7)],
    "caravanserai": [(BEN, 2)],
    "guard": [(ME, 7), (BEN, 8), (CARLA, 9)],
    "room-2": [(BEN, 5), (ME, 5), (CARLA, 1)],
}
HOARDS = ({"pearl": 5, "crown": 1}, {"gold": 6, "gem": 2}, {"trophy": 4})


def position() -> State:
    """The last artifact of the game is for sale; you and Ben are equal there, and Ben has the camel."""
    board = lay_out(3, chosen_options(OPTIONS, {"version": "basic"}), "00" * 32, 2)
    state = board.state
    state.agenda.clear()
    board.begin_round()
    board.post_guard()
    state.camel, state.guard, state.is_guard_shown = BEN, 6, True
    state.hands = [[TOKEN], [], []]
    state.turns = [7, 8, 8]
    for space, row in ROWS.items():
        state.spaces[space] = [Token(seat, value, face_up=True) for seat, value in row]
    for seat, hoard in enumerate(HOARDS):
        board.take(seat, hoard, "start")
    sold = [state.stacks[room].pop() for room in ("room-1", "room-3") for _ in range(6)]
    sold += [state.stacks["room-2"].pop() for _ in range(5)]
    for number, artifact in enumerate(sold):
        state.artifacts[number % 2 if number < 12 else CARLA].append(artifact)
    state.agenda += [*flow.tally_agenda(state), Boundary("placing"), Placing(ME)]
    return state


def seen() -> View:
    """What you see of it."""
    return view(position(), ME)


def choices() -> list[tuple[str, Text]]:
    """Where the token may go."""
    return [(space, Text("lesson-choice", {"at": {"at": space}})) for space in CHOICES]


def solve(choice: str) -> PuzzleAnswer:
    """Places the token and plays the tally; everybody answers for himself as a bot does, you take the camel and buy."""
    if choice not in CHOICES:
        raise KeyError(choice)
    state = position()
    before = len(state.artifacts[ME])
    board = Board(state)
    _answer(board, ME, Place(TOKEN, choice))
    state.agenda.pop()  # the boundary after placing
    flow.run(board)
    while asked := questions.decisions(state):
        seat = asked[0].seat
        question = questions.question(state, asked[0])
        _answer(board, seat, GreedyBot().choose(view(state, seat), question, Random(0)))
    tally = OwnTally(ME, board.events, HOARDS[ME])
    told = [*(tally.city() if choice in ("market", "caravanserai") else []), *tally.palace(), *tally.rooms()]
    return PuzzleAnswer(len(state.artifacts[ME]) > before, told)


def _answer(board: Board, seat: int, action: Action) -> None:
    flow.answer(board, seat, action)
    flow.run(board)
