"""Tables of every kind come to their end, whatever goes wrong: both games, all options, doors and people."""

from collections import Counter

import pytest

from engine.registry import newest
from games.lab.simulation.scenario import DOORS, scenario_of
from tests.games.lab.simulation.command import simulate

SEEDS = range(1, 31)
MORE = range(31, 101)


def test_the_tables_of_these_seeds_are_of_every_kind():
    tables = [scenario_of(seed) for seed in SEEDS]
    assert {(table.rules, table.players) for table in tables} == {
        (rules.name, count) for rules in newest() for count in rules.seat_counts
    }
    assert {(table.rules, table.door) for table in tables} >= {(rules.name, DOORS) for rules in newest()}
    for rules in newest():
        for option in rules.options:
            chosen = {table.options[option.name] for table in tables if table.rules == rules.name}
            assert chosen == {value for value, _label in option.values}, option.name


@pytest.mark.slow
@pytest.mark.parametrize(
    "seeds", [SEEDS[:15], SEEDS[15:], pytest.param(MORE, marks=pytest.mark.marathon)], ids=["first", "second", "more"]
)
def test_tables_come_to_their_end_with_every_promise_kept(tmp_path, seeds):
    numbers = ("--first", str(seeds[0]), "--seeds", str(len(seeds)))
    played = simulate(tmp_path, "--mixed", "--naive-seeds", "0", *numbers)["played"]
    assert played["games"] == len(seeds)
    faults = Counter({name: played[name] for name in ("crashes", "outages")})
    assert min(faults.values()) > 0, "nothing went wrong, so nothing was shown"
