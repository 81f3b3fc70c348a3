"""Genie, monkey and carpet."""

import pytest

from engine.cave_of_wonders import events
from engine.cave_of_wonders.facts import SQUARES
from engine.cave_of_wonders.model import Fly, Flying, MoveAladdin, Moving, PlaceGenie, PlacingGenie, TurnOver
from engine.core import IllegalAction
from tests.engine.cave_of_wonders.table import (
    NAMES,
    RULES,
    A,
    asked,
    carpet,
    only,
    options,
    play,
    position,
    token,
)


def with_genie(board: str = ""):
    state, _ = play(position({"E6": "?RG", "D4": "S1"}, roll=1, boards=[board]), MoveAladdin("E6"))
    return state


def test_a_genie_goes_on_any_square_its_player_chooses_c33():
    state = with_genie("R3")
    assert (state.frame, state.held) == (PlacingGenie(), token("RG"))
    assert options(state) == list(SQUARES)
    after, _ = play(state, PlaceGenie("ruby-3"))
    assert after.boards[A]["ruby-3"] == [token("R3"), token("RG")]
    assert (after.held, after.frame) == (None, TurnOver())


@pytest.mark.parametrize("square", ["ruby-6", "ruby-0", "gold-1", "ruby", "", "E5"])
def test_a_square_that_does_not_exist_is_refused_c33(square):
    state = with_genie()
    before = RULES.dump(state)
    with pytest.raises(IllegalAction) as refusal:
        play(state, PlaceGenie(square))
    assert RULES.say(refusal.value.text, "en", NAMES) == f"There is no square {square} on a board."
    assert RULES.dump(state) == before


def test_a_found_genie_is_shown_to_all_and_told_c33():
    state = with_genie()
    assert RULES.view(state, None).held == token("RG")
    assert "Anna chooses a square for the genie." in RULES.describe(RULES.view(state, None), "en", NAMES)


def test_the_monkey_rolls_and_moves_again_c37():
    state, happened = play(position({"E6": "R2m", "E8": "S1", "D6": "S2"}, roll=1, rolls=[2]), MoveAladdin("E6"))
    assert only(happened, events.RollRevealed) == [events.RollRevealed(1, A, 2, again=True)]
    assert (state.frame, state.turn, RULES.decisions(state)[0].seat) == (Moving(2), 1, A)
    state, _ = play(state, MoveAladdin("E8"))
    assert (state.taken, state.frame) == (2, TurnOver())


def test_monkeys_and_carpets_chain_c37_c40():
    cave = {"E6": "R2m", "E7": "S2m", "E8": "?T1c", "D5": "S2", "A1": "R4", "I5": "E4"}
    state, _ = play(position(cave, roll=1, rolls=[1, 1]), MoveAladdin("E6"), MoveAladdin("E7"))
    assert state.aladdin == "E8", "the only landing from E7"
    assert state.frame == Flying()
    state, _ = play(state, Fly("A1"))
    assert (state.taken, state.frame, state.aladdin) == (4, TurnOver(), "A1")


def test_the_carpet_flies_to_anything_without_a_visible_character_c38():
    state = carpet({"A1": "R4", "B1": "?S2m", "C1": "T2m", "D1": "EG", "I5": "?EG"})
    assert sorted(map(str, options(state))) == ["A1", "B1", "I5"]


@pytest.mark.parametrize(
    ("space", "sentence"),
    [
        ("C1", "The carpet can't fly to C1: a character can be seen there."),
        ("D1", "The carpet can't fly to D1: a character can be seen there."),
        ("A2", "There is no treasure on A2."),
        ("J1", "There is no space J1 in the cave."),
    ],
)
def test_other_targets_are_refused_and_nothing_changes_c38_c51(space, sentence):
    state = carpet({"A1": "R4", "B1": "?S2m", "C1": "T2m", "D1": "EG"})
    before = RULES.dump(state)
    with pytest.raises(IllegalAction) as refusal:
        play(state, Fly(space))
    assert RULES.say(refusal.value.text, "en", NAMES) == sentence
    assert RULES.dump(state) == before


def test_a_walk_is_no_answer_to_the_carpet_c38():
    state = carpet({"A1": "R4", "B1": "?S2m"})
    with pytest.raises(IllegalAction) as refusal:
        play(state, MoveAladdin("A1"))
    assert RULES.say(refusal.value.text, "en", NAMES) == "That doesn't answer the question."


def test_without_a_target_the_carpet_lapses_and_the_game_goes_on_c39():
    state, happened = play(position({"E6": "R1c", "D4": "S2m"}, roll=1), MoveAladdin("E6"))
    assert only(happened, events.CarpetLapsed) == [events.CarpetLapsed(A)]
    assert state.frame == TurnOver()


def test_a_single_target_is_flown_to_without_asking_c38():
    state, happened = play(position({"E6": "R1c", "D4": "S2m", "I5": "?S4"}, roll=1), MoveAladdin("E6"))
    assert [moved.unasked for moved in only(happened, events.AladdinMoved)] == [False, True]
    assert (state.aladdin, state.boards[A]["sapphire-4"]) == ("I5", [token("S4")])


def test_what_the_carpet_fetches_is_a_full_pick_up_c40():
    state, happened = play(carpet({"A1": "?R2m", "B1": "R1", "A2": "R4"}, rolls=[1]), Fly("A1"))
    assert [type(event) for event in happened][:4] == [
        events.AladdinMoved, events.TokenRevealed, events.TokenPlaced, events.RollRevealed,
    ]  # fmt: skip
    assert (state.frame, state.aladdin) == (Moving(1), "A1")
    assert options(state) == ["A2", "B1"]


def test_aladdin_stands_where_he_has_flown_c41():
    state, happened = play(carpet({"A1": "R4", "B1": "R1"}), Fly("B1"))
    assert state.aladdin == "B1"
    assert only(happened, events.AladdinMoved)[0].flew


def test_each_pick_up_of_a_turn_has_a_decision_of_its_own_c37():
    cave = {"E6": "R2m", "E7": "R1c", "D6": "SG", "A1": "R4", "I5": "E4"}
    state = position(cave, roll=1, rolls=[1])
    asked_ids = [asked(state).decision.id]
    for action in (MoveAladdin("E6"), MoveAladdin("E7")):
        state, _ = play(state, action)
        asked_ids.append(asked(state).decision.id)
    assert asked_ids == ["t1-move-1", "t1-move-2", "t1-carpet-3"]
