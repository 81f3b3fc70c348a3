"""Lunar Eclipse, and the rulebook's example of resolution by player sequence."""

import pytest

from engine.aladdins_dragons import events as magic
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.cards.scenes import Scene
from tests.engine.aladdins_dragons.magic_table import PASS, at_window, declare, magic_table
from tests.engine.aladdins_dragons.rules import MagicRules
from tests.engine.aladdins_dragons.table import A, B, C, only, play

MATRIX = {
    "lunar_eclipse": Scene(
        wishes={"space": ["market"]},
        caster_has={"carpet": "removes", "double": "removes"},
        another_has={"carpet": "removes", "double": "removes"},
    )
}
"""How it is cast to have most to do with artifacts, and what it has to do with each."""

ANNA, SAM = "lunar_eclipse", "second_chance"


@pytest.mark.parametrize(("_case", "camel", "is_saved"), [("Anna first", A, False), ("Sam first", B, True)])
def test_anna_sam_and_the_eclipse_of_the_djinn_a75_a78(_case, camel, is_saved):
    state = magic_table(camel=camel, spaces={"djinn": "A4 B7 C5"}, spells=[ANNA, SAM])
    state = at_window(state, "djinn")
    state, _ = play(state, (A, declare(ANNA, space="djinn")), (B, PASS))
    state, _ = play(state, (B, declare(SAM, token="djinn:2", to="market")))
    assert ([(token.seat, token.value) for token in state.spaces["market"]] == [(B, 7)]) is is_saved
    assert [token.value for token in state.spaces["djinn"]] == [4]
    assert 5 in state.hands[C]
    assert (7 in state.hands[B]) is not is_saved


def test_all_odd_tokens_go_home_the_casters_and_carpets_too_s10_a90():
    state = magic_table(spaces={"market": "A9 A4 B7"}, spells=["", "", ANNA], tiles=["lamp", "carpet", "lamp"])
    state = at_window(state, "market")
    state, _ = play(state, (B, declare("carpet")), (C, PASS))
    state, _ = play(state, (C, declare(ANNA, space="market")))
    assert [(token.seat, token.value) for token in state.spaces["market"]] == [(A, 4)]
    assert state.magic.used[B] == ["carpet"]


def test_only_face_up_tokens_of_a_space_not_yet_tallied_go_s10():
    state = magic_table(spaces={"market": "A9 B7", "tent": "C1"}, spells=["", "", ANNA])
    state.spaces["market"][0].face_up = True
    state = at_window(state, "tent")
    state, happened = play(state, (C, declare(ANNA, space="market")))
    assert [event.seat for event in only(happened, magic.TokenRemoved)] == [A]


def test_on_a_tallied_space_nothing_follows_s10():
    state = magic_table(caves={"gem": [4]}, spaces={"cave-gem": "A9", "tent": "C1"}, spells=["", "", ANNA])
    state = at_window(state, "tent")
    state, happened = play(state, (C, declare(ANNA, space="cave-gem")))
    assert only(happened, magic.CardFizzled) == [magic.CardFizzled(C, ANNA)]
    assert [token.value for token in state.spaces["cave-gem"]] == [9]


def test_the_guard_is_no_target_and_a_refusal_changes_nothing_a66():
    rules = MagicRules()
    state = at_window(magic_table(guard=3, spaces={"guard": "A9", "market": "B1"}, spells=["", "", ANNA]), "market")
    before = rules.dump(state)
    for space in ("guard", "room-1", "nowhere"):
        with pytest.raises(IllegalAction):
            play(state, (C, declare(ANNA, space=space)))
    assert rules.dump(state) == before
