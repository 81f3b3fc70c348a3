"""Aladdin's Lamp."""

import pytest

from engine.aladdins_dragons import events as magic
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.magic_table import (
    MAGIC_RULES,
    all_pass,
    asked_seats,
    at_window,
    declare,
    declare_now,
    end_of_round,
    magic_table,
    playable,
)  # fmt: skip
from tests.engine.aladdins_dragons.table import A, B, C, only, play

CHARITY = declare("charity", take={"gem": 3})


def test_one_lamp_lights_any_number_of_spells_a84():
    state = at_window(magic_table(spells=["charity taboo spy"]), "placed")
    state, first = play(state, (A, CHARITY))
    state, second = play(state, (A, declare("taboo", space="tent")))
    state, third = play(state, (A, declare("spy")))
    assert [[event.card for event in only(shown, magic.CardPlayed)] for shown in (first, second, third)] == [
        ["lamp", "charity"], ["taboo"], ["spy"],
    ]  # fmt: skip
    assert state.magic.used[A] == ["lamp"]


def test_the_lamp_may_be_lit_alone_and_serves_later_in_the_round_a84():
    state = magic_table(spaces={"market": "A1"}, spells=["charity"])
    state, shown = declare_now(state, A, declare("lamp"))
    assert [event.card for event in only(shown, magic.CardPlayed)] == ["lamp"]
    assert asked_seats(state) == [A]
    state, _ = all_pass(state)
    state, shown = play(at_window(state, "market"), (A, CHARITY))
    assert [event.card for event in only(shown, magic.CardPlayed)] == ["charity"]


def test_the_lamp_of_the_last_round_is_out_a83_a84():
    state = at_window(magic_table(spells=["charity spy"]), "placed")
    state, _ = play(state, (A, CHARITY))
    state, _ = MAGIC_RULES.advance(end_of_round(state)[0])
    state, shown = play(state, (A, declare("spy")))
    assert [event.card for event in only(shown, magic.CardPlayed)] == ["lamp", "spy"]


@pytest.mark.parametrize(
    ("_case", "tiles", "used", "spells"),
    [
        ("a second one", "lamp lamp", ["lamp"], "charity"),
        ("no use left", "carpet lamp", ["carpet"], "charity"),
        ("not his", "carpet", [], "charity"),
    ],
)
def test_where_a_lamp_is_refused_nothing_changes_a82_a84(_case, tiles, used, spells):
    state = magic_table(spaces={"market": "A1"}, tiles=[tiles, "carpet", "lamp"], spells=[spells])
    state.magic.used[A] = used
    state.magic.unknown[A] = ["lamp"] if not used else []
    state = at_window(state, "market")
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        MAGIC_RULES.apply(state, "r1-window-market-1", A, declare("lamp"))
    assert MAGIC_RULES.dump(state) == before


def test_a_countered_spell_leaves_the_lamp_lit_a81():
    state = magic_table(spells=["charity spy"], tiles=["lamp", "lamp", "counterspell"])
    state, _ = play(at_window(state, "placed"), (A, CHARITY))
    state, happened = play(state, (A, declare("spy")), (C, declare("counterspell", play=1)))
    assert only(happened, magic.CardStruck) == [magic.CardStruck(A, "charity", C)]
    assert state.magic.used[A] == ["lamp"]
    assert state.magic.played == ["charity", "spy"]


def test_the_spells_of_others_need_their_own_lamps_a84():
    state = magic_table(spaces={"market": "A1"}, tiles=["lamp", "carpet", "lamp"], spells=["spy", "charity", ""])
    state, _ = play(at_window(state, "market"), (A, declare("spy")))
    assert playable(state, B) == ["play_carpet", "pass"]
