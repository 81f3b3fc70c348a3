"""Nothing is lost and nothing is made, in whole games."""

from collections import Counter

import pytest

from engine.aladdins_dragons.deck import ARTIFACTS, SPELLS
from engine.aladdins_dragons.facts import KINDS, PIECES, TREASURE_PER_KIND
from engine.aladdins_dragons.model import Tent
from tests.engine.aladdins_dragons.magic_rules import DealtRules
from tests.engine.aladdins_dragons.magic_table import MAGIC_RULES
from tests.engine.aladdins_dragons.table import RULES
from tests.engine.playing import walk


def is_own(token, seat):
    return token.seat == seat and token.is_number


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("rules", [MAGIC_RULES, DealtRules()], ids=["magic", "dealt"])
def test_spells_and_known_tiles_stay_what_they_are_in_number(rules, seats):
    for step in walk(rules, seats, seats):
        state, magic = step.after, step.after.magic
        drawn = [card for frame in state.agenda if isinstance(frame, Tent) for card in frame.cards]
        hands = [card for hand in magic.spells for card in hand]
        buried = [buried.card for buried in magic.buried]
        assert sorted([*magic.spell_deck, *hands, *magic.played, *buried, *drawn]) == sorted(SPELLS)
        assert {room: len(known) for room, known in magic.known.items()} == {
            room: len(stack) for room, stack in state.stacks.items()
        }
        for seat in range(seats):
            assert not Counter(magic.unknown[seat]) - Counter(state.artifacts[seat])
            assert not Counter(magic.used[seat]) - Counter(state.artifacts[seat])
            assert len(magic.used[seat]) <= magic.allowance[seat] <= 2
        every = [tile for row in (*state.stacks.values(), *state.artifacts) for tile in row]
        assert Counter(every) == dict.fromkeys(ARTIFACTS, seats)


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("rules", [RULES, MAGIC_RULES, DealtRules()], ids=["basic", "magic", "dealt"])
def test_tokens_treasure_and_artifacts_stay_what_they_are_in_number(rules, seats):
    for step in walk(rules, seats, seats):
        state = step.after
        for seat in range(seats):
            lying = [token.value for row in state.spaces.values() for token in row if is_own(token, seat)]
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
