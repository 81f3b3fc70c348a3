"""The rules of a game: the base class from which every game derives, with the orders of its seats inside.

The service reaches every game through `Rules` and never asks which one it is. A game implements its own half: its part
of a method that orders extend has the same name with `game_` before it. Orders live in the states and are carried out
after each step; a game without a `Vocabulary` has none.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property, partial
from random import Random
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar, get_args, get_origin

import msgspec
from msgspec.structs import replace

from engine.core import Answer, Decision, Figures, IllegalAction, Question, Seat, TableOption, Text
from engine.core.answers import check_answer, draw_answer, every_answer
from engine.core.games import Branched, Days, Outcome, Picture, PieceTable, Proposal, RecapLine, copied
from engine.core.language import BaseWords
from engine.core.lessons import FirstGame, Lesson, PuzzleKind
from engine.core.questions import find_decision
from engine.core.rng import Rng
from engine.orders import answers, checking, sentences
from engine.orders.answers import GATHERINGS, ORDERS, SHEET, TYPES, ActionWithOrders, CommonAction
from engine.orders.lines import with_rows
from engine.orders.model import (
    EVERYTHING,
    MOST_ORDERS,
    Gathering,
    OrderDropped,
    OrderedState,
    OrderEvent,
    OrderFired,
    OrderHeld,
    OrderMove,
    SeatView,
    SetOrders,
    Sheet,
    Vocabulary,
    open_sheets,
    sheet_of,
    sheets_of,
)
from engine.orders.running import OrderForecast, OrderRun, dry_run, key_of


class GameState(OrderedState, Protocol):
    """The state of a game, as its rules need it."""

    rules_version: int
    resigned: list[Seat]
    outcome: Outcome | None
    rng: Rng
    branch: int | msgspec.UnsetType


S = TypeVar("S", bound=GameState)  # the state
A = TypeVar("A")  # an action
E = TypeVar("E")  # an event
V = TypeVar("V", bound=SeatView)  # a view

ORDER_EVENTS = (OrderFired, OrderHeld, OrderDropped)
_order_event: msgspec.json.Decoder[OrderEvent | Branched] = msgspec.json.Decoder(OrderEvent | Branched)
_ORDER_MARKS = (b'{"type":"Order', b'{"type":"Branched')
_order_move: msgspec.json.Decoder[OrderMove] = msgspec.json.Decoder(OrderMove)
RECAP_WEIGHT = 8  # what one's own orders did matters more than most of what others did


class Bot(ABC, Generic[V]):
    """A player made of code. It is given a view, never a state: it cannot cheat."""

    name: str
    title: Text

    @abstractmethod
    def decide(self, view: V, question: Question, random: Random) -> object:
        """The action to answer one of the game's own questions with."""

    def choose(self, view: V, question: Question, random: Random) -> object:
        """The action to answer any question with. A bot is never late: it leaves sheets and plans empty, gives no
        orders, and passes once at a time."""
        if question.decision.kind in GATHERINGS:
            return answers.bot_answer(question)
        forms = [form for form in question.actions if form.type not in TYPES]
        return self.decide(view, replace(question, actions=forms), random)


class RandomBot(Bot[Any]):
    """Answers anything legal; useful to fill a seat, to learn against and to test with."""

    name = "random"
    title = Text("bot-random")

    def __init__(self, to_action: Callable[[Answer], Any]) -> None:
        self.to_action = to_action

    def decide(self, view: object, question: Question, random: Random) -> Any:
        """Any form, then any value of each field."""
        return self.to_action(draw_answer(question, random))


class LapsingBot(Bot[V]):
    """Answers as one bot does, and now and then as another one: by mistake.

    Arguments:
        share: of the decisions in which it does.
    """

    def __init__(self, name: str, usual: Bot[V], lapse: Bot[V], share: float) -> None:
        self.name, self.title = name, Text(f"bot-{name}")
        self._usual, self._lapse, self._share = usual, lapse, share

    def decide(self, view: V, question: Question, random: Random) -> object:
        """The answer of one of the two."""
        bot = self._lapse if random.random() < self._share else self._usual
        return bot.decide(view, question, random)


class WatchedEvents(list[E]):
    """Events of a step, each of which is shown to `see` as it happens."""

    def __init__(self, see: Callable[[E], None]) -> None:
        super().__init__()
        self.see = see

    def append(self, event: E) -> None:
        """Adds the event, and shows it."""
        super().append(event)
        self.see(event)


