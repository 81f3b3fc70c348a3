"""What simulated people write into their sheets."""

from random import Random

import pytest

from engine.registry import newest
from games.lab.simulation.people.habits import Habits
from games.lab.simulation.people.planner import Planner

RULES = next(rules for rules in newest() if rules.name == "aladdins-dragons")
TABLES = range(12)


@pytest.mark.parametrize("tokens", ["1", "2", "4", "8"])
def test_whoever_fills_in_a_sheet_orders_all_his_tokens_whatever_the_size_of_a_wave(tokens):
    options = {"version": "magic", "placing": "waves", "tokens_per_turn": tokens, "tally": "plan"}
    for number in TABLES:
        state, _events = RULES.new(4, options, f"{number:064x}")
        for seat in range(4):
            ordered = Planner(Habits(), "greedy", Random(number)).placements(RULES, RULES.view(state, seat), seat)
            assert len(ordered) == 8, (number, seat)
