"""Where Aladdin may go by the die, and what he takes."""

import pytest

from engine.cave_of_wonders import events
from engine.cave_of_wonders.model import MoveAladdin, TurnOver
from engine.core import IllegalAction
from tests.engine.cave_of_wonders.table import RULES, A, B, asked, only, options, over, play, position, token

RING = {"E6": "R1", "F5": "R2", "F4": "S1", "E4": "S2", "D4": "T1", "D5": "T2"}
"""A token next to the middle in each direction, clockwise from the right."""


def test_each_direction_is_one_landing_c14():
    state = position(RING, roll=1)
    assert options(state) == ["E6", "F5", "F4", "E4", "D4", "D5"]
    labels = [RULES.say(option.label, "en", ["Anna", "Ben"]) for option in asked(state).actions[0].fields[0].options]
    assert labels[0] == "E6, right: ruby 1"
    assert labels[4] == "D4, up to the left: topaz 1"


def test_the_roll_comes_first_and_all_see_it_c13():
    state, happened = RULES.advance(over(RING, aladdin="E5", rolls=[3]))
    assert only(happened, events.RollRevealed) == [events.RollRevealed(2, B, 3, again=False)]
    assert RULES.view(state, None).frame.roll == 3


def test_empty_spaces_are_jumped_and_not_counted_c15():
    state = position({"E6": "R1", "E8": "R2", "E9": "R3", "D4": "S1"}, roll=2)
    assert options(state) == ["E8", "D4"]


def test_what_one_walks_over_stays_c16():
    state, _ = play(position({"E6": "R1", "E7": "?R4", "E8": "R2", "D4": "S1"}, roll=3), MoveAladdin("E8"))
    assert [space for space, here in state.spaces.items() if here] == ["D4", "E6", "E7"]
    assert not state.spaces["E7"].face_up
    assert state.boards[A]["ruby-2"] == [token("R2")]


def test_any_direction_may_be_chosen_and_the_wall_ends_it_c17():
    """The printed duty is about the distance, not about the direction."""
    state = position({"E6": "R1", "E7": "R2", "E8": "R3", "D4": "S1"}, roll=3)
    assert options(state) == ["E8", "D4"]


def test_with_the_option_only_directions_of_full_distance_are_legal_c17():
    cave = {"E6": "R1", "E7": "R2", "E8": "R3", "E4": "T1", "E3": "T2", "E2": "T3", "D4": "S1", "C3": "S2"}
    state = position(cave, roll=3, full_distance=True)
    assert options(state) == ["E8", "E2"]
    assert options(position(cave, roll=4, full_distance=True)) == ["E8", "E2", "C3"], "none allows four"


def test_one_may_not_stop_early_c18():
    state = position({"E6": "R1", "E7": "R2", "D4": "S1"}, roll=2)
    before = RULES.dump(state)
    for space in ("E6", "E8", "E5", "Z9"):
        with pytest.raises(IllegalAction):
            play(state, MoveAladdin(space))
    assert RULES.dump(state) == before


def test_a_short_move_ends_on_the_last_treasure_of_its_line_c19():
    state = position({"E6": "R1", "E7": "R2", "D4": "S1"}, roll=4)
    assert options(state) == ["E7", "D4"], "E8 and E9 are empty; four directions hold nothing"


def test_a_single_landing_is_taken_without_asking_c18():
    """What leaves no choice is no question: nobody waits for it."""
    state, happened = RULES.advance(over({"E9": "S3", "A2": "R1"}, aladdin="E5", rolls=[2]))
    assert only(happened, events.AladdinMoved) == [events.AladdinMoved(B, "E5", "E9", flew=False, unasked=True)]
    assert state.frame == TurnOver()
    assert state.boards[B]["sapphire-3"] == [token("S3")]


def test_the_token_must_be_taken_sorcerer_included_c22_c51():
    """By the die one may land on a character that is to be seen."""
    state = position({"E6": "R5s", "D4": "S1"}, roll=1, scores=[9])
    assert options(state) == ["E6", "D4"]
    state, _ = play(state, MoveAladdin("E6"))
    assert (state.boards[A]["ruby-5"], state.scores[A]) == ([token("R5s")], 6)


def test_no_answer_leaves_the_token_where_it_lies_c22():
    """Both landings are sorcerers; there is no third answer, and silence takes one of them as well."""
    state = position({"E6": "R5s", "D4": "S5s"}, roll=1, scores=[9])
    (question,) = RULES.view(state, A).questions
    assert [form.type for form in question.actions] == ["move"]
    assert options(state) == ["E6", "D4"]
    (decision,) = RULES.decisions(state)
    state, _ = RULES.apply(state, decision.id, A, RULES.default(state, decision))
    assert state.scores[A] == 6
    assert sum(len(square) for square in state.boards[A].values()) == 1


def test_a_pick_up_goes_flip_place_score_and_then_the_ability_c23():
    _, happened = play(
        position({"E6": "?R2m", "D4": "S1", "E8": "S2", "C6": "S3"}, roll=1, rolls=[1]), MoveAladdin("E6")
    )
    assert [type(event) for event in happened] == [
        events.AladdinMoved, events.TokenRevealed, events.TokenPlaced, events.RollRevealed,
    ]  # fmt: skip
    assert only(happened, events.TokenPlaced)[0].score == 2


def test_a_face_up_token_is_not_turned_over_again_c23():
    _, happened = play(position({"E6": "R2", "D4": "S1"}, roll=1), MoveAladdin("E6"))
    assert only(happened, events.TokenRevealed) == []


def test_aladdin_stays_where_the_last_token_was_c41_c52():
    state, _ = play(position({"E6": "R2", "D4": "S1"}, roll=1), MoveAladdin("E6"))
    assert (state.aladdin, state.spaces["E6"]) == ("E6", None)
    assert RULES.view(state, B).aladdin == "E6", "all share the one figure"


def test_the_number_counts_spaces_as_in_the_spanish_rules_c53():
    state = position({f"E{place}": "R1" for place in (6, 7, 8, 9)} | {"D4": "S1"}, roll=3)
    assert options(state)[0] == "E8", "one move of three spaces, not three moves"


def test_the_turn_passes_to_the_next_seat_c13():
    state, _ = play(position({"E6": "R2", "D4": "S1", "E8": "S2", "C6": "S3"}, roll=1, rolls=[1]), MoveAladdin("E6"))
    assert (state.frame, RULES.decisions(state), RULES.is_advance_pending(state)) == (TurnOver(), [], True)
    state, happened = RULES.advance(state)
    assert [(rolled.turn, rolled.seat) for rolled in only(happened, events.RollRevealed)] == [(2, B)]
    assert (state.taken, asked(state).decision.id) == (0, "t2-move-1"), "each turn counts its tokens anew"
