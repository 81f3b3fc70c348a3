"""What lies where before the first turn."""

from collections import Counter

import pytest

from engine.cave_of_wonders import events
from engine.cave_of_wonders.facts import DIRECTIONS, KINDS, LINES, NUMBERS, SPACES, SQUARES, TOKENS
from engine.core import IllegalAction
from tests.engine.cave_of_wonders.table import RULES, only
from tests.engine.playing import seed_of


def games(count: int = 40, seats: int = 4):
    return [RULES.new(seats, {}, seed_of(number))[0] for number in range(count)]


def test_two_to_four_play_c1():
    assert list(RULES.seat_counts) == [2, 3, 4]
    for seats in (1, 5):
        with pytest.raises(IllegalAction):
            RULES.new(seats, {}, seed_of(1))


def test_the_cave_is_a_hexagon_of_61_spaces_c2():
    rows = Counter(space[0] for space in SPACES)
    assert list(rows.values()) == [5, 6, 7, 8, 9, 8, 7, 6, 5]
    assert len(SPACES) == 61
    assert [len(line) for line in LINES["E5"].values()] == [4] * 6
    assert LINES["A1"] == {
        "right": ("A2", "A3", "A4", "A5"),
        "down-right": ("B2", "C3", "D4", "E5", "F5", "G5", "H5", "I5"),
        "down-left": ("B1", "C1", "D1", "E1"),
        "left": (),
        "up-left": (),
        "up-right": (),
    }


def test_every_line_leads_back_c2_c14():
    opposite = dict(zip(DIRECTIONS, [*list(DIRECTIONS)[3:], *list(DIRECTIONS)[:3]], strict=True))
    for space, lines in LINES.items():
        for direction, line in lines.items():
            if line:
                assert LINES[line[0]][opposite[direction]][0] == space


def test_sixty_treasures_and_aladdin_c3():
    for state in games():
        lying = [here.token for here in state.spaces.values() if here is not None]
        assert Counter(lying) == Counter(TOKENS)
        assert len(lying) == 60


def test_four_kinds_with_fifteen_tokens_each_c4():
    assert Counter(token.kind for token in TOKENS) == dict.fromkeys(KINDS, 15)
    copies = Counter((token.kind, token.number, token.character) for token in TOKENS)
    for kind in KINDS:
        assert [copies[kind, number, ""] for number in NUMBERS] == [2] * 5
        characters = [(1, "carpet"), (2, "monkey"), (3, "princess"), (5, "sorcerer"), (None, "genie")]
        assert [copies[kind, number, character] for number, character in characters] == [1] * 5


def test_numbers_go_from_one_to_five_c5():
    assert {token.number for token in TOKENS if token.character != "genie"} == {1, 2, 3, 4, 5}
    assert not [token for token in TOKENS if token.number == 4 and token.character]


def test_a_board_has_a_row_for_each_kind_and_a_column_for_each_number_c6():
    assert len(SQUARES) == 20
    assert list(games(1)[0].boards[0]) == [f"{kind}-{number}" for kind in KINDS for number in NUMBERS]


def test_everybody_has_another_favourite_drawn_by_lot_c7():
    states = games(seats=3)
    assert all(len(set(state.favourites)) == 3 for state in states)
    assert {state.favourites[0] for state in states} == set(KINDS)


def test_the_first_player_is_drawn_by_lot_c8():
    states = games()
    assert {state.start for state in states} == {0, 1, 2, 3}
    assert all(RULES.decisions(state)[0].seat == state.start for state in states)


def test_each_token_lies_as_a_coin_falls_c9():
    shares = [sum(here.face_up for here in state.spaces.values() if here is not None) for state in games(100)]
    assert 28 < sum(shares) / len(shares) < 32
    assert len(set(shares)) > 10, "not exactly half of them"


def test_face_down_a_token_shows_its_kind_alone_c10_c11():
    for state in games(10):
        for space, seen in RULES.view(state, 0).spaces.items():
            lying = state.spaces[space]
            if lying is None:
                assert seen is None
            else:
                assert seen.kind == lying.token.kind
                shown = (lying.token.number, lying.token.character) if lying.face_up else (None, None)
                assert (seen.number, seen.character) == shown


def test_aladdin_begins_anywhere_on_a_space_without_treasure_c12_c52():
    states = games(150)
    assert len({state.aladdin for state in states}) > 50
    for state in states:
        assert [space for space, here in state.spaces.items() if here is None] == [state.aladdin]


def test_from_where_aladdin_begins_all_sixty_treasures_are_still_to_be_had_c12():
    """His space has none from the start, and the first move leads away from it: nobody ever takes a token there."""
    for state in games(12):
        assert sum(here is not None for here in state.spaces.values()) == len(TOKENS) == 60
        (decision,) = RULES.decisions(state)
        after, _ = RULES.apply(state, decision.id, decision.seat, RULES.default(state, decision))
        assert after.spaces[state.aladdin] is None
        assert after.aladdin != state.aladdin


def test_the_service_rolls_before_anybody_is_asked_c13():
    _, happened = RULES.new(2, {}, seed_of(4))
    (rolled,) = only(happened, events.RollRevealed)
    assert (rolled.roll in (1, 2, 3, 4), rolled.again) == (True, False)
