"""The rules of the Cave of Wonders: every part of the game, in the places that `engine.rules.Rules` has for them."""

from collections.abc import Callable, Mapping, Sequence
from random import Random

import msgspec

from engine.cave_of_wonders import flow, questions
from engine.cave_of_wonders.bots import BOTS, chances, propose, try_answers
from engine.cave_of_wonders.describe import describe, pieces
from engine.cave_of_wonders.events import Event
from engine.cave_of_wonders.facts import SQUARES
from engine.cave_of_wonders.flow import DAYS, OPTIONS, SEAT_COUNTS, Board, finish_abandoned, lay_out
from engine.cave_of_wonders.lesson import CaveLesson
from engine.cave_of_wonders.model import (
    Action,
    Fly,
    Flying,
    MoveAladdin,
    Moving,
    PlaceGenie,
    State,
    TurnOver,
    View,
    to_action,
)
from engine.cave_of_wonders.orders import CaveVocabulary
from engine.cave_of_wonders.picture import picture
from engine.cave_of_wonders.questions import explain
from engine.cave_of_wonders.recaps import figures, recap, standings, story
from engine.cave_of_wonders.scoring import landings, targets
from engine.cave_of_wonders.views import determinise, opens_scene, reshuffle, still, view
from engine.cave_of_wonders.words import Words
from engine.core import Days, Decision, IllegalAction, Question, Seat, TableOption, Text
from engine.core.answers import check_answer
from engine.core.lessons import FirstGame, Lesson, PuzzleKind
from engine.orders.model import Vocabulary
from engine.rules import Bot, Rules


class CaveOfWonders(Rules[State, Action, Event, View]):
    """The rule set; it holds no game itself. Methods as in `engine.rules.Rules`."""

    to_action = staticmethod(to_action)
    board: Callable[[State], Board] = staticmethod(Board)
    answer = staticmethod(flow.answer)
    run_on = staticmethod(flow.begin_turn)
    leave_to = staticmethod(finish_abandoned)
    words = Words

    name = "cave-of-wonders"
    version = 1
    title = Text("title")
    seat_counts: Sequence[int] = SEAT_COUNTS
    options: Sequence[TableOption] = OPTIONS
    bots: Mapping[str, Bot[View]] = BOTS
    vocabulary: Vocabulary[State, View] = CaveVocabulary()
    lesson: Lesson[View, Event] = CaveLesson()
    first_game = FirstGame(2, {}, 4)
    puzzles = {
        kind: PuzzleKind(Text(f"puzzle-{kind}"), Text(f"puzzle-hint-{kind}")) for kind in ("move", "carpet", "genie")
    }
    foresight = 4  # a round of the table, or two of them

    # Each is done where it belongs

    pieces = staticmethod(pieces)
    game_decisions = staticmethod(questions.decisions)
    game_view = staticmethod(view)
    still = staticmethod(still)
    opens_scene = staticmethod(opens_scene)
    game_determinise = staticmethod(determinise)
    reshuffle = staticmethod(reshuffle)
    story = staticmethod(story)
    game_recap = staticmethod(recap)
    standings = staticmethod(standings)
    game_describe = staticmethod(describe)
    picture = staticmethod(picture)
    propose = staticmethod(propose)
    chances = staticmethod(chances)
    try_answers = staticmethod(try_answers)
    figures = staticmethod(figures)

    def days(self, seats: int, options: Mapping[str, str], *, proposals: bool) -> Days | None:
        """How long a game takes with a day a move: proposals save no question here."""
        return DAYS.get(seats)

    def new(self, seats: int, options: Mapping[str, str], seed: str) -> tuple[State, list[Event]]:
        """A cave filled, and the first seat's roll on the table."""
        board = lay_out(seats, options, seed, self.version)
        flow.begin_turn(board)
        return board.state, board.events

    def next_seat(self, view: View) -> Seat | None:
        """The next seat clockwise that has not resigned; None in the last turn of the last round."""
        asked = {decision.seat for decision in view.asked if decision.prompted}
        if asked != {view.active} or (view.is_last_round and view.turn % view.seats == 0):
            return None
        order = [(view.active + step) % view.seats for step in range(1, view.seats)]
        return next((seat for seat in order if seat not in view.resigned), None)

    def is_at_boundary(self, state: State) -> bool:
        """True when a turn is over."""
        return isinstance(state.frame, TurnOver)

    def game_question(self, state: State, decision: Decision) -> Question:
        """An open decision as its own seat sees it."""
        return questions.question(view(state, None), decision)

    def game_check(self, state: State, question: Question, action: Action) -> None:
        """Raises IllegalAction unless the question allows exactly this, with the exact reason if there is one."""
        try:
            check_answer(question, msgspec.to_builtins(action))
        except IllegalAction:
            explain(view(state, None), action)
            raise

    def game_default(self, state: State, decision: Decision) -> Action:
        """The deadline's answer (C50)."""
        return questions.default(view(state, None))

    def game_draw(self, state: State, decision: Decision, random: Random) -> Action:
        """A legal answer to the open decision, from what `questions` makes its options of."""
        match state.frame:
            case Moving(roll):
                spaces = landings(state.spaces, state.aladdin, roll, full_distance=state.full_distance)
                return MoveAladdin(random.choice(list(spaces)))
            case Flying():
                return Fly(random.choice(targets(state.spaces)))
            case _:
                return PlaceGenie(random.choice(SQUARES))
