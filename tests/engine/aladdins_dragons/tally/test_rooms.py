"""The palace rooms, and what treasure is."""

from random import Random

import pytest

from engine.aladdins_dragons import events
from engine.aladdins_dragons.actions import Buy, Decline
from engine.aladdins_dragons.facts import KINDS, TREASURE_PER_KIND
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.table import RULES, A, B, C, forms, only, options, play, tallied

ENTERED = "A5 B5 C5"


def room(row, hoards, **position):
    """The first question in room 1, with everybody admitted."""
    state, _ = tallied(guard=5, spaces={"guard": ENTERED, "room-1": row}, hoards=hoards, **position)
    return state


def test_each_token_is_paid_in_a_kind_of_its_own_a69_a41():
    state = room("A7 A1", [{"gem": 9, "gold": 1}])
    state, happened = play(state, (A, Buy(pay_7="gem", pay_1="gold")))
    assert state.hoards[A] == {"crown": 0, "pearl": 0, "gem": 2, "trophy": 0, "gold": 0}
    assert only(happened, events.TreasurePaid) == [events.TreasurePaid(A, {"gem": 7, "gold": 1}, "room-1")]
    assert len(state.artifacts[A]) == 1
    assert len(state.stacks["room-1"]) == 5


@pytest.mark.parametrize(
    ("_case", "action"),
    [
        ("one kind for both", Buy(pay_7="gem", pay_1="gem")),
        ("too little of it", Buy(pay_7="gold", pay_1="gem")),
        ("a token left unpaid", Buy(pay_7="gem")),
        ("a token he has not there", Buy(pay_7="gem", pay_1="gold", pay_2="crown")),
        ("none of that kind", Buy(pay_7="gem", pay_1="crown")),
    ],
)
def test_other_payments_are_refused_a69(_case, action):
    state = room("A7 A1", [{"gem": 9, "gold": 1}])
    before = RULES.dump(state)
    with pytest.raises(IllegalAction):
        RULES.apply(state, "r1-room-1-buy", A, action)
    assert RULES.dump(state) == before


def test_two_tokens_are_not_paid_in_one_kind_however_much_there_is_of_it_a69():
    state = room("A7 A1", [{"gem": 9, "gold": 9}])
    assert options(state, "pay_7") == options(state, "pay_1") == ["gem", "gold"]
    with pytest.raises(IllegalAction) as refusal:
        RULES.check(state, "r1-room-1-buy", A, Buy(pay_7="gem", pay_1="gem"))
    assert refusal.value.text.code == "illegal-repeat"
    RULES.check(state, "r1-room-1-buy", A, Buy(pay_7="gem", pay_1="gold"))


@pytest.mark.parametrize(
    ("_case", "row", "hoard", "can_pay"),
    [
        ("enough in one kind only", "A7 A1", {"gem": 29}, False),
        ("second holding too small", "A7 A4", {"gem": 7, "gold": 3}, False),
        ("exactly", "A7 A4", {"gem": 7, "gold": 4}, True),
        ("five kinds", "A1 A2 A4 A6 A7", {"crown": 1, "pearl": 2, "gem": 4, "trophy": 6, "gold": 7}, True),
        ("five kinds, one short", "A1 A2 A4 A6 A7", {"crown": 1, "pearl": 2, "gem": 3, "trophy": 9, "gold": 9}, False),
    ],
)
def test_payable_if_the_ith_token_is_at_most_the_ith_holding_a69(_case, row, hoard, can_pay):
    assert forms(room(row, [hoard], open_hoards=False)) == (["buy", "decline"] if can_pay else ["decline"])
    assert bool(RULES.decisions(room(row, [hoard]))) is can_pay


def test_only_kinds_that_fit_a_whole_payment_are_offered_a69():
    state = room("A7 A4", [{"gem": 7, "gold": 4, "crown": 1}])
    assert options(state, "pay_7") == ["gem"]
    assert options(state, "pay_4") == ["gold"]


def test_the_next_in_strength_is_asked_and_pays_for_his_own_tokens_a70():
    state = room("A7 B4 C2", [{"gem": 7}, {"gem": 4}, {"gem": 2}])
    state, happened = play(state, (A, Decline()), (B, Buy(pay_4="gem")))
    assert only(happened, events.PurchaseDeclined) == [events.PurchaseDeclined(A, "room-1")]
    assert state.hoards[B]["gem"] == 0
    assert not RULES.decisions(state), "the artifact is sold, C is not asked"


