"""The Cave of Wonders behind the `Rules` protocol: every door of the game."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random

import msgspec

from engine.cave_of_wonders import flow, questions
from engine.cave_of_wonders.actions import Action, Fly, MoveAladdin, PlaceGenie, to_action
from engine.cave_of_wonders.board.events import Event
from engine.cave_of_wonders.board.facts import SQUARES
from engine.cave_of_wonders.board.model import Flying, Moving, State, TurnOver, View
from engine.cave_of_wonders.board.setup import DAYS, OPTIONS, SEAT_COUNTS, lay_out
from engine.cave_of_wonders.board.verbs import Board, copy_state
from engine.cave_of_wonders.bots import BOTS
from engine.cave_of_wonders.bots.chances import chances
from engine.cave_of_wonders.endings import finish_abandoned
from engine.cave_of_wonders.lesson.course import CaveLesson
from engine.cave_of_wonders.moves import landings, targets
from engine.cave_of_wonders.picture.board import picture
from engine.cave_of_wonders.pieces import pieces
from engine.cave_of_wonders.proposals import propose
from engine.cave_of_wonders.refusals import explain
from engine.cave_of_wonders.text.describe import describe
from engine.cave_of_wonders.text.figures import figures
from engine.cave_of_wonders.text.recap import recap, standings
from engine.cave_of_wonders.text.story import story
from engine.cave_of_wonders.text.words import say
from engine.cave_of_wonders.views.determinise import determinise
from engine.cave_of_wonders.views.redeal import redeal
from engine.cave_of_wonders.views.scenes import opens_scene
from engine.cave_of_wonders.views.view import still, view
from engine.core import (
    Bot,
    Days,
    Decision,
    Figures,
    IllegalAction,
    JsonObject,
    Question,
    Seat,
    TableOption,
    Text,
)
from engine.core.answers import check_answer
from engine.core.lessons import Lesson
from engine.core.rule_set import RuleSet

_action_json: msgspec.json.Decoder[Action] = msgspec.json.Decoder(Action)


class CaveOfWonders(RuleSet[State, Action, Event, View]):
    """The rule set; it holds no game itself. Methods as in `engine.core.Rules`."""

    state_json = msgspec.json.Decoder(State)
    events_json: msgspec.json.Decoder[list[Event]] = msgspec.json.Decoder(list[Event])
    to_action = staticmethod(to_action)
    copy = staticmethod(copy_state)
    board: Callable[[State], Board] = staticmethod(Board)

    name = "cave-of-wonders"
    version = 1
    title = Text("title")
    seat_counts: Sequence[int] = SEAT_COUNTS
    options: Sequence[TableOption] = OPTIONS
    bots: Mapping[str, Bot[View]] = BOTS
    lesson: Lesson[View, Event] = CaveLesson()
    has_tally = False
    foresight = 4  # a round of the table, or two of them

    # Doors that lead straight to where it is done

    pieces = staticmethod(pieces)
    decisions = staticmethod(questions.decisions)
    find = staticmethod(questions.find)
    view = staticmethod(view)
    still = staticmethod(still)
    opens_scene = staticmethod(opens_scene)
    determinise = staticmethod(determinise)
    story = staticmethod(story)
    recap = staticmethod(recap)
    standings = staticmethod(standings)
    describe = staticmethod(describe)
    picture = staticmethod(picture)
    propose = staticmethod(propose)
    chances = staticmethod(chances)
    say = staticmethod(say)
    figures = staticmethod(figures)
    dump_action = staticmethod(msgspec.json.encode)
    load_action = staticmethod(_action_json.decode)

    def days(self, seats: int, options: Mapping[str, str], *, proposals: bool) -> Days | None:
        """How long a game takes with a day a move: proposals save no question here."""
        return DAYS.get(seats)

    def new(self, seats: int, options: Mapping[str, str], seed: str) -> tuple[State, list[Event]]:
        """A cave filled, and the first seat's roll on the table."""
        board = lay_out(seats, options, seed, self.version)
        flow.begin_turn(board)
        return board.state, board.events

    def is_advance_pending(self, state: State) -> bool:
        """True when a turn is over."""
        return isinstance(state.frame, TurnOver)

    def parse(self, raw: object) -> Action:
        """The player's action in `raw`. Raises IllegalAction with the path."""
        try:
            return to_action(_object(raw))
        except msgspec.ValidationError as error:
            raise IllegalAction("malformed", detail=str(error)) from error

    def check(self, state: State, decision: str, seat: Seat, action: Action) -> None:
        """Raises StaleDecision or IllegalAction if `apply` would refuse."""
        found = questions.find(state, decision, seat)
        seen = view(state, None)
        explain(seen, action)
        check_answer(questions.question(seen, found), msgspec.to_builtins(action))

    def default(self, state: State, decision: Decision) -> Action:
        """What the deadline answers (C50). Raises StaleDecision if the decision is not open."""
        questions.find(state, decision.id, decision.seat)
        return questions.default(view(state, None))

    def draw(self, state: State, decision: Decision, random: Random) -> Action:
        """A legal answer to the open decision, from what `questions` makes its options of."""
        match state.frame:
            case Moving(roll):
                spaces = landings(state.spaces, state.aladdin, roll, full_distance=state.full_distance)
                return MoveAladdin(random.choice(list(spaces)))
            case Flying():
                return Fly(random.choice(targets(state.spaces)))
            case _:
                return PlaceGenie(random.choice(SQUARES))

    def play(self, state: State, seat: Seat, action: Action) -> list[Event]:
        """Answers a decision and runs on, in place."""
        board = self.board(state)
        flow.answer(board, action)
        return board.events

    def cross(self, state: State) -> list[Event]:
        """Begins the next turn, in place."""
        board = self.board(state)
        flow.begin_turn(board)
        return board.events

    def give_up(self, state: State, seat: Seat) -> list[Event]:
        """Marks the seat as resigned, in place."""
        board = self.board(state)
        board.resign(seat)
        return board.events

    def abandon(self, state: State, seat: Seat) -> list[Event]:
        """Ends the game in favour of the seat, in place."""
        board = self.board(state)
        finish_abandoned(board, seat)
        return board.events

    def question(self, state: State, decision: str, seat: Seat) -> Question:
        """The question open to a seat. Raises StaleDecision if there is none."""
        found = questions.find(state, decision, seat)
        return questions.question(view(state, None), found)

    def redact(self, event: Event, seat: Seat | None) -> Event | None:
        """The event as that viewer may see it: all of it, for whatever happens here happens openly (C49)."""
        return event

    def redeal(self, state: State, seed: str, branch: int) -> State:
        """The same position with fresh randomness."""
        return redeal(copy_state(state), seed, branch)

    def last_tally(self, seen: Iterable[object], seats: int) -> Figures | None:
        """There is none in this game."""
        return None


def _object(raw: object) -> JsonObject:
    if not isinstance(raw, dict):
        raise msgspec.ValidationError("Expected `object`")
    return raw
