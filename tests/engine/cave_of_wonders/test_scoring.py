"""Points, token by token."""

import pytest

from engine.cave_of_wonders.events import TokenPlaced
from engine.cave_of_wonders.facts import NUMBERS, square_of
from engine.cave_of_wonders.model import MoveAladdin, PlaceGenie
from engine.cave_of_wonders.scoring import is_full, points_for, score_after
from tests.engine.cave_of_wonders.table import LETTERS, A, lay, only, play, position, token


def gains(text: str, board: str = "", score: int = 10, favourite: str = "topaz", square: str = ""):
    """Takes a token with a board, and returns the parts of its points and the score."""
    state = position(
        {"E6": text, "D4": "S1", "A1": "S1", "I5": "S1"},
        roll=1, rolls=[4], boards=[board], scores=[score], favourites=[favourite, "none"],
    )  # fmt: skip
    state, happened = play(state, MoveAladdin("E6"), *([PlaceGenie(square)] if square else []))
    placed = only(happened, TokenPlaced)[0]
    return placed.points, placed.score


@pytest.mark.parametrize("number", NUMBERS)
def test_a_token_brings_its_number_c24(number):
    assert gains(f"R{number}") == ({"number": number}, 10 + number)


def test_the_sorcerer_costs_three_and_does_not_bring_his_five_c24():
    assert gains("R5s") == ({"sorcerer": -3}, 7)


def test_a_genie_brings_nothing_by_itself_c24_c34():
    assert gains("RG", favourite="ruby", square="ruby-4") == ({}, 10)


@pytest.mark.parametrize(("text", "number"), [("R4", 4), ("R1c", 1), ("R2m", 2)])
def test_a_favourite_brings_one_more_c25(text, number):
    assert gains(text, favourite="ruby") == ({"number": number, "favourite": 1}, 11 + number)


def test_a_favourite_princess_brings_two_more_instead_of_one_c25():
    assert gains("R3p", favourite="ruby") == ({"number": 3, "favourite": 2}, 15)
    assert gains("R3p") == ({"number": 3}, 13)


def test_a_favourite_sorcerer_costs_two_c26():
    assert gains("R5s", favourite="ruby") == ({"sorcerer": -3, "favourite": 1}, 8)


def test_a_princess_on_a_carpet_of_her_kind_brings_two_more_c27():
    assert gains("R3p", "R1c") == ({"number": 3, "carpet": 2}, 15)
    assert gains("R3p", "R1c", favourite="ruby") == ({"number": 3, "favourite": 2, "carpet": 2}, 17)


@pytest.mark.parametrize("board", ["R1 R1", "EG@R1", "S1c", ""])
def test_a_plain_one_a_genie_or_another_row_is_no_carpet_c27(board):
    assert "carpet" not in gains("R3p", board)[0]


def test_a_carpet_taken_after_the_princess_brings_nothing_c28():
    assert gains("R1c", "R3p")[0] == {"number": 1}


def test_a_row_brings_five_once_c29():
    assert gains("R4", "R1 R2 R3 R5") == ({"number": 4, "row": 5}, 19)
    assert gains("R4", "R1 R2 R3 R4 R5")[0] == {"number": 4}


def test_a_column_brings_five_once_c29():
    assert gains("R4", "E4 S4 T4") == ({"number": 4, "column": 5}, 19)
    assert gains("R4", "E4 R4 S4 T4")[0] == {"number": 4}


def test_row_and_column_at_once_bring_ten_c29():
    assert gains("R4", "R1 R2 R3 R5 E4 S4 T4") == ({"number": 4, "row": 5, "column": 5}, 24)


def test_every_token_fills_a_square_genie_and_sorcerer_too_c29():
    assert gains("R4", "R1c EG@R2 R3p R5s")[0] == {"number": 4, "row": 5}
    assert gains("R5s", "R1 R2 R3 R4")[0] == {"sorcerer": -3, "row": 5}


def test_the_third_on_a_square_is_a_trio_and_a_pair_is_nothing_c30():
    assert gains("R2", "R2")[0] == {"number": 2}
    assert gains("R2", "R2 R2") == ({"number": 2, "trio": 3}, 15)


def test_plain_tokens_and_characters_mix_in_a_trio_c30():
    assert gains("R2m", "R2 R2")[0] == {"number": 2, "trio": 3}
    assert gains("R5s", "R5 R5")[0] == {"sorcerer": -3, "trio": 3}


def test_the_fourth_and_fifth_bring_nothing_and_the_sixth_is_another_trio_c31():
    third = "R2 R2 R2m"
    assert gains("SG", third, square="ruby-2")[0] == {}
    assert gains("SG", f"{third} EG@R2", square="ruby-2")[0] == {}
    assert gains("SG", f"{third} EG@R2 RG@R2", square="ruby-2")[0] == {"trio": 3}


def test_genies_count_in_a_trio_several_too_c32():
    assert gains("R4", "R4 EG@R4")[0] == {"number": 4, "trio": 3}
    assert gains("SG", "R4 EG@R4", square="ruby-4")[0] == {"trio": 3}
    assert gains("SG", "EG@R4 RG@R4", square="ruby-4")[0] == {"trio": 3}


def test_a_genie_completes_rows_and_columns_but_is_no_favourite_c34():
    points, _ = gains("SG", "R1 R2 R3 R5 E4 S4 T4", favourite="ruby", square="ruby-4")
    assert points == {"row": 5, "column": 5}


def test_the_marker_stops_at_zero_c35():
    assert gains("R5s", score=2) == ({"sorcerer": -3}, 0)
    assert gains("R5s", score=0)[1] == 0


def test_everything_for_a_token_is_added_up_before_the_marker_stops_c36():
    assert gains("R5s", "R1 R2 R3 R4", score=1) == ({"sorcerer": -3, "row": 5}, 3)


def test_the_poorest_full_board_is_worth_61_points_c44():
    """So a full board never ends a game that fifty points would not end as well."""
    texts = [f"{kind}{number}" for kind in "ERST" for number in ("1", "2", "3", "5s")]
    texts += [f"{kind}G@{kind}4" for kind in "ERST"]
    state, score = position({}), 0
    for text in texts:
        name, _, at = text.partition("@")
        square = f"{LETTERS[at[0]]}-{at[1]}" if at else square_of(token(name))
        score = score_after(score, points_for(state.boards[A], "emerald", token(name), square))
        lay(state, A, text)
    assert (is_full(state.boards[A]), score) == (True, 61)
