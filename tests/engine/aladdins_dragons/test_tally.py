"""The second part of a round in general, and the caves."""

from random import Random

import pytest

from engine.aladdins_dragons import events
from engine.aladdins_dragons import events as magic
from engine.aladdins_dragons.actions import (
    Bribe,
    Buy,
    Decline,
    Exchange,
    Forfeit,
    GiveCamel,
    Keep,
    KeepSpell,
    LeaveCamel,
    StayOut,
)
from engine.aladdins_dragons.facts import KINDS, TREASURE_PER_KIND, open_spaces
from engine.aladdins_dragons.model import Effect, Tent
from engine.core import Amounts, IllegalAction, Text
from tests.engine.aladdins_dragons.magic_table import (
    MAGIC_RULES,
    at_window,
    declare,
    end_of_round,
    magic_table,
    playable,
    silence,
)  # fmt: skip
from tests.engine.aladdins_dragons.table import (
    RULES,
    A,
    B,
    C,
    D,
    asked,
    forms,
    only,
    options,
    play,
    table,
    tallied,
    tally,
)


def test_spaces_are_tallied_caves_city_guard_rooms_a32():
    assert open_spaces(3, "basic") == (
        "cave-crown", "cave-pearl", "cave-gem", "cave-trophy", "cave-gold", "market", "caravanserai", "guard", "room-1",
        "room-2", "room-3",
    )  # fmt: skip
    everywhere = {
        "room-1": "A1", "guard": "A9", "caravanserai": "A2", "market": "A4", "cave-gold": "A5", "cave-crown": "A6",
    }  # fmt: skip
    state, first = tallied(caves={"crown": [4], "gold": [3]}, spaces=everywhere)
    _, then = play(state, (A, Keep()), (A, LeaveCamel()))
    revealed = [event.space for event in only([*first, *then], events.SpaceRevealed)]
    assert revealed == ["cave-crown", "cave-gold", "market", "caravanserai", "guard", "room-1"]


def test_spaces_without_tokens_are_passed_over_but_never_the_guard_a33():
    _, happened = tallied()
    assert [type(event) for event in happened] == [events.GuardRevealed]


def test_only_the_space_in_turn_is_turned_over_a29_a32():
    state, _ = tallied(spaces={"market": "A9", "room-1": "B4"}, hoards=[{"gem": 1}])
    view = RULES.view(state, C)
    assert view.spaces["market"][0].value == 9
    assert view.spaces["room-1"][0].value is None


def test_strength_is_the_sum_of_own_tokens_a34():
    _, happened = tallied(spaces={"cave-gem": "B7 A5 A4"}, caves={"gem": [4, 2]})
    (ranked,) = only(happened, events.SpaceRanked)
    assert (ranked.ranking, ranked.totals, ranked.ties) == ([A, B], [9, 7], [])


def test_ties_go_by_player_sequence_from_the_camel_a35():
    _, happened = tallied(camel=C, spaces={"cave-gem": "A7 B7 C7"}, caves={"gem": [4, 2]})
    (ranked,) = only(happened, events.SpaceRanked)
    assert ranked.ranking == [C, A, B]
    assert ranked.ties == [[C, A, B]]
    assert [(event.seat, event.amounts) for event in only(happened, events.TreasureTaken)] == [
        (C, {"gem": 4}),
        (A, {"gem": 2}),
    ]


def test_a_space_is_tallied_when_its_rewards_begin_and_its_tokens_stay_face_up_a36_a38():
    state, _ = tallied(spaces={"cave-gem": "A7", "market": "B1"}, caves={"gem": [4]}, hoards=[{}, {"gem": 1}])
    assert state.tallied == ["cave-gem", "market"]
    assert state.tallying == "market"
    assert all(token.face_up for token in state.spaces["cave-gem"])


def test_each_takes_one_shelf_by_rank_and_must_a50():
    state, _ = tallied(4, spaces={"cave-gem": "A9 B8 C7 D6 A1"}, caves={"gem": [5, 3, 1]})
    assert [hoard["gem"] for hoard in state.hoards] == [5, 3, 1, 0]
    assert D not in [seat for seat, hoard in enumerate(state.hoards) if any(hoard.values())]


