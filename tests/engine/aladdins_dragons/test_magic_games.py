"""Whole magic games for every number of seats and both readings of "And the last will be the first"."""

from collections import Counter

import pytest

from engine.aladdins_dragons.cards.deck import ARTIFACTS, SPELLS
from engine.aladdins_dragons.facts import KINDS, PIECES, TREASURE_PER_KIND
from engine.aladdins_dragons.model import Tent
from tests.engine.aladdins_dragons.rules import GAMES
from tests.engine.playing import SHARED, seed_of, walk_again

pytestmark = pytest.mark.slow


def inventory(state):
    """Everything there is, by what it is: tokens by owner, treasure by kind, tiles, spells, treasure cards."""
    magic, seats = state.magic, range(state.seats)
    lying = [token for row in state.spaces.values() for token in row if token.is_number]
    drawn = [card for frame in state.agenda if isinstance(frame, Tent) for card in frame.cards]
    buried, hands = [buried.card for buried in magic.buried], [card for hand in magic.spells for card in hand]
    held = [*state.hoards, state.bank, {kind: sum(shelves) for kind, shelves in state.caves.items()}]
    return {
        "tokens": [sorted([*state.hands[s], *(token.value for token in lying if token.seat == s)]) for s in seats],
        "treasure": {kind: sum(amounts[kind] for amounts in held) for kind in KINDS},
        "tiles": Counter(tile for row in (*state.stacks.values(), *state.artifacts) for tile in row),
        "spells": sorted([*magic.spell_deck, *hands, *magic.played, *buried, *drawn]),
        "cards": len(state.deck) + len(state.discards),
    }


@pytest.mark.parametrize(("rules", "seats", "option"), GAMES)
def test_nothing_is_lost_and_nothing_is_made_a8_a11_a40(rules, seats, option):
    box = {
        "tokens": [PIECES.tokens] * seats,
        "treasure": dict.fromkeys(KINDS, TREASURE_PER_KIND),
        "tiles": dict.fromkeys(ARTIFACTS, seats),
        "spells": sorted(SPELLS),
        "cards": 15,
    }
    for step in walk_again(rules, seats, last_first=option):
        assert inventory(step.after) == box
        assert min(min(hoard.values()) for hoard in step.after.hoards) >= 0
        check_uses(step.after)


def check_uses(state):
    """What is used and what is known fits what there is (A47, A57, A82)."""
    magic = state.magic
    brought = Counter((t.seat, t.source) for row in state.spaces.values() for t in row if not t.is_number)
    assert all(count <= 3 for count in brought.values()), "two uses and a borrowed one are the most"
    assert {room: len(known) for room, known in magic.known.items()} == {
        room: len(stack) for room, stack in state.stacks.items()
    }
    for seat in range(state.seats):
        assert not Counter(magic.unknown[seat]) - Counter(state.artifacts[seat])
        assert not Counter(magic.used[seat]) - Counter(state.artifacts[seat])
        assert len(magic.used[seat]) <= magic.allowance[seat] <= 2


@pytest.mark.parametrize(("rules", "seats", "option"), GAMES)
def test_the_log_replays_to_the_same_states_and_events(rules, seats, option):
    state, _ = rules.new(seats, {"last_first": option}, seed_of(SHARED[0]))
    assert state.magic.last_first == option
    for count, step in enumerate(walk_again(rules, seats, last_first=option)):
        state = rules.load(rules.dump(state)) if count % 10 == 0 else state
        if step.decision is None:
            state, events = rules.advance(state)
        else:
            action = rules.load_action(rules.dump_action(step.action))
            state, events = rules.apply(state, step.decision.id, step.decision.seat, action)
        assert events == step.events
        assert rules.dump(state) == rules.dump(step.after)
    assert rules.outcome(state) is not None
