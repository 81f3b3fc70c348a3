"""A position dealt anew: everybody still sees what he saw, and what nobody had seen is fresh."""

from collections import Counter
from random import Random

import msgspec
import pytest

from engine.aladdins_dragons.cards.deck import LAMP
from engine.aladdins_dragons.setup import artifacts_in_stacks
from engine.core.games import Branched
from engine.orders.model import Order, SetOrders
from engine.registry import AnyRules, get_rules
from tests.engine.playing import TABLES, one_step, seed_of, walk_again

EVERY = 97  # steps between two looks
ON = 40  # steps played on after the last


def seen(rules: AnyRules, state: object, seat: int | None) -> bytes:
    """A view as JSON, without what names the branch."""
    return msgspec.json.encode(rules.view(state, seat)).replace(b'"b1-', b'"').replace(b',"branch":1', b"")


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_nobody_sees_a_difference_but_in_the_names_of_what_is_asked(rules: AnyRules, seats: int) -> None:
    states = [step.after for step in walk_again(rules, seats)][:-1]
    asked = {decision.id for state in states for decision in rules.decisions(state)}
    for state in states[::EVERY]:
        again = rules.redeal(state, seed_of(5), 1)
        assert all(seen(rules, again, seat) == seen(rules, state, seat) for seat in (None, *range(seats)))
        assert rules.redeal(state, seed_of(5), 1) == again == rules.load(rules.dump(again))
        assert again.rng != rules.redeal(state, seed_of(6), 1).rng
        names = {decision.id for decision in rules.decisions(again)}
        assert not names & asked
        assert {name.removeprefix("b1-") for name in names} <= asked
    random = Random(7)
    for _ in range(ON):
        again = one_step(rules, again, random).after
        if rules.outcome(again) is not None:
            break


@pytest.mark.slow
def test_decks_stay_whole_and_tiles_somebody_looked_at_lie_where_they_lay() -> None:
    rules = get_rules("aladdins-dragons", 2)
    moved = 0
    for step in walk_again(rules, 3, version="magic"):
        state = step.after
        again = rules.redeal(state, seed_of(9), 1)
        pool = Counter(artifacts_in_stacks(3, "magic")) + Counter({LAMP: 3})
        used = Counter(tile for stack in (*again.stacks.values(), *again.artifacts) for tile in stack)
        assert not used - pool
        assert sorted(again.magic.spell_deck) == sorted(state.magic.spell_deck)
        assert sorted(again.deck) == sorted(state.deck)
        for room, stack in state.stacks.items():
            for place, knowers in enumerate(state.magic.known[room]):
                assert not knowers or again.stacks[room][place] == stack[place]
                moved += again.stacks[room][place] != stack[place]
        assert again.magic.spells == state.magic.spells
        assert again.artifacts == state.artifacts
    assert moved


def test_tokens_of_the_cave_change_places_with_their_like_only() -> None:
    rules = get_rules("cave-of-wonders", 1)
    state, _ = rules.new(3, {}, seed_of(3))
    again = rules.redeal(state, seed_of(4), 1)
    lying = {space: token for space, token in state.spaces.items() if token is not None}
    assert Counter(again.spaces.values()) == Counter(state.spaces.values())
    assert all(again.spaces[space] == token for space, token in lying.items() if token.face_up)
    assert all(again.spaces[space].token.kind == token.token.kind for space, token in lying.items())
    assert again.spaces != state.spaces


def test_a_branch_is_told_to_everybody_and_ends_all_orders() -> None:
    rules = get_rules("cave-of-wonders", 1)
    state, _ = rules.new(2, {}, seed_of(3))
    state, _ = rules.instruct(state, 1, SetOrders([Order(kind="move")]))
    assert rules.orders(state, 1).orders
    after, events = rules.branch_off(state, seed_of(4), 3, 1)
    assert not rules.orders(after, 1).orders
    assert rules.orders(after, 1).last == 1
    assert events == [Branched(3, 1)] == rules.load_events(rules.dump_events(events))
    assert [rules.redact(events[0], seat) for seat in (None, 0)] == [Branched(3, 1)] * 2
    assert "back to step 3" in rules.say(events[0], "en", ["Anna", "Ben"])
    assert "another table" in rules.say(Branched(3, 0), "en", ["Anna", "Ben"])