def test_what_nobody_claims_goes_to_the_bank_a51():
    state, happened = tallied(spaces={"cave-gem": "A9"}, caves={"gem": [5, 3]})
    assert only(happened, events.TreasureReturned) == [events.TreasureReturned("cave-gem", 3)]
    assert (state.hoards[A]["gem"], state.bank["gem"], state.caves["gem"]) == (5, 24, [])


def test_a_cave_nobody_came_to_goes_to_the_bank_too_a51():
    state, happened = tallied(caves={"gem": [5, 3]})
    assert only(happened, events.TreasureReturned) == [events.TreasureReturned("cave-gem", 8)]
    assert state.bank["gem"] == 29


def test_a_card_gives_the_kind_of_the_cave_by_value_a52_a39():
    state, _ = tallied(spaces={"cave-pearl": "B2"}, caves={"pearl": [6]})
    assert state.hoards[B] == {"crown": 0, "pearl": 6, "gem": 0, "trophy": 0, "gold": 0}


def next_round(**position):
    """The first question of the round after a tally in which nothing is asked."""
    state, _ = tallied(**position)
    assert RULES.is_advance_pending(state)
    return RULES.advance(state)


def test_a_cave_is_filled_from_the_top_as_far_as_the_bank_goes_a43():
    rich = dict.fromkeys(("crown", "pearl", "trophy", "gold"), 29)
    state, happened = next_round(deck=["3-06"], hoards=[{**rich, "gem": 29}])
    assert state.caves == {"crown": [], "pearl": [], "gem": [], "trophy": [], "gold": []}
    state, happened = next_round(deck=["3-06"], hoards=[{**rich, "crown": 23, "pearl": 26}])
    (filled,) = only(happened, events.CavesFilled)
    assert state.caves == {"crown": [5, 1], "pearl": [3], "gem": [], "trophy": [], "gold": []}
    assert filled.missing == {"crown": 1, "pearl": 1, "trophy": 6, "gold": 3}


def test_a_used_up_deck_is_shuffled_again_a18():
    state, happened = next_round(deck=[], discards=["3-01"])
    assert only(happened, events.DeckShuffled)
    assert len(state.deck) == 14
    assert len(state.discards) == 1


def test_a_round_begins_with_all_tokens_in_hand_again_a38():
    state, happened = next_round(spaces={"cave-gem": "A9 B1", "guard": "C9"}, caves={"gem": [4]}, forfeits=[7, 7, 7])
    assert state.hands == [[1, 2, 4, 5, 6, 7, 8, 9]] * 3
    assert not any(state.spaces.values())
    assert [type(event) for event in happened][:2] == [events.RoundEnded, events.RoundBegan]
    assert (state.round, state.tallied, state.rankings, state.admitted) == (2, [], {}, [])
    assert (state.turns, state.forfeits) == ([0, 0, 0], [0, 0, 0])
    assert RULES.view(state, A).guard is None, "the new guard is face down again"


def test_tokens_taken_back_in_the_tally_stay_out_until_the_next_round_a30():
    state, _ = tallied(spaces={"room-1": "A9"})
    assert 9 in state.hands[A]
    assert not any(decision.kind == "place" for decision in RULES.decisions(state))


def test_the_safety_stop_ends_the_game_after_round_30_a19():
    on = {"safety_stop": "on"}
    state, happened = tallied(options=on, round=30, artifacts=[1, 3, 2])
    assert state.outcome is not None
    assert (state.outcome.ending, state.outcome.ranking) == ("stopped", [B, C, A])
    assert only(happened, events.GameEnded)
    assert tallied(options=on, round=29)[0].outcome is None
    assert tallied(round=30)[0].outcome is None


def test_the_tally_waits_for_the_boundary_to_be_crossed_a32():
    state = table(hands=[[9], [], []])
    assert not RULES.is_advance_pending(state)
    state, _ = tally(state)
    assert state.is_guard_shown


# The market and the caravanserai.


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
        assert [option.label.code == "take-camel" for option in found] == [option.value == seat for option in found]


# The palace guard.


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


# The palace rooms, and what treasure is.

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


# Aladdin's tent and the house of the Djinn.

