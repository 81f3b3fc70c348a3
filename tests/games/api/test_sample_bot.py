"""The sample bot by what the API would send: it plays better than dice."""

import pytest

from engine.registry import AnyRules, newest
from tests.lab import sample_strength


@pytest.mark.slow
@pytest.mark.parametrize("rules", newest(), ids=lambda rules: rules.name)
def test_the_sample_bot_comes_in_before_a_bot_that_throws_dice(rules: AnyRules) -> None:
    seats, games, options = (3, 1, {"version": "basic"}) if rules.name == "aladdins-dragons" else (4, 15, {})
    _won, before = sample_strength.measure(rules, seats, games, "random", options)
    assert before >= 0.85 * games * (seats - 1), "docs/api.md has the figures of more games"


def test_every_kind_of_question_that_it_judges_is_one_of_a_rule_set() -> None:
    known = {rules.name for rules in newest()}
    sample_strength.sample_bot()
    import strategies

    assert {name for name, _kind in strategies.STRATEGIES} <= known
