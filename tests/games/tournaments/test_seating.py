"""Who sits with whom, in every round of every tournament."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.tournaments import pairing
from games.tournaments.pairing import Contender

pytestmark = pytest.mark.slow
ALLOWED = st.sampled_from([(2, 3, 4), (3, 4, 5), (2,), (2, 4), (4,)])


def contenders(tables: list[dict[int, int]], keys: range | list[int]) -> list[Contender]:
    """The players as they stand after these tables."""
    points, met = pairing.total_points(tables), pairing.meetings(tables)
    byes = Counter(key for places in tables if len(places) == 1 for key in places)
    return [Contender(key, key, points[key], byes[key], met.get(key, {})) for key in keys]


def play(drawn: pairing.Seating, dice: Random) -> list[dict[int, int]]:
    """Somehow everybody comes in somewhere."""
    played = []
    for table in drawn.tables:
        dice.shuffle(table)
        played.append({key: place for place, key in enumerate(table, start=1)})
    return played + [{key: 1} for key in drawn.byes]


def repeats(tables: list[dict[int, int]]) -> int:
    """How many pairs have met more than once."""
    pairs = Counter(pair for places in tables for pair in combinations(sorted(places), 2))
    return sum(count > 1 for count in pairs.values())


@given(st.integers(0, 80), st.integers(2, 5), ALLOWED)
def test_tables_are_allowed_and_differ_by_one_at_most(count: int, size: int, allowed: tuple[int, ...]) -> None:
    found = pairing.sizes(count, size, allowed)
    assert set(found) <= set(allowed)
    assert sum(found) <= count
    assert not found or max(found) - min(found) <= 1
    assert max(found, default=0) <= size + 1


@given(st.integers(0, 80), ALLOWED)
def test_nobody_sits_out_where_the_game_allows_tables_that_take_everybody(count: int, allowed: tuple[int, ...]) -> None:
    size = max(allowed)
    out = count - sum(pairing.sizes(count, size, allowed))
    if allowed == (2, 3, 4):
        assert out == (1 if count == 1 else 0)
    if allowed == (3, 4, 5):
        assert out == (count if count < 3 else 0)
    if allowed == (2,):
        assert out == count % 2


@given(st.integers(3, 40), st.integers(3, 5), st.integers(1, 5), st.randoms(use_true_random=False))
def test_in_every_round_everybody_sits_once_or_sits_out(count: int, size: int, rounds: int, dice: Random) -> None:
    played: list[dict[int, int]] = []
    for _round in range(rounds):
        drawn = pairing.draw(contenders(played, range(count)), size, (3, 4, 5))
        assert sorted([*(key for table in drawn.tables for key in table), *drawn.byes]) == list(range(count))
        assert [len(table) for table in drawn.tables] == pairing.sizes(count, size, (3, 4, 5))
        played += play(drawn, dice)


@given(st.integers(3, 15), st.integers(1, 4), st.randoms(use_true_random=False))
def test_nobody_sits_out_twice_before_everybody_has_once(pairs: int, rounds: int, dice: Random) -> None:
    played: list[dict[int, int]] = []
    for _round in range(rounds):
        played += play(pairing.draw(contenders(played, range(2 * pairs + 1)), 2, (2,)), dice)
    byes = Counter(key for places in played if len(places) == 1 for key in places)
    assert max(byes.values()) == 1


@given(st.sampled_from([16, 20, 24, 40, 100]), st.randoms(use_true_random=False))
def test_in_three_rounds_of_many_nobody_meets_somebody_again(count: int, dice: Random) -> None:
    played: list[dict[int, int]] = []
    for _round in range(3):
        played += play(pairing.draw(contenders(played, range(count)), 4, (2, 3, 4)), dice)
    assert repeats(played) == 0


@given(st.integers(12, 60), st.randoms(use_true_random=False))
def test_where_nobody_has_met_those_with_most_points_sit_together(count: int, dice: Random) -> None:
    players = [Contender(key, key, Fraction(dice.randrange(7), 6)) for key in range(count)]
    points = {one.key: one.points for one in players}
    drawn = pairing.draw(players, 4, (3, 4, 5))
    for higher, lower in zip(drawn.tables, drawn.tables[1:], strict=False):
        assert min(points[key] for key in higher) >= max(points[key] for key in lower)


def test_the_same_players_are_always_seated_alike() -> None:
    played = play(pairing.draw(contenders([], range(17)), 4, (3, 4)), Random(1))
    assert pairing.draw(contenders(played, range(17)), 4, (3, 4)) == pairing.draw(
        contenders(played, range(17)), 4, (3, 4)
    )


def test_of_five_players_at_tables_of_four_nobody_sits_out() -> None:
    assert pairing.sizes(5, 4, (3, 4, 5)) == [5]
    assert pairing.sizes(5, 4, (2, 3, 4)) == [3, 2]
    assert pairing.sizes(5, 4, (4,)) == [4]
    assert pairing.sizes(2, 4, (3, 4)) == []
