"""Nothing is lost and nothing is made, in whole games; of the magic version see `test_magic_games`."""

import pytest

from engine.aladdins_dragons.facts import KINDS, PIECES, TREASURE_PER_KIND
from tests.engine.aladdins_dragons.table import RULES
from tests.engine.playing import walk

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_tokens_treasure_and_artifacts_stay_what_they_are_in_number(seats):
    for step in walk(RULES, seats, seats):
        state = step.after
        for seat in range(seats):
            lying = [token.value for row in state.spaces.values() for token in row if token.seat == seat]
            assert sorted(lying + state.hands[seat]) == PIECES.tokens
        for kind in KINDS:
            held = sum(hoard[kind] for hoard in state.hoards)
            assert state.bank[kind] + sum(state.caves[kind]) + held == TREASURE_PER_KIND
        assert sum(map(len, state.stacks.values())) + sum(map(len, state.artifacts)) == 6 * seats
        assert min(min(hoard.values()) for hoard in state.hoards) >= 0
        assert len(state.deck) + len(state.discards) == 15


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_random_game_ends_within_a_hundred_rounds(seats):
    for number in range(5):
        *_, last = walk(RULES, seats, number)
        assert last.after.round < 100
