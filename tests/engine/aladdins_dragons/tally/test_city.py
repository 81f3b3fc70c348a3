"""The market and the caravanserai."""

import pytest

from engine.aladdins_dragons import events
from engine.aladdins_dragons.actions import Exchange, GiveCamel, Keep, LeaveCamel
from engine.core import Amounts, IllegalAction
from tests.engine.aladdins_dragons.table import RULES, A, B, C, asked, forms, only, options, play, tallied


def test_only_the_strongest_may_exchange_one_for_any_three_a58():
    state, _ = tallied(spaces={"market": "A4 B9 A2"}, hoards=[{}, {"gem": 1}, {}])
    assert RULES.decisions(state)[0].seat == B
    state, happened = play(state, (B, Exchange("gem", {"crown": 2, "gold": 1})))
    assert state.hoards[B] == {"crown": 2, "pearl": 0, "gem": 0, "trophy": 0, "gold": 1}
    assert state.bank == {"crown": 27, "pearl": 29, "gem": 29, "trophy": 29, "gold": 28}
    assert [type(event) for event in happened][:2] == [events.TreasurePaid, events.TreasureTaken]


def test_the_exchange_may_bring_the_same_kind_back_a58():
    state, _ = tallied(spaces={"market": "B9"}, hoards=[{}, {"gem": 1}, {}])
    state, _ = play(state, (B, Exchange("gem", {"gem": 3})))
    assert state.hoards[B]["gem"] == 3


def test_the_exchange_may_be_left_a58_a99():
    state, _ = tallied(spaces={"market": "B9"}, hoards=[{}, {"gem": 1}, {}])
    assert RULES.default(state, RULES.decisions(state)[0]) == Keep()
    state, happened = play(state, (B, Keep()))
    assert only(happened, events.MarketDeclined) == [events.MarketDeclined(B)]
    assert state.hoards[B]["gem"] == 1


def test_without_treasure_there_is_nothing_to_exchange_and_nothing_asked_a58_a46():
    state, happened = tallied(spaces={"market": "B9"})
    assert not RULES.decisions(state)
    assert only(happened, events.MarketDeclined) == [events.MarketDeclined(B)]
    state, _ = tallied(spaces={"market": "B9"}, open_hoards=False)
    assert forms(state) == ["keep"], "hidden hoards are not told by who is asked"


@pytest.mark.parametrize(
    ("_case", "action"),
    [
        ("a kind not held", Exchange("gold", {"crown": 3})),
        ("too little", Exchange("gem", {"crown": 2})),
        ("too much", Exchange("gem", {"crown": 4})),
        ("more than the bank has", Exchange("gem", {"pearl": 3})),
    ],
)
def test_other_exchanges_are_refused_a44_a58(_case, action):
    state, _ = tallied(spaces={"market": "B9"}, hoards=[{"pearl": 27}, {"gem": 1}, {}])
    with pytest.raises(IllegalAction):
        RULES.check(state, "r1-market", B, action)


def test_a_poor_bank_gives_what_it_has_a44():
    most = dict.fromkeys(("crown", "pearl", "trophy", "gold"), 29)
    state, _ = tallied(spaces={"market": "B9"}, hoards=[{**most, "gem": 26}, {"gem": 1}, {}])
    (take,) = (field for field in asked(state).actions[0].fields if isinstance(field, Amounts))
    assert (take.total, [(option.value, option.limit) for option in take.options]) == (2, [("gem", 2)])
    state, _ = tallied(spaces={"market": "B9"}, hoards=[{**most, "gem": 28}, {"gem": 1}, {}], open_hoards=False)
    assert forms(state) == ["keep"]


def test_the_camel_may_go_to_anybody_or_stay_a59():
    state, _ = tallied(spaces={"caravanserai": "B9"})
    assert options(state, "seat") == [B, C]
    assert forms(state) == ["give_camel", "leave_camel"]
    assert play(state, (B, GiveCamel(C)))[0].camel == C
    assert play(state, (B, GiveCamel(B)))[0].camel == B
    assert play(state, (B, LeaveCamel()))[0].camel == A
    assert RULES.default(state, RULES.decisions(state)[0]) == LeaveCamel()


def test_the_new_order_rules_from_the_guard_on_a60_a63():
    state, _ = tallied(
        guard=9, spaces={"caravanserai": "B9", "guard": "A1 B1 C1"}, hoards=[{"gem": 8}, {"gold": 8}, {"crown": 8}]
    )
    state, _ = play(state, (B, GiveCamel(C)))
    assert RULES.decisions(state)[0].seat == C


def test_the_new_order_breaks_ties_in_the_rooms_and_starts_the_next_round_a60():
    state, _ = tallied(guard=1, spaces={"caravanserai": "B9", "guard": "A1 B1 C1", "room-1": "A4 B4 C4"})
    state, happened = play(state, (B, GiveCamel(C)))
    assert only(happened, events.SpaceRanked)[-1].ranking == [C, A, B]
    assert state.sequence()[0] == C


def test_who_chooses_for_the_camel_is_marked_or_may_keep_it_a59():
    cases = (
        (A, "A9", "do-keep-camel", [B, C]),
        (B, "B9", "do-leave-camel", [B, C]),
        (C, "C9", "do-leave-camel", [B, C]),
    )
    for seat, tokens, label, seats in cases:
        state, _ = tallied(spaces={"caravanserai": tokens})
        give, leave = asked(state).actions
        found = give.fields[0].options
        assert leave.label.code == label and [option.value for option in found] == seats
        assert [option.hint is not None for option in found] == [option.value == seat for option in found]
