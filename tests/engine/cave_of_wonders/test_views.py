"""What everybody may know, and what silence does."""

import msgspec
import pytest

from engine.cave_of_wonders.model import Fly, MoveAladdin, PlaceGenie, PlacingGenie
from engine.core import IllegalAction
from tests.engine.cave_of_wonders.table import NAMES, RULES, A, B, carpet, play, position, token
from tests.engine.playing import walk


def test_all_views_are_the_same_but_for_the_seat_and_its_questions_c49():
    for step in walk(RULES, 3, 5):
        views = [msgspec.to_builtins(RULES.view(step.after, viewer)) for viewer in (None, 0, 1, 2)]
        for view in views:
            del view["seat"], view["questions"]
        assert views[0] == views[1] == views[2] == views[3]


def test_one_seat_is_asked_one_thing_at_a_time_and_never_in_secret_c49():
    for step in walk(RULES, 4, 5):
        decisions = RULES.decisions(step.after)
        assert len(decisions) <= 1
        assert not any(decision.sealed for decision in decisions)


def test_the_die_of_later_rolls_is_in_no_view_c49():
    state = position({"E6": "R1", "D4": "S1"})
    assert "rng" not in msgspec.to_builtins(RULES.view(state, A))


def default(state):
    (decision,) = RULES.decisions(state)
    return RULES.default(state, decision)


def test_silence_takes_the_landing_with_the_highest_sure_gain_c50():
    assert default(position({"E6": "R3", "D4": "S4", "E4": "?T5"})) == MoveAladdin("D4")


def test_what_lies_face_down_counts_two_c50():
    assert default(position({"E6": "R1", "D4": "S1", "E4": "?R5s"})) == MoveAladdin("E4")
    assert default(position({"E6": "R3", "D4": "S1", "E4": "?R5"})) == MoveAladdin("E6")
    assert default(position({"E6": "?R1", "D4": "S3"})) == MoveAladdin("D4")
    assert default(position({"E6": "?R1", "D4": "S2"})) == MoveAladdin("E6"), "the first among equals"


def test_the_sure_gain_includes_favourite_line_and_trio_c50():
    assert default(position({"E6": "R3", "D4": "T3"}, favourites=["topaz", "ruby"])) == MoveAladdin("D4")
    assert default(position({"E6": "R5", "D4": "S1"}, boards=["S2 S3 S4 S5"])) == MoveAladdin("D4")
    assert default(position({"E6": "R3", "D4": "S1"}, boards=["S1 S1"])) == MoveAladdin("D4")
    assert default(position({"E6": "R5s", "D4": "S1"})) == MoveAladdin("D4")
    assert default(position({"E6": "R4", "D4": "SG"}, boards=["S2 S3 S4 S5"])) == MoveAladdin("D4")


def test_silence_flies_where_the_sure_gain_is_highest_c50():
    assert default(carpet({"A1": "R3", "B1": "S4", "C1": "?T5"})) == Fly("B1")


def wishing(board: str):
    return position({"E6": "R3"}, frame=PlacingGenie(), held=token("RG"), taken=1, boards=[board])


def test_silence_puts_the_genie_where_it_brings_most_or_on_the_first_empty_square_c50():
    assert default(wishing("S2 S3 S4 S5 R1 R1")) == PlaceGenie("sapphire-1")
    assert default(wishing("R1 R1")) == PlaceGenie("ruby-1")
    assert default(wishing("")) == PlaceGenie("emerald-1")
    assert default(wishing("E1 E2")) == PlaceGenie("emerald-3")


def test_silence_is_said_beforehand_c50():
    board = RULES.describe(RULES.view(position({"E6": "R3", "D4": "S4"}), A), "en", NAMES)
    assert "If you don't answer in time: Aladdin goes to D4, your best bet." in board


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        (MoveAladdin("E7"), "There is no treasure on E7."),
        (MoveAladdin("X1"), "There is no space X1 in the cave."),
        (MoveAladdin("A1"), "Aladdin can't reach A1 with a 1. He can reach E6 and D4."),
        (Fly("E6"), "That doesn't answer the question."),
        (PlaceGenie("ruby-1"), "That doesn't answer the question."),
    ],
)
def test_a_refusal_says_why_and_changes_nothing_c18(action, sentence):
    state = position({"E6": "R3", "D4": "S4", "A1": "R1"})
    before = RULES.dump(state)
    with pytest.raises(IllegalAction) as refusal:
        play(state, action)
    assert RULES.say(refusal.value.text, "en", NAMES) == sentence
    assert RULES.dump(state) == before


@pytest.mark.parametrize(
    "raw",
    [
        {"type": "move"}, {"type": "move", "to": 5}, {"type": "move", "to": "E5", "by": "foot"}, {"type": "fly"},
        {"type": "place_genie", "square": None}, {"type": "move", "to": ["E5"]}, [], "move",
    ],
)  # fmt: skip
def test_what_is_no_action_is_refused_with_a_sentence_c18(raw):
    with pytest.raises(IllegalAction) as refusal:
        RULES.parse(raw)
    assert RULES.say(refusal.value.text, "en", NAMES).startswith("This answer can't be read")


def test_nobody_else_may_answer_c49():
    state = position({"E6": "R3", "D4": "S4"})
    (decision,) = RULES.decisions(state)
    with pytest.raises(IllegalAction) as refusal:
        RULES.apply(state, decision.id, B, MoveAladdin("E6"))
    assert RULES.say(refusal.value.text, "en", NAMES) == "You can no longer answer this question."
