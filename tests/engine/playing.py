"""Whole games of any rule set, played at random: what the contract and secrecy tests walk through."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from engine.core import Decision
from engine.core.answers import every_answer
from engine.registry import AnyRules, newest
from tests.capabilities import has_time
from tests.engine.aladdins_dragons.rules import BasicRules, DealtRules

MOST_STEPS = 20_000
"""A game played at random that is not over after so many answers will not end."""


def _as_published(rules: AnyRules, seats: int) -> Any:
    marks = [pytest.mark.slow] if rules.name == "aladdins-dragons" else []  # a magic game takes seconds
    return pytest.param(rules, seats, id=f"{rules.name}-{seats}", marks=marks)


PUBLISHED = [_as_published(rules, seats) for rules in newest() for seats in rules.seat_counts]
"""Every rule set with every number of seats, as a new table has it."""

TABLES = [
    *PUBLISHED,
    pytest.param(BasicRules(), 3, id="aladdins-dragons-basic-3"),
    pytest.param(BasicRules(), 5, id="aladdins-dragons-basic-5", marks=pytest.mark.slow),
    pytest.param(DealtRules(), 3, id="aladdins-dragons-magic-dealt-3", marks=pytest.mark.slow),
]
"""The same and the variants that are played by other rules."""


UNASKED = 0.2
"""How often a seat that may do something unasked does so."""

SHARED = (31, 37, 41) if has_time() else (31,)
"""The games that many tests look at, each by its number; several where there is time."""


class Step(NamedTuple):
    """One thing done to a game: an answer, or (decision None) the crossing of a phase boundary."""

    before: Any
    decision: Decision | None
    action: Any
    after: Any
    events: list[Any]


def seed_of(number: int) -> str:
    """A game seed that a number stands for."""
    return Random(number).randbytes(32).hex()


def walk(rules: AnyRules, seats: int, number: int, options: dict[str, str] | None = None) -> Iterator[Step]:
    """Plays a game to its end, every seat answering at random; `number` decides everything."""
    random = Random(number)
    state, _ = rules.new(seats, options or {}, seed_of(number))
    for _ in range(MOST_STEPS):
        if rules.outcome(state) is not None:
            return
        step = one_step(rules, state, random)
        yield step
        state = step.after
    raise AssertionError(f"{rules.name} with {seats} did not end")


def walk_again(rules: AnyRules, seats: int, number: int = SHARED[0], **options: str) -> Iterator[Step]:
    """The game of `walk`, played once for all tests; each gets states of its own, made from their JSON.

    For tests that look at steps: to play costs more than most looks.
    """
    first, steps = _played(rules, seats, number, **options)
    before = rules.load(first)
    for decision, action, dumped, events in steps:
        after = rules.load(dumped)
        yield Step(before, decision, action, after, events)
        before = after


@cache
def _played(
    rules: AnyRules, seats: int, number: int, **options: str
) -> tuple[bytes, list[tuple[Any, Any, bytes, list[Any]]]]:
    steps = list(walk(rules, seats, number, options))
    return rules.dump(steps[0].before), [(s.decision, s.action, rules.dump(s.after), s.events) for s in steps]


def one_step(rules: AnyRules, state: Any, random: Random, *, eager: bool = False) -> Step:
    """The next boundary, or a random answer of a seat that is asked; `eager` prefers the first way to answer."""
    if rules.is_advance_pending(state):
        return Step(state, None, None, *rules.advance(state))
    decision = unasked(rules, state, random) or random.choice(
        [decision for decision in rules.decisions(state) if decision.prompted]
    )
    question = question_of(rules, state, decision)
    if eager:
        question = replace(question, actions=question.actions[:1])
    action = rules.sample(question, random)
    return Step(state, decision, action, *rules.apply(state, decision.id, decision.seat, action))


def unasked(rules: AnyRules, state: Any, random: Random) -> Decision | None:
    """Now and then something a seat may do though nobody asks it."""
    free = [decision for decision in rules.decisions(state) if not decision.prompted and not decision.sealed]
    if not free or random.random() >= UNASKED:
        return None
    able = able_of(rules, state, free)
    return random.choice(able) if able else None


def able_of(rules: AnyRules, state: Any, free: list[Decision]) -> list[Decision]:
    """Those of the decisions that their seats have an answer to: nobody else can tell."""
    return [decision for decision in free if any(every_answer(question_of(rules, state, decision)))]


def question_of(rules: AnyRules, state: Any, decision: Decision) -> Any:
    """The question of a decision, as its seat sees it."""
    (question,) = (
        question
        for question in rules.questions(rules.view(state, decision.seat))
        if question.decision.id == decision.id
    )
    return question
