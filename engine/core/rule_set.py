"""Base class for the rules of a game: the methods of `engine.core.Rules` that are alike in every game."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import partial
from random import Random
from typing import Any, Generic, Protocol, Self, TypeVar

import msgspec

from engine.core.answers import draw_answer, every_answer
from engine.core.questions import Answer, Decision, IllegalAction, Question, Seat
from engine.core.rules import Outcome, TableOption


class PlainState(Protocol):
    """What is asked here of a state."""

    rules_version: int
    resigned: list[Seat]
    outcome: Outcome | None


class PlainView(Protocol):
    """What is asked here of a view."""

    questions: list[Question]


S = TypeVar("S", bound=PlainState)
A = TypeVar("A")
E = TypeVar("E")
V = TypeVar("V", bound=PlainView)


class PlainBoard(Protocol[E]):
    """What is asked here of a state that is being changed."""

    events: list[E]


class WatchedEvents(list[E]):
    """Events of a step, each of which is shown to `see` as it happens."""

    def __init__(self, see: Callable[[E], None]) -> None:
        super().__init__()
        self.see = see

    def append(self, event: E) -> None:
        """Adds the event, and shows it."""
        super().append(event)
        self.see(event)


class RuleSet(ABC, Generic[S, A, E, V]):
    """Base of a game's rules: states, actions, events and views are those of the game.

    Arguments:
        state_json, events_json: how they are read.
        to_action: the action of an answer in plain data; a static method.
        copy: a state that shares nothing with this one; a static method.
        board: a state to be changed, with verbs that each append one event; a static method. Where a game has none, its
            steps cannot be watched, and are shown as one.
    """

    version: int
    state_json: msgspec.json.Decoder[S]
    events_json: msgspec.json.Decoder[list[E]]
    to_action: Callable[[Answer], A]
    copy: Callable[[S], S]
    board: Callable[[S], Any] | None = None
    foresight: int = 1

    # What each game has of its own

    @abstractmethod
    def give_up(self, state: S, seat: Seat) -> list[E]:
        """Marks the seat as resigned, in place."""

    @abstractmethod
    def abandon(self, state: S, seat: Seat) -> list[E]:
        """Ends the game in favour of the seat, in place."""

    @abstractmethod
    def check(self, state: S, decision: str, seat: Seat, action: A) -> None: ...

    @abstractmethod
    def play(self, state: S, seat: Seat, action: A) -> list[E]: ...

    @abstractmethod
    def cross(self, state: S) -> list[E]: ...

    @abstractmethod
    def question(self, state: S, decision: str, seat: Seat) -> Question: ...

    @abstractmethod
    def is_advance_pending(self, state: S) -> bool: ...

    @abstractmethod
    def view(self, state: S, seat: Seat | None) -> V: ...

    # What follows from it

    def watched(self, see: Callable[[S, E], None]) -> Self:
        """These rules, which show `see` the state after each event."""
        own = copy(self)
        if self.board is not None:
            own.board = partial(_watched_board, self.board, see)
        return own

    def still(self, state: S, seat: Seat | None) -> V:
        """The view, for games in whose steps nothing is to be seen."""
        return self.view(state, seat)

    def opens_scene(self, event: E, before: E) -> bool:
        """False: a step is shown as one."""
        return False

    def begins_tally(self, event: E) -> bool:
        """False: nothing is tallied."""
        return False

    def quick(self, state: S, decision: Decision, random: Random) -> A | None:
        """None: the bot `greedy` is quick enough."""
        return None

    def chances(self, state: S) -> list[float] | None:
        """None: games are played on to their end."""
        return None

    def legal(self, state: S, decision: str, seat: Seat) -> list[A]:
        """Every action the seat may answer with."""
        return [self.to_action(answer) for answer in every_answer(self.question(state, decision, seat))]

    def sample(self, question: Question, random: Random) -> A:
        """One legal action."""
        return self.to_action(draw_answer(question, random))

    def apply(self, state: S, decision: str, seat: Seat, action: A) -> tuple[S, list[E]]:
        """Answers a decision and runs on."""
        self.check(state, decision, seat, action)
        own = self.copy(state)
        return own, self.play(own, seat, action)

    def advance(self, state: S) -> tuple[S, list[E]]:
        """Crosses the phase boundary and runs on. Raises IllegalAction where there is none."""
        if not self.is_advance_pending(state):
            raise IllegalAction("no-boundary")
        own = self.copy(state)
        return own, self.cross(own)

    def resign(self, state: S, seat: Seat) -> tuple[S, list[E]]:
        """Marks the seat as resigned. Raises IllegalAction if it is, or if the game is over."""
        if state.outcome is not None or seat in state.resigned:
            raise IllegalAction("cannot-resign", seat={"seat": seat})
        own = self.copy(state)
        return own, self.give_up(own, seat)

    def end(self, state: S, seat: Seat) -> tuple[S, list[E]]:
        """Ends a game others have resigned from in favour of `seat`, which has not (A99). Raises IllegalAction else."""
        if state.outcome is not None or not state.resigned or seat in state.resigned:
            raise IllegalAction("cannot-end", seat={"seat": seat})
        own = self.copy(state)
        return own, self.abandon(own, seat)

    def questions(self, view: V) -> list[Question]:
        """The questions open to the viewer."""
        return view.questions

    def outcome(self, state: S) -> Outcome | None:
        """How the game ended, or None."""
        return state.outcome

    def dump(self, state: S) -> bytes:
        """The state as compact JSON."""
        return msgspec.json.encode(state)

    def load(self, data: bytes) -> S:
        """The state of a `dump`. Raises ValueError if it belongs to another version of the rules."""
        state = self.state_json.decode(data)
        if state.rules_version != self.version:
            raise ValueError(f"state of rules version {state.rules_version}, not {self.version}")
        return state

    def dump_events(self, events: Sequence[E]) -> bytes:
        """Events as a JSON list."""
        return msgspec.json.encode(events)

    def load_events(self, data: bytes) -> list[E]:
        """The events of a `dump_events`."""
        return self.events_json.decode(data)


def _watched_board(begin: Callable[[S], PlainBoard[E]], see: Callable[[S, E], None], state: S) -> PlainBoard[E]:
    board = begin(state)
    board.events = WatchedEvents(partial(see, state))
    return board


def chosen_options(offered: Sequence[TableOption], options: Mapping[str, str]) -> dict[str, str]:
    """All options with their defaults filled in. Raises IllegalAction for one that does not exist."""
    chosen = {option.name: option.default for option in offered}
    for name, value in options.items():
        allowed = [key for option in offered if option.name == name for key, _ in option.values]
        if value not in allowed:
            raise IllegalAction("illegal-option", option=name, value=value)
        chosen[name] = value
    return chosen
