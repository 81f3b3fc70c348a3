"""A game of few lines: the base class for rules whose every part but the game itself is alike.

A game says what lies where (`BaseRules.lay_out`), whom it asks (`asks`), what may be answered (`moves`), what an answer
does (`act`, or `reveal` where all answer at once and sealed), and when it is over (`is_over`). What a seat may know
follows from where a thing is kept: `table` is open to all, `hands` each to its own seat, `hidden` to nobody. All else
has a default that a game overrides where it knows better.
"""

import sys
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import reduce
from itertools import chain, islice
from operator import or_
from random import Random
from types import new_class
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeAlias, TypeVar, get_args, get_origin

import msgspec
from msgspec import UNSET, UnsetType

from engine.core import (
    ActionForm,
    Answer,
    Choice,
    Decision,
    Ending,
    Figures,
    IllegalAction,
    Option,
    Outcome,
    Picture,
    Proposal,
    Question,
    Seat,
    TableOption,
    Text,
)
from engine.core.answers import every_answer
from engine.core.games import GameEvent, RecapLine, branch_mark, chosen_options, copied, dice_of, event_sentences
from engine.core.language import SHARED, WIDTH, BaseWords, folded, locale_of
from engine.core.rng import Rng
from engine.kits import SIGNS, BoardPart, Player, lines, picture_of
from engine.orders.model import Sheet
from engine.rules import Bot, RandomBot, Rules

T = TypeVar("T")  # the table
H = TypeVar("H")  # a hand
X = TypeVar("X")  # what is hidden
A = TypeVar("A")  # an action


