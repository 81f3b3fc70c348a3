"""Donation and Sacrifice."""

import pytest

from engine.aladdins_dragons import events
from engine.aladdins_dragons import events as magic
from engine.aladdins_dragons.actions import Reply
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.cards.scenes import Scene
from tests.engine.aladdins_dragons.magic_table import MAGIC_RULES, at_window, declare, magic_table
from tests.engine.aladdins_dragons.table import A, B, C, only, play

MATRIX = {"donation": Scene(), "sacrifice": Scene()}
"""How it is cast to have most to do with artifacts, and what it has to do with each."""

RICH = {"gem": 6, "gold": 4}


def give(**pay):
    return Reply("donate", {"pay": pay})


@pytest.mark.parametrize(("card", "gems", "ruling"), [("donation", 4, "S6"), ("sacrifice", 6, "S14")])
def test_everybody_and_the_caster_too_returns_the_price_s6_s14(card, gems, ruling):
    state = at_window(magic_table(spells=[card], hoards=[RICH, RICH, RICH]), "placed")
    state, _ = play(state, (A, declare(card)))
    assert [decision.seat for decision in MAGIC_RULES.decisions(state)] == [A, B, C], ruling
    state, happened = play(state, *((seat, give(gem=gems, gold=1)) for seat in (C, A, B)))
    assert [sum(hoard.values()) for hoard in state.hoards] == [9 - gems] * 3
    assert len(only(happened, events.TreasurePaid)) == 3


@pytest.mark.parametrize(("card", "price"), [("donation", 5), ("sacrifice", 7)])
def test_who_has_less_returns_all_and_who_cannot_choose_is_not_asked_s6_s14(card, price):
    state = magic_table(spells=[card], hoards=[{"gem": 9}, {"gem": 1, "gold": 2}, {}])
    state, _ = play(at_window(state, "placed"), (A, declare(card)))
    assert [sum(hoard.values()) for hoard in state.hoards] == [9 - price, 0, 0]
    assert not any(decision.kind == "ask" for decision in MAGIC_RULES.decisions(state))


@pytest.mark.parametrize("pay", [{"gem": 4}, {"gem": 6}, {"gold": 5}, {"pearl": 5}, {"gem": 3, "gold": 3}])
def test_neither_more_nor_less_nor_what_is_not_there_s6(pay):
    state = at_window(magic_table(spells=["donation"], hoards=[RICH]), "placed")
    state, _ = play(state, (A, declare("donation")))
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        play(state, (A, give(**pay)))
    assert MAGIC_RULES.dump(state) == before


def test_nobody_has_anything_to_return_a78():
    state = at_window(magic_table(spells=["donation"]), "placed")
    _, happened = play(state, (A, declare("donation")))
    assert only(happened, magic.CardFizzled) == [magic.CardFizzled(A, "donation")]


def test_the_deadline_returns_what_the_seat_has_most_of_a99():
    state = at_window(magic_table(spells=["donation"], hoards=[RICH]), "placed")
    state, _ = play(state, (A, declare("donation")))
    (decision,) = MAGIC_RULES.decisions(state)
    assert MAGIC_RULES.default(state, decision) == give(gem=4, gold=1)


def test_with_hidden_hoards_everybody_is_asked_rich_or_not_a46_a63():
    hoards = [RICH, {"gem": 2}, {}]
    state = magic_table(spells=["donation"], hoards=hoards, options={"open_hoards": "off"})
    state, _ = play(at_window(state, "placed"), (A, declare("donation")))
    assert [decision.seat for decision in MAGIC_RULES.decisions(state)] == [A, B, C]
    for decision in MAGIC_RULES.decisions(state)[1:]:
        state, _ = play(state, (decision.seat, MAGIC_RULES.default(state, decision)))
    assert [sum(hoard.values()) for hoard in state.hoards] == [10, 0, 0]
    with pytest.raises(IllegalAction):
        play(state, (A, give(gem=2)))


@pytest.mark.parametrize(
    ("_case", "pay"), [("six", {"gem": 6}), ("eight", {"gem": 6, "gold": 2}), ("five", {"gem": 5})]
)
def test_a_sacrifice_is_seven_neither_more_nor_less_s14(_case, pay):
    state = at_window(magic_table(spells=["sacrifice"], hoards=[RICH]), "placed")
    state, _ = play(state, (A, declare("sacrifice")))
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        play(state, (A, give(**pay)))
    assert MAGIC_RULES.dump(state) == before


def test_a_countered_sacrifice_costs_nobody_anything_s14_a81():
    state = magic_table(spells=["sacrifice"], tiles=["lamp", "lamp", "counterspell"], hoards=[RICH, RICH])
    state, _ = play(at_window(state, "placed"), (A, declare("sacrifice")))
    state, happened = play(state, (2, declare("counterspell", play=1)))
    assert only(happened, events.TreasurePaid) == []
    assert [sum(hoard.values()) for hoard in state.hoards] == [10, 10, 0]
