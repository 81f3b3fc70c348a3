"""Aladdin's Dragons behind the `Rules` protocol: every door of the game, each a few lines to where it is done."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random

import msgspec

from engine.aladdins_dragons import flow, questions
from engine.aladdins_dragons.actions import Action, Forfeit, PlayerAction, load_action, to_action, to_answer
from engine.aladdins_dragons.board.events import Event
from engine.aladdins_dragons.board.model import Boundary, State, View
from engine.aladdins_dragons.board.setup import OPTIONS, SEAT_COUNTS, days, lay_out
from engine.aladdins_dragons.board.verbs import Board, copy_state
from engine.aladdins_dragons.bots import BOTS
from engine.aladdins_dragons.picture.board import picture
from engine.aladdins_dragons.tally.endings import finish_abandoned
from engine.aladdins_dragons.text.describe import describe
from engine.aladdins_dragons.text.figures import figures, last_tally
from engine.aladdins_dragons.text.lessons import LESSONS
from engine.aladdins_dragons.text.story import story
from engine.aladdins_dragons.text.words import say
from engine.aladdins_dragons.views import determinise, view
from engine.aladdins_dragons.views.redeal import redeal
from engine.core import (
    Bot,
    Decision,
    Figures,
    IllegalAction,
    JsonObject,
    Picture,
    Question,
    Seat,
    TableOption,
    Text,
)
from engine.core.rule_set import RuleSet, chosen_options


class AladdinsDragons(RuleSet[State, Action, Event, View]):
    """The rule set; it holds no game itself. Methods as in `engine.core.Rules`."""

    state_json = msgspec.json.Decoder(State)
    events_json: msgspec.json.Decoder[list[Event]] = msgspec.json.Decoder(list[Event])
    to_action = staticmethod(to_action)
    copy = staticmethod(copy_state)

    name = "aladdins-dragons"
    version = 1
    title = Text("title")
    seat_counts: Sequence[int] = SEAT_COUNTS
    options: Sequence[TableOption] = OPTIONS
    bots: Mapping[str, Bot[View]] = BOTS
    lessons = LESSONS
    has_tally = True

    def days(self, seats: int, options: Mapping[str, str]) -> float | None:
        """How long a game takes with a day a move."""
        return days(seats, options)

    def new(self, seats: int, options: Mapping[str, str], seed: str) -> tuple[State, list[Event]]:
        """A game laid out, waiting for the starting treasures."""
        board = lay_out(seats, chosen_options(OPTIONS, options), seed, self.version)
        return board.state, board.events

    def decisions(self, state: State) -> list[Decision]:
        """Everything the game waits on."""
        return questions.decisions(state)

    def find(self, state: State, decision: str, seat: Seat) -> Decision:
        """One of them. Raises StaleDecision if it is not open."""
        return questions.find(state, decision, seat)

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

    def default(self, state: State, decision: Decision) -> Action:
        """What the deadline answers (A99)."""
        return questions.default(state, decision)

    def draw(self, state: State, decision: Decision, random: Random) -> Action:
        """A legal answer to an open decision."""
        return self.sample(questions.question(state, decision), random)

    def play(self, state: State, seat: Seat, action: Action) -> list[Event]:
        """Answers a decision and runs on, in place."""
        board = Board(state)
        flow.answer(board, seat, action)
        flow.run(board)
        return board.events

    def cross(self, state: State) -> list[Event]:
        """Crosses the phase boundary and runs on, in place."""
        board = Board(state)
        state.agenda.pop()
        flow.run(board)
        return board.events

    def give_up(self, state: State, seat: Seat) -> list[Event]:
        """Marks the seat as resigned, in place."""
        board = Board(state)
        board.resign(seat)
        return board.events

    def abandon(self, state: State, seat: Seat) -> list[Event]:
        """Ends the game in favour of the seat, in place."""
        board = Board(state)
        finish_abandoned(board, seat)
        return board.events

    def view(self, state: State, seat: Seat | None) -> View:
        """What one seat may see."""
        return view.view(state, seat)

    def question(self, state: State, decision: str, seat: Seat) -> Question:
        """The question open to a seat. Raises StaleDecision if there is none."""
        return questions.question(state, questions.find(state, decision, seat))

    def redact(self, event: Event, seat: Seat | None) -> Event | None:
        """The event as that viewer may see it."""
        return view.redact(event, seat)

    def determinise(self, view: View, random: Random) -> State:
        """A state that looks like this view."""
        return determinise.determinise(view, random)

    def redeal(self, state: State, seed: str, branch: int) -> State:
        """The same position with fresh randomness."""
        return redeal(state, seed, branch)

    def story(self, heard: Iterable[Event]) -> list[Text]:
        """The turning points of a game that is over."""
        return story(heard)

    def describe(self, view: View, language: str, names: Sequence[str]) -> str:
        """The whole board as plain text."""
        return describe(view, language, names)

    def picture(self, view: View, language: str, names: Sequence[str]) -> Picture:
        """What the board's template draws; its shape is in `engine.aladdins_dragons.picture.board`."""
        return picture(view, language, names)

    def say(self, text: Text | Event, language: str, names: Sequence[str]) -> str:
        """A sentence or an event in words."""
        return say(text, language, names)

    def figures(self, told: Iterable[object], seats: int) -> list[Figures]:
        """How a game went in numbers."""
        return figures(told, seats)

    def last_tally(self, told: Iterable[object], seats: int) -> Figures | None:
        """The strengths in the spaces of the latest round that was tallied."""
        return last_tally(told, seats)

    def dump_action(self, action: Action) -> bytes:
        """An action as JSON."""
        return msgspec.json.encode(to_answer(action))

    def load_action(self, data: bytes) -> Action:
        """The action of a `dump_action`."""
        return load_action(data)


def _without_zeros(raw: object) -> JsonObject:
    """Forms send every amount, those of nothing too; actions leave them out, so equal answers are equal."""
    if not isinstance(raw, dict):
        raise msgspec.ValidationError("Expected `object`")
    return {
        name: {key: amount for key, amount in value.items() if amount != 0} if isinstance(value, dict) else value
        for name, value in raw.items()
    }
