"""Counterspell."""

import pytest

from engine.aladdins_dragons import events as magic
from engine.core import IllegalAction, StaleDecision
from tests.engine.aladdins_dragons.magic_table import (
    MAGIC_RULES,
    PASS,
    all_pass,
    asked_seats,
    at_window,
    declare,
    magic_table,
    playable,
)  # fmt: skip
from tests.engine.aladdins_dragons.table import A, B, C, D, only, play

CHARITY = declare("charity", take={"gem": 3})


def counter(play):
    return declare("counterspell", play=play)


def test_several_against_one_spell_are_all_spent_a80():
    state = magic_table(4, spells=["charity"], tiles=["lamp", "counterspell", "counterspell", "lamp"])
    state, _ = play(at_window(state, "placed"), (A, CHARITY))
    assert asked_seats(state) == [B, C]
    state, happened = play(state, (B, counter(1)), (C, counter(1)))
    assert len(only(happened, magic.CardStruck)) == 1
    assert (state.magic.used, state.hoards[A]["gem"]) == ([["lamp"], ["counterspell"], ["counterspell"], []], 0)


def test_whoever_sits_first_the_spell_is_struck_out_before_anything_takes_effect_a79():
    """By player sequence alone David, the last, would come too late."""
    state = magic_table(4, spells=["charity"], tiles=["lamp", "lamp", "lamp", "counterspell"], camel=A)
    state, _ = play(at_window(state, "placed"), (A, CHARITY))
    state, happened = play(state, (D, counter(1)))
    assert only(happened, magic.CardStruck) == [magic.CardStruck(A, "charity", D)]
    assert state.hoards[A]["gem"] == 0


def test_of_two_spells_the_one_that_is_named_a80():
    state = magic_table(spells=["charity", "charity", ""], tiles=["lamp", "lamp", "counterspell"])
    state, _ = play(at_window(state, "placed"), (A, CHARITY), (B, declare("charity", take={"gold": 3})))
    assert [play.card for play in state.agenda[-1].plays] == ["lamp", "charity", "lamp", "charity"]
    state, _ = play(state, (C, counter(3)))
    state, _ = all_pass(state) if hasattr(state.agenda[-1], "plays") else (state, [])
    assert (state.hoards[A]["gem"], state.hoards[B]["gold"]) == (3, 0)


@pytest.mark.parametrize(("_case", "target"), [("a lamp", 0), ("a carpet", 2), ("a play that is not there", 3)])
def test_artifacts_and_what_was_not_played_cannot_be_countered_a80(_case, target):
    state = magic_table(spaces={"market": "A7"}, spells=["charity"], tiles=["lamp", "carpet", "counterspell"])
    state, _ = play(at_window(state, "market"), (A, CHARITY), (B, declare("carpet")))
    assert [play.card for play in state.agenda[-1].plays] == ["lamp", "charity", "carpet"]
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        play(state, (C, counter(target)))
    assert MAGIC_RULES.dump(state) == before


def test_without_a_spell_in_the_window_there_is_nothing_to_counter_a80():
    state = magic_table(spaces={"market": "A7"}, tiles=["carpet", "lamp", "counterspell"])
    state, _ = play(at_window(state, "market"), (A, declare("carpet")))
    assert C not in asked_seats(state)


def test_what_has_taken_effect_is_out_of_reach_a80():
    state = magic_table(spaces={"market": "A7"}, spells=["charity"], tiles=["lamp", "carpet", "counterspell carpet"])
    state, _ = play(at_window(state, "placed"), (A, CHARITY))
    state, _ = all_pass(state)
    state = at_window(state, "market")
    assert playable(state, C) == ["play_carpet", "pass"]


def test_a_spell_that_is_already_struck_may_be_countered_again_for_nothing_a80_a78():
    """Ben counters; in the next pass Carla still may, and it changes nothing."""
    state = magic_table(4, spells=["charity"], tiles=["lamp", "counterspell", "counterspell", "lamp"])
    state, _ = play(at_window(state, "placed"), (A, CHARITY))
    state, _ = play(state, (B, counter(1)), (C, PASS))
    state, happened = play(state, (C, counter(1)))
    assert only(happened, magic.CardStruck) == [magic.CardStruck(A, "charity", C)]
    assert state.magic.used[1:3] == [["counterspell"], ["counterspell"]]


def test_only_a_seat_that_is_asked_can_answer_a76():
    state = magic_table(spells=["charity"], tiles=["lamp", "lamp", "counterspell"])
    state, _ = play(at_window(state, "placed"), (A, CHARITY))
    with pytest.raises(StaleDecision):
        MAGIC_RULES.apply(state, "r1-window-placed-2", B, counter(1))


def test_a_card_declared_while_placing_can_be_countered_a92_a80():
    state = magic_table(spells=["spy"], tiles=["lamp", "lamp", "counterspell"])
    state, _ = MAGIC_RULES.apply(state, "r1-declared-1", A, declare("spy"))
    state, happened = play(state, (C, counter(1)))
    assert only(happened, magic.CardStruck) == [magic.CardStruck(A, "spy", C)]
    assert (state.magic.effects, MAGIC_RULES.decisions(state)[0].kind) == ([], "place")
