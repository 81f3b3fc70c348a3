"""Spy."""

import pytest

from engine.aladdins_dragons import events
from engine.aladdins_dragons import events as magic
from engine.aladdins_dragons.actions import Place
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.cards.scenes import PLACING, Scene
from tests.engine.aladdins_dragons.magic_table import MAGIC_RULES, at_window, declare, declare_now, magic_table
from tests.engine.aladdins_dragons.table import A, B, C, only, play

MATRIX = {"spy": Scene(PLACING, use={"double": "tent"}, another_has={"double": "opens"}, unused={"double"})}
"""How it is cast to have most to do with artifacts, and what it has to do with each."""

SPY = declare("spy")


def test_others_place_face_up_the_caster_does_not_and_earlier_tokens_stay_down_s17_a31():
    state = magic_table(spaces={"market": "A7"}, spells=["", "spy", ""])
    state, _ = declare_now(state, B, SPY)
    state, happened = play(state, (A, Place(9, "tent")), (B, Place(8, "tent")), (C, Place(6, "tent")))
    assert [event.face_up for event in only(happened, events.TokenPlaced)] == [True, False, True]
    assert [token.face_up for token in state.spaces["market"]] == [False]
    seen = MAGIC_RULES.view(state, None).spaces["tent"]
    assert [token.value for token in seen] == [9, None, 6]


def test_the_question_says_that_the_token_will_lie_face_up_s17():
    state, _ = declare_now(magic_table(spells=["", "spy", ""]), B, SPY)
    assert "Place a token face up" in MAGIC_RULES.describe(MAGIC_RULES.view(state, A), "en", ["Anna", "Ben", "Carla"])


def test_after_placing_it_does_nothing_and_is_spent_s17_a78():
    state = at_window(magic_table(spells=["spy"]), "placed")
    state, happened = play(state, (A, SPY))
    assert only(happened, magic.CardFizzled) == [magic.CardFizzled(A, "spy")]
    assert (state.magic.effects, state.magic.played) == ([], ["spy"])


def test_it_names_nobody_and_a_refusal_changes_nothing_s17():
    state = at_window(magic_table(spells=["spy"]), "placed")
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        play(state, (A, declare("spy", seat=B)))
    assert MAGIC_RULES.dump(state) == before
