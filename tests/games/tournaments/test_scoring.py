"""Points and standings."""

from fractions import Fraction
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from games.tournaments import pairing

HALF = Fraction(1, 2)
PLACES = st.lists(st.integers(1, 5), min_size=2, max_size=5).map(
    lambda merits: {key: 1 + sum(other < merit for other in merits) for key, merit in enumerate(merits)}
)


@given(PLACES)
def test_a_table_is_worth_half_a_point_for_each_who_sits_there(places: dict[int, int]) -> None:
    assert sum(pairing.points(places).values()) == Fraction(len(places), 2)


@given(PLACES)
def test_who_comes_in_before_another_has_more_points(places: dict[int, int]) -> None:
    points = pairing.points(places)
    for one, other in product(places, places):
        assert (points[one] > points[other]) == (places[one] < places[other])


def test_the_first_has_one_point_and_the_last_none_at_tables_of_every_size() -> None:
    for size in (2, 3, 4, 5):
        points = pairing.points({key: key + 1 for key in range(size)})
        assert (points[0], points[size - 1]) == (1, 0)
    assert pairing.points({7: 1, 8: 1, 9: 3}) == {7: Fraction(3, 4), 8: Fraction(3, 4), 9: 0}


def test_who_sits_out_has_the_point_of_a_win_but_no_win() -> None:
    [line] = pairing.standings([1], [{1: 1}])
    assert (line.points, line.wins, line.played, line.opponents) == (1, 0, 0, 0)


def test_ties_are_broken_by_wins_and_then_by_the_opponents() -> None:
    tables = [{1: 1, 2: 2}, {3: 1, 4: 1}, {1: 2, 5: 1}, {3: 1, 6: 1}]
    found = {line.key: line for line in pairing.standings(range(1, 7), tables)}
    assert found[1].points == found[3].points == 1
    assert (found[1].wins, found[3].wins) == (1, 2)
    assert found[3].place < found[1].place
    level = [{1: 1, 3: 2}, {2: 1, 4: 2}, {3: 1, 5: 2}, {6: 1, 4: 2}]  # 1 has beaten 3, who has won once
    found = {line.key: line for line in pairing.standings(range(1, 7), level)}
    assert found[1].opponents == 1 and found[2].opponents == 0
    assert found[1].place < found[2].place


def test_who_is_level_in_everything_shares_the_place_and_the_next_is_left_out() -> None:
    lines = pairing.standings(range(4), [{0: 1, 1: 2}, {2: 1, 3: 2}])
    assert [line.place for line in lines] == [1, 1, 3, 3]


@given(st.lists(st.permutations(range(6)), min_size=1, max_size=5))
def test_standings_list_everybody_once_from_the_first_place_down(orders: list[list[int]]) -> None:
    tables = [
        {key: 1 + place % 3 for place, key in enumerate(half)} for order in orders for half in (order[:3], order[3:])
    ]
    lines = pairing.standings(range(6), tables)
    assert sorted(line.key for line in lines) == list(range(6))
    assert [line.place for line in lines] == sorted(line.place for line in lines)
    assert [line.points for line in lines] == sorted((line.points for line in lines), reverse=True)
    assert sum(line.points for line in lines) == HALF * 6 * len(orders)
