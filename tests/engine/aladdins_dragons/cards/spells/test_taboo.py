"""Taboo!"""

import pytest

from engine.aladdins_dragons import events as magic
from engine.aladdins_dragons.actions import Place
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.cards.scenes import Scene
from tests.engine.aladdins_dragons.magic_table import (
    MAGIC_RULES,
    PASS,
    at_window,
    declare,
    declare_now,
    end_of_round,
    magic_table,
    playable,
)  # fmt: skip
from tests.engine.aladdins_dragons.table import A, B, C, only, play

MATRIX = {
    "taboo": Scene("placed", {"space": ["market"]}, caster_has={"carpet": "bars"}, another_has={"carpet": "bars"})
}
"""How it is cast to have most to do with artifacts, and what it has to do with each."""


def taboo(space):
    return declare("taboo", space=space)


def test_nothing_can_be_placed_there_any_more_and_what_lies_there_counts_s19():
    state = magic_table(spaces={"market": "B7"}, spells=["", "taboo", ""])
    state, happened = declare_now(state, B, taboo("market"))
    assert only(happened, magic.EffectBegan) == [magic.EffectBegan("closed", B, "market")]
    with pytest.raises(IllegalAction):
        play(state, (A, Place(9, "market")))
    state, _ = play(state, (A, Place(9, "tent")))
    assert [token.seat for token in state.spaces["market"]] == [B]


def test_no_carpet_and_no_moved_token_but_a_double_s19():
    state = magic_table(
        spaces={"market": "A7 B4", "tent": "B1"}, tiles=["carpet double", "lamp", "lamp"], spells=["", "", "taboo"]
    )
    state.magic.spells[B] = ["second_chance"]
    state, _ = play(at_window(state, "placed"), (B, PASS), (C, taboo("market")))
    state = at_window(state, "market")
    assert playable(state, A) == ["play_double", "pass"]
    with pytest.raises(IllegalAction):
        play(state, (B, declare("second_chance", token="tent:1", to="market")))


def test_the_space_is_open_again_in_the_next_round_s19():
    state = magic_table(spells=["taboo"])
    state, _ = play(at_window(state, "placed"), (A, taboo("tent")))
    state, _ = MAGIC_RULES.advance(end_of_round(state)[0])
    assert (state.round, state.magic.effects) == (2, [])


@pytest.mark.parametrize("space", ["guard", "room-4", "palace"])
def test_the_guard_and_what_is_no_space_are_refused_and_nothing_changes_s19_a66(space):
    state = at_window(magic_table(spells=["taboo"]), "placed")
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        play(state, (A, taboo(space)))
    assert MAGIC_RULES.dump(state) == before


def test_a_tallied_space_may_be_named_and_nothing_follows_s19_a78():
    state = at_window(magic_table(caves={"gem": [4]}, spaces={"cave-gem": "A9"}, spells=["taboo"]), "tent")
    state, happened = play(state, (A, taboo("cave-gem")))
    assert only(happened, magic.CardFizzled) == [magic.CardFizzled(A, "taboo")]
    assert state.magic.played == ["taboo"]
