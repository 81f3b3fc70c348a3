"""The transcripts in tests/playthroughs are what the rules do today, line by line."""

from itertools import zip_longest

import pytest

from engine.registry import AnyRules
from tests.engine.playing import PUBLISHED
from tests.playthroughs.transcript import FOLDER, path_of, tables, transcript


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "seats"), PUBLISHED)
def test_a_playthrough_is_played_the_same_again(rules: AnyRules, seats: int) -> None:
    kept = path_of(rules, seats).read_text().splitlines()
    for number, (old, new) in enumerate(zip_longest(kept, transcript(rules, seats)), start=1):
        assert new == old, f"{path_of(rules, seats).name}, line {number}"


def test_every_rule_set_and_number_of_seats_has_a_playthrough_and_there_is_no_other() -> None:
    assert {path.name for path in FOLDER.glob("*.txt")} == {path_of(*table).name for table in tables()}
