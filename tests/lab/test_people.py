"""What simulated people write into their sheets."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from msgspec import to_builtins

from engine.registry import newest
from tests.engine.playing import one_step
from tests.lab.people import CHANGED, POPULATIONS, Habits, Planner, Reaction, SeenQuestion, Thinker, react

pytestmark = pytest.mark.slow
DRAGONS = next(rules for rules in newest() if rules.name == "aladdins-dragons")
TABLES = range(12)


@pytest.mark.parametrize("tokens", ["1", "2", "4", "8"])
def test_whoever_fills_in_a_sheet_orders_all_his_tokens_whatever_the_size_of_a_wave(tokens):
    options = {"version": "magic", "placing": "waves", "tokens_per_turn": tokens, "tally": "plan"}
    for number in TABLES:
        state, _events = DRAGONS.new(4, options, f"{number:064x}")
        for seat in range(4):
            ordered = Planner(Habits(), "greedy", Random(number)).placements(DRAGONS, DRAGONS.view(state, seat), seat)
            assert len(ordered) == 8, (number, seat)


# How simulated people come to an answer: from the seat's own view alone, on their own or from a proposal.

RULES = {rules.name: rules for rules in newest()}
PLANNED = {"version": "magic", "tally": "plan", "placing": "waves", "tokens_per_turn": "4"}
DRAWN = 2_000
STEPS = 24


def _position(rules: Any, state: Any, asked: Any) -> SeenQuestion:
    view = rules.view(state, asked.seat)
    question = next(one for one in rules.questions(view) if one.decision.id == asked.id)
    return SeenQuestion(rules, view, question, to_builtins(rules.orders(state, asked.seat).orders))


def _asked_for(kind: str, seed: int = 1) -> SeenQuestion:
    rules = RULES["aladdins-dragons"]
    state, _events = rules.new(4, PLANNED, f"{seed:064x}")
    while next((one.kind for one in rules.decisions(state) if one.prompted), "") != kind:
        state = one_step(rules, state, Random(seed)).after
    return _position(rules, state, next(one for one in rules.decisions(state) if one.prompted))


@pytest.mark.parametrize("people", POPULATIONS)
def test_people_accept_edit_and_ignore_as_often_as_their_habits_say(people):
    habits, dice = POPULATIONS[people], Random(1)
    drawn = Counter(react(habits, dice) for _ in range(DRAWN))
    assert drawn[Reaction.ACCEPT] / DRAWN == pytest.approx(habits.accepts, abs=0.05)
    assert drawn[Reaction.EDIT] / DRAWN == pytest.approx(habits.edits, abs=0.05)


def test_casual_people_take_seven_of_ten_proposals_and_keen_ones_mostly_change_them():
    assert POPULATIONS["casual"].accepts == 0.7
    assert POPULATIONS["keen"].edits > POPULATIONS["keen"].accepts
    assert all(habits.accepts + habits.edits < 1 for habits in POPULATIONS.values())


def test_an_edited_sheet_is_the_proposed_one_but_for_a_few_tokens():
    position = _asked_for("sheet")
    proposed = position.rules.propose(position.view, position.question).answer
    edited = Thinker(POPULATIONS["keen"], "greedy", Random(3)).edit(position, proposed)
    pairs = list(zip(proposed["orders"], edited["orders"], strict=True))
    different = [(old, new) for old, new in pairs if old != new]
    assert 0 < len(different) <= CHANGED
    for old, new in different:
        assert old["answers"][0]["token"] == new["answers"][0]["token"]
        assert old["answers"][0]["space"] != new["answers"][0]["space"]
    position.rules.parse(edited)
    assert {key: edited[key] for key in edited if key != "orders"} == {
        key: proposed[key] for key in proposed if key != "orders"
    }


def test_whoever_leaves_a_sheet_empty_is_asked_what_he_means_beside_the_proposal():
    position = _asked_for("sheet")
    thinker = Thinker(Habits(sheets=0.0, accepts=0.5, edits=0.0), "greedy", Random(1))
    proposed = position.rules.propose(position.view, position.question).answer
    answers = [thinker.respond(position, proposed)[0] for _ in range(400)]
    assert answers.count(None) / len(answers) == pytest.approx(0.5 + 0.5 * 0.5, abs=0.06)
    assert all(answer is None or not answer.get("orders") for answer in answers)
    alone = thinker.respond(position, None)[0]
    assert alone is not None and not alone.get("orders"), "without a proposal nothing is there to be taken"


def test_an_edited_placement_moves_its_own_token_and_leaves_the_orders_for_the_others():
    for seed in range(6):
        position = _asked_for("place", seed)
        proposed = position.rules.propose(position.view, position.question).answer
        edited = Thinker(POPULATIONS["keen"], "greedy", Random(seed)).edit(position, proposed)
        assert (edited["token"], edited["orders"]) == (proposed["token"], proposed["orders"])


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("people", POPULATIONS)
def test_whoever_sees_the_same_answers_the_same_whatever_is_hidden(name, people):
    rules, dice = RULES[name], Random(7)
    options = PLANNED if name == "aladdins-dragons" else {}
    state, _events = rules.new(3, options, f"{7:064x}")
    compared = 0
    for _ in range(STEPS):
        if rules.is_advance_pending(state):
            state, _events = rules.advance(state)
        asked = [one for one in rules.decisions(state) if one.prompted]
        if not asked:
            break
        other = rules.determinise(rules.view(state, asked[0].seat), dice)  # another world that looks the same
        here, there = (_position(rules, world, asked[0]) for world in (state, other))
        if here.view == there.view:
            answers = [
                (mind.decide(place), mind.edit(place, rules.propose(place.view, place.question).answer))
                for place in (here, there)
                for mind in [Thinker(POPULATIONS[people], "greedy", Random(5))]
            ]
            assert answers[0] == answers[1], asked[0]
            compared += 1
        state = one_step(rules, state, dice).after
    assert compared > 5
