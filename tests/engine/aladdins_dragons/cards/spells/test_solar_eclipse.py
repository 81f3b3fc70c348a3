"""Solar Eclipse."""

import pytest

from engine.aladdins_dragons import events as magic
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.cards.scenes import Scene
from tests.engine.aladdins_dragons.magic_table import MAGIC_RULES, PASS, at_window, declare, magic_table
from tests.engine.aladdins_dragons.table import A, B, C, only, play

MATRIX = {
    "solar_eclipse": Scene(
        wishes={"space": ["market"]},
        rows={"market": "H2 R6 C9"},
        caster_has={"double": "removes"},
        another_has={"double": "removes"},
    )
}
"""How it is cast to have most to do with artifacts, and what it has to do with each."""

SUN = "solar_eclipse"


def test_all_even_tokens_go_home_and_a_carpet_stays_s16():
    state = magic_table(spaces={"market": "A8 A5 B2"}, spells=["", "", SUN], tiles=["lamp", "carpet", "lamp"])
    state = at_window(state, "market")
    state, _ = play(state, (B, declare("carpet")), (C, PASS))
    state, _ = play(state, (C, declare(SUN, space="market")))
    assert [(token.seat, token.value) for token in state.spaces["market"]] == [(A, 5), (B, 3)]


def test_on_a_tallied_space_nothing_follows_s16():
    state = magic_table(caves={"gem": [4]}, spaces={"cave-gem": "A8", "tent": "C1"}, spells=["", "", SUN])
    state = at_window(state, "tent")
    state, happened = play(state, (C, declare(SUN, space="cave-gem")))
    assert only(happened, magic.CardFizzled) == [magic.CardFizzled(C, SUN)]
    assert [token.value for token in state.spaces["cave-gem"]] == [8]


def test_neither_the_guard_nor_a_face_down_row_is_a_target_a66_s16():
    state = magic_table(guard=3, spaces={"guard": "A8", "market": "B2", "djinn": "A6"}, spells=["", "", SUN])
    state = at_window(state, "djinn")
    before = MAGIC_RULES.dump(state)
    for space in ("guard", "market"):
        with pytest.raises(IllegalAction):
            play(state, (C, declare(SUN, space=space)))
    assert MAGIC_RULES.dump(state) == before
