"""Charity."""

import pytest

from engine.aladdins_dragons import events
from engine.aladdins_dragons import events as magic
from engine.aladdins_dragons.facts import KINDS
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.cards.scenes import Scene
from tests.engine.aladdins_dragons.magic_table import (
    MAGIC_RULES,
    at_window,
    declare,
    magic_table,
    playable,
    silence,
)  # fmt: skip
from tests.engine.aladdins_dragons.table import A, B, forms, only, play

MATRIX = {"charity": Scene()}
"""How it is cast to have most to do with artifacts, and what it has to do with each."""


def gift(**take):
    return declare("charity", take=take)


def test_three_of_value_in_any_mix_s4():
    state = at_window(magic_table(spells=["charity"]), "placed")
    state, happened = play(state, (A, gift(gem=1, gold=2)))
    assert only(happened, events.TreasureTaken) == [events.TreasureTaken(A, {"gem": 1, "gold": 2}, "charity")]
    assert (state.bank["gem"], state.bank["gold"]) == (28, 27)


@pytest.mark.parametrize(
    "take",
    [{"gem": 2}, {"gem": 4}, {"gem": 3, "gold": 1}, {}, {"gem": 4, "gold": -1}, {"ruby": 3}, {"crown": 3}],
)
def test_neither_more_nor_less_nor_what_the_bank_has_not_s4_a44(take):
    state = at_window(magic_table(spells=["charity"], hoards=[{}, {"crown": 27}]), "placed")
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        play(state, (A, gift(**take)))
    assert MAGIC_RULES.dump(state) == before


def test_a_bank_of_two_gives_two_s4_a44():
    hoards = [{}, dict.fromkeys(KINDS, 29), {}]
    hoards[1]["gem"] = 27
    state = at_window(magic_table(spells=["charity"], hoards=hoards), "placed")
    state, _ = play(state, (A, gift(gem=2)))
    assert (state.hoards[A]["gem"], state.bank["gem"]) == (2, 0)


def test_an_empty_bank_has_nothing_to_give_s4_a44():
    state = magic_table(spells=["charity"], hoards=[{}, dict.fromkeys(KINDS, 29), {}])
    assert playable(at_window(state, "placed"), A) == ["play_lamp", "pass"]


def test_if_others_have_emptied_the_bank_it_is_spent_for_nothing_s4_a78():
    hoards = [{}, {}, dict.fromkeys(KINDS, 29)]
    hoards[2]["gem"] = 26
    state = at_window(magic_table(spells=["charity", "charity"], hoards=hoards), "placed")
    state, happened = play(state, (A, gift(gem=3)), (B, gift(gem=3)))
    assert only(happened, magic.CardFizzled) == [magic.CardFizzled(B, "charity")]
    assert state.magic.played == ["charity", "charity"]


def test_at_the_guard_it_may_raise_the_bribe_a66():
    state = magic_table(guard=10, spaces={"guard": "A7"}, spells=["charity"])
    state, _ = play(at_window(state, "guard"), (A, gift(gem=3)))
    state, _ = silence(state, lambda now: MAGIC_RULES.decisions(now)[0].kind == "bribe")
    assert forms(state) == ["bribe", "stay_out"]
