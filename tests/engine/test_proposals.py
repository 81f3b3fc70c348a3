"""What every rule set proposes: a legal answer to whatever is asked, from the seat's own view alone."""

import json
from random import Random
from typing import Any

import pytest

from engine.core import Decision
from engine.registry import AnyRules, newest
from tests.engine.playing import question_of, seed_of

DRAGONS, CAVE = newest()
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


def proposed(rules: AnyRules, state: Any, decision: Decision) -> Any:
    """The action that is proposed, after a detour by JSON; None for nothing. It has a reason, and is legal."""
    view = rules.view(state, decision.seat)
    proposal = rules.propose(view, question_of(rules, state, decision))
    assert proposal == rules.propose(view, question_of(rules, state, decision))
    for language in ("en", "es"):
        said = rules.say(proposal.reason, language, NAMES)
        assert said and "\n" not in said and len(said) < 300, said
    if not proposal.answer:
        assert not decision.prompted
        return None
    action = rules.parse(json.loads(json.dumps(proposal.answer)))
    rules.check(state, decision.id, decision.seat, action)
    return action


@pytest.mark.parametrize(("rules", "seats", "options"), OPTIONS)
def test_whole_games_of_proposals_alone_are_legal_and_end(rules: AnyRules, seats: int, options: dict[str, str]) -> None:
    random = Random(5)
    state, _ = rules.new(seats, options, seed_of(5))
    for _ in range(2000):
        if rules.outcome(state) is not None:
            return
        if rules.is_advance_pending(state):
            state, _ = rules.advance(state)
            continue
        decision = random.choice([one for one in rules.decisions(state) if one.prompted])
        state, _ = rules.apply(state, decision.id, decision.seat, proposed(rules, state, decision))
    raise AssertionError("the game does not end")
