"""Trade."""

import pytest

from engine.aladdins_dragons import events
from engine.aladdins_dragons import events as magic
from engine.aladdins_dragons.facts import KINDS
from engine.core import Amounts, IllegalAction
from tests.engine.aladdins_dragons.cards.scenes import Scene
from tests.engine.aladdins_dragons.magic_table import MAGIC_RULES, at_window, declare, magic_table, playable
from tests.engine.aladdins_dragons.table import A, B, only, play

MATRIX = {"trade": Scene()}
"""How it is cast to have most to do with artifacts, and what it has to do with each."""

RICH = {"gem": 6, "gold": 4}


def at_start_of_tally(*hoards, spells=("trade",)):
    return at_window(magic_table(spells=spells, hoards=hoards), "placed")


def trade_form(state, seat):
    (question,) = MAGIC_RULES.view(state, seat).questions
    return next(form for form in question.actions if form.type == "play_trade")


def test_any_amount_for_as_much_in_any_kinds_of_the_bank_s21():
    state, happened = play(
        at_start_of_tally(RICH), (A, declare("trade", give={"gem": 5, "gold": 1}, take={"crown": 6}))
    )
    assert state.hoards[A] == {**dict.fromkeys(KINDS, 0), "gem": 1, "gold": 3, "crown": 6}
    assert only(happened, events.TreasurePaid) == [events.TreasurePaid(A, {"gem": 5, "gold": 1}, "trade")]
    assert only(happened, events.TreasureTaken) == [events.TreasureTaken(A, {"crown": 6}, "trade")]


def test_the_form_bounds_both_sides_and_binds_them_s21():
    give, take = trade_form(at_start_of_tally(RICH), A).fields
    assert isinstance(give, Amounts) and isinstance(take, Amounts)
    assert (give.least, give.total, give.same_as) == (1, 10, "")
    assert (take.least, take.total, take.same_as) == (1, 10, "give")
    assert {option.value: option.limit for option in give.options} == {"gem": 6, "gold": 4}


@pytest.mark.parametrize(
    ("give", "take", "code"),
    [
        ({"gem": 2}, {"crown": 3}, "illegal-sum"),
        ({"gem": 3}, {"crown": 2}, "illegal-sum"),
        ({"gem": 2}, {"gem": 1, "crown": 1}, "illegal-both"),
        ({}, {}, "illegal-range"),
        ({"gem": 7}, {"crown": 7}, "illegal-amount"),
        ({"pearl": 1}, {"crown": 1}, "illegal-value"),
        ({"gem": -1, "gold": 2}, {"crown": 1}, "illegal-amount"),
    ],
)
def test_what_is_not_worth_the_same_or_not_there_is_refused_s21(give, take, code):
    state = at_start_of_tally(RICH)
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction) as refused:
        play(state, (A, declare("trade", give=give, take=take)))
    assert refused.value.text.code == code
    assert MAGIC_RULES.dump(state) == before


def test_who_has_nothing_cannot_trade_s21():
    state = magic_table(spells=["trade"], hoards=[{}, RICH])
    assert playable(state, A) == ["play_lamp"]


def test_as_much_as_the_bank_still_has_is_exchanged_and_no_more_s21_a44_a78():
    """What the bank cannot pay falls away from the left to the right of the offer: a gem, and both gold bars stay."""
    everything = {"crown": 27}
    state = at_start_of_tally(RICH, {"gem": 9, "gold": 9}, everything, spells=["trade", "trade"])
    state, happened = play(
        state,
        (A, declare("trade", give={"gem": 1}, take={"crown": 1})),
        (B, declare("trade", give={"gem": 2, "gold": 2}, take={"crown": 2, "pearl": 2})),
    )
    assert only(happened, events.TreasurePaid)[1] == events.TreasurePaid(B, {"gem": 1, "gold": 2}, "trade")
    assert only(happened, events.TreasureTaken)[1] == events.TreasureTaken(B, {"crown": 1, "pearl": 2}, "trade")
    assert [state.hoards[B][kind] for kind in ("crown", "pearl", "gem", "gold")] == [1, 2, 8, 7]


def test_with_nothing_left_to_give_it_fizzles_a78():
    state = at_start_of_tally({"gem": 3}, {}, {"gold": 2}, spells=["trade", "", "donation"])
    state.camel = 2
    answers = (A, declare("trade", give={"gem": 3}, take={"gold": 3})), (2, declare("donation"))
    state, happened = play(state, *answers)
    assert only(happened, magic.CardFizzled) == [magic.CardFizzled(A, "trade")]
    assert not any(state.hoards[A].values())
