"""The bench's own arithmetic; its figures are no test."""

import os
import subprocess
import sys

import pytest

from tests.bench.carried import size_of
from tests.bench.measuring import Contestant, Spread, ratios, take_turns
from tests.bench.processes import parent_of, processor_time_of
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


def test_what_other_processes_used_counts_and_only_of_the_turn():
    used = iter([10.0, 13.0, 20.0, 25.0])
    prepared = []
    one = Contestant("a", lambda number: 6.0, prepare=prepared.append)
    assert take_turns([one], 2, lambda: next(used)) == 0
    assert prepared == [0, 1, 2]
    assert [round(seconds) for seconds in one.seconds] == [3, 5]


BELOW = "import time\nwhile time.process_time() < 0.6: pass"
ABOVE = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {BELOW!r}]); print(flush=True); input()"


@pytest.mark.slow
def test_the_time_of_a_process_is_that_of_all_below_it():
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", ABOVE], stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None and process.stdout.readline()
        assert processor_time_of(process.pid)() >= 0.5  # the kernel counts in ticks of 10 ms
        assert parent_of(process.pid) == os.getpid()
        process.communicate(b"\n")


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


def test_behind_games_that_run_stand_those_of_a_year_and_a_share_of_them_if_that_is_asked_for():
    assert [(size.running, size.fresh, size.folded) for size in (size_of(10_000, 1.0), size_of(10_000, 0.1))] == [
        (10_000, 12_000, 134_000), (10_000, 1_200, 13_400),
    ]  # fmt: skip
