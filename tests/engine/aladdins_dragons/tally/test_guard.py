"""The palace guard."""

import pytest

from engine.aladdins_dragons import events
from engine.aladdins_dragons.actions import Bribe, StayOut
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.table import RULES, A, B, C, D, forms, only, play, tallied


def test_the_strong_enter_without_being_asked_a61():
    state, happened = tallied(guard=9, spaces={"guard": "A9 B5 B4 C8"}, hoards=[{}, {}, {"gem": 1}])
    assert only(happened, events.PalaceEntered) == [events.PalaceEntered(A, False), events.PalaceEntered(B, False)]
    assert RULES.decisions(state)[0].seat == C


def test_a_bribe_is_the_exact_difference_in_any_kinds_a62_a42():
    state, _ = tallied(guard=10, spaces={"guard": "A7"}, hoards=[{"gem": 2, "gold": 2}])
    for pay in ({"gem": 2}, {"gem": 2, "gold": 2}, {"gem": 3}, {"crown": 3}):
        with pytest.raises(IllegalAction):
            RULES.check(state, "r1-guard", A, Bribe(pay))
    state, happened = play(state, (A, Bribe({"gem": 1, "gold": 2})))
    assert state.admitted == [A]
    assert only(happened, events.PalaceEntered) == [events.PalaceEntered(A, True)]
    assert state.hoards[A] == {"crown": 0, "pearl": 0, "gem": 1, "trophy": 0, "gold": 0}


def test_payments_go_to_the_bank_at_once_a45():
    state, _ = tallied(guard=10, spaces={"guard": "A7"}, hoards=[{"gem": 3}])
    state, _ = play(state, (A, Bribe({"gem": 3})))
    assert state.bank["gem"] == 29


def test_who_has_no_token_at_the_guard_is_not_asked_a62():
    state, _ = tallied(guard=10, spaces={"guard": "A1", "room-1": "B9"}, hoards=[{"gem": 9}, {"gem": 10}])
    state, _ = play(state, (A, StayOut()))
    assert not RULES.decisions(state)
    assert state.admitted == []


def test_who_cannot_pay_what_he_lacks_as_everybody_sees_stays_out_unasked_a63_a46():
    state, happened = tallied(camel=B, guard=9, spaces={"guard": "A1 B1 C1"}, hoards=[{"gem": 8}, {"gem": 7}, {}])
    assert only(happened, events.BribeDeclined) == [events.BribeDeclined(B), events.BribeDeclined(C)]
    assert [decision.seat for decision in RULES.decisions(state)] == [A]


def test_where_hoards_are_hidden_all_who_are_too_weak_are_asked_in_sequence_rich_or_not_a63():
    hoards = [{"gem": 8}, {}, {"gold": 8}]
    state, _ = tallied(camel=B, guard=9, spaces={"guard": "A1 B1 C1"}, hoards=hoards, open_hoards=False)
    assert RULES.decisions(state)[0].seat == B
    assert forms(state) == ["stay_out"]
    state, happened = play(state, (B, StayOut()), (C, Bribe({"gold": 8})), (A, StayOut()))
    assert state.admitted == [C]
    assert only(happened, events.BribeDeclined) == [events.BribeDeclined(B), events.BribeDeclined(A)]


def test_silence_is_no_bribe_a99():
    state, _ = tallied(guard=9, spaces={"guard": "A1"}, hoards=[{"gem": 8}])
    assert RULES.default(state, RULES.decisions(state)[0]) == StayOut()


def test_one_may_enter_without_tokens_in_the_rooms_a67():
    state, _ = tallied(guard=2, spaces={"guard": "A1 B2"}, hoards=[{"gem": 1}])
    state, _ = play(state, (A, Bribe({"gem": 1})))
    assert state.admitted == [B, A]


def test_who_stays_out_takes_his_room_tokens_back_unseen_and_buys_nothing_a68():
    state, happened = tallied(
        guard=5, spaces={"guard": "B5", "room-1": "A9 B1 A8", "room-3": "A7"}, hoards=[{"gem": 9}] * 2
    )
    (evicted,) = only(happened, events.TokensEvicted)
    assert evicted == events.TokensEvicted(A, 3, [7, 8, 9])
    assert RULES.redact(evicted, B) == events.TokensEvicted(A, 3, None)
    assert RULES.redact(evicted, None) == events.TokensEvicted(A, 3, None)
    assert RULES.redact(evicted, A) == evicted
    assert state.hands[A] == [1, 2, 4, 5, 6, 7, 8, 9]
    assert [event.space for event in only(happened, events.SpaceRevealed)] == ["guard", "room-1"]
    assert RULES.decisions(state)[0].seat == B


def test_the_guard_is_turned_over_even_if_nobody_came_and_all_are_put_out_a33_a68():
    state, happened = tallied(guard=3, spaces={"room-1": "A9", "room-2": "B9"})
    assert [event.seat for event in only(happened, events.TokensEvicted)] == [A, B]
    assert RULES.view(state, None).guard == 3


def test_a_guard_of_eight_and_four_players_as_the_rulebook_tells_it_a61_a62():
    """Green and blue enter with their nines; yellow, with a 6, pays two and red, with a 7, one."""
    state, happened = tallied(
        4, guard=8, spaces={"guard": "A9 B9 C6 D7"}, hoards=[{}, {}, {"gem": 1, "gold": 3}, {"gem": 3}]
    )
    assert [event.seat for event in only(happened, events.PalaceEntered)] == [A, B]
    state, happened = play(state, (C, Bribe({"gem": 1, "gold": 1})), (D, Bribe({"gem": 1})))
    assert [sum(event.amounts.values()) for event in only(happened, events.TreasurePaid)] == [2, 1]
    assert state.admitted == [A, B, C, D]
