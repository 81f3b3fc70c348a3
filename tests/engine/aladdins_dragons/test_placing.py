"""The first part of a round: placing tokens."""

import pytest

from engine.aladdins_dragons import events, model
from engine.aladdins_dragons.actions import Forfeit, Place
from engine.aladdins_dragons.model import SeenToken
from engine.core import IllegalAction, StaleDecision
from tests.engine.aladdins_dragons.table import RULES, A, B, C, D, asked, only, options, play, table


def test_one_token_a_turn_clockwise_from_the_camel_a20():
    state = table(camel=B)
    state, _ = play(state, (B, Place(9, "guard")), (C, Place(1, "market")), (A, Place(4, "guard")))
    assert RULES.decisions(state)[0].seat == B
    assert RULES.decisions(state)[0].id == "r1-place-1-2"


def test_a_placed_token_lies_face_down_a20_a29():
    state, happened = play(table(), (A, Place(9, "market")))
    assert state.spaces["market"] == [model.Token(A, 9, False)]
    assert 9 not in state.hands[A]
    assert happened == [events.TokenPlaced(A, "market", 9, False)]


def test_others_see_owner_and_number_but_no_value_a29():
    state, (placed,) = play(table(), (A, Place(9, "market")))
    assert RULES.view(state, B).spaces["market"] == [SeenToken(A, None)]
    assert RULES.view(state, None).spaces["market"] == [SeenToken(A, None)]
    assert RULES.view(state, A).spaces["market"] == [SeenToken(A, 9)]
    assert RULES.redact(placed, B) == events.TokenPlaced(A, "market", None, False)
    assert RULES.redact(placed, None) == events.TokenPlaced(A, "market", None, False)
    assert RULES.redact(placed, A) == placed


def test_passing_is_not_offered_and_placing_goes_on_to_the_last_token_a21():
    state = table()
    assert [form.type for form in asked(state).actions] == ["place"]
    for _ in range(24):
        seat = RULES.decisions(state)[0].seat
        state, happened = play(state, (seat, Place(state.hands[seat][0], "guard")))
    assert state.hands == [[], [], []]
    assert only(happened, events.PlacingEnded)
    assert RULES.is_advance_pending(state)


def test_the_deadline_forfeits_a_placement_and_nobody_learns_which_token_a21_a99():
    state = table()
    decision = RULES.decisions(state)[0]
    assert RULES.default(state, decision) == Forfeit()
    state, happened = play(state, (A, Forfeit()))
    assert happened == [events.PlacementForfeited(A)]
    assert len(state.hands[A]) == 8
    assert RULES.decisions(state)[0].seat == B


def test_a_player_may_not_forfeit_himself_a21():
    with pytest.raises(IllegalAction):
        RULES.parse({"type": "forfeit"})


def test_placing_ends_when_nobody_holds_more_than_he_has_forfeited_a21():
    state = table()
    for _ in range(24):
        state, happened = play(state, (RULES.decisions(state)[0].seat, Forfeit()))
    assert only(happened, events.PlacingEnded)
    assert state.forfeits == [8, 8, 8]


def test_a_seat_with_nothing_to_place_is_passed_over_a21():
    state = table(forfeits=[0, 8, 0])
    state, _ = play(state, (A, Place(9, "guard")))
    assert RULES.decisions(state)[0].seat == C


def test_any_number_of_tokens_in_a_space_but_five_of_a_player_in_a_room_a22_a23():
    state = table(spaces={"market": "A1 A2 A4 A5 A6 A7"})
    RULES.check(state, "r1-place-0-1", A, Place(8, "market"))
    state = table(spaces={"room-1": "A1 A2 A4 A5 A6 B1 B2"})
    assert "room-1" not in options(state, "space")
    with pytest.raises(IllegalAction):
        RULES.check(state, "r1-place-0-1", A, Place(8, "room-1"))
    state = table(spaces={"room-1": "A1 A2 A4 A5 B1 B2 C1 C2"})
    RULES.check(state, "r1-place-0-1", A, Place(8, "room-1"))


def test_a_cave_without_treasure_is_closed_a25():
    state = table(caves={"gem": [4]})
    assert "cave-gem" in options(state, "space")
    with pytest.raises(IllegalAction):
        RULES.check(state, "r1-place-0-1", A, Place(8, "cave-crown"))


def test_tent_and_djinn_are_closed_in_the_basic_version_a26():
    for space in ("tent", "djinn"):
        with pytest.raises(IllegalAction):
            RULES.check(table(), "r1-place-0-1", A, Place(8, space))


def test_a_room_without_artifacts_is_closed_a27():
    state = table(stacks={"room-2": 0})
    assert "room-2" not in options(state, "space")
    assert "room-1" in options(state, "space")


def test_the_guard_takes_any_number_from_anybody_a28():
    state = table(spaces={"guard": "A1 A2 A4 A5 A6 A7"})
    assert "guard" in options(state, "space")


def test_a_room_that_is_not_in_use_is_no_space_a10():
    with pytest.raises(IllegalAction):
        RULES.check(table(3), "r1-place-0-1", A, Place(8, "room-4"))
    RULES.check(table(4), "r1-place-0-1", A, Place(8, "room-4"))


def test_a_token_that_is_not_in_hand_cannot_be_placed_a20():
    state = table(spaces={"market": "A9"})
    for value in (9, 3):
        with pytest.raises(IllegalAction):
            RULES.check(state, "r1-place-0-1", A, Place(value, "guard"))


def test_a_placement_is_final_a20():
    state, _ = play(table(), (A, Place(9, "guard")))
    with pytest.raises(StaleDecision):
        RULES.apply(state, "r1-place-0-1", A, Place(8, "guard"))


def test_with_four_players_the_turn_goes_on_to_the_fourth_a20():
    state, _ = play(table(4), (A, Place(9, "guard")), (B, Place(9, "guard")), (C, Place(9, "guard")))
    assert RULES.decisions(state)[0].seat == D


def test_a_returned_token_is_placed_again_while_placing_lasts_a30():
    """A token back in hand makes its owner one who still has to place, when his turn comes round."""
    state = table(hands=[[9], [], [4]])
    state, _ = play(state, (A, Place(9, "guard")))
    state.hands[A].append(state.spaces["guard"].pop().value)
    state, _ = play(state, (C, Place(4, "guard")))
    assert RULES.decisions(state)[0].seat == A
    assert RULES.decisions(state)[0].id == "r1-place-0-2"
