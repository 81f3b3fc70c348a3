"""Parasite."""

import pytest

from engine.aladdins_dragons import events as magic
from engine.aladdins_dragons.model import Bribes
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.cards.scenes import Scene
from tests.engine.aladdins_dragons.magic_table import (
    MAGIC_RULES,
    PASS,
    asked_seats,
    at_window,
    declare,
    magic_table,
    playable,
    silence,
)  # fmt: skip
from tests.engine.aladdins_dragons.table import A, B, C, D, forms, only, play

MATRIX = {
    "parasite": Scene(
        another_has={"carpet": "copies", "counterspell": "strikes+copies", "double": "copies", "key": "copies"}
    )
}
"""How it is cast to have most to do with artifacts, and what it has to do with each."""


def borrow(name, **targets):
    return declare("parasite", variant=name, **targets)


def table(tiles, *, lit=True, **position):
    """Ben has the card, his lamp is lit unless said otherwise; tiles by seat."""
    spells = position.pop("spells", ["", "parasite", ""])
    state = magic_table(len(tiles), tiles=tiles, spells=spells, **position)
    if lit:
        state.magic.used[B] = ["lamp"]
    return state


def test_a_borrowed_carpet_is_a_token_of_three_and_costs_no_use_s13():
    state = at_window(table(["carpet", "lamp", "lamp"], spaces={"market": "A1 B2"}), "market")
    state, _ = play(state, (A, declare("carpet")), (B, PASS))
    state, happened = play(state, (B, borrow("carpet")))
    assert [(event.seat, event.value, event.source) for event in only(happened, magic.TokenAdded)] == [
        (A, 3, "carpet"), (B, 3, "carpet"),
    ]  # fmt: skip
    assert state.magic.used[B] == ["lamp"]
    assert state.rankings["market"].totals == [5, 4]


def test_a_borrowed_double_doubles_an_own_token_s13():
    state = at_window(table(["double", "lamp", "lamp"], spaces={"market": "A1 B2"}), "market")
    state, _ = play(state, (A, declare("double", token="market:1")), (B, PASS))
    state, _ = play(state, (B, borrow("double", token="market:2")))
    assert state.rankings["market"].totals == [4, 2]


def test_a_borrowed_counterspell_negates_a_spell_s13_a80():
    state = table(["lamp", "lamp", "lamp"], spells=["charity", "parasite", ""])
    state.magic.used[C], state.artifacts[C] = ["counterspell"], ["counterspell"]
    state, _ = play(at_window(state, "placed"), (A, declare("charity", take={"gem": 3})), (B, PASS))
    state, happened = play(state, (B, borrow("counterspell", play=1)))
    assert only(happened, magic.CardStruck) == [magic.CardStruck(A, "charity", B)]
    assert state.hoards[A]["gem"] == 0


def test_it_is_a_spell_and_can_be_countered_s13():
    state = table(["carpet", "lamp", "counterspell"], spaces={"market": "A1 B2"})
    state, _ = play(at_window(state, "market"), (A, declare("carpet")), (B, PASS))
    state, _ = play(state, (B, borrow("carpet")))
    state, happened = play(state, (C, declare("counterspell", play=1)))
    assert [event.seat for event in only(happened, magic.TokenAdded)] == [A]
    assert only(happened, magic.CardStruck) == [magic.CardStruck(B, "parasite", C)]


def at_guard(third="lamp"):
    """Anna has used a key at the guard; Ben's decision comes next."""
    spaces, hoards = {"room-1": "A1 B2", "guard": "B4"}, [{}, {"gem": 6}]
    state = table(["key", "lamp", third], guard=10, spaces=spaces, hoards=hoards)
    state = silence(at_window(state, "placed"), lambda now: isinstance(now.agenda[-1], Bribes))[0]
    return play(state, (A, declare("key")))[0]


def test_a_borrowed_key_enters_at_the_own_decision_s13_a64():
    state = at_guard()
    assert forms(state) == ["bribe", "play_parasite__key", "stay_out"]
    state, happened = play(state, (B, borrow("key")))
    assert only(happened, magic.PalaceUnlocked) == [magic.PalaceUnlocked(B)]
    assert state.admitted == [A, B]


def test_after_a_countered_key_the_seat_decides_again_s13():
    state, _ = play(at_guard("counterspell"), (B, borrow("key")))
    assert asked_seats(state) == [C]
    state, _ = play(state, (C, declare("counterspell", play=0)))
    assert state.admitted == [A]
    assert forms(state) == ["bribe", "stay_out"]
    assert MAGIC_RULES.decisions(state)[0].seat == B


def test_who_is_asked_at_the_guard_does_not_depend_on_the_card_s13_a63():
    for card in ("parasite", "charity"):
        state = table(["key", "lamp", "lamp"], guard=10, spaces={"room-1": "A1 B2"}, spells=["", card, ""])
        state = silence(at_window(state, "placed"), lambda now: isinstance(now.agenda[-1], Bribes))[0]
        state, _ = play(state, (A, declare("key")))
        assert MAGIC_RULES.decisions(state)[0].seat == B


