"""Key."""

import pytest

from engine.aladdins_dragons import events
from engine.aladdins_dragons import events as magic
from engine.aladdins_dragons.model import Bribes
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.magic_table import (
    MAGIC_RULES,
    at_window,
    declare,
    end_of_round,
    magic_table,
    silence,
)
from tests.engine.aladdins_dragons.table import A, B, C, forms, only, play, tally

KEY = declare("key")


def at_guard(**position):
    """Windows are passed until somebody is asked at the guard."""
    state, _ = tally(magic_table(**{"guard": 10, "tiles": ["key", "lamp", "counterspell"], **position}))
    return silence(state, lambda now: isinstance(now.agenda[-1], Bribes))[0]


def test_with_tokens_there_he_enters_and_pays_nothing_a64():
    state = at_guard(spaces={"guard": "A4 B9", "room-1": "A1"}, hoards=[{"gem": 9}])
    assert forms(state) == ["bribe", "play_key", "stay_out"]
    state, happened = play(state, (A, KEY))
    assert (state.admitted, state.hoards[A]["gem"]) == ([A], 9)
    assert only(happened, magic.PalaceUnlocked) == [magic.PalaceUnlocked(A)]
    assert only(happened, events.TreasurePaid) == []


def test_he_keeps_his_tokens_in_the_rooms_and_may_buy_a64_a68():
    state = at_guard(spaces={"room-1": "A1 B2"}, hoards=[{"gem": 1}, {"gem": 2}])
    state, happened = play(state, (A, KEY))
    assert [event.seat for event in only(happened, events.TokensEvicted)] == [B]
    assert forms(state) == ["buy", "decline"]


def test_it_costs_the_use_and_cannot_be_countered_a64_a82():
    """Carla has a counterspell, and a window opens; but there is no spell in it."""
    state = at_guard(spaces={"guard": "B4", "room-1": "A1"})
    state, happened = play(state, (A, KEY))
    assert state.magic.used[A] == ["key"]
    assert state.admitted == [A]
    assert only(happened, magic.CardStruck) == []


def test_who_has_used_something_else_has_no_use_left_a82():
    state = magic_table(guard=10, spaces={"market": "A1", "guard": "A4"}, tiles=["key carpet", "lamp", "lamp"])
    state.open_hoards = False  # else he is not even asked
    state, _ = play(at_window(state, "market"), (A, declare("carpet")))
    state = silence(state, lambda now: isinstance(now.agenda[-1], Bribes))[0]
    before = MAGIC_RULES.dump(state)
    assert forms(state) == ["stay_out"]
    with pytest.raises(IllegalAction):
        play(state, (A, KEY))
    assert MAGIC_RULES.dump(state) == before


@pytest.mark.parametrize("where", ["start", "placed", "market", "guard", "room-1"])
def test_it_is_no_card_for_a_window_a64(where):
    spaces = {"market": "A7", "guard": "A9 C1", "room-1": "A1"}
    state = magic_table(guard=1, spaces=spaces, tiles=["key carpet", "lamp", "carpet"], spells=["", "charity", ""])
    state.magic.unknown[A] = ["key"]
    state = at_window(state, "market")
    state.agenda[-1].where = where
    state.tallying = where
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        play(state, (A, KEY))
    assert MAGIC_RULES.dump(state) == before


def test_who_is_in_already_is_not_asked_and_keeps_his_key_a61_a64():
    state = at_guard(guard=5, spaces={"guard": "A9 B1"}, hoards=[{}, {"gem": 4}])
    assert MAGIC_RULES.decisions(state)[0].seat == B
    assert state.admitted == [A]


def test_the_lamp_may_be_lit_with_a_key_borrowed_at_the_own_decision_s13_a84():
    state = at_guard(spaces={"guard": "A4 B4"}, spells=["", "parasite", ""])
    state, _ = play(state, (A, KEY))
    assert forms(state) == ["play_parasite__key", "stay_out"]
    state, shown = play(state, (B, declare("parasite", variant="key")))
    assert [event.card for event in only(shown, magic.CardPlayed)] == ["lamp", "parasite"]
    state, _ = silence(state, lambda now: B in now.admitted or MAGIC_RULES.is_advance_pending(now))
    assert state.admitted == [A, B]
    assert C not in state.admitted


@pytest.mark.parametrize("tiles", ["key", "scroll", "lamp", "carpet"])
def test_whoever_has_a_use_left_and_a_tile_that_nobody_knows_is_asked_at_the_guard_whatever_it_is_a63(tiles):
    """Else who is asked would tell who may hold a key."""
    state = magic_table(guard=10, tiles=[tiles, "lamp", "lamp"], spaces={"room-1": "B1"})
    state.magic.unknown[A] = [tiles]
    state = silence(tally(state)[0], lambda now: isinstance(now.agenda[-1], Bribes))[0]
    assert [decision.seat for decision in MAGIC_RULES.decisions(state)] == [A]


@pytest.mark.parametrize("tiles", ["scroll", "lamp", "carpet scroll"])
def test_who_has_no_key_and_no_token_there_as_everybody_knows_is_not_asked_a63_a47(tiles):
    state, _ = end_of_round(tally(magic_table(guard=10, tiles=[tiles, "lamp", "lamp"]))[0])
    assert state.admitted == []


def test_who_cannot_pay_the_guard_and_has_no_key_as_everybody_sees_stays_out_unasked_a63_a46():
    position = {"guard": 10, "spaces": {"guard": "A4"}, "hoards": [{"gem": 5}], "tiles": ["lamp", "lamp", "lamp"]}
    state, happened = tally(magic_table(**position))
    assert only([*happened, *end_of_round(state)[1]], events.BribeDeclined) == [events.BribeDeclined(A)]
    state = at_guard(**position, open_hoards=False)
    assert forms(state) == ["stay_out"], "hidden hoards are not told by who is asked"


def test_who_could_borrow_a_key_is_asked_though_he_has_none_a63_s13():
    """Ben's lamp and his card can open; that Carla has no card everybody sees."""
    state = at_guard(tiles=["key", "lamp", "lamp"], spaces={"room-1": "A1"}, spells=["", "charity", ""])
    state, _ = play(state, (A, KEY))
    assert [decision.seat for decision in MAGIC_RULES.decisions(state)] == [B]


def test_whoever_has_no_use_left_and_no_token_there_is_not_asked_a63():
    state = magic_table(
        guard=10, spaces={"market": "A1", "guard": "B4"}, tiles=["key carpet", "lamp", "lamp"], hoards=[{}, {"gem": 6}]
    )
    state, _ = play(at_window(state, "market"), (A, declare("carpet")))
    state = silence(state, lambda now: isinstance(now.agenda[-1], Bribes))[0]
    assert [decision.seat for decision in MAGIC_RULES.decisions(state)] == [B]


def test_a_key_alone_leaves_nothing_to_answer_a64_a80():
    """Ben has used a counterspell, and Carla's lamp is lit; but in the key's window there is no spell to negate."""
    state = magic_table(
        guard=10, camel=C, spaces={"guard": "A4"}, tiles=["key", "counterspell", "lamp"],
        spells=["", "", "charity parasite spy"],
    )  # fmt: skip
    state = at_window(state, "placed")
    state, _ = play(state, (C, declare("charity", take={"gem": 3})))
    state, _ = play(state, (B, declare("counterspell", play=1)))
    state = silence(state, lambda now: isinstance(now.agenda[-1], Bribes))[0]
    state, _ = play(state, (A, KEY))
    assert state.admitted == [A]
