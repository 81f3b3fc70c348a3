"""The rules of Pig. Everything is open but the dice to come."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random

import msgspec

from caravanserai_pig import questions, words
from caravanserai_pig.lesson import PigLesson
from caravanserai_pig.model import Event, GameBegan, GameEnded, Hold, Resigned, State, TurnRevealed, View
from caravanserai_pig.orders import PigVocabulary
from caravanserai_pig.picture import picture
from engine.core import (
    Answer,
    Decision,
    Ending,
    Figures,
    IllegalAction,
    Outcome,
    Proposal,
    Question,
    Seat,
    TableOption,
    Text,
)
from engine.core.games import PieceTable, RecapLine, chosen_options
from engine.core.lessons import Lesson
from engine.core.rng import Rng
from engine.rules import Bot, Rules

DIE, LOSES = 6, 1
GOALS = ("100", "50")


class PigBot(Bot[View]):
    """Holds at a sum, sooner where that wins."""

    def __init__(self, name: str, at: int | None) -> None:
        self.name, self.title, self.at = name, Text(f"bot-{name}"), at

    def decide(self, view: View, question: Question, random: Random) -> Hold:
        """Its own sum, or any."""
        sums = [option.value for option in question.actions[0].fields[0].options]
        return Hold(self.at or int(random.choice(sums)))


class Pig(Rules[State, Hold, Event, View]):
    """The rule set; it holds no game itself. Methods as in `engine.rules.Rules`."""

    state_json = msgspec.json.Decoder(State)
    events_json: msgspec.json.Decoder[list[Event]] = msgspec.json.Decoder(list[Event])

    name = "pig"
    version = 1
    title = Text("title")
    seat_counts: Sequence[int] = (2, 3, 4)
    options: Sequence[TableOption] = (
        TableOption("goal", Text("option-goal"), [(goal, Text("goal", {"goal": goal})) for goal in GOALS], GOALS[0]),
    )
    bots: Mapping[str, Bot[View]] = {"random": PigBot("random", None), "greedy": PigBot("greedy", questions.HABIT)}
    vocabulary = PigVocabulary()
    has_tally = False

    game_decisions = staticmethod(questions.decisions)
    game_describe = staticmethod(words.describe)
    picture = staticmethod(picture)
    game_say = staticmethod(words.say)

    @staticmethod
    def to_action(answer: Answer) -> Hold:
        """The action of an answer in plain data."""
        return msgspec.convert(answer, Hold)

    @staticmethod
    def copy(state: State) -> State:
        """A state that shares nothing with this one."""
        return msgspec.json.decode(msgspec.json.encode(state), type=State)

    def __init__(self) -> None:
        self.lesson: Lesson[View, Event] = PigLesson(self.game_play, self.game_view)

    def pieces(self, language: str) -> list[PieceTable]:
        """A die is all there is."""
        return []

    # The game

    def new(self, seats: int, options: Mapping[str, str], seed: str) -> tuple[State, list[Event]]:
        """The die says who begins."""
        if seats not in self.seat_counts:
            raise IllegalAction("illegal-seats", seats=seats)
        goal, rng = int(chosen_options(self.options, options)["goal"]), Rng(seed)
        start = rng.below(seats)
        return State(self.version, goal, start, 1, [0] * seats, rng), [GameBegan(start, seats, goal)]

    def game_play(self, state: State, seat: Seat, action: Hold) -> list[Event]:
        """Rolls until the sum is reached, the game is won, or a 1 falls."""
        dice: list[int] = []
        while sum(dice) < min(action.at, state.goal - state.scores[seat]):
            dice.append(state.rng.below(DIE) + 1)
            if dice[-1] == LOSES:
                break
        gain = 0 if dice[-1] == LOSES else sum(dice)
        state.scores[seat] += gain
        state.turn += 1
        turn = TurnRevealed(seat, action.at, dice, gain, state.scores[seat])
        if state.scores[seat] < state.goal:
            return [turn]
        return [turn, self._finish(state, Ending.COMPLETE, seat, "won")]

    def give_up(self, state: State, seat: Seat) -> list[Event]:
        """The seat is marked; the service answers for it from now on."""
        state.resigned.append(seat)
        return [Resigned(seat)]

    def abandon(self, state: State, seat: Seat) -> list[Event]:
        """Whoever has stayed wins."""
        return [self._finish(state, Ending.ABANDONED, seat, "abandoned")]

    def _finish(self, state: State, ending: Ending, winner: Seat, code: str) -> Event:
        order = sorted(range(state.seats), key=lambda seat: (seat in state.resigned, -state.scores[seat]))
        if ending == Ending.ABANDONED or winner not in state.resigned:
            order = [winner, *(seat for seat in order if seat != winner)]
        reason = Text(code, {"seat": {"seat": winner}, "score": state.scores[winner]})
        state.outcome = Outcome(ending, [order[0]], order, [*state.scores], reason)
        return GameEnded(state.outcome)

    def cross(self, state: State) -> list[Event]:
        """There are no phase boundaries."""
        raise IllegalAction("no-boundary")

    # Questions and answers

    def game_question(self, state: State, decision: Decision) -> Question:
        """The question of an open decision."""
        return questions.question(self.game_view(state, None), decision)

    def game_default(self, state: State, decision: Decision) -> Hold:
        """Silence holds where most people do."""
        return Hold(questions.HABIT)

    def propose(self, view: View, question: Question) -> Proposal:
        """To hold at 20, or to win."""
        missing = view.goal - view.scores[question.decision.seat]
        reason = Text("why-win" if missing <= questions.HABIT else "why-habit", {"missing": missing})
        return Proposal(msgspec.to_builtins(Hold(questions.HABIT)), reason)

    # What is seen

    def game_view(self, state: State, seat: Seat | None) -> View:
        """All but the dice to come."""
        asked = questions.decisions(state)
        view = View(
            state.rules_version, seat, state.goal, state.start, state.turn, state.active, [*state.scores],
            [*state.resigned], state.outcome, asked, [], state.branch,
        )  # fmt: skip
        view.questions = [questions.question(view, one) for one in asked if one.seat == seat]
        return view

    def game_determinise(self, view: View, random: Random) -> State:
        """Other dice may come."""
        rng = Rng(random.randbytes(32).hex())
        return State(
            view.rules_version, view.goal, view.start, view.turn, [*view.scores], rng, [*view.resigned],
            view.outcome, branch=view.branch,
        )  # fmt: skip

    def redeal(self, state: State, seed: str, branch: int) -> State:
        """The same position with other dice to come."""
        own = self.copy(state)
        own.rng, own.branch = Rng(seed), branch
        return own

    # What is told

    def game_recap(self, seen: Iterable[Event], reader: Seat | None) -> list[RecapLine]:
        """Each turn is a line; the ones that brought most weigh most."""
        return [RecapLine(event, event.gain if isinstance(event, TurnRevealed) else DIE) for event in seen]

    def standings(self, view: View) -> list[Text]:
        """The points, the most first."""
        pairs = sorted(enumerate(view.scores), key=lambda pair: -pair[1])
        return [Text("standing", {"totals": {"totals": [[*pair] for pair in pairs]}})]

    def story(self, seen: Iterable[Event]) -> list[Text]:
        """The best turn of the game."""
        turns = [event for event in seen if isinstance(event, TurnRevealed)]
        best = max(turns, key=lambda turn: turn.gain, default=None)
        return [Text("story", {"seat": {"seat": best.seat}, "gain": best.gain})] if best and best.gain else []

    def figures(self, seen: Iterable[object], seats: int) -> list[Figures]:
        """The points after each round, and the turns that a 1 has ended."""
        scores, lost, course = [0] * seats, [0] * seats, []
        turns = [event for event in seen if isinstance(event, TurnRevealed)]
        for number, turn in enumerate(turns, start=1):
            scores[turn.seat], lost[turn.seat] = turn.score, lost[turn.seat] + (turn.gain == 0)
            if number % seats == 0 or number == len(turns):
                course.append((Text("figures-round", {"round": -(-number // seats)}), [*scores]))
        if not turns:
            return []
        losses = Figures(Text("figures-turns"), [(Text("figures-lost"), lost)])
        return [Figures(Text("figures-course"), course, is_course=True), losses]