DECK = ["spy", "taboo", "teleport"]
"""The next card is the last."""


def at_tent(row, deck=DECK, **position):
    """The tally up to the tent's question, if there is one, and what has happened."""
    state = magic_table(spaces={"tent": row}, **position)
    state.magic.spell_deck = list(deck)
    state, happened = tally(state)
    state, more = silence(state, lambda now: isinstance(now.agenda[-1], Tent) or MAGIC_RULES.is_advance_pending(now))
    return state, happened + more


def view(state, seat):
    return MAGIC_RULES.view(state, seat).magic


def test_the_strongest_draws_two_keeps_one_and_gives_the_second_strongest_the_other_a53():
    state, _ = at_tent("A5 B7 C6")
    assert (state.agenda[-1].seat, state.agenda[-1].to, options(state, "card")) == (B, C, ["teleport", "taboo"])
    state, happened = play(state, (B, KeepSpell("taboo")))
    assert (state.magic.spells, state.magic.spell_deck) == ([[], ["taboo"], ["teleport"]], ["spy"])
    assert only(happened, magic.SpellKept) == [magic.SpellKept(B, "taboo", C, "teleport")]


def test_the_card_given_is_known_to_both_and_to_nobody_else_a54():
    state, _ = at_tent("A5 B7 C6")
    state, happened = play(state, (B, KeepSpell("taboo")))
    (kept,) = only(happened, magic.SpellKept)
    seen = [MAGIC_RULES.redact(kept, viewer) for viewer in (A, B, C, None)]
    assert [(event.kept, event.given) for event in seen] == [
        (None, None), ("taboo", "teleport"), (None, "teleport"), (None, None),
    ]  # fmt: skip
    assert [[passed.card for passed in view(state, viewer).passed] for viewer in (A, B, C, None)] == [
        [], ["teleport"], ["teleport"], [],
    ]  # fmt: skip
    assert view(state, A).spell_counts == [0, 1, 1]


def test_without_a_second_player_the_other_card_is_discarded_and_nobody_sees_it_a53_a54():
    state, _ = at_tent("B7 B1")
    assert state.agenda[-1].to is None
    state, happened = play(state, (B, KeepSpell("teleport")))
    (kept,) = only(happened, magic.SpellKept)
    assert [MAGIC_RULES.redact(kept, viewer).given for viewer in (A, B, C, None)] == [None, "taboo", None, None]
    assert [view(state, viewer).buried_count for viewer in (A, B)] == [1, 1]
    assert [[buried.card for buried in view(state, viewer).buried] for viewer in (A, B)] == [[], ["taboo"]]
    assert "taboo" not in [card for hand in state.magic.spells for card in hand]


def test_who_draws_is_seen_and_what_only_by_him_a53():
    _, happened = at_tent("A5 B7")
    (drawn,) = only(happened, magic.SpellsDrawn)
    assert [(seen.count, seen.cards) for seen in (MAGIC_RULES.redact(drawn, viewer) for viewer in (A, B, None))] == [
        (2, None), (2, ["teleport", "taboo"]), (2, None),
    ]  # fmt: skip


def test_the_last_card_goes_to_the_strongest_without_a_question_a55():
    state, happened = at_tent("A5 B7", deck=["spy"])
    assert only(happened, magic.SpellKept) == [magic.SpellKept(B, "spy", None, None)]
    assert (state.magic.spells, state.magic.spell_deck, state.magic.buried) == ([[], ["spy"], []], [], [])


def test_an_empty_deck_gives_nothing_and_is_not_shuffled_again_a55():
    state, happened = at_tent("A5 B7", deck=[])
    assert only(happened, magic.SpellsDrawn) == []
    assert (state.magic.spells, state.magic.spell_deck) == ([[], [], []], [])


@pytest.mark.parametrize(("camel", "first", "second"), [(A, A, B), (B, B, C), (C, C, A)])
def test_a_tie_at_the_tent_goes_by_player_sequence_a53_a35(camel, first, second):
    state, _ = at_tent("A7 B7 C7", camel=camel)
    assert (state.agenda[-1].seat, state.agenda[-1].to) == (first, second)