def test_who_cannot_pay_as_everybody_sees_is_passed_over_unasked_a70_a46():
    state = room("A2 B9 C4", [{"gem": 2}, {"gem": 8}, {}])
    assert [decision.seat for decision in RULES.decisions(state)] == [A]
    assert [seat for seat in range(3) if not any(state.hoards[seat].values())] == [C]
    state, happened = play(state, (A, Decline()))
    assert only(happened, events.RoomUnsold) == [events.RoomUnsold("room-1")]
    state, happened = tallied(guard=5, spaces={"guard": ENTERED, "room-1": "A2 B9 C4"})
    assert [event.seat for event in only(happened, events.PurchaseDeclined)] == [B, C, A]
    assert only(happened, events.RoomUnsold) == [events.RoomUnsold("room-1")]


def test_where_hoards_are_hidden_all_are_asked_by_rank_able_to_pay_or_not_a70():
    state = room("A2 B9 C4", [{"gem": 2}, {}, {}], open_hoards=False)
    assert (RULES.decisions(state)[0].seat, forms(state)) == (B, ["decline"])
    state, _ = play(state, (B, Decline()))
    assert (RULES.decisions(state)[0].seat, forms(state)) == (C, ["decline"])
    state, _ = play(state, (C, Decline()))
    assert (RULES.decisions(state)[0].seat, forms(state)) == (A, ["buy", "decline"])
    assert RULES.default(state, RULES.decisions(state)[0]) == Decline()


def test_who_declined_has_no_second_chance_a70():
    state = room("A7 B4", [{"gem": 7}, {"gem": 4}])
    state, _ = play(state, (A, Decline()), (B, Decline()))
    assert not RULES.decisions(state)


def test_an_unsold_artifact_waits_and_no_second_one_is_offered_a17_a73():
    state = room("A7", [{"gem": 7}])
    top = state.stacks["room-1"][-1]
    state, happened = play(state, (A, Decline()))
    assert only(happened, events.RoomUnsold) == [events.RoomUnsold("room-1")]
    assert state.stacks["room-1"][-1] == top
    assert len(state.stacks["room-1"]) == 6


def test_one_artifact_a_room_and_round_a17():
    state = room("A7 B4", [{"gem": 7}, {"gem": 4}])
    state, _ = play(state, (A, Buy(pay_7="gem")))
    assert not RULES.decisions(state)
    assert len(state.stacks["room-1"]) == 5


def test_money_counts_by_value_and_each_kind_has_29_in_all_a39_a40():
    assert TREASURE_PER_KIND == 14 * 1 + 5 * 3 == 29
    state, _ = RULES.new(3, {}, "0" * 64)
    assert state.bank == dict.fromkeys(KINDS, 29)


@pytest.mark.parametrize(("option", "is_open"), [("on", True), ("off", False)])
def test_hoards_are_hidden_only_if_the_table_says_so_and_gains_always_logged_a46(option, is_open):
    state, happened = tallied(
        spaces={"cave-gem": "A9"}, caves={"gem": [4]}, hoards=[{}, {"gold": 2}], options={"open_hoards": option}
    )
    shown = RULES.view(state, C).hoards
    assert (shown[A] is not None, shown[B] is not None) == (is_open, is_open)
    assert RULES.view(state, C).hoards[C] is not None
    taken = only(happened, events.TreasureTaken)[0]
    assert RULES.redact(taken, C) == taken


def test_hidden_hoards_are_dealt_from_what_is_missing_in_the_bank_a46():
    state, _ = tallied(hoards=[{"gem": 3}, {"gold": 2}, {"gold": 1}], options={"open_hoards": "off"})
    view = RULES.view(state, A)
    other = RULES.determinise(view, Random(1))
    assert RULES.view(other, A) == view
    assert other.hoards[A] == state.hoards[A]
    assert sum(hoard["gold"] for hoard in other.hoards) == 3


def test_how_many_artifacts_is_public_and_which_nobody_sees_in_basic_a47():
    state = room("A7", [{"gem": 7}])
    state, happened = play(state, (A, Buy(pay_7="gem")))
    (bought,) = only(happened, events.ArtifactBought)
    for viewer in (None, A, B):
        assert RULES.redact(bought, viewer) == events.ArtifactBought(A, "room-1", None)
        assert RULES.view(state, viewer).artifact_counts == [1, 0, 0]


def test_there_is_no_trading_between_players_a48():
    with pytest.raises(IllegalAction):
        RULES.parse({"type": "trade", "seat": B, "amounts": {"gem": 1}})
