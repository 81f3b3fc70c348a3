"""City Tax."""

import pytest

from engine.aladdins_dragons import events
from engine.aladdins_dragons import events as magic
from engine.aladdins_dragons.actions import Reply
from engine.aladdins_dragons.model import Token
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.cards.scenes import Scene
from tests.engine.aladdins_dragons.magic_table import MAGIC_RULES, all_pass, at_window, declare, magic_table
from tests.engine.aladdins_dragons.table import A, B, C, only, play

MATRIX = {"city_tax": Scene(reply=("answer_pay", {}), another_has={"carpet": "taxes", "double": "taxes"})}
"""How it is cast to have most to do with artifacts, and what it has to do with each."""

TAX = "city_tax"
SPACES = {"tent": "A1 B2", "market": "B7 C4", "caravanserai": "B5", "room-1": "B9"}
BACK = Reply("remove")


def pay(**amounts):
    return Reply("pay", {"pay": amounts})


def taxed(*hoards, where="placed", **position):
    state = at_window(magic_table(**{"spaces": SPACES, "spells": [TAX], "hoards": hoards, **position}), where)
    return play(state, (A, declare(TAX)))


def asked(state):
    return [(decision.seat, decision.id) for decision in MAGIC_RULES.decisions(state) if decision.kind == "ask"]


def removed(happened):
    return [(event.seat, event.space, event.value) for event in only(happened, magic.TokenRemoved)]


def test_the_others_pay_two_for_each_token_or_take_it_back_token_by_token_s5():
    state, _ = taxed({}, {"gem": 3, "gold": 4}, {"gem": 2})
    assert asked(state) == [(B, "r1-ask-city_tax-1"), (C, "r1-ask-city_tax-1")]
    state, happened = play(state, (B, pay(gem=1, gold=1)), (B, BACK), (C, pay(gem=2)), (B, pay(gem=2)))
    assert only(happened, events.TreasurePaid) == [
        events.TreasurePaid(B, {"gem": 1, "gold": 1}, TAX), events.TreasurePaid(C, {"gem": 2}, TAX),
        events.TreasurePaid(B, {"gem": 2}, TAX),
    ]  # fmt: skip
    assert removed(happened) == [(B, "market", 7)]
    assert not asked(state)


def test_the_question_says_which_of_the_own_tokens_is_meant_s5():
    state, _ = taxed({}, {"gem": 9})
    state, _ = play(state, (B, BACK))
    title = MAGIC_RULES.view(state, B).questions[0].title
    assert (
        MAGIC_RULES.say(title, "en", ["Anna", "Ben", "Carla"])
        == "City Tax: do you pay 2 for your 7 at the market, or take it back?"
    )


def test_who_has_less_than_two_left_takes_the_rest_back_s5():
    state, happened = taxed({}, {"gem": 3}, {"gem": 1})
    assert removed(happened) == [(C, "market", 4)]
    state, happened = play(state, (B, pay(gem=2)))
    assert removed(happened) == [(B, "market", 7), (B, "caravanserai", 5)]
    assert state.hoards[B]["gem"] == 1
    assert {5, 7} <= set(state.hands[B]) and 2 not in state.hands[B]


@pytest.mark.parametrize("answer", [pay(gem=1), pay(gem=3), pay(pearl=2), Reply("pay"), Reply("keep")])
def test_neither_more_nor_less_nor_what_is_not_there_s5(answer):
    state, _ = taxed({}, {"gem": 9}, {"gem": 9})
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        play(state, (B, answer))
    assert MAGIC_RULES.dump(state) == before


def test_tallied_spaces_are_ignored_and_carpets_and_doubles_are_taxed_s5():
    state = at_window(magic_table(spaces=SPACES, spells=[TAX], hoards=[{}, {"gem": 9}, {"gem": 9}]), "market")
    state.spaces["market"].append(Token(C, 3, True, 9, "carpet"))
    state, _ = play(state, (A, declare(TAX)))
    state, _ = all_pass(state)  # B has a card from the tent
    state, happened = play(state, (B, pay(gem=2)), (C, BACK), (C, BACK), (B, BACK))
    assert [(e.seat, e.space, e.source) for e in only(happened, magic.TokenRemoved)] == [
        (C, "market", ""), (C, "market", "carpet"), (B, "caravanserai", ""),
    ]  # fmt: skip


def test_while_placing_lasts_the_token_is_placed_again_a30():
    state = magic_table(spells=[TAX], hoards=[{}, {"gem": 9}], spaces={"tent": "B2"})
    (decision,) = (d for d in MAGIC_RULES.decisions(state) if d.seat == A and d.kind == "declare")
    state, _ = MAGIC_RULES.apply(state, decision.id, A, declare(TAX))
    state, happened = play(state, (B, BACK))
    assert len(state.hands[B]) == 8
    assert [MAGIC_RULES.redact(only(happened, magic.TokenRemoved)[0], seat).value for seat in (B, C)] == [2, None]


def test_with_no_token_of_another_in_the_city_it_fizzles_a78():
    _, happened = taxed(spaces={"tent": "A1", "room-1": "B4"})
    assert only(happened, magic.CardFizzled) == [magic.CardFizzled(A, TAX)]


def test_with_hidden_hoards_the_poor_are_asked_like_the_rich_a46_a63():
    state, _ = taxed({}, {}, {"gem": 9}, options={"open_hoards": "off"})
    for _ in range(3):
        assert B in [seat for seat, _ in asked(state)]
        state, _ = play(state, (B, BACK))
    assert asked(state) == [(C, "r1-ask-city_tax-1")]


def test_the_deadline_pays_nothing_a99():
    state, _ = taxed({}, {"gem": 9}, {"gem": 9})
    for decision in MAGIC_RULES.decisions(state):
        assert MAGIC_RULES.default(state, decision) == BACK