def test_a_seat_without_a_token_there_is_no_second_player_a53_s15():
    """Anna counts as first without a token; Ben, who is before her in sequence, has brought one."""
    state = magic_table(camel=B, spaces={"market": "C1"}, tiles=["lamp", "carpet", "lamp"])
    state.magic.effects = [Effect("first", A, "tent")]
    state, _ = play(at_window(state, "tent"), (B, declare("carpet")))
    assert (state.agenda[-1].seat, state.agenda[-1].to) == (B, None)


@pytest.mark.parametrize("card", ["spy", "charity", "carpet", ""])
def test_a_card_that_was_not_drawn_cannot_be_kept_and_nothing_changes_a53(card):
    state, _ = at_tent("A5 B7")
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        play(state, (B, KeepSpell(card)))
    assert MAGIC_RULES.dump(state) == before


def test_silence_keeps_the_first_card_a99():
    state, _ = at_tent("A5 B7")
    (decision,) = MAGIC_RULES.decisions(state)
    assert MAGIC_RULES.default(state, decision) == KeepSpell("teleport")
    assert MAGIC_RULES.say(asked(state).default, "en", ["Anna", "Ben", "Carla"]) == "You keep the first card."


# The Djinn


def djinn_won(tiles, used=(), **position):
    """Anna has won the Djinn's favour; the market's window is open."""
    state = magic_table(spaces={"djinn": "A7 B1", "market": "A4 B5 C8"}, tiles=tiles, **position)
    state.magic.used[A] = list(used)
    return at_window(state, "market")


def test_the_strongest_at_the_djinn_may_use_two_artifacts_this_round_and_nobody_else_a57():
    state = djinn_won(["carpet double", "carpet double", "lamp"])
    assert state.magic.allowance == [2, 1, 1]
    state, _ = play(state, (A, declare("carpet")), (B, declare("carpet")))
    assert (playable(state, A), playable(state, B)) == (["play_double", "pass"], [])
    state, _ = play(state, (A, declare("double", token="market:1")))
    assert state.magic.used[:2] == [["carpet", "double"], ["carpet"]]


def test_two_tiles_of_one_type_are_two_uses_and_one_tile_is_one_a57():
    state = djinn_won(["carpet carpet", "lamp", "lamp"])
    state, _ = play(state, (A, declare("carpet")))
    assert playable(state, A) == ["play_carpet", "pass"]
    state, happened = play(state, (A, declare("carpet")))
    assert [event.value for event in only(happened, magic.TokenAdded)] == [3, 3]
    state, _ = play(djinn_won(["carpet", "lamp", "lamp"]), (A, declare("carpet")))
    assert playable(state, A) == []


def test_what_was_used_before_counts_and_two_are_the_most_a57_a82():
    state = djinn_won(["carpet double lamp"], used=["lamp"])
    state, _ = play(state, (A, declare("carpet")))
    assert playable(state, A) == []
    assert state.magic.used[A] == ["lamp", "carpet"]


def test_in_the_next_round_it_is_one_again_and_the_same_tiles_can_be_used_a57_a83():
    state = djinn_won(["carpet double", "lamp", "lamp"])
    state, _ = play(state, (A, declare("carpet")))
    state, _ = play(state, (A, declare("double", token="market:1")))
    state, _ = MAGIC_RULES.advance(end_of_round(state)[0])
    assert (state.magic.allowance, state.magic.used) == ([1, 1, 1], [[], [], []])
    assert state.artifacts[A] == ["carpet", "double"]


def test_nobody_at_the_djinn_nobodys_favour_a57_a33():
    state = magic_table(spaces={"market": "A4"}, tiles=["carpet", "lamp", "lamp"])
    state = at_window(state, "market")
    assert state.magic.allowance == [1, 1, 1]


def test_a_tie_at_the_djinn_goes_by_player_sequence_a57_a35():
    state = magic_table(camel=B, spaces={"djinn": "A7 B7", "market": "A4"}, tiles=["carpet", "carpet", "carpet"])
    assert at_window(state, "market").magic.allowance == [1, 2, 1]


