"""When a game is over, and who has won."""

import pytest

from engine.cave_of_wonders import events
from engine.cave_of_wonders.model import Fly, Flying, MoveAladdin, Moving, TurnOver
from engine.core import Ending
from tests.engine.cave_of_wonders.table import NAMES, RULES, A, B, C, D, only, over, play, position, words

FULL_BUT_ONE = "E1 E2 E3 E4 E5 R1 R2 R3 R4 R5 S1 S2 S3 S4 S5 T1 T2 T3 T4"


def test_without_a_treasure_in_any_direction_the_game_ends_c20_c48():
    state, happened = RULES.advance(over({"A2": "R4", "B1": "R3"}, aladdin="E5", scores=[7, 9]))
    assert only(happened, events.Stuck) == [events.Stuck(B, "E5")]
    assert state.outcome.winners == [B]
    assert state.outcome.scores == [7, 9], "what is left in the cave stays unscored"
    assert words(state) == "Aladdin can't move any more. Ben wins with 9 points."


def test_who_takes_the_last_treasure_within_reach_ends_the_game_for_whoever_moves_next_c20():
    """A treasure is left at A1, but in no straight line from where Anna has brought Aladdin."""
    state, _ = play(position({"E6": "R1", "D4": "S1", "A1": "T5"}, roll=1, scores=[7, 9], seats=3), MoveAladdin("E6"))
    assert state.outcome is None
    state.spaces["D4"] = None
    state, happened = RULES.advance(state)
    assert only(happened, events.Stuck) == [events.Stuck(B, "E6")]
    assert (state.outcome.ending, state.outcome.winners) == (Ending.COMPLETE, [B])
    assert not RULES.decisions(state)


def test_so_it_does_on_a_monkeys_extra_move_c21():
    state, happened = play(position({"E6": "R2m", "D4": "S1", "A1": "R1"}, roll=1, scores=[7, 8]), MoveAladdin("E6"))
    assert only(happened, events.Stuck) == [events.Stuck(A, "E6")]
    assert state.outcome.winners == [A]
    assert state.outcome.scores == [9, 8]


def test_fifty_points_end_the_game_at_once_c42_c46():
    state, _ = play(position({"E6": "R4", "D4": "S1"}, roll=1, scores=[46, 49]), MoveAladdin("E6"))
    assert (state.outcome.ending, state.outcome.winners, state.frame) == (Ending.COMPLETE, [A], None)
    assert words(state) == "Anna has reached 50 points. Anna wins with 50 points."


def test_forty_nine_do_not_c42():
    state, _ = play(position({"E6": "R3", "D4": "S1"}, roll=1, scores=[46, 49]), MoveAladdin("E6"))
    assert (state.outcome, state.frame) == (None, TurnOver())


@pytest.mark.parametrize("text", ["R2m", "R1c"])
def test_a_pending_monkey_or_carpet_lapses_c42(text):
    state, happened = play(
        position({"E6": text, "E7": "S1", "E8": "S2", "D6": "S3"}, roll=1, scores=[49]), MoveAladdin("E6")
    )
    assert state.outcome is not None
    assert len(only(happened, events.TokenPlaced)) == 1
    assert only(happened, events.RollRevealed) == []


def test_fifty_may_come_in_the_middle_of_a_turn_c42():
    state = position({"E6": "R4", "D4": "S1"}, frame=Flying(), taken=1, scores=[46])
    state, _ = play(state, Fly("E6"))
    assert state.outcome.winners == [A]


def test_the_real_number_is_kept_c43():
    state, _ = play(position({"E6": "R5", "D4": "S1"}, roll=1, boards=["R1 R2 R3 R4"], scores=[49]), MoveAladdin("E6"))
    assert state.outcome.scores[A] == 59


def test_a_full_board_ends_the_game_c44():
    state, _ = play(
        position({"E6": "T5", "D4": "S1"}, roll=1, boards=[FULL_BUT_ONE], scores=[30, 5]), MoveAladdin("E6")
    )
    assert words(state) == "Anna has filled a whole board. Anna wins with 46 points."


def test_any_square_left_empty_does_not_c44():
    state, _ = play(
        position({"E6": "T4", "D4": "S1"}, roll=1, boards=[FULL_BUT_ONE], scores=[30, 5]), MoveAladdin("E6")
    )
    assert state.outcome is None


def test_two_ends_at_once_make_no_difference_c45():
    state, _ = play(
        position({"E6": "T5", "D4": "S1"}, roll=1, boards=[FULL_BUT_ONE], scores=[45, 5]), MoveAladdin("E6")
    )
    assert (state.outcome.winners, state.outcome.scores) == ([A], [61, 5])


