"""Aladdin's Dragons behind the `Rules` protocol: every door of the game."""

from collections.abc import Callable, Mapping, Sequence
from random import Random

import msgspec

from engine.aladdins_dragons import flow, questions
from engine.aladdins_dragons.actions import Action, Forfeit, PlayerAction, load_action, to_action, to_answer
from engine.aladdins_dragons.board.events import Event
from engine.aladdins_dragons.board.model import Boundary, State
from engine.aladdins_dragons.board.setup import OPTIONS, SEAT_COUNTS, days, lay_out
from engine.aladdins_dragons.board.verbs import Board, copy_state
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.bots import BOTS
from engine.aladdins_dragons.bots.chances import chances
from engine.aladdins_dragons.bots.quick import quick_answer
from engine.aladdins_dragons.lesson.course import DragonsLesson
from engine.aladdins_dragons.picture.board import picture
from engine.aladdins_dragons.pieces import pieces
from engine.aladdins_dragons.proposals.propose import propose
from engine.aladdins_dragons.tally.endings import finish_abandoned
from engine.aladdins_dragons.text.describe import describe
from engine.aladdins_dragons.text.figures import figures, last_tally
from engine.aladdins_dragons.text.recap import recap, standings
from engine.aladdins_dragons.text.story import story
from engine.aladdins_dragons.text.words import say
from engine.aladdins_dragons.views.determinise import determinise
from engine.aladdins_dragons.views.redeal import redeal
from engine.aladdins_dragons.views.scenes import begins_tally, opens_scene
from engine.aladdins_dragons.views.view import redact, still, view
from engine.core import (
    Bot,
    Decision,
    IllegalAction,
    JsonObject,
    Question,
    Seat,
    TableOption,
    Text,
)
from engine.core.lessons import Lesson
from engine.core.rule_set import RuleSet, chosen_options


class AladdinsDragons(RuleSet[State, Action, Event, View]):
    """The rule set; it holds no game itself. Methods as in `engine.core.Rules`."""

    state_json = msgspec.json.Decoder(State)
    events_json: msgspec.json.Decoder[list[Event]] = msgspec.json.Decoder(list[Event])
    to_action = staticmethod(to_action)
    copy = staticmethod(copy_state)
    board: Callable[[State], Board] = staticmethod(Board)

    name = "aladdins-dragons"
    version = 2
    title = Text("title")
    seat_counts: Sequence[int] = SEAT_COUNTS
    options: Sequence[TableOption] = OPTIONS
    bots: Mapping[str, Bot[View]] = BOTS
    lesson: Lesson[View, Event] = DragonsLesson()
    has_tally = True

    # Doors that lead straight to where it is done

    days = staticmethod(days)
    pieces = staticmethod(pieces)
    decisions = staticmethod(questions.decisions)
    find = staticmethod(questions.find)
    default = staticmethod(questions.default)
    view = staticmethod(view)
    redact = staticmethod(redact)
    still = staticmethod(still)
    opens_scene = staticmethod(opens_scene)
    begins_tally = staticmethod(begins_tally)
    determinise = staticmethod(determinise)
    redeal = staticmethod(redeal)
    story = staticmethod(story)
    recap = staticmethod(recap)
    standings = staticmethod(standings)
    describe = staticmethod(describe)
    picture = staticmethod(picture)
    propose = staticmethod(propose)
    quick = staticmethod(quick_answer)
    chances = staticmethod(chances)
    say = staticmethod(say)
    figures = staticmethod(figures)
    last_tally = staticmethod(last_tally)
    load_action = staticmethod(load_action)

    def new(self, seats: int, options: Mapping[str, str], seed: str) -> tuple[State, list[Event]]:
        """A game laid out, waiting for the starting treasures; where it is planned, for the first sheets as well."""
        board = lay_out(seats, chosen_options(self.options, options), seed, self.version)
        flow.begin(board)
        return board.state, board.events

    def is_advance_pending(self, state: State) -> bool:
        """True when a phase is complete: starting treasures, placing, round."""
        return state.outcome is None and isinstance(state.agenda[-1], Boundary)

    def parse(self, raw: object) -> PlayerAction:
        """The player's action in `raw`; amounts of nothing are dropped. Raises IllegalAction with the path."""
        try:
            return to_action(_without_zeros(raw))
        except msgspec.ValidationError as error:
            raise IllegalAction("malformed", detail=str(error)) from error

    def check(self, state: State, decision: str, seat: Seat, action: Action) -> None:
        """Raises StaleDecision or IllegalAction if `apply` would refuse."""
        found = questions.find(state, decision, seat)
        if isinstance(action, Forfeit) and found.kind == "place":
            return
        questions.check(questions.question(state, found), action)

    def draw(self, state: State, decision: Decision, random: Random) -> Action:
        """A legal answer to an open decision. It takes nothing back: a wave of eight would hardly ever end."""
        return self.sample(questions.without_taking_back(questions.question(state, decision)), random)

    def play(self, state: State, seat: Seat, action: Action) -> list[Event]:
        """Answers a decision and runs on, in place."""
        board = self.board(state)
        flow.answer(board, seat, action)
        flow.run(board)
        return board.events

    def cross(self, state: State) -> list[Event]:
        """Crosses the phase boundary and runs on, in place."""
        board = self.board(state)
        state.agenda.pop()
        flow.run(board)
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
        return questions.question(state, questions.find(state, decision, seat))

    def dump_action(self, action: Action) -> bytes:
        """An action as JSON."""
        return msgspec.json.encode(to_answer(action))


def _without_zeros(raw: object) -> JsonObject:
    """Forms send every amount, those of nothing too; actions leave them out, so equal answers are equal."""
    if not isinstance(raw, dict):
        raise msgspec.ValidationError("Expected `object`")
    return {
        name: {key: amount for key, amount in value.items() if amount != 0} if isinstance(value, dict) else value
        for name, value in raw.items()
    }