class Action(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Base class of what a seat may do: `class Bid(Action, tag="bid")`, with a field for each thing that is chosen.

    The tag is the type of its form; `do-<tag>` is the form's sentence, `field-<name>` that of a field.
    """


class AskedSeats(NamedTuple):
    """Whom the game waits for.

    Arguments:
        kind: of the decision; `ask-<kind>` is its sentence.
        seats: who is asked; one, unless the answers are sealed.
        sealed: all answer at once: nobody sees who has answered or what, until all have, and `reveal` is called.
    """

    kind: str
    seats: Sequence[Seat]
    sealed: bool = False


class BaseState(msgspec.Struct, Generic[T, H, X], kw_only=True):
    """Everything about one game. A game changes `table`, `hands` and `hidden`; the rest is kept by the base.

    Arguments:
        options: what the host chose, by name.
        start: the seat that begins, drawn for each game.
        turn: 1 for the first turn; it counts what is asked. While an answer is carried out it is that of the next.
        table: what everybody sees.
        hands: by seat what it alone sees.
        hidden: what nobody sees, such as a deck.
        rng: the only source of randomness.
        sealed: answers that wait for those of others.
    """

    rules_version: int
    options: dict[str, str]
    start: Seat
    turn: int = 1
    table: T
    hands: list[H]
    hidden: X
    rng: Rng
    sealed: list[Answer | None]
    resigned: list[Seat] = []
    outcome: Outcome | None = None
    orders: list[Sheet] | UnsetType = UNSET
    branch: int | UnsetType = UNSET

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.sealed)


class BaseView(msgspec.Struct, Generic[T, H], kw_only=True):
    """What one seat may see of a state. Fields are those of `BaseState` where they share a name.

    Arguments:
        rules_version: the version of the rules.
        seat: the viewer's own; None for a spectator.
        seats: how many play.
        hand: what the viewer alone sees; null for a spectator.
        answer: the viewer's own sealed answer, which may still be replaced.
        resigned: the seats that have left the game.
        outcome: how the game ended; null while it is played.
        asked: whom the game waits for.
        questions: those open to the viewer.
        branch: the number of the roll-back the game was dealt anew by, if there was one.
    """

    rules_version: int
    seat: Seat | None
    seats: int
    options: dict[str, str]
    start: Seat
    turn: int
    table: T
    hand: H | None
    answer: Answer | None
    resigned: list[Seat]
    outcome: Outcome | None
    asked: list[Decision]
    questions: list[Question]
    branch: int | UnsetType = UNSET


Shown: TypeAlias = BaseState[T, H, X] | BaseView[T, H]
"""A state or a view of it: both have `table`, `start`, `turn`, `seats` and `options`."""


class BaseEvent(GameEvent, frozen=True):
    """Base class of what happens. Its fields fill the names in braces of its sentence: `says={"code": _("...")}`.

    A field `seat` is said as the name of the player, `seats` as those of several, `totals` as points by name.

    Arguments:
        shapes: how other fields are said, beside `BaseEvent.shapes`: as "seat", "seats", "totals" or "option", which is
            the sentence `option-<value>`, as of goods. In a `Text` the parameter is `{"option": value}` instead.
        private: fields that only one seat may see, each with the field that holds that seat; others are shown null.
    """

    shapes: ClassVar[Mapping[str, str]] = {"seat": "seat", "seats": "seats", "totals": "totals"}
    private: ClassVar[Mapping[str, str]] = {}


class GameOpened(BaseEvent, frozen=True, says={"opened": SHARED["opened"]}):
    """The game is laid out; the seat begins, where one does."""

    seat: Seat


class SeatGaveUp(BaseEvent, frozen=True, says={"gave-up": SHARED["gave-up"]}):
    """A seat has left the game; it ranks behind all who stay."""

    seat: Seat


class GameFinished(BaseEvent, frozen=True):
    """The game is over, and this is how."""

    outcome: Outcome

    def text(self) -> Text:
        """The sentence that names the winner."""
        return self.outcome.reason


class GameWords(BaseWords):
    """The sentences of a game in one language. What it does not say itself is said as the base does."""

    plurals = {}
    lists = {"pair": SHARED["pair"], "join": SHARED["join"]}

    def shapes(self) -> dict[str, Callable[[Any], str]]:
        """How parameters are put into words: seats, totals, fields, options and answers."""
        return {
            **super().shapes(),
            "field": lambda name: self.either(f"field-{name}", name),
            "option": lambda value: self.either(f"option-{value}", value),
            "labels": lambda labels: ", ".join(
                self.sentence(label["code"], **label.get("params", {})) for label in labels
            ),
        }

    def get(self, sentence: str) -> str:
        """A sentence in the reader's language, from the game's own catalogue or from the one of the base."""
        own = super().get(sentence)
        return own if own != sentence else self._shared.gettext(sentence)

    def has(self, code: str) -> bool:
        """True if the game says something under that code, or the base does."""
        return code in self.sentences or code in self.plurals

    def either(self, code: str, otherwise: object) -> str:
        """The sentence of that code, or something else if there is none."""
        return self.sentence(code) if code in self.sentences else str(otherwise)


WORLDS, TRIALS = 4, 96
"""Worlds that look like what a seat sees, and answers that are tried in all of them together, for one move."""

MOST_TRIED = 10_000  # ways to answer that are looked at
MOST_LISTED = 40  # ways to answer that the board in words lists


class OnePly(Bot[BaseView[Any, Any]]):
    """Does what its rules choose for it: see `BaseRules.choose`."""

    name = "greedy"
    title = Text("bot-greedy")

    def __init__(self, rules: "BaseRules[Any, Any, Any, Any]") -> None:
        self.rules = rules

    def decide(self, view: BaseView[Any, Any], question: Question, random: Random) -> Any:
        """The move that its rules choose."""
        return self.rules.choose(view, question, random)


class BaseRules(Rules[BaseState[T, H, X], A, BaseEvent, BaseView[T, H]], Generic[T, H, X, A]):
    """Base class of a game in one class: `class Gops(BaseRules[Table, None, Hidden, Bid])`.

    The four types are the table, a hand (None if there are none), what is hidden (None if nothing is), and the actions
    (several as `Bid | Pass`). To be offered, an instance stands in the list that the package's entry point names.

    Arguments:
        name: of the rule set, in addresses and files.
        seat_counts: with how many it can be played.
        options: what the host may choose.
        events: the classes of its own events.
        sentences: its sentences in English by code, each marked with `_`; "title" and "about" must be among them.
        plurals: those that depend on a number, by code: the parameter that counts, singular and plural.
        kind: of the decisions, where all are of one.
        sealed: all seats answer at once, each in secret; `reveal` is called with all answers.
        shows_points: whether the board says each player's points.
    """

    version = 1
    title = Text("title")
    options: Sequence[TableOption] = ()
    events: ClassVar[Sequence[type[BaseEvent]]] = ()
    sentences: ClassVar[Mapping[str, str]] = {}
    plurals: ClassVar[Mapping[str, tuple[str, str, str]]] = {}
    kind: ClassVar[str] = "move"
    sealed: ClassVar[bool] = False
    shows_points: ClassVar[bool] = True
    words: type[GameWords]

    def __init_subclass__(cls) -> None:
        """Makes the types of state, view and events, and the words, of what the class says."""
        bases = [base for base in getattr(cls, "__orig_bases__", ()) if get_origin(base) is BaseRules]
        if bases:
            table, hand, hidden, cls.action_type = get_args(bases[0])
            generic_state: Any = BaseState
            generic_view: Any = BaseView
            cls.state_type = _struct("State", generic_state[table, hand, hidden])
            cls.view_type = _struct("View", generic_view[table, hand])
        cls.event_type = reduce(or_, (*cls.events, GameOpened, SeatGaveUp, GameFinished))
        said, counted = event_sentences([*cls.events, GameOpened, SeatGaveUp])
        package = sys.modules[cls.__module__].__package__ or cls.__module__
        members = {
            "locale": locale_of(package),
            "domain": getattr(cls, "name", "").replace("-", "_"),
            "sentences": {**SHARED, **said, **cls.sentences},
            "plurals": {**counted, **cls.plurals},
        }
        cls.words = type("Words", (GameWords,), members)
        super().__init_subclass__()

    see: Callable[[BaseState[T, H, X], BaseEvent], None] | None = None

    def __init__(self) -> None:
        self.bots = {"random": RandomBot(self.to_action), "greedy": OnePly(self)}

    @property
    def about(self) -> Text:
        """What the game is, in a sentence: the one under that code."""
        return Text("about")

    # What a game says

    @abstractmethod
    def lay_out(self, seats: int, options: Mapping[str, str], rng: Rng) -> T:
        """Returns the table of a new game."""

    def deal(self, state: BaseState[T, H, X]) -> None:
        """Fills in `state.hands` (one for each seat) and `state.hidden` of a new game, drawing from `state.rng`."""

    def asks(self, state: BaseState[T, H, X]) -> AskedSeats:
        """Returns whom the game waits for, while it is not over; by default the seats in turn, from `state.start`.

        From what everybody knows alone.
        """
        if self.sealed:
            return AskedSeats(self.kind, range(state.seats), sealed=True)
        return AskedSeats(self.kind, [(state.start + state.turn - 1) % state.seats])

    @abstractmethod
    def moves(self, state: BaseState[T, H, X], seat: Seat) -> Sequence[A]:
        """Returns every move that the seat may make, at least one, from what it may know alone.

        If there is only one, it is made without asking. The fields of actions with more than two fields may be
        combined as one likes; of those with two, all combinations that are not among the moves are refused.
        """

    def act(self, state: BaseState[T, H, X], seat: Seat, action: A) -> Iterator[BaseEvent]:
        """Does what a move does, in place, and yields each event when it has happened.

        Needed unless the game has a `reveal` of its own.
        """
        raise NotImplementedError

    def reveal(self, state: BaseState[T, H, X], answers: Mapping[Seat, A]) -> Iterator[BaseEvent]:
        """Does what sealed answers do, once all have been given; by default one after the other, from `state.start`.

        The events that tell the answers have `Reveal` in their names.
        """
        for seat in sorted(answers, key=lambda seat: (seat - state.start) % state.seats):
            yield from self.act(state, seat, answers[seat])

    @abstractmethod
    def is_over(self, state: BaseState[T, H, X]) -> bool:
        """True once the game has ended by its own rules; then `scores` says who has won."""

    # Where something is hidden

    def imagine(self, state: BaseState[T, H, X], view: BaseView[T, H], random: Random) -> None:
        """Fills in what the viewer cannot see: the hands of others in `state.hands`, and `state.hidden`, at random.

        Needed of a game with hands or something hidden. The viewer's own hand is there.
        """

    def reshuffle(self, state: BaseState[T, H, X]) -> None:
        """Draws anew, from `state.rng`, what no seat has seen, for a game that is taken back; no view may change.

        By default each list in `hidden` is shuffled.
        """
        for name in getattr(state.hidden, "__struct_fields__", ()):
            value = getattr(state.hidden, name)
            if isinstance(value, list):
                setattr(state.hidden, name, state.rng.shuffled(value))

    # What a game may say better

    def scores(self, shown: Shown[T, H, X]) -> list[int]:
        """Returns the points by seat, of a state or a view; the most win. By default nobody has any."""
        return [0] * shown.seats

    def rank(self, state: BaseState[T, H, X]) -> list[Sequence[int]]:
        """Returns by seat what it is ranked by, the greatest first; those with the same win together."""
        return [(score,) for score in self.scores(state)]

    def worth(self, state: BaseState[T, H, X], seat: Seat) -> float:
        """Judges a position for a seat, for the bot `greedy`: by default its lead over the best of the others."""
        scores = self.scores(state)
        lead = scores[seat] - max((score for other, score in enumerate(scores) if other != seat), default=0)
        if state.outcome is None:
            return lead
        return lead + (1000 if seat in state.outcome.winners else -1000)

    def choose(self, view: BaseView[T, H], question: Question, random: Random) -> A:
        """Returns the move of the bot `greedy`, which is also proposed to players.

        By default it tries each move in worlds that look like what the seat sees, and takes the one that is worth most
        by `worth`; of equals any.
        """
        moves = [self.to_action(answer) for answer in islice(every_answer(question), MOST_TRIED)]
        if len(moves) == 1:
            return moves[0]
        tried = random.sample(moves, TRIALS) if len(moves) > TRIALS else moves
        count = max(1, min(WORLDS, TRIALS // len(tried)))
        worlds = [self.game_determinise(view, random) for _ in range(count)]
        seat = question.decision.seat
        scored = [
            (sum(self._tried(world, seat, move, number) for number, world in enumerate(worlds)), random.random(), place)
            for place, move in enumerate(tried)
        ]
        return tried[max(scored)[2]]

    def _tried(self, world: BaseState[T, H, X], seat: Seat, move: A, number: int) -> float:
        """Plays the move in a copy of the world, after whoever else is asked and has not answered, and judges it."""
        own, random = self.copy(world), Random(number)
        request = self.asks(own)
        if request.sealed:
            for other in request.seats:
                if other != seat and own.sealed[other] is None:
                    self.game_play(own, other, random.choice(self.moves(own, other)))
        self.game_play(own, seat, move)
        return self.worth(own, seat)

    def silence(self, state: BaseState[T, H, X], seat: Seat) -> A:
        """Returns the move of whoever does not answer in time; by default the first of `moves`."""
        return self.moves(state, seat)[0]

    def ask(self, state: BaseState[T, H, X], seat: Seat, kind: str) -> Text:
        """Returns what the seat is asked; by default the sentence `ask-<kind>`, or "Your move"."""
        return Text(f"ask-{kind}" if f"ask-{kind}" in self.words.sentences else "ask")

    def label(self, state: BaseState[T, H, X], action: A, field: str) -> Text:
        """Returns what the value of a field is called where it is chosen: by default the sentence `<field>-<value>`, or
        `<field>-option` with the value in its place, or the value alone."""
        value = getattr(action, field)
        if f"{field}-{value}" in self.words.sentences:
            return Text(f"{field}-{value}")
        return Text(f"{field}-option" if f"{field}-option" in self.words.sentences else "value", {"value": value})

    def hint(self, kind: str) -> Text | None:
        """Returns what is worth knowing before answering: the sentence `hint-<kind>`, if there is one."""
        return Text(f"hint-{kind}") if f"hint-{kind}" in self.words.sentences else None

    def why(self, view: BaseView[T, H], answer: Answer) -> Text:
        """Returns in one line why an answer is proposed."""
        return Text("why-greedy")

    def draw_board(self, view: BaseView[T, H], words: GameWords) -> BoardPart | None:
        """Returns the board, as `engine.kits` draws it in picture and words; None where the table is told in words."""
        return None

    def tell(self, view: BaseView[T, H], words: GameWords) -> list[str]:
        """Returns the lines of the board in words, beside players and question; by default the fields of the table."""
        table = msgspec.to_builtins(view.table)
        return [f"{name}: {value}" for name, value in table.items()] if isinstance(table, dict) else []

    # A game as a whole

    def new(self, seats: int, options: Mapping[str, str], seed: str) -> tuple[BaseState[T, H, X], list[BaseEvent]]:
        """A game laid out and dealt, waiting for its first answer."""
        if seats not in self.seat_counts:
            raise IllegalAction("illegal-seats", seats=", ".join(map(str, self.seat_counts)))
        chosen, rng = chosen_options(self.options, options), Rng(seed)
        start = rng.below(seats)
        empty: list[Any] = [None] * seats
        state = self.state_type(
            rules_version=self.version,
            options=chosen,
            start=start,
            table=self.lay_out(seats, chosen, rng),
            hands=empty,
            hidden=None,
            rng=rng,
            sealed=[*empty],
        )
        self.deal(state)
        return state, [GameOpened(start), *self._go_on(state)]

    def game_play(self, state: BaseState[T, H, X], seat: Seat, action: A) -> list[BaseEvent]:
        """Answers a decision and runs on to where somebody has a choice, or to the end."""
        events: list[BaseEvent] = []
        for event in chain(self._answer(state, seat, action), self._go_on(state)):
            events.append(copied(event))  # which may hold a list of the table that changes later
            if self.see is not None:
                self.see(state, event)
        return events

    def watched(self, see: Callable[[BaseState[T, H, X], BaseEvent], None]) -> Self:
        """These rules, which show `see` the state after each event of an answer."""
        own = copy(self)
        own.see = see
        return own

    def still(self, state: BaseState[T, H, X], seat: Seat | None) -> BaseView[T, H]:
        """The view of one seat while an answer is carried out: nobody is asked anything."""
        return self._view(state, seat, [])

    def _answer(self, state: BaseState[T, H, X], seat: Seat, action: A) -> Iterator[BaseEvent]:
        request = self.asks(state)
        if not request.sealed:
            state.turn += 1
            yield from self.act(state, seat, action)
            return
        state.sealed[seat] = self.to_answer(action)
        answers = {other: answer for other in request.seats if (answer := state.sealed[other]) is not None}
        if len(answers) == len(request.seats):
            state.sealed = [None] * state.seats
            state.turn += 1
            yield from self.reveal(state, {other: self.to_action(answer) for other, answer in answers.items()})

    def _go_on(self, state: BaseState[T, H, X]) -> Iterator[BaseEvent]:
        """Makes the moves that are the only ones, and ends the game when it is over."""
        while state.outcome is None:
            if self.is_over(state):
                yield self._finish(state, Ending.COMPLETE)
                return
            request = self.asks(state)
            if any(state.sealed) or any(len(self.moves(state, seat)) > 1 for seat in request.seats):
                return
            for seat in request.seats:
                yield from self._answer(state, seat, self.moves(state, seat)[0])

    def cross(self, state: BaseState[T, H, X]) -> list[BaseEvent]:
        """There are no phase boundaries."""
        raise IllegalAction("no-boundary")

    def give_up(self, state: BaseState[T, H, X], seat: Seat) -> list[BaseEvent]:
        """Marks the seat as resigned; the service answers for it from now on."""
        state.resigned.append(seat)
        return [SeatGaveUp(seat)]

    def abandon(self, state: BaseState[T, H, X], seat: Seat) -> list[BaseEvent]:
        """Ends the game in favour of the seat."""
        return [self._finish(state, Ending.ABANDONED, seat)]

    def _finish(self, state: BaseState[T, H, X], ending: Ending, winner: Seat | None = None) -> BaseEvent:
        """Ranks the seats: those who stayed before those who left, each by `rank`."""
        ranks, scores = self.rank(state), self.scores(state)
        order = sorted(range(state.seats), key=lambda seat: (seat in state.resigned, *(-mark for mark in ranks[seat])))
        if winner is not None:
            order.remove(winner)
            order.insert(0, winner)
        best = order[0]
        winners = [
            seat
            for seat in order
            if (ranks[seat], seat in state.resigned) == (ranks[best], best in state.resigned) and winner is None
        ] or [best]
        state.outcome = Outcome(ending, winners, order, scores, self.reason(ending, winners, scores))
        return GameFinished(state.outcome)

    def reason(self, ending: Ending, winners: Sequence[Seat], scores: Sequence[int]) -> Text:
        """Returns the sentence that names the winner: "won", "shared" by several, "drawn" by all, or "abandoned"."""
        params: dict[str, Any] = {"seat": {"seat": winners[0]}, "seats": {"seats": [*winners]}}
        if ending == Ending.ABANDONED:
            return Text("abandoned", params)
        code = "won" if len(winners) == 1 else "drawn" if len(winners) == len(scores) else "shared"
        return Text(code, {**params, "score": scores[winners[0]]})

    # Questions and answers

    def to_action(self, answer: Answer) -> A:
        """The action of an answer in plain data."""
        action: A = msgspec.convert(answer, self.action_type)
        return action

    def game_decisions(self, state: BaseState[T, H, X]) -> list[Decision]:
        """Those whom the game waits for; of sealed answers those who have given theirs, too, but unprompted."""
        if state.outcome is not None:
            return []
        request, code = self.asks(state), f"{branch_mark(state.branch)}t{state.turn}"
        return [
            Decision(code, seat, request.kind, request.sealed, prompted=state.sealed[seat] is None)
            for seat in request.seats
        ]

    def game_question(self, state: BaseState[T, H, X], decision: Decision) -> Question:
        """The question with a form for each type of move."""
        seat, kind = decision.seat, decision.kind
        silent = self.silence(state, seat)
        default = Text("default", {"answer": {"labels": msgspec.to_builtins(self._labels(state, silent))}})
        forms = [self._form(state, moves) for moves in _by_type(self.moves(state, seat))]
        return Question(decision, self.ask(state, seat, kind), forms, default, self.hint(kind))

    def _labels(self, state: BaseState[T, H, X], action: A) -> list[Text]:
        names = _fields_of(action)
        return [self.label(state, action, name) for name in names] or [Text(f"do-{_tag_of(action)}")]

    def _form(self, state: BaseState[T, H, X], moves: Sequence[A]) -> ActionForm:
        """A form whose fields allow exactly these moves, all of one type."""
        tag, names = _tag_of(moves[0]), _fields_of(moves[0])
        allowed = {tuple(getattr(move, name) for name in names) for move in moves}
        values = [list(dict.fromkeys(getattr(move, name) for move in moves)) for name in names]
        by_value = [{getattr(move, name): move for move in moves} for name in names]
        differ = ""
        if len(names) == 2 and not any(first == second for first, second in allowed):
            differ = "both"
        fields: list[Choice] = []
        for place, name in enumerate(names):
            options = []
            for value in values[place]:
                bars: list[str | int] = []
                if place == 0 and len(names) == 2:
                    bars = [other for other in values[1] if (value, other) not in allowed and other != value]
                options.append(Option(value, self.label(state, by_value[place][value], name), bars=bars))
            code = f"field-{name}" if f"field-{name}" in self.words.sentences else "field"
            fields.append(Choice(name, Text(code), options, distinct=differ))
        return ActionForm(tag, Text(f"do-{tag}" if f"do-{tag}" in self.words.sentences else "do"), list(fields))

    def game_draw(self, state: BaseState[T, H, X], decision: Decision, random: Random) -> A:
        """Any of the moves."""
        return random.choice(self.moves(state, decision.seat))

    def game_default(self, state: BaseState[T, H, X], decision: Decision) -> A:
        """The move of whoever is silent."""
        return self.silence(state, decision.seat)

    def propose(self, view: BaseView[T, H], question: Question) -> Proposal:
        """What the bot `greedy` would do."""
        answer = self.to_answer(self.choose(view, question, dice_of(view)))
        return Proposal(answer, self.why(view, answer))

    # What is seen

    def game_view(self, state: BaseState[T, H, X], seat: Seat | None) -> BaseView[T, H]:
        """The table, and of hands, sealed answers and questions those of the seat."""
        return self._view(state, seat, self.game_decisions(state))

    def _view(self, state: BaseState[T, H, X], seat: Seat | None, decisions: Sequence[Decision]) -> BaseView[T, H]:
        own = self.copy(state)
        view: BaseView[T, H] = self.view_type(
            rules_version=state.rules_version,
            seat=seat,
            seats=state.seats,
            options=own.options,
            start=state.start,
            turn=state.turn,
            table=own.table,
            hand=None if seat is None else own.hands[seat],
            answer=None if seat is None else own.sealed[seat],
            resigned=own.resigned,
            outcome=state.outcome,
            asked=[
                decision if decision.seat == seat else msgspec.structs.replace(decision, prompted=True)
                for decision in decisions
            ],
            questions=[self.game_question(state, decision) for decision in decisions if decision.seat == seat],
            branch=state.branch,
        )
        return view

    def game_redact(self, event: BaseEvent, seat: Seat | None) -> BaseEvent:
        """The event without what is private to another seat."""
        hidden = {name: None for name, owner in event.private.items() if seat is None or getattr(event, owner) != seat}
        return msgspec.structs.replace(event, **hidden) if hidden else event

    def opens_scene(self, event: BaseEvent, before: BaseEvent) -> bool:
        """True of the game's own events: each is shown by itself."""
        return isinstance(event, tuple(self.events))

    def game_determinise(self, view: BaseView[T, H], random: Random) -> BaseState[T, H, X]:
        """The table as it is; hands and what is hidden as `imagine` has it; others may have answered, or not yet."""
        hands: list[Any] = [view.hand if seat == view.seat else None for seat in range(view.seats)]
        state = self.state_type(
            rules_version=view.rules_version,
            options=view.options,
            start=view.start,
            turn=view.turn,
            table=view.table,
            hands=hands,
            hidden=None,
            rng=Rng(random.randbytes(32).hex()),
            sealed=[view.answer if seat == view.seat else None for seat in range(view.seats)],
            resigned=view.resigned,
            outcome=view.outcome,
            branch=view.branch,
        )
        self.imagine(state, view, random)
        own = self.copy(state)  # shares nothing with the view
        if own.outcome is None and (request := self.asks(own)).sealed:
            others = [seat for seat in request.seats if seat != view.seat]
            most = len(others) - (view.seat not in request.seats or view.answer is not None)
            for seat in random.sample(others, random.randint(0, max(most, 0))):
                own.sealed[seat] = self.to_answer(random.choice(self.moves(own, seat)))
        return own

    # What is told

    def game_recap(self, seen: Iterable[BaseEvent], reader: Seat | None) -> list[RecapLine]:
        """Each event is a line; what ends the game or is about the reader weighs more."""
        return [
            RecapLine(event, 1 + 2 * (isinstance(event, GameFinished) or getattr(event, "seat", None) == reader))
            for event in seen
        ]

    def standings(self, view: BaseView[T, H]) -> list[Text]:
        """The points, the most first; nothing where nobody has any."""
        scores = sorted(enumerate(self.scores(view)), key=lambda pair: -pair[1])
        return (
            [Text("standing", {"totals": {"totals": [[*pair] for pair in scores]}})]
            if any(dict(scores).values())
            else []
        )

    def story(self, seen: Iterable[BaseEvent]) -> list[Text]:
        """How it ended."""
        return [event.outcome.reason for event in seen if isinstance(event, GameFinished)]

    def figures(self, seen: Iterable[object], seats: int) -> list[Figures]:
        """The points by turn, of events that have them by seat as `scores`, and those at the end."""
        course: list[list[int]] = []
        for event in seen:
            if isinstance(event, GameFinished):
                course.append(event.outcome.scores)
            elif isinstance(scores := getattr(event, "scores", None), list):
                course.append(scores)
        lines = [(Text("figures-turn", {"turn": turn}), scores) for turn, scores in enumerate(course, start=1)]
        return [Figures(Text("figures-points"), lines, is_course=True)]

    def game_describe(self, view: BaseView[T, H], language: str, names: Sequence[str]) -> str:
        """Title, players, the board in words, and what is asked."""
        words = self._words(language, names)
        said = [f"{words.sentence('title')}: {words.sentence('turn', turn=view.turn)}"]
        if view.outcome is not None:
            said = [words.sentence("title"), words.say(view.outcome.reason)]
        said += ["", *map(_line_of, self._players(view, words)), ""]
        board = self.draw_board(view, words)
        said += board.told if board else self.tell(view, words)
        for question in view.questions:
            said += ["", words.say(question.title)]
            for form in question.actions:
                labels = [words.say(option.label) for field in form.fields for option in field.options]
                listed = ", ".join([*labels[:MOST_LISTED], *(["..."] if len(labels) > MOST_LISTED else [])])
                said.append(f"{words.say(form.label)}: {listed}" if listed else words.say(form.label))
        return "\n".join(part for line in said for part in (folded([line], WIDTH) if line else [""])) + "\n"

    def picture(self, view: BaseView[T, H], language: str, names: Sequence[str]) -> Picture:
        """Title, players, and the board: as the kits draw it, or told in words."""
        words = self._words(language, names)
        options = [
            str(option.value)
            for question in view.questions
            for form in question.actions
            for field in form.fields
            for option in field.options
        ]
        players = self._players(view, words)
        return picture_of(
            self.draw_board(view, words) or lines(self.tell(view, words)),
            players,
            title=words.sentence("title"),
            note=words.sentence("turn", turn=view.turn) if view.outcome is None else "",
            summary=words.say(view.outcome.reason) if view.outcome else "; ".join(map(_line_of, players)),
            may_choose=options,
        )

    def _words(self, language: str, names: Sequence[str]) -> GameWords:
        return self.words.of(language, tuple(names))

    def _players(self, view: BaseView[T, H], words: GameWords) -> list[Player]:
        active = {decision.seat for decision in view.asked}
        scores = self.scores(view)
        return [
            Player(
                seat=seat,
                name=words.name(seat),
                note=words.sentence("points", score=scores[seat]) if self.shows_points else "",
                status=words.sentence("is-asked") if seat in active else "",
                is_active=seat in active,
                is_viewer=seat == view.seat,
                is_resigned=seat in view.resigned,
            )
            for seat in range(view.seats)
        ]


def _struct(name: str, base: Any) -> Any:
    """A class of that name which is what the base is for certain types."""
    return new_class(name, (base,), {"kw_only": True}, lambda members: members.update(__doc__=get_origin(base).__doc__))


def _line_of(player: Player) -> str:
    said = ", ".join(filter(None, (player.note, player.status)))
    return f"{SIGNS[player.seat]} {player.name}: {said}" if said else f"{SIGNS[player.seat]} {player.name}"


def _tag_of(action: Any) -> str:
    return str(action.__struct_config__.tag)


def _fields_of(action: Any) -> tuple[str, ...]:
    names: tuple[str, ...] = action.__struct_fields__
    return names


def _by_type(moves: Iterable[A]) -> list[list[A]]:
    """The moves of each type, in the order in which the types first occur."""
    sorted_moves: dict[type, list[A]] = {}
    for move in moves:
        sorted_moves.setdefault(type(move), []).append(move)
    return list(sorted_moves.values())