def test_a_card_that_was_given_and_has_been_played_is_in_nobodys_hand_any_more_a54_a55():
    state, _ = at_tent("A5 B7 C6", deck=["taboo", "spy", "charity"])
    state, _ = play(state, (B, KeepSpell("charity")))
    state, _ = silence(state, MAGIC_RULES.is_advance_pending)
    state, _ = MAGIC_RULES.advance(state)
    assert [passed.card for passed in view(state, B).passed] == ["spy"]
    state, _ = play(state, (C, declare("spy")))
    state, _ = silence(state, lambda now: "spy" in now.magic.played)
    assert [view(state, viewer).passed for viewer in (B, C)] == [[], []]
    assert (state.magic.spells[C], state.magic.played) == ([], ["spy"])


# The end of a game and its ranking.

LAST = {"room-1": 1, "room-2": 0, "room-3": 0}


def last_sale(**position):
    """The last artifact of all is for sale to A, for a gemstone."""
    state, _ = tallied(
        guard=5, spaces={"guard": "A5", "room-1": "A1"}, hoards=[{"gem": 1}, {"gem": 20}], stacks=LAST, **position
    )
    return play(state, (A, Buy(pay_1="gem")))


def test_the_game_ends_at_once_with_the_last_artifact_of_all_rooms_a94():
    state, happened = last_sale(artifacts=[5, 4, 2])
    assert state.outcome is not None
    assert state.outcome.ending == "complete"
    assert (state.outcome.winners, state.outcome.scores) == ([A], [6, 4, 2])
    assert isinstance(happened[-1], events.GameEnded)
    assert not RULES.decisions(state)
    assert not RULES.is_advance_pending(state)


def test_a_room_sold_out_does_not_end_it_while_another_has_artifacts_a94():
    state, _ = tallied(
        guard=5,
        spaces={"guard": "A5", "room-1": "A1"},
        hoards=[{"gem": 1}],
        stacks={"room-1": 1, "room-2": 0, "room-3": 1},
    )
    state, _ = play(state, (A, Buy(pay_1="gem")))
    assert state.outcome is None


def test_an_unsold_last_artifact_lets_the_game_go_on_a94():
    state, _ = tallied(guard=5, spaces={"guard": "A5", "room-1": "A1"}, hoards=[{"gem": 1}], stacks=LAST)
    state, _ = play(state, (A, Decline()))
    assert state.outcome is None


def test_ties_go_by_player_sequence_from_the_camel_a97():
    state, _ = last_sale(artifacts=[5, 6, 6], camel=C)
    assert state.outcome is not None
    assert state.outcome.ranking == [C, A, B]
    assert state.outcome.reason.code == "won-tie"


def test_treasure_counts_for_nothing_at_the_end_a98():
    state, _ = last_sale(artifacts=[5, 5, 5])
    assert state.outcome is not None
    assert state.outcome.ranking == [A, B, C]
    assert state.outcome.reason == Text("won", {"winner": {"seat": A}, "artifacts": 6})


def test_who_resigned_ranks_below_all_who_stayed_a99():
    state, _ = RULES.resign(table(artifacts=[1, 3, 2]), B)
    for seat in (A,):
        state, _ = RULES.resign(state, seat)
    state, happened = RULES.end(state, C)
    assert state.outcome is not None
    assert (state.outcome.ending, state.outcome.ranking) == ("abandoned", [C, B, A])
    assert only(happened, events.GameEnded)[0].scores == [1, 3, 2]


def test_the_last_person_may_end_the_game_against_bots_and_wins_a99():
    state, _ = RULES.resign(table(artifacts=[1, 3, 2]), A)
    state, _ = RULES.end(state, C)
    assert state.outcome is not None
    assert (state.outcome.winners, state.outcome.ranking) == ([C], [C, B, A])


def test_a_resigned_leader_does_not_win_the_last_sale_a99():
    state, _ = last_sale(artifacts=[5, 9, 2], resigned=[B])
    assert state.outcome is not None
    assert state.outcome.ranking == [A, C, B]


def test_the_tokens_of_who_resigned_play_on_by_forfeits_a99():
    state, _ = RULES.resign(table(spaces={"market": "A9"}), A)
    assert RULES.decisions(state)[0].seat == A
    state, _ = play(state, (A, Forfeit()))
    assert len(state.spaces["market"]) == 1
