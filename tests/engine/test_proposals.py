"""What every rule set proposes: a legal answer to whatever is asked, from the seat's own view alone."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import Decision
from engine.registry import AnyRules, newest
from tests.engine.aladdins_dragons.rules import DealtRules, with_orders
from tests.engine.languages import LANGUAGES
from tests.engine.playing import question_of, seed_of
from tests.lab.duel import Duel

DRAGONS, CAVE = newest()[:2]
DEALT = with_orders(DealtRules())
"""There everybody has spells from the beginning, so that all of what cards ask is asked."""

NAMES = ["Anna", "Ben", "Carla", "David", "Eva"]
PLANNED = {"tally": "plan"}
OPTIONS = [
    pytest.param(DRAGONS, 3, PLANNED, id="magic-planned-3"),
    pytest.param(DRAGONS, 4, {**PLANNED, "version": "basic"}, id="basic-planned-4"),
    pytest.param(DRAGONS, 5, {**PLANNED, "placing": "waves", "tokens_per_turn": "8"}, id="waves-of-eight-5"),
    pytest.param(DRAGONS, 3, {"tokens_per_turn": "2"}, id="magic-step-by-two-3"),
    pytest.param(DRAGONS, 3, {**PLANNED, "placing": "waves", "tokens_per_turn": "4"}, id="waves-of-four-3"),
    pytest.param(DRAGONS, 3, {"version": "basic", "placing": "waves"}, id="basic-waves-3"),
    *(pytest.param(CAVE, seats, {}, id=f"cave-{seats}") for seats in CAVE.seat_counts),
]
TABLES = st.fixed_dictionaries(
    {
        "version": st.sampled_from(["magic", "basic"]),
        "tally": st.sampled_from(["plan", "step"]),
        "placing": st.sampled_from(["turns", "waves"]),
        "tokens_per_turn": st.sampled_from(["1", "2", "4", "8"]),
        "open_hoards": st.sampled_from(["on", "off"]),
    }
)
STEPS = 60  # of one game in which anything may be answered
OBEYING = 0.5  # how often a seat answers there as is proposed


def proposed(rules: AnyRules, state: Any, decision: Decision) -> Any:
    """The action that is proposed, after a detour by JSON; None for nothing. It has a reason, and is legal."""
    view, question = rules.view(state, decision.seat), question_of(rules, state, decision)
    proposal = rules.propose(view, question)
    for language in LANGUAGES:
        said = rules.say(proposal.reason, language, NAMES)
        assert said and "\n" not in said and len(said) < 300, said
    if not proposal.answer:
        assert not decision.prompted
        return None
    action = rules.parse(json.loads(json.dumps(proposal.answer)))
    rules.check(state, decision.id, decision.seat, action)
    return action


def step(rules: AnyRules, state: Any, random: Random, share: float) -> Any:
    """The state after the next boundary or answer; `share` says how often it is the one proposed."""
    if rules.is_advance_pending(state):
        return rules.advance(state)[0]
    decision = random.choice([one for one in rules.decisions(state) if one.prompted])
    if random.random() < share:
        action = proposed(rules, state, decision)
    else:
        action = rules.sample(question_of(rules, state, decision), random)
    return rules.apply(state, decision.id, decision.seat, action)[0]


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "seats", "options"), OPTIONS)
def test_whole_games_of_proposals_alone_are_legal_and_end(rules: AnyRules, seats: int, options: dict[str, str]) -> None:
    random = Random(5)
    state, _ = rules.new(seats, options, seed_of(5))
    for _ in range(2000):
        if rules.outcome(state) is not None:
            return
        state = step(rules, state, random, 1.0)
    raise AssertionError("the game does not end")


@pytest.mark.slow
@settings(max_examples=8)
@given(seats=st.integers(3, 5), options=TABLES, number=st.integers(0, 10_000))
def test_every_open_question_of_any_table_has_a_legal_proposal(
    seats: int, options: dict[str, str], number: int
) -> None:
    rules = DEALT if options["version"] == "magic" else DRAGONS
    random = Random(number)
    state, _ = rules.new(seats, options, seed_of(number))
    for _ in range(STEPS):
        if rules.outcome(state) is not None:
            return
        for decision in rules.decisions(state):
            if not decision.prompted:
                proposed(rules, state, decision)
        state = step(rules, state, random, OBEYING)


@pytest.mark.slow
@settings(max_examples=12)
@given(seats=st.sampled_from(CAVE.seat_counts), number=st.integers(0, 10_000))
def test_every_open_question_in_the_cave_has_a_legal_proposal(seats: int, number: int) -> None:
    random = Random(number)
    state, _ = CAVE.new(seats, {}, seed_of(number))
    for _ in range(STEPS):
        if CAVE.outcome(state) is not None:
            return
        state = step(CAVE, state, random, OBEYING)


ALIKE = [
    pytest.param(DEALT, 3, {"tally": "plan"}, id="magic-planned"),
    pytest.param(DEALT, 3, {"tally": "step", "open_hoards": "off"}, id="magic-step"),
    pytest.param(DRAGONS, 4, {"tally": "plan", "version": "basic", "placing": "waves"}, id="basic-waves"),
    pytest.param(CAVE, 3, {}, id="cave"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "seats", "options"), ALIKE)
def test_states_that_look_alike_to_a_seat_have_one_proposal(
    rules: AnyRules, seats: int, options: dict[str, str]
) -> None:
    random, compared = Random(9), 0
    state, _ = rules.new(seats, options, seed_of(9))
    for count in range(150):
        if rules.outcome(state) is not None:
            break
        for decision in rules.decisions(state) if count % 3 == 0 else ():
            view = rules.view(state, decision.seat)
            other = rules.determinise(view, random)
            if rules.view(other, decision.seat) != view or rules.dump(other) == rules.dump(state):
                continue
            first, second = (rules.propose(view, question_of(rules, world, decision)) for world in (state, other))
            again = rules.propose(rules.view(other, decision.seat), question_of(rules, other, decision))
            assert first == second == again
            compared += 1
        state = step(rules, state, random, OBEYING)
    assert compared > 10


@pytest.mark.slow
@pytest.mark.parametrize("version", ["magic", "basic"])
def test_proposals_beat_greedy_and_its_sheet(version: str) -> None:
    """What `python -m tests.lab.duel` measures over a thousand games, over so few that it takes seconds."""
    duel = Duel(DRAGONS, 4, {**PLANNED, "version": version})
    for number in range(4):
        duel.play_both(number)
    assert duel.record.wins >= 6
