"""What is proposed in the Cave of Wonders, and whether the reason given is true."""

import pytest

from engine.cave_of_wonders.bots import why
from engine.cave_of_wonders.model import Fly, Flying, MoveAladdin, PlaceGenie, PlacingGenie
from tests.engine.cave_of_wonders.table import NAMES, RULES, A, position, token


def said(state, action, language="en"):
    """The reason for an answer of the seat whose turn it is, in words."""
    return RULES.say(why(RULES.view(state, A), A, action), language, NAMES)


CAVE = {"D5": "R5", "E4": "S2", "E6": "?T3", "F5": "S2m"}


@pytest.mark.parametrize(
    ("to", "reason"),
    [
        ("D5", "Nothing else is sure to bring more than 5 points."),
        ("E4", "It brings 2 points, and is best with the next turn in view."),
        ("F5", "It brings 2 points, and another token after it."),
    ],
)
def test_a_move_says_what_it_is_sure_to_bring_c24(to, reason):
    assert said(position(CAVE), MoveAladdin(to)) == reason


def test_what_lies_face_down_is_told_by_its_mean_c10():
    reason = said(position(CAVE, favourites=["ruby", "sapphire"]), MoveAladdin("E6"))
    assert reason == "It lies face down and brings about 3 points on average."


def test_a_flight_is_explained_like_a_move_c38():
    assert said(position(CAVE, frame=Flying()), Fly("D5")) == "Nothing else is sure to bring more than 5 points."


def test_a_genie_says_what_it_completes_or_that_it_helps_later_c34():
    state = position({"D5": "R5"}, frame=PlacingGenie(), held=token("EG"), boards=["R1 R2 R3 R4"])
    assert said(state, PlaceGenie("ruby-5")) == "There the genie brings 5 points at once."
    assert said(state, PlaceGenie("topaz-1")) == "There the genie helps most to complete a row or a column."


def test_the_proposal_takes_five_points_rather_than_none():
    state = position({"D5": "R5", "E4": "S5s"})
    (question,) = RULES.questions(RULES.view(state, A))
    found = RULES.propose(RULES.view(state, A), question)
    assert found.answer == {"type": "move", "to": "D5"}