class Rules(ABC, Generic[S, A, E, V]):
    """Base of a game's rules: states, actions, events and views are those of the game.

    A state has `decisions`, or an advance is pending, or it has an outcome. `play` and `cross` alone change theirs.
    Its field `orders` (a list of `Sheet` by seat, or UNSET) is kept here and shown in no view.

    Arguments:
        state_type, action_type, event_type, view_type: those that the class is derived with; schemas are made of them.
        to_action: the action of an answer in plain data, which raises msgspec.ValidationError; a static method.
        to_answer: the way back; a static method.
        board: a state to be changed, with verbs that each append one event; a static method. Where a game has none, its
            steps cannot be watched, and are shown as one, and it does itself what the next three do.
        answer, run_on, leave_to: take an answer, cross a phase boundary, end the game in favour of a seat, each on a
            board; static methods. The board's verb `resign` marks a seat.
        words: its sentences.
        vocabulary: what can be ordered in advance; nothing by default.
        has_tally: whether something is tallied in this game at all.
        tentative: the kinds of decisions whose answers as a rule show nothing hidden, so that a lonely player can take
            them back.
        plain_events: the types of the game's events that show nothing which was hidden from a seat until then.
        foresight: over how many positions that `chances` can judge a review plays on.
        lesson: a course for beginners; None where there is none.
        first_game: the table against bots that newcomers are offered; None for the fewest seats and no options.
        puzzles: by kind of decision those that make puzzles; none by default.
        puzzle_options: names of the options that vary in the games puzzles are taken from; all others have their
            defaults.
    """

    name: str
    version: int
    title: Text
    seat_counts: Sequence[int]
    options: Sequence[TableOption]
    bots: Mapping[str, Bot[V]]
    lesson: Lesson[V, E] | None = None
    first_game: FirstGame | None = None
    puzzles: Mapping[str, PuzzleKind] = {}
    puzzle_options: Collection[str] = ()
    has_tally: bool = False
    tentative: Collection[str] = ()
    plain_events: tuple[type, ...] = ()
    foresight: int = 1
    vocabulary: Vocabulary[S, V] = Vocabulary()

    state_type: Any
    action_type: Any
    event_type: Any
    view_type: Any
    state_json: msgspec.json.Decoder[S]
    events_json: msgspec.json.Decoder[list[E]]
    to_action: Callable[[Answer], A]
    to_answer: Callable[[Any], Answer] = staticmethod(msgspec.to_builtins)
    board: Callable[[S], Any] | None = None
    answer: Callable[[Any, Seat, A], None]
    run_on: Callable[[Any], None]
    leave_to: Callable[[Any, Seat], None]
    words: type[BaseWords]

    def __init_subclass__(cls) -> None:
        """Makes the decoders of the types that the class is derived with."""
        for base in getattr(cls, "__orig_bases__", ()):
            if get_origin(base) is Rules:
                cls.state_type, cls.action_type, cls.event_type, cls.view_type = get_args(base)
        if not isinstance(getattr(cls, "event_type", TypeVar), TypeVar):
            cls.state_json = msgspec.json.Decoder(cls.state_type)
            cls.events_json = msgspec.json.Decoder(list[cls.event_type])  # type: ignore[name-defined]  # known when the class is made

    @property
    def about(self) -> Text:
        """What the game is, for whoever does not know it."""
        return self.title if self.lesson is None else self.lesson.about

    def copy(self, state: S) -> S:
        """A state that shares nothing with this one."""
        return copied(state)

    # What each game has of its own

    @abstractmethod
    def new(self, seats: int, options: Mapping[str, str], seed: str) -> tuple[S, list[E]]:
        """A game laid out and ready. `options` by TableOption name; `seed` from `engine.core.rng.game_seed`.

        Raises IllegalAction for a number of seats or an option that does not exist.
        """

    @abstractmethod
    def game_decisions(self, state: S) -> Iterable[Decision]:
        """Everything the game waits on, in a stable order: first what is asked, then what may be done unasked."""

    @abstractmethod
    def game_question(self, state: S, decision: Decision) -> Question:
        """An open decision as its own seat sees it."""

    @abstractmethod
    def game_default(self, state: S, decision: Decision) -> A:
        """The deadline's answer to a prompted decision (A99, C50). May be an action that `parse` refuses."""

    @abstractmethod
    def game_view(self, state: S, seat: Seat | None) -> V:
        """The view of one seat (None: a spectator), built field by field, its open questions included."""

    @abstractmethod
    def game_determinise(self, view: V, random: Random) -> S:
        """A state that looks like this view to its seat; what the seat cannot see is drawn at random."""

    @abstractmethod
    def propose(self, view: V, question: Question) -> Proposal:
        """An answer worth taking to a question open to the seat whose view this is, and why.

        It depends on that view alone: whoever sees the same is proposed the same. It is complete for a sheet or a plan.
        """

    @abstractmethod
    def game_recap(self, seen: Iterable[E], reader: Seat | None) -> list[RecapLine]:
        """Sums these events up in few sentences and in their order, for the seat that was shown them."""

    @abstractmethod
    def standings(self, view: V) -> list[Text]:
        """Says where the game stands for this viewer, in a few sentences."""

    @abstractmethod
    def story(self, seen: Iterable[E]) -> list[Text]:
        """The turning points of a game that is over, from all its events in order as everybody was shown them."""

    @abstractmethod
    def game_describe(self, view: V, language: str, names: Sequence[str]) -> str:
        """The whole board as plain text, complete enough to play from. `names` by seat."""

    @abstractmethod
    def picture(self, view: V, language: str, names: Sequence[str]) -> Picture:
        """Plain data for the rule set's SVG template; words are already in the reader's language."""

    @abstractmethod
    def figures(self, seen: Iterable[object], seats: int) -> list[Figures]:
        """How a game went in numbers, from its events as a viewer may know them."""

    # What happens, of games with a `board`

    def game_play(self, state: S, seat: Seat, action: A) -> list[E]:
        """Answers a decision and runs on to the next one, the next phase boundary, or the end; in place, unchecked."""
        board = self._begin(state)
        self.answer(board, seat, action)
        events: list[E] = board.events
        return events

    def cross(self, state: S) -> list[E]:
        """Crosses the phase boundary at which the state stands, and runs on; in place, unchecked."""
        board = self._begin(state)
        self.run_on(board)
        events: list[E] = board.events
        return events

    def give_up(self, state: S, seat: Seat) -> list[E]:
        """Marks the seat as resigned, in place."""
        board = self._begin(state)
        board.resign(seat)
        events: list[E] = board.events
        return events

    def abandon(self, state: S, seat: Seat) -> list[E]:
        """Ends the game in favour of the seat, in place."""
        board = self._begin(state)
        self.leave_to(board, seat)
        events: list[E] = board.events
        return events

    def _begin(self, state: S) -> Any:
        assert self.board is not None, self.name
        return self.board(state)

    def redeal(self, state: S, seed: str, branch: int) -> S:
        """The same position; what no seat has seen is drawn anew, and `branch` is in all decision ids from then on."""
        own = self.copy(state)
        own.rng, own.branch = Rng(seed), branch
        self.reshuffle(own)
        return own

    def reshuffle(self, state: S) -> None:
        """Draws what no seat has seen anew from `state.rng`, in place; nothing by default."""

    # What a game may have of its own

    def pieces(self, language: str) -> list[PieceTable]:
        """Lists what is in the box, for the page of the rules; nothing by default."""
        return []

    def game_say(self, text: Text | E, language: str, names: Sequence[str], reader: Seat | None = None) -> str:
        """A sentence or an event in words. Events that nobody needs to read give ""."""
        said: Any = text
        return self.words.of(language, tuple(names), reader).say(said)

    def days(self, seats: int, options: Mapping[str, str], *, proposals: bool) -> Days | None:
        """The calendar days of a whole game with a day a move, as docs/simulation.md has them; None if nobody knows.

        Arguments:
            options: those that are left out have their defaults.
            proposals: whether players are shown what the rules propose.
        """
        return None

    def next_seat(self, view: V) -> Seat | None:
        """The seat that is asked after the one whose turn it is, as everybody can tell; None where nobody can, as by
        default."""
        return None

    def is_at_boundary(self, state: S) -> bool:
        """True at a phase boundary, where the game itself asks nothing; there is none by default."""
        return False

    def game_check(self, state: S, question: Question, action: A) -> None:
        """Raises IllegalAction unless the game's own question allows exactly this action."""
        check_answer(question, self.to_answer(action))

    def game_draw(self, state: S, decision: Decision, random: Random) -> A:
        """A legal answer to an open decision, at random, for playouts, which need no words to choose from."""
        return self.to_action(draw_answer(self.game_question(state, decision), random))

    def game_redact(self, event: E, seat: Seat | None) -> E | None:
        """The event as that viewer may see it, or None if he may not know it happened; all of it by default."""
        return event

    def still(self, state: S, seat: Seat | None) -> V:
        """The view of one seat in the middle of a step, in which nobody is asked anything."""
        return self.view(state, seat)

    def opens_scene(self, event: E, before: E) -> bool:
        """True if a replay shows the board as it was before this event; `before` is the public event before it.

        Both are of the same move, and as some viewer may see them; what is hidden in them plays no part.
        """
        return False

    def begins_tally(self, event: E) -> bool:
        """True if a tally comes after this event."""
        return False

    def last_tally(self, seen: Iterable[object], seats: int) -> Figures | None:
        """The figures that the latest tally has shown of everybody; None if there has been none."""
        return None

    def quick(self, state: S, decision: Decision, random: Random) -> A | None:
        """A sensible answer to an open decision in microseconds, for the playouts of reviews; it may look at all of the
        state. None where the bot `greedy` is quick enough.
        """
        return None

    def chances(self, state: S) -> list[float] | None:
        """Each seat's chance to win, judged from the board alone, which make 1 together; None where that cannot be
        judged: a review plays on from there to where it can, or to the end.
        """
        return None

    def try_answers(
        self, view: V, question: Question, answers: Sequence[A], deals: int, random: Random
    ) -> list[list[float]] | None:
        """Roughly the seat's chance after each of these answers, in so many deals that look like its view, in
        microseconds each; None where that is not known so fast. Puzzles are looked for by it.
        """
        return None

    # What is asked

    def decisions(self, state: S) -> list[Decision]:
        """Everything the game waits on, and the sheet or plan of everybody before a boundary is crossed."""
        gathering = self._find_gathering(state)
        gathered = answers.gathering_decisions(self.vocabulary, state, gathering) if gathering else []
        return [*self.game_decisions(state), *gathered]

    def open(self, state: S, decision: str, seat: Seat) -> "OpenDecision":
        """The open decision with that id and seat, to be asked and answered. Raises StaleDecision if there is none."""
        gathering = self._find_gathering(state)
        if gathering is not None and gathering.id == decision and seat in gathering.seats:
            plan_decision = find_decision(
                answers.gathering_decisions(self.vocabulary, state, gathering), decision, seat
            )
            return OpenDecision(self, state, plan_decision, gathering)
        return OpenDecision(self, state, find_decision(self.game_decisions(state), decision, seat))

    def is_advance_pending(self, state: S) -> bool:
        """True at a phase boundary for which no sheet or plan is missing: `advance` takes the game over it."""
        return self.is_at_boundary(state) and self._find_gathering(state) is None

    def view(self, state: S, seat: Seat | None) -> V:
        """The view of one seat (None: a spectator), its open questions included. A plan that has been given looks to
        others like one that is missing."""
        view = self.game_view(state, seat)
        gathering = self._find_gathering(state, view)
        if gathering is None:
            return view
        decisions = answers.gathering_decisions(self.vocabulary, state, gathering)
        entries = [entry if entry.seat == seat else replace(entry, prompted=True) for entry in decisions]
        mine = [answers.gathering_question(gathering, decision) for decision in decisions if decision.seat == seat]
        shown = copy(view)
        shown.asked, shown.questions = [*view.asked, *entries], [*view.questions, *mine]
        return shown

    def questions(self, view: V) -> list[Question]:
        """The questions open to the viewer, with the ways to pass for longer, and to write orders with the answer."""
        questions = [with_rows(self.vocabulary, view, question) for question in view.questions]
        return [answers.with_long_passes(self.vocabulary, view, question) for question in questions]

    def question(self, state: S, decision: str, seat: Seat) -> Question:
        """One of them that a seat is to answer, for whoever needs nothing else of its view. Raises StaleDecision."""
        return self.open(state, decision, seat).question

    def determinise(self, view: V, random: Random) -> S:
        """A state that looks like this view; nobody in it has orders, but whose plan is given has given it."""
        state = self.game_determinise(view, random)
        gathering = self.vocabulary.gathering(view)
        if gathering is not None:
            missing = {
                question.decision.seat
                for question in view.questions
                if question.decision.kind in GATHERINGS and question.decision.prompted
            }
            ready = set(gathering.seats) if not view.asked else {view.seat} - missing
            # Who has not answered has seen a play since: else his former plan would hold, and nobody be asked again.
            unseen = Sheet(plays=1, touched=[EVERYTHING] if self.vocabulary.weighs else [])
            state.orders = [Sheet(ready=gathering.id) if seat in ready else copy(unseen) for seat in range(view.seats)]
        return state

    def _find_gathering(self, state: S, view: V | None = None) -> Gathering | None:
        """The sheet or plan that is asked now; None if none is, or everybody has answered and nothing else is missing.

        Arguments:
            view: any of this state, for it is found from public facts.
        """
        vocabulary = self.vocabulary
        if not vocabulary.gathers:
            return None
        is_beside = vocabulary.gathers_beside(state)
        if not is_beside and not self.is_at_boundary(state):
            return None
        gathering = vocabulary.gathering(self.game_view(state, None) if view is None else view)
        if gathering is None or is_beside:
            return gathering
        sheets = [sheet_of(state, seat) for seat in gathering.seats]
        return None if all(answers.is_ready(vocabulary, sheet, gathering) for sheet in sheets) else gathering

    # Answers

    def parse(self, raw: object) -> Any:
        """The player's action in `raw` (what JSON gives): {"type": ..., fields}. Raises IllegalAction, with the path.

        Actions that only the service may take (a forfeit at the deadline) are not accepted here.
        """
        if isinstance(raw, dict) and isinstance(raw.get("type"), str) and raw["type"] in TYPES:
            return answers.parse_common(raw)
        if isinstance(raw, dict) and ORDERS in raw:
            orders = answers.parse_orders(raw)
            return ActionWithOrders(self.parse_own({name: raw[name] for name in raw if name != ORDERS}), orders)
        return self.parse_own(raw)

    def parse_own(self, raw: object) -> A:
        """The action of the game itself in `raw`. Forms send every amount; those of nothing are left out, so equal
        answers are equal."""
        if not isinstance(raw, dict):
            raise IllegalAction("malformed", detail="Expected `object`")
        answer = {
            name: {key: amount for key, amount in value.items() if amount != 0} if isinstance(value, dict) else value
            for name, value in raw.items()
        }
        try:
            return self.to_action(answer)
        except msgspec.ValidationError as error:
            raise IllegalAction("malformed", detail=str(error)) from error

    def answer_of(self, action: Any) -> Answer:
        """The action in plain data."""
        if isinstance(action, ActionWithOrders):
            return {**self.to_answer(action.action), ORDERS: msgspec.to_builtins(action.orders)}
        return action.answer() if isinstance(action, CommonAction) else self.to_answer(action)

    def check(self, state: S, decision: str, seat: Seat, action: Any) -> None:
        """Raises StaleDecision or IllegalAction if `apply` would refuse."""
        self.open(state, decision, seat).check(action)

    def legal(self, state: S, decision: str, seat: Seat) -> list[Any]:
        """Every action the seat may answer with. For bots and tests; may be thousands."""
        return [self.parse(answer) for answer in every_answer(self.question(state, decision, seat))]

    def sample(self, question: Question, random: Random) -> Any:
        """One legal action, without listing them all."""
        return self.parse(draw_answer(question, random))

    def default(self, state: S, decision: Decision) -> Any:
        """The deadline's answer: an empty sheet; to a plan, that nothing more is asked in this tally."""
        gathering = self._find_gathering(state) if decision.kind in GATHERINGS else None
        return answers.silence(gathering) if gathering else self.game_default(state, decision)

    def forfeit(self, state: S, decision: Decision) -> Any:
        """The default, but to a sheet that the whole round is left to the defaults and nothing more is asked in it."""
        return CommonAction(answers.SHEET_NOTHING) if decision.kind == SHEET else self.default(state, decision)

    # Steps of the game, after which orders are carried out

    def apply(self, state: S, decision: str, seat: Seat, action: Any) -> tuple[S, list[Any]]:
        """Answers a decision and runs on as the game itself does, then lets orders answer what that has opened."""
        return self.open(state, decision, seat).apply(action)

    def advance(self, state: S) -> tuple[S, list[Any]]:
        """Crosses the phase boundary and runs on. Raises IllegalAction where there is none, or a plan is missing."""
        if not self.is_advance_pending(state):
            raise IllegalAction("no-boundary")
        own = self.copy(state)
        return self.run_orders(own, self.cross(own), set())

    def resign(self, state: S, seat: Seat) -> tuple[S, list[E]]:
        """Marks the seat as resigned; its orders end with it. Raises IllegalAction if it is, or if the game is over."""
        if state.outcome is not None or seat in state.resigned:
            raise IllegalAction("cannot-resign", seat={"seat": seat})
        own = self.copy(state)
        events = self.give_up(own, seat)
        if sheets_of(own):
            sheets_of(own)[seat].orders = []
        return own, events

    def end(self, state: S, seat: Seat) -> tuple[S, list[E]]:
        """Ends a game others have resigned from in favour of `seat`, which has not (A99). Raises IllegalAction else.

        That nobody but bots plays on beside it is for the service to know: the rules know no persons.
        """
        if state.outcome is not None or not state.resigned or seat in state.resigned:
            raise IllegalAction("cannot-end", seat={"seat": seat})
        own = self.copy(state)
        return own, self.abandon(own, seat)

    def branch_off(self, state: S, seed: str, step: int, branch: int, seat: Seat | None = None) -> tuple[S, list[Any]]:
        """A new branch of a game from the state of an earlier step: redealt, and all orders of all seats are ended.

        Arguments:
            seat: takes its answer back; then orders stay.
        """
        own = self.redeal(state, seed, branch)
        for sheet in sheets_of(own) if seat is None else ():
            sheet.orders = []
            sheet.forget_plays()
            sheet.quiet = sheet.ahead = sheet.ready = ""
        return own, [Branched(step, branch, seat)]

    def outcome(self, state: S) -> Outcome | None:
        """How the game ended, or None while it runs."""
        return state.outcome

    def run_orders(
        self, state: S, events: list[Any], considered: set[tuple[str, Seat]], before: V | None = None
    ) -> tuple[S, list[Any]]:
        """Lets orders answer after a step, in place; see `OrderRun`."""
        run = OrderRun(self, self.vocabulary, state, events, considered, before)
        run.run()
        if not any(sheet.is_active or sheet.last or sheet.ready for sheet in sheets_of(state)):
            state.orders = msgspec.UNSET
        return state, run.events

    # Playouts, in which orders are not carried out

    def draw(self, state: S, decision: Decision, random: Random) -> Any:
        """A legal answer to an open decision, at random."""
        if decision.kind in GATHERINGS:
            return self.sample(self.question(state, decision.id, decision.seat), random)
        return self.game_draw(state, decision, random)

    def play(self, state: S, seat: Seat, action: Any) -> list[E]:
        """Answers the seat's open question, in place and unchecked."""
        if not isinstance(action, CommonAction):
            return self.game_play(state, seat, action)
        gathering = self._find_gathering(state)
        assert gathering is not None, action
        answers.record_gathered(self.vocabulary, state, gathering, seat, action)
        return []

    # Orders

    def orders(self, state: S, seat: Seat) -> Sheet:
        """The orders of a seat: for its own eyes only."""
        return sheet_of(state, seat)

    def places_nothing(self, answer: Answer, given: Sheet) -> bool:
        """True of a sheet by which its player would be asked for each of his placements.

        Arguments:
            given: the orders that its seat has, which stay if none come with the sheet.
        """
        if answer.get("type") != SHEET:
            return False
        placed = answers.parse_orders(answer) if ORDERS in answer else given.orders
        return not any(order.kind in self.vocabulary.brings and order.answers for order in placed)

    def completed(self, answer: Answer, proposed: Answer) -> Answer:
        """A sheet with the pieces that it leaves in hand placed as proposed; what places nothing stays as it is."""
        if not (answer.get("type") == proposed.get("type") == SHEET and answer.get(ORDERS)):
            return answer
        brings, piece = self.vocabulary.brings, self.vocabulary.piece
        placing = [order for order in answers.parse_orders(answer) if order.kind in brings and order.answers]
        laid = {piece(entry) for order in placing for entry in order.answers}
        rest = [
            order
            for order in answers.parse_orders(proposed)
            if order.kind in brings and order.answers and piece(order.answers[0]) not in {None, *laid}
        ]
        if not placing:
            return answer
        return {**answer, ORDERS: [*answer[ORDERS], *msgspec.to_builtins(rest)][:MOST_ORDERS]}

    def dry_run(self, view: V, sheet: Sheet, giving: Answer | None = None) -> list[OrderForecast]:
        """Says of each of these orders what it would do now, as far as the seat can see.

        Arguments:
            giving: the answer its seat is about to give, after which they would come.
        """
        questions = view.questions
        following = None if giving is None else self.vocabulary.after(view, giving)
        if following is not None:
            view = following
            questions = [question for question in questions if question.decision.kind not in self.vocabulary.brings]
        return dry_run(self.vocabulary, view, questions, sheet)

    def instruct(self, state: S, seat: Seat, move: OrderMove) -> tuple[S, list[Any]]:
        """Gives or cancels orders of a seat; nobody else can tell. Nothing that is open already is answered by it.

        Raises IllegalAction for orders that cannot be meant, with the number of the order.
        """
        if state.outcome is not None:
            raise IllegalAction("orders.over")
        own = self.copy(state)
        sheet = open_sheets(own, self.vocabulary.period(own))[seat]
        run = OrderRun(self, self.vocabulary, own, [], set())
        if isinstance(move, SetOrders):
            checking.check(self.vocabulary, self.game_view(own, seat), sheet, move.orders)
            answers.give_orders(self.vocabulary, own, seat, move.orders)
        elif move.why == "hands":
            sheet.orders, sheet.given, sheet.planned = [], [], []
            sheet.forget_plays()
            sheet.quiet = sheet.ahead = ""  # what is still to come is asked of whoever sits there now
        else:
            for order in [order for order in sheet.orders if order.id in move.ids]:
                run.drop(seat, order, move.why)
        return own, run.events

    # What is shown and told

    def watched(self, see: Callable[[S, E], None]) -> Self:
        """These rules, for playing a move again: after each event of a step of the game, but not of orders, they show
        `see` the state and the event.

        The state is that of the game; `see` keeps nothing of it and changes nothing in it.
        """
        own = copy(self)
        if self.board is not None:
            own.board = partial(_watched_board, self.board, see)
        return own

    def redact(self, event: Any, seat: Seat | None) -> Any:
        """The event as that viewer may see it, or None if he may not know it happened. An order's is its own seat's."""
        if isinstance(event, ORDER_EVENTS):
            return event if event.seat == seat else None
        return event if isinstance(event, Branched) else self.game_redact(event, seat)

    def shows_hidden(self, seen: Any) -> bool:
        """True if an event shows the seat that sees it so what was hidden from it until then: it cannot be unseen."""
        return not isinstance(seen, (*ORDER_EVENTS, Branched, *self.plain_events))

    def recap(self, seen: Iterable[Any], reader: Seat | None) -> list[RecapLine]:
        """Sums up what has happened since the reader last looked, and behind it what became of his orders: one sentence
        for all that answered, one for each other."""
        of_the_game: list[E] = []
        about_orders: list[RecapLine] = []
        fired = 0
        for event in seen:
            if isinstance(event, OrderFired):
                fired += 1
            elif isinstance(event, OrderDropped | OrderHeld | Branched):
                about_orders.append(RecapLine(event, RECAP_WEIGHT))
            else:
                of_the_game.append(event)
        if fired:
            about_orders.insert(0, RecapLine(Text("orders.recap-fired", {"count": fired}), RECAP_WEIGHT))
        return [*self.game_recap(of_the_game, reader), *about_orders]

    def describe(self, view: V, language: str, names: Sequence[str]) -> str:
        """The whole board as plain text; a plan that is asked is told in our sentences."""
        plans = [question for question in view.questions if question.decision.kind in GATHERINGS]
        if not plans:
            return self.game_describe(view, language, names)
        bare = copy(view)
        bare.questions = [question for question in view.questions if question not in plans]
        board = self.game_describe(bare, language, names)
        plan = sentences.question_text(plans[0], lambda text: self.say(text, language, names))
        return f"{board.rstrip()}\n\n{plan}\n"

    def say(self, text: Any, language: str, names: Sequence[str], reader: Seat | None = None) -> str:
        """A sentence or an event in words. Events that nobody needs to read give "".

        Arguments:
            reader: the seat that reads "you" for itself; None if it is said to somebody else, or to several.
        """
        is_ours = isinstance(text, (*ORDER_EVENTS, Branched))
        if is_ours or (isinstance(text, Text) and text.code.startswith(sentences.PREFIX)):
            return sentences.say(text, language, lambda inner: self.say(inner, language, names, reader))
        return self.game_say(text, language, names, reader)

    # What is stored

    def dump(self, state: S) -> bytes:
        """The state as compact JSON."""
        return msgspec.json.encode(state)

    def load(self, data: bytes) -> S:
        """The state of a `dump`. Raises ValueError if it belongs to another version of the rules."""
        state = self.state_json.decode(data)
        if state.rules_version != self.version:
            raise ValueError(f"state of rules version {state.rules_version}, not {self.version}")
        return state

    def dump_action(self, action: Any) -> bytes:
        """An action as JSON, the service's own included."""
        return msgspec.json.encode(self.answer_of(action))

    def load_action(self, data: bytes) -> Any:
        """The action of a `dump_action`."""
        raw = msgspec.json.decode(data)
        return self.parse(raw) if raw["type"] in TYPES or ORDERS in raw else self.to_action(raw)

    def dump_events(self, events: Sequence[Any]) -> bytes:
        """Events as a JSON list."""
        return msgspec.json.encode(events)

    def load_events(self, data: bytes) -> list[Any]:
        """The events of a `dump_events`."""
        if not any(mark in data for mark in _ORDER_MARKS):
            return self.events_json.decode(data)
        return [
            _order_event.decode(raw)
            if bytes(raw).startswith(_ORDER_MARKS)
            else self.events_json.decode(b"[%b]" % bytes(raw))[0]
            for raw in msgspec.json.decode(data, type=list[msgspec.Raw])
        ]

    def dump_orders(self, move: OrderMove) -> bytes:
        """The move by which orders were given or cancelled, as JSON."""
        return msgspec.json.encode(move)

    def load_orders(self, data: bytes) -> OrderMove:
        """The move of a `dump_orders`."""
        return _order_move.decode(data)