def test_neither_carpet_nor_double_into_the_guards_space_s13_a66():
    state = at_window(table(["carpet", "lamp", "lamp"], guard=5, spaces={"guard": "A1 B2"}), "guard")
    state, _ = play(state, (A, declare("carpet")), (B, PASS))
    assert playable(state, B) == ["pass"]
    state = at_window(table(["double", "lamp", "lamp"], guard=5, spaces={"guard": "A1 B2"}), "guard")
    state, _ = play(state, (A, declare("double", token="guard:1")), (B, PASS))
    assert playable(state, B) == ["pass"]


@pytest.mark.parametrize("name", ["lamp", "scroll", "carpet", "double", "counterspell", "charity"])
def test_what_no_opponent_has_used_and_a_lamp_are_refused_and_nothing_changes_s13(name):
    """Carla has lit her lamp, and Ben's own is still dark."""
    state = table(["carpet", "lamp carpet", "lamp"], lit=False, spaces={"market": "A1 B2"})
    state.magic.used[C] = ["lamp"]
    state = at_window(state, "market")
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        play(state, (B, borrow(name)))
    assert MAGIC_RULES.dump(state) == before


def test_if_the_space_has_been_closed_meanwhile_it_is_spent_for_nothing_s13_a78():
    state = table(["carpet", "lamp", "lamp"], spaces={"market": "A1 B2"}, spells=["taboo", "parasite", ""])
    state.artifacts[A] = ["carpet", "lamp"]
    state.magic.allowance[A] = 2
    state, _ = play(at_window(state, "market"), (A, declare("carpet")), (B, PASS))
    state, happened = play(state, (A, declare("taboo", space="market")), (B, borrow("carpet")))
    assert only(happened, magic.CardFizzled) == [magic.CardFizzled(B, "parasite")]


def test_the_log_says_what_it_was_s13():
    played = magic.CardPlayed(B, "parasite", {"variant": "carpet"})
    assert MAGIC_RULES.say(played, "en", ["Anna", "Ben", "Carla"]) == "Ben plays Parasite: Flying Carpet."


def test_what_was_only_borrowed_is_not_lent_again_s13():
    """Ben has borrowed Anna's carpet; that is no use of his, so Anna cannot borrow it from him."""
    state = table(["carpet", "lamp", "lamp"], spaces={"market": "A1 B2", "caravanserai": "C1"})
    state.magic.spells[C] = ["parasite"]
    state.magic.used[C] = ["lamp"]
    state, _ = play(at_window(state, "market"), (A, declare("carpet")), (B, PASS), (C, PASS))
    state, _ = play(state, (B, borrow("carpet")), (C, PASS))
    assert state.magic.used == [["carpet"], ["lamp"], ["lamp"]]
    state.magic.used[A] = []
    assert "play_parasite__carpet" not in playable(at_window(state, "caravanserai"), C)


def test_the_lamp_may_come_with_it_s13_a84():
    state = table(["carpet", "lamp", "lamp"], lit=False, spaces={"market": "A1 B2"})
    state, _ = play(at_window(state, "market"), (A, declare("carpet")), (B, PASS))
    state, shown = play(state, (B, borrow("carpet")))
    assert [event.card for event in only(shown, magic.CardPlayed)] == ["lamp", "parasite"]


def test_a_borrowed_carpet_may_be_doubled_a87_s13():
    state = table(["carpet", "double lamp", "lamp"], spaces={"market": "A1 B2"})
    state.magic.allowance[B] = 2
    state, _ = play(at_window(state, "market"), (A, declare("carpet")), (B, PASS))
    state, _ = play(state, (B, borrow("carpet")))
    state, happened = play(state, (B, declare("double", token="market:carpet")))
    assert [event.seat for event in only(happened, magic.TokenAdded)] == [A, B, B]
    assert state.rankings["market"].totals == [8, 4]


def test_a_borrowed_counterspell_that_is_countered_negates_nothing_s13_a79():
    """Anna's charity, Ben's borrowed counterspell against it, Carla's own against that: the charity stands."""
    state = table(["lamp", "lamp", "counterspell", "lamp"], spells=["charity", "parasite", ""])
    state.artifacts[D], state.magic.used[D] = ["counterspell"], ["counterspell"]
    state, _ = play(at_window(state, "placed"), (A, declare("charity", take={"gem": 3})), (B, PASS))
    state, _ = play(state, (B, borrow("counterspell", play=1)), (C, PASS))
    state, happened = play(state, (C, declare("counterspell", play=2)))
    assert only(happened, magic.CardStruck) == [magic.CardStruck(B, "parasite", C)]
    assert state.hoards[A]["gem"] == 3
