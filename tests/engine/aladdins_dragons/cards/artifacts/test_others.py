"""Lamp, Counterspell, Double, Key and Scroll."""

import pytest

from engine.aladdins_dragons import events
from engine.aladdins_dragons import events as magic
from engine.aladdins_dragons.actions import Buy
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.magic_table import (
    MAGIC_RULES,
    all_pass,
    asked_seats,
    at_window,
    declare,
    magic_table,
    one_pass,
    playable,
)  # fmt: skip
from tests.engine.aladdins_dragons.table import A, B, C, forms, only, options, play

CHARITY = declare("charity", take={"gem": 3})


def test_the_first_spell_brings_the_lamp_and_others_follow_in_the_same_round_a84():
    state = at_window(magic_table(spells=["charity lunar_eclipse"]), "placed")
    state, shown = play(state, (A, CHARITY))
    assert [event.card for event in only(shown, magic.CardPlayed)] == ["lamp", "charity"]
    assert state.magic.used[A] == ["lamp"]
    state, _ = all_pass(state)
    assert state.hoards[A]["gem"] == 3


def test_a_spent_use_leaves_no_lamp_for_spells_a82():
    state = magic_table(spaces={"market": "A7", "caravanserai": "A4"}, tiles=["carpet lamp"], spells=["charity"])
    state, _ = play(at_window(state, "market"), (A, declare("carpet")))
    assert state.magic.used[A] == ["carpet"]
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        MAGIC_RULES.apply(state, MAGIC_RULES.decisions(state)[0].id, A, CHARITY)
    assert MAGIC_RULES.dump(state) == before


def test_two_uses_at_the_djinn_count_those_already_spent_a57():
    state = magic_table(spaces={"djinn": "A7", "market": "A4"}, tiles=["carpet lamp double"])
    state, _ = play(at_window(state, "djinn"), (A, declare("carpet")))
    assert state.magic.allowance[A] == 2
    state = at_window(state, "market")
    assert playable(state, A) == ["play_double", "play_lamp", "pass"]
    state, _ = play(state, (A, declare("double", token="market:1")))
    assert state.magic.used[A] == ["carpet", "double"]


def test_a_countered_spell_is_struck_before_anything_resolves_and_is_spent_a79_a81():
    state = magic_table(spells=["charity"], tiles=["lamp", "lamp", "counterspell"])
    state = at_window(state, "placed")
    assert asked_seats(state) == [A]
    state, _ = play(state, (A, CHARITY))
    assert asked_seats(state) == [C]
    state, happened = play(state, (C, declare("counterspell", play=1)))
    assert only(happened, magic.CardStruck) == [magic.CardStruck(A, "charity", C)]
    assert state.hoards[A]["gem"] == 0
    assert (state.magic.spells[A], state.magic.used) == ([], [["lamp"], [], ["counterspell"]])


def test_no_counterspell_against_own_spells_or_artifacts_a80():
    state = magic_table(spells=["charity"], tiles=["lamp counterspell", "lamp", "counterspell"])
    state.magic.allowance[A] = 2
    state, _ = play(at_window(state, "placed"), (A, CHARITY))
    assert asked_seats(state) == [C]
    for target in (0, 2):
        with pytest.raises(IllegalAction):
            play(state, (C, declare("counterspell", play=target)))


def test_a_double_in_a_room_is_paid_as_a_further_token_of_that_value_a71():
    state = magic_table(
        guard=1, spaces={"guard": "A4", "room-1": "A9"}, tiles=["double"], hoards=[{"gem": 9, "gold": 9, "crown": 3}]
    )
    state, _ = play(at_window(state, "room-1"), (A, declare("double", token="room-1:1")))
    state, happened = play(state, (A, Buy(pay_9="gem", pay_9_2="gold")))
    assert only(happened, events.TreasurePaid) == [events.TreasurePaid(A, {"gem": 9, "gold": 9}, "room-1")]


def test_a_carpet_declared_in_the_same_window_may_be_doubled_a77():
    state = magic_table(spaces={"market": "B7"}, tiles=["carpet double"])
    state.magic.allowance[A] = 2
    state, _ = play(at_window(state, "market"), (A, declare("carpet")))
    state, happened = play(state, (A, declare("double", token="market:carpet")))
    assert [(e.value, e.source) for e in only(happened, magic.TokenAdded)] == [(3, "carpet"), (3, "double")]


def test_only_own_face_up_number_tokens_of_spaces_not_yet_tallied_are_doubled_a87():
    state = magic_table(
        caves={"gem": [4]}, spaces={"cave-gem": "A9", "market": "A7 B8", "room-1": "A1"}, tiles=["double"]
    )
    state = at_window(state, "market")
    assert options_of(state, A, "play_double") == ["market:1"]


def options_of(state, seat, form):
    (found,) = [f for q in MAGIC_RULES.view(state, seat).questions for f in q.actions if f.type == form]
    return [option.value for option in found.fields[0].options]


def test_a_key_enters_without_tokens_at_the_guards_decision_a63_a64():
    state = magic_table(guard=10, spaces={"room-1": "A1 B2"}, tiles=["key", "lamp", "lamp"], hoards=[{"gem": 1}])
    state = at_guard(state)
    assert MAGIC_RULES.decisions(state)[0].seat == A
    assert forms(state) == ["play_key", "stay_out"]
    state, happened = play(state, (A, declare("key")))
    assert state.admitted == [A]
    assert only(happened, magic.PalaceUnlocked) == [magic.PalaceUnlocked(A)]
    assert options(state, "pay_1") == ["gem"]


def at_guard(state):
    """Placing is complete; windows are passed until the guard's decision."""
    state, _ = MAGIC_RULES.advance(_without_placing(state))
    while MAGIC_RULES.decisions(state)[0].kind == "window":
        state, _ = one_pass(state)
    return state


def _without_placing(state):
    state.agenda.pop()
    return state


def test_scrolls_break_a_tie_among_those_with_most_artifacts_a85_a96():
    state = magic_table(
        guard=1, spaces={"guard": "A4 B2", "room-1": "A1"}, tiles=["key", "scroll scroll", "lamp"],
        stacks={"room-1": 1, "room-2": 0, "room-3": 0}, hoards=[{"gem": 1}],
    )  # fmt: skip
    state.magic.known = {room: [[] for _ in stack] for room, stack in state.stacks.items()}
    state.stacks["room-1"] = ["key"]
    state, _ = play(at_guard(state), (A, Buy(pay_1="gem")))
    assert state.outcome is not None
    assert state.outcome.winners == [B]
    assert "scrolls" in MAGIC_RULES.say(state.outcome.reason, "en", ["Anna", "Ben", "Carla"])


def test_who_could_do_nothing_as_everybody_sees_is_not_asked_a76():
    """A spell without a lamp and a scroll are of no use; a carpet is from the first space it may come to."""
    state = magic_table(tiles=["scroll", "lamp", "carpet"], spells=["charity", "", ""])
    state, _ = MAGIC_RULES.advance(_without_placing(state))
    assert (state.agenda[-1].where, asked_seats(state)) == ("tent", [C])


def test_a_tile_nobody_has_seen_is_asked_for_whatever_it_is_a76():
    for tile in ("carpet", "scroll", "key"):
        state = magic_table(tiles=[tile, "scroll", "scroll"])
        state.magic.unknown[A] = [tile]
        state, _ = MAGIC_RULES.advance(_without_placing(state))
        assert (state.agenda[-1].where, asked_seats(state)) == ("tent", [A])
