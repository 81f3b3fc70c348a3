"""Positions in one line, and answers to what they ask."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from engine.aladdins_dragons import model
from engine.aladdins_dragons.actions import Action
from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.events import Event
from engine.aladdins_dragons.facts import KINDS, TREASURE_PER_KIND
from engine.aladdins_dragons.flow import tally_agenda
from engine.aladdins_dragons.model import State, Token
from engine.aladdins_dragons.rules import AladdinsDragons
from engine.core import Question
from tests.engine.aladdins_dragons.rules import BasicRules

RULES = BasicRules()
SEED = "5eed" * 16
A, B, C, D, E = range(5)
Kind = TypeVar("Kind")


def table(
    seats: int = 3,
    *,
    rules: AladdinsDragons = RULES,
    spaces: Mapping[str, str] | None = None,
    hoards: Sequence[Mapping[str, int]] = (),
    caves: Mapping[str, Sequence[int]] | None = None,
    stacks: Mapping[str, int] | None = None,
    artifacts: Sequence[int] = (),
    options: Mapping[str, str] | None = None,
    **fields: Any,
) -> State:
    """Round 1, placing, seat A to move and with the camel, all caves empty; changed as the arguments say.

    Arguments:
        spaces: tokens by space, "A9 B7 A1"; they leave the hands.
        hoards: value by kind, by seat; the bank has the rest.
        caves: shelves by kind.
        stacks: artifacts left by room.
        artifacts: how many each seat owns.
        fields: any other field of the state, such as camel or guard.
    """
    state, _ = rules.new(seats, options or {}, SEED)
    state.round, state.camel, state.guard = 1, 0, 5
    for name, value in fields.items():
        setattr(state, name, value)
    for seat, hoard in enumerate(hoards):
        state.hoards[seat].update(hoard)
    for kind, shelves in (caves or {}).items():
        state.caves[kind] = list(shelves)
    for kind in KINDS:
        held = sum(hoard[kind] for hoard in state.hoards)
        state.bank[kind] = TREASURE_PER_KIND - held - sum(state.caves[kind])
    for space, row in (spaces or {}).items():
        for text in row.split():
            Board(state).arrive(_token(state, text), space)
    for room, height in (stacks or {}).items():
        state.stacks[room] = state.stacks[room][:height]
    for seat, count in enumerate(artifacts):
        state.artifacts[seat] = ["lamp"] * count
    state.agenda = [model.RoundEnd(), *tally_agenda(state), model.Boundary("placing"), model.Placing(state.camel)]
    return state


def _token(state: State, text: str) -> Token:
    seat, value = "ABCDE".index(text[0]), int(text[1:])
    state.hands[seat].remove(value)
    return Token(seat, value)


def tally(state: State) -> tuple[State, list[Event]]:
    """Placing is complete; the tally runs up to its first question."""
    state.agenda.pop()
    return RULES.advance(state)


def tallied(seats: int = 3, **position: Any) -> tuple[State, list[Event]]:
    """A `table` whose placing is complete, tallied up to its first question."""
    return tally(table(seats, **position))


def asked(state: State) -> Question:
    """The one question that is open."""
    (decision,) = RULES.decisions(state)
    (question,) = RULES.view(state, decision.seat).questions
    return question


def forms(state: State) -> list[str]:
    """The kinds of answer to the one question that is open."""
    return [form.type for form in asked(state).actions]


def options(state: State, field: str) -> list[str | int]:
    """What may be chosen in a field of the open question."""
    return [
        option.value
        for form in asked(state).actions
        for candidate in form.fields
        if candidate.name == field
        for option in candidate.options
    ]


def play(state: State, *answers: tuple[int, Action]) -> tuple[State, list[Event]]:
    """Answers the open decisions in turn, each by the seat that must be the one asked."""
    events: list[Event] = []
    for seat, action in answers:
        decision = next(decision for decision in RULES.decisions(state) if decision.seat == seat)
        state, more = RULES.apply(state, decision.id, seat, action)
        events += more
    return state, events


def only(events: Sequence[Event], kind: type[Kind]) -> list[Kind]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]
