"""The bench's own arithmetic; its figures are no test."""

import pytest

from tests.bench.measuring import Contestant, Spread, ratios, take_turns
from tests.bench.report import Goal


def contestant(units, seconds):
    return Contestant("x", lambda number: 1.0, seconds=list(seconds), units=list(units))


def test_a_ratio_is_taken_round_by_round():
    one, other = contestant([10, 30, 20], [1, 1, 1]), contestant([5, 10, 40], [1, 1, 1])
    assert ratios(one, other) == Spread(2.0, 0.5, 3.0)


def test_rates_are_units_a_second():
    assert contestant([10, 10], [2, 5]).rates == [5.0, 2.0]


def test_turns_alternate_after_one_that_warms_up():
    order = []

    def turn(name):
        def take(number):
            order.append((name, number))
            return sum(range(200_000)) * 0 + 1.0

        return take

    first, second = Contestant("a", turn("a")), Contestant("b", turn("b"))
    take_turns([first, second], 2)
    assert [entry for index, entry in enumerate(order) if index == 0 or entry != order[index - 1]] == [
        ("a", 0), ("b", 0), ("a", 1), ("b", 1), ("a", 2), ("b", 2),
    ]  # fmt: skip
    assert first.units == [1.0, 1.0]


@pytest.mark.parametrize(
    ("goal", "value", "said"),
    [
        (Goal("P6", least=0.5), 0.49, "P6: MISSED, at least 0.5"),
        (Goal("P6", least=0.5), 0.5, "P6: reached, at least 0.5"),
        (Goal("P7", most=150), 151, "P7: MISSED, at most 150"),
        (Goal("P7", most=150), 150, "P7: reached, at most 150"),
    ],
)
def test_a_goal_says_whether_it_is_reached(goal, value, said):
    assert goal.verdict(value) == said
