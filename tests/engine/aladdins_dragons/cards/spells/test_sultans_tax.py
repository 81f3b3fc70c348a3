"""Sultan's Tax."""

import pytest

from engine.aladdins_dragons import events
from engine.aladdins_dragons import events as magic
from engine.aladdins_dragons.actions import Reply
from engine.aladdins_dragons.model import Token
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.cards.scenes import Scene
from tests.engine.aladdins_dragons.magic_table import MAGIC_RULES, at_window, declare, magic_table
from tests.engine.aladdins_dragons.table import A, B, C, only, play

MATRIX = {
    "sultans_tax": Scene(
        "room-1",
        use={"carpet": "room-1", "double": "room-1"},
        rows={"room-2": "C1"},
        reply=("answer_pay", {}),
        another_has={"carpet": "taxes", "double": "taxes"},
        unused={"key"},
    )
}
"""How it is cast to have most to do with artifacts, and what it has to do with each."""

TAX = "sultans_tax"
SPACES = {"room-1": "A1 B2 B7", "room-2": "B5 C8", "guard": "B9 C9", "market": "B4"}
BACK = Reply("remove")


def pay(**amounts):
    return Reply("pay", {"pay": amounts})


def taxed(*hoards, **position):
    state = at_window(magic_table(**{"spaces": SPACES, "spells": [TAX], "hoards": hoards, **position}), "placed")
    return play(state, (A, declare(TAX)))


def asked_seats(state):
    return [decision.seat for decision in MAGIC_RULES.decisions(state) if decision.kind == "ask"]


def test_the_others_pay_one_for_each_token_in_the_rooms_s18():
    state, _ = taxed({}, {"gem": 2, "gold": 4}, {"gem": 3})
    assert asked_seats(state) == [B, C]
    state, happened = play(state, (C, pay(gem=1)), (B, pay(gem=2, gold=1)))
    assert only(happened, events.TreasurePaid) == [
        events.TreasurePaid(C, {"gem": 1}, TAX), events.TreasurePaid(B, {"gem": 2, "gold": 1}, TAX),
    ]  # fmt: skip
    assert [len(state.spaces[room]) for room in ("room-1", "room-2")] == [3, 2]


def test_or_take_all_of_them_back_unseen_s18_a30():
    state, _ = taxed({}, {"gem": 9}, {"gem": 9})
    state, happened = play(state, (B, BACK), (C, pay(gem=1)))
    back = only(happened, magic.TokenRemoved)
    assert [(event.seat, event.space, event.value) for event in back] == [
        (B, "room-1", 2), (B, "room-1", 7), (B, "room-2", 5),
    ]  # fmt: skip
    assert [MAGIC_RULES.redact(back[0], seat).value for seat in (A, B, C)] == [None, 2, None]
    assert {2, 5, 7} <= set(state.hands[B])
    assert state.hoards[B]["gem"] == 9


def test_who_cannot_pay_for_all_takes_back_all_s18():
    state, happened = taxed({}, {"gem": 2}, {"gem": 9})
    assert asked_seats(state) == [C]
    assert [event.seat for event in only(happened, magic.TokenRemoved)] == [B, B, B]


@pytest.mark.parametrize("answer", [pay(gem=2), pay(gem=4), pay(pearl=3), pay(gem=1), Reply("pay"), Reply("pass")])
def test_neither_more_nor_less_nor_what_is_not_there_nor_for_some_of_them_s18(answer):
    state, _ = taxed({}, {"gem": 9}, {"gem": 9})
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        play(state, (B, answer))
    assert MAGIC_RULES.dump(state) == before


def test_carpets_and_doubles_are_taxed_tallied_rooms_and_the_guard_are_not_s18_a66():
    state = at_window(
        magic_table(
            spells=[TAX], hoards=[{}, {"gem": 9}], spaces={"room-1": "A1 B2", "room-2": "A4 B5", "guard": "A9 B9"},
        ),
        "room-2",
    )  # fmt: skip
    state.spaces["room-2"] += [Token(B, 3, True, 8, "carpet"), Token(B, 3, True, 9, "double")]
    state, _ = play(state, (A, declare(TAX)))
    state, happened = play(state, (B, pay(gem=3)))
    assert only(happened, events.TreasurePaid) == [events.TreasurePaid(B, {"gem": 3}, TAX)]


def test_with_no_token_of_another_in_the_rooms_it_fizzles_a78():
    _, happened = taxed(spaces={"room-1": "A1", "market": "B4"})
    assert only(happened, magic.CardFizzled) == [magic.CardFizzled(A, TAX)]


def test_with_hidden_hoards_the_poor_are_asked_like_the_rich_a46_a63():
    state, _ = taxed({}, {"gem": 2}, {"gem": 9}, options={"open_hoards": "off"})
    assert asked_seats(state) == [B, C]
    assert [form.type for form in MAGIC_RULES.view(state, B).questions[0].actions] == ["answer_remove"]


def test_the_deadline_pays_nothing_a99():
    state, _ = taxed({}, {"gem": 9}, {"gem": 9})
    for decision in MAGIC_RULES.decisions(state):
        assert MAGIC_RULES.default(state, decision) == BACK
