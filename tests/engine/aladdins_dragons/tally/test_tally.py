"""The second part of a round in general, and the caves."""

from engine.aladdins_dragons import events
from engine.aladdins_dragons.actions import Keep, LeaveCamel
from engine.aladdins_dragons.facts import open_spaces
from tests.engine.aladdins_dragons.table import RULES, A, B, C, D, only, play, table, tallied, tally


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