AnyRules: TypeAlias = Rules[Any, Any, Any, Any]
"""The rules of some game."""


class OpenDecision:
    """A question that is open to a seat, and its answer: what that takes is worked out once, when it is needed.

    Arguments:
        gathering: the sheet or plan that it is part of, if the game itself does not ask it.
    """

    def __init__(self, rules: AnyRules, state: Any, decision: Decision, gathering: Gathering | None = None) -> None:
        self.rules, self.state, self.decision, self.gathering = rules, state, decision, gathering
        self.seat = decision.seat

    @cached_property
    def question(self) -> Question:
        """It as its seat sees it, with the ways to pass for longer; of a sheet or plan with the rows of its orders."""
        vocabulary = self.rules.vocabulary
        if self.gathering is not None:
            return with_rows(vocabulary, self.rules.game_view(self.state, self.seat), self._own_question)
        question = answers.taking_orders(vocabulary, self._own_question)
        return answers.with_long_passes(vocabulary, self.state, question)

    @cached_property
    def _own_question(self) -> Question:
        """It without what orders add to an answer."""
        if self.gathering is not None:
            return answers.gathering_question(self.gathering, self.decision)
        return self.rules.game_question(self.state, self.decision)

    def parse(self, raw: object) -> Any:
        """The player's action in `raw`; see `Rules.parse`."""
        return self.rules.parse(raw)

    def check(self, action: Any) -> None:
        """Raises IllegalAction if `apply` would refuse."""
        if action == CommonAction(answers.SHEET_NOTHING):
            if self.decision.kind != SHEET:
                raise IllegalAction("illegal-type", type=answers.SHEET_NOTHING)
        elif isinstance(action, CommonAction):
            check_answer(self._own_question if self.gathering else self.question, action.answer())
            self._check_orders(action.orders)
        elif self.gathering is not None:
            raise IllegalAction("orders.not-planned")
        elif isinstance(action, ActionWithOrders):
            answer = self.rules.answer_of(action)
            check_answer(self.question, answer)
            self._check_orders(action.orders, answer)
            self.rules.game_check(self.state, self._own_question, action.action)
        else:
            self.rules.game_check(self.state, self._own_question, action)

    def _check_orders(self, orders: Sequence[Any] | None, answer: Answer | None = None) -> None:
        """Orders that come with an answer of the game are judged as if that had been given already."""
        if orders is not None:
            vocabulary, view = self.rules.vocabulary, self.rules.game_view(self.state, self.seat)
            following = None if answer is None else vocabulary.after(view, answer)
            checking.check(
                vocabulary, view if following is None else following, sheet_of(self.state, self.seat), orders
            )

    def apply(self, action: Any, *, by_player: bool = True, in_place: bool = False) -> tuple[Any, list[Any]]:
        """Answers the question and runs on as the game itself does, then lets orders answer what that has opened.

        Arguments:
            by_player: the seat's player answers himself: he has seen what was shown until now, so it suspends his
                orders no more.
            in_place: for whoever has the state to himself: it is changed, and worth nothing any more if this raises.
        """
        self.check(action)
        rules, vocabulary, seat, kind = self.rules, self.rules.vocabulary, self.seat, self.decision.kind
        state = self.state if in_place else rules.copy(self.state)
        if self.gathering is not None:
            answers.record_gathered(vocabulary, state, self.gathering, seat, action, has_looked=by_player)
            return state, []
        has_orders = sheets_of(state) or isinstance(action, CommonAction | ActionWithOrders)
        considered = {key_of(decision) for decision in rules.decisions(state)} if has_orders else set()
        before = rules.game_view(state, None) if has_orders and kind in vocabulary.weighs else None
        if isinstance(action, CommonAction):
            events = rules.game_play(state, seat, rules.parse_own(dict(vocabulary.quiet[kind])))
            open_sheets(state, vocabulary.period(state))
        elif isinstance(action, ActionWithOrders):
            events = rules.game_play(state, seat, action.action)
            answers.give_orders(vocabulary, state, seat, action.orders)
            considered -= {(self.decision.id, seat)}  # if it asks for more than one answer they give the rest
        else:
            events = rules.game_play(state, seat, action)
        if sheets_of(state) and by_player:
            sheet = sheets_of(state)[seat]
            sheet.forget_plays()
            if kind in vocabulary.quiet:  # whoever answers otherwise passes on no more
                sheet.orders = [order for order in sheet.orders if order.id != answers.PASSING_ORDER]
            if isinstance(action, CommonAction):
                sheet.orders.append(answers.long_pass_order(vocabulary, kind, action))
        return rules.run_orders(state, events, considered, before)


def _watched_board(begin: Callable[[S], Any], see: Callable[[S, E], None], state: S) -> Any:
    board = begin(state)
    board.events = WatchedEvents[E](partial(see, state))
    return board