def test_with_equal_turns_the_round_is_played_to_its_end_c46():
    cave = {"E6": "R4", "D4": "S1", "E8": "R1", "C6": "S2", "H6": "S3"}
    state = position(cave, roll=1, rolls=[1], scores=[46, 48], equal_turns=True)
    state, happened = play(state, MoveAladdin("E6"))
    assert only(happened, events.LastRoundCalled) == [events.LastRoundCalled(A, "fifty")]
    assert (state.outcome, state.is_last_round, state.frame) == (None, True, TurnOver())
    state, _ = RULES.advance(state)
    assert RULES.decisions(state)[0].seat == B
    state, _ = play(state, MoveAladdin("E8"))
    assert words(state) == "The last round is over. Anna wins with 50 points."


def test_with_equal_turns_the_last_in_the_round_ends_the_game_c46():
    state = position({"E6": "R4", "D4": "S1"}, roll=1, scores=[40, 46], equal_turns=True, turn=2)
    state, _ = play(state, MoveAladdin("E6"))
    assert state.outcome.winners == [B]


def test_with_equal_turns_somebody_may_still_overtake_c46_c47():
    cave = {"E6": "R4", "D4": "S1", "E8": "R3", "C6": "S2", "D7": "S3"}
    state = position(cave, roll=1, rolls=[1], scores=[46, 48], equal_turns=True)
    state, _ = play(state, MoveAladdin("E6"))
    state, _ = RULES.advance(state)
    state, _ = play(state, MoveAladdin("E8"))
    assert (state.outcome.winners, state.outcome.scores) == ([B], [50, 51])


def test_with_equal_turns_a_monkey_beyond_fifty_still_runs_c46():
    """Others can still catch up, so a lapse would cost something."""
    state = position({"E6": "R2m", "E8": "S4", "D6": "S3"}, roll=1, rolls=[1], scores=[48, 0], equal_turns=True)
    state, _ = play(state, MoveAladdin("E6"))
    assert (state.is_last_round, state.frame) == (True, Moving(1))


def test_the_last_round_is_called_once_c46():
    cave = {"E6": "R2m", "E8": "S4", "D6": "S3"}
    state = position(cave, roll=1, rolls=[1], scores=[48, 0], equal_turns=True)
    _, happened = play(state, MoveAladdin("E6"), MoveAladdin("E8"))
    assert len(only(happened, events.LastRoundCalled)) == 1


def test_being_stuck_ends_a_last_round_too_c20_c46():
    state = over({"A2": "R4"}, aladdin="E5", scores=[50, 9], equal_turns=True, is_last_round=True)
    state, _ = RULES.advance(state)
    assert state.outcome.winners == [A]


def test_equals_share_the_victory_c47():
    state, _ = RULES.advance(over({"A2": "R4"}, seats=3, aladdin="E5", scores=[9, 4, 9]))
    assert (state.outcome.winners, state.outcome.ranking) == ([A, C], [A, C, B])
    assert words(state) == "Aladdin can't move any more. Anna and Carla share the victory with 9 points."


def test_who_resigned_does_not_win_with_most_points_c42():
    state, _ = play(position({"E6": "R4", "D4": "S1"}, roll=1, scores=[46, 20], resigned=[A]), MoveAladdin("E6"))
    assert (state.outcome.winners, state.outcome.ranking) == ([B], [B, A])
    assert words(state) == "Anna has reached 50 points. Ben wins with 20 points."


def test_the_last_person_may_end_the_game_against_bots_and_wins_a99():
    state, _ = RULES.resign(position({"E6": "R4", "D4": "S1"}, seats=3, scores=[1, 30, 20]), A)
    state, _ = RULES.end(state, C)
    assert (state.outcome.winners, state.outcome.ranking) == ([C], [C, B, A])
    assert words(state) == "The others have resigned; Carla ends the game and wins."
    places = {player["seat"]: player["place"] for player in RULES.picture(RULES.view(state, A), "en", NAMES)["players"]}
    assert places == {C: 1, B: 2, A: 3}


def test_equals_have_the_same_place_c47():
    state, _ = RULES.advance(over({"A2": "R4"}, seats=4, aladdin="E5", scores=[4, 9, 4, 2]))
    places = {player["seat"]: player["place"] for player in RULES.picture(RULES.view(state, A), "en", NAMES)["players"]}
    assert places == {B: 1, A: 2, C: 2, D: 4}
