"""The rules of Aladdin's Dragons: every part of the game, in the places that `engine.rules.Rules` has for them."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from engine.aladdins_dragons import flow, questions
from engine.aladdins_dragons.actions import Action, Forfeit, PlayCard, PlayerAction, to_action, to_answer
from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.bots import BOTS, chances, quick_answer
from engine.aladdins_dragons.cards.deck import ALL_CARDS
from engine.aladdins_dragons.describe import describe, pieces
from engine.aladdins_dragons.events import PLAIN_EVENTS, ArtifactBought, Event
from engine.aladdins_dragons.lesson import DragonsLesson
from engine.aladdins_dragons.lookahead import try_answers
from engine.aladdins_dragons.model import Boundary, State, View
from engine.aladdins_dragons.orders import DragonsVocabulary
from engine.aladdins_dragons.picture import picture
from engine.aladdins_dragons.proposals import propose
from engine.aladdins_dragons.recaps import figures, last_tally, recap, standings, story
from engine.aladdins_dragons.setup import OPTIONS, SEAT_COUNTS, days, lay_out, reshuffle
from engine.aladdins_dragons.tally import finish_abandoned
from engine.aladdins_dragons.views import begins_tally, opens_scene, redact, still, view
from engine.aladdins_dragons.words import Words
from engine.aladdins_dragons.worlds import determinise
from engine.core import Decision, IllegalAction, Question, Seat, TableOption, Text
from engine.core.answers import check_answer, draw_answer
from engine.core.games import chosen_options
from engine.core.lessons import FirstGame, Lesson, PuzzleKind
from engine.orders.model import Vocabulary
from engine.rules import Bot, Rules

FORFEIT = b'{"type":"forfeit"}'


class AladdinsDragons(Rules[State, Action, Event, View]):
    """The rule set; it holds no game itself. Methods as in `engine.rules.Rules`."""

    action_type = PlayerAction
    to_action = staticmethod(to_action)
    to_answer = staticmethod(to_answer)
    board: Callable[[State], Board] = staticmethod(Board)
    answer = staticmethod(flow.answer)
    run_on = staticmethod(flow.cross)
    leave_to = staticmethod(finish_abandoned)
    words = Words

    name = "aladdins-dragons"
    version = 2
    title = Text("title")
    seat_counts: Sequence[int] = SEAT_COUNTS
    options: Sequence[TableOption] = OPTIONS
    bots: Mapping[str, Bot[View]] = BOTS
    vocabulary: Vocabulary[State, View] = DragonsVocabulary()
    lesson: Lesson[View, Event] = DragonsLesson()
    first_game = FirstGame(4, {"version": "basic", "tokens_per_turn": "4", "length": "decided", "tally": "step"}, 8)
    puzzles = {
        kind: PuzzleKind(Text(f"puzzle-{kind}"), Text(f"puzzle-hint-{kind}"))
        for kind in ("place", "bribe", "buy", "window", "market")
    }
    puzzle_options = ("version",)
    has_tally = True
    tentative = ("place",)
    plain_events = PLAIN_EVENTS

    # Each is done where it belongs

    days = staticmethod(days)
    pieces = staticmethod(pieces)
    game_decisions = staticmethod(questions.decisions)
    game_question = staticmethod(questions.question)
    game_default = staticmethod(questions.default)
    game_view = staticmethod(view)
    game_redact = staticmethod(redact)
    still = staticmethod(still)
    opens_scene = staticmethod(opens_scene)
    begins_tally = staticmethod(begins_tally)
    game_determinise = staticmethod(determinise)
    reshuffle = staticmethod(reshuffle)
    story = staticmethod(story)
    game_recap = staticmethod(recap)
    standings = staticmethod(standings)
    game_describe = staticmethod(describe)
    picture = staticmethod(picture)
    propose = staticmethod(propose)
    quick = staticmethod(quick_answer)
    chances = staticmethod(chances)
    try_answers = staticmethod(try_answers)
    figures = staticmethod(figures)
    last_tally = staticmethod(last_tally)

    def new(self, seats: int, options: Mapping[str, str], seed: str) -> tuple[State, list[Event]]:
        """A game laid out, waiting for the starting treasures; where it is planned, for the first sheets as well."""
        board = lay_out(seats, chosen_options(self.options, options), seed, self.version)
        flow.begin(board)
        return board.state, board.events

    def next_seat(self, view: View) -> Seat | None:
        """While tokens are placed in turns, the next seat clockwise that has some left to place (A20)."""
        asked = [decision for decision in view.asked if decision.prompted]
        if len(asked) != 1 or asked[0].kind != "place":
            return None
        order = [(asked[0].seat + step) % view.seats for step in range(1, view.seats)]
        return next((seat for seat in order if view.hand_counts[seat] > view.forfeits[seat]), None)

    def is_at_boundary(self, state: State) -> bool:
        """True when a phase is complete: starting treasures, placing, round."""
        return state.outcome is None and isinstance(state.agenda[-1], Boundary)

    def game_check(self, state: State, question: Question, action: Action) -> None:
        """Raises IllegalAction unless the question allows exactly this; a card without a form cannot be played now."""
        if isinstance(action, Forfeit) and question.decision.kind == "place":
            return
        answer = to_answer(action)
        is_offered = any(form.type == answer["type"] for form in question.actions)
        if isinstance(action, PlayCard) and action.card in ALL_CARDS and not is_offered:
            raise IllegalAction("illegal-card", card={"card": action.card})
        check_answer(question, answer)

    def shows_hidden(self, seen: Any) -> bool:
        """True if an event shows the seat that sees it so what was hidden; an artifact nobody sees does not."""
        is_unseen = isinstance(seen, ArtifactBought) and seen.artifact is None
        return not is_unseen and super().shows_hidden(seen)

    def game_draw(self, state: State, decision: Decision, random: Random) -> Action:
        """A legal answer to an open decision. It takes nothing back: a wave of eight would hardly ever end."""
        question = questions.without_taking_back(questions.question(state, decision))
        return to_action(draw_answer(question, random))

    def load_action(self, data: bytes) -> Any:
        """The action of a `dump_action`; the deadline's may be among them."""
        return Forfeit() if data == FORFEIT else super().load_action(data)
