"""The first part of a round: placing tokens."""

from collections import Counter
from random import Random

import pytest

from engine.aladdins_dragons import events, model
from engine.aladdins_dragons import events as magic
from engine.aladdins_dragons.actions import Buy, Forfeit, Place
from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.cards.deck import ARTIFACTS, SPELLS
from engine.aladdins_dragons.model import Purchase, SeenToken, State
from engine.aladdins_dragons.tally import finish_complete
from engine.core import IllegalAction, StaleDecision
from tests.engine.aladdins_dragons.magic_table import (
    MAGIC_RULES,
    all_pass,
    asked_seats,
    at_window,
    declare,
    declare_now,
    end_of_round,
    magic_table,
    playable,
    silence,
)  # fmt: skip
from tests.engine.aladdins_dragons.table import RULES, SEED, A, B, C, D, asked, only, options, play, table, tally
from tests.engine.playing import question_of, seed_of


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


# What the magic version changes in laying out, placing, buying and at the end.


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_everybody_has_a_lamp_and_the_rooms_five_tiles_of_the_other_types_a8(seats):
    state, _ = MAGIC_RULES.new(seats, {}, SEED)
    assert state.artifacts == [["lamp"]] * seats
    assert {room: len(stack) for room, stack in state.stacks.items()} == {f"room-{n}": 5 for n in range(1, seats + 1)}
    lying = Counter(tile for stack in state.stacks.values() for tile in stack)
    assert lying == {name: seats for name in ARTIFACTS if name != "lamp"}


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_all_spells_lie_shuffled_in_one_deck_and_nobody_has_one_a11(seats):
    decks = [MAGIC_RULES.new(seats, {}, seed * 32)[0].magic for seed in ("0a", "1b", "2c")]
    assert all(sorted(magic.spell_deck) == sorted(SPELLS) for magic in decks)
    assert all(not any(magic.spells) for magic in decks)
    assert len({tuple(magic.spell_deck) for magic in decks}) == 3


def test_the_lamp_one_begins_with_counts_at_the_end_a9():
    board = Board(magic_table(tiles=["lamp", "lamp key", "lamp"]))
    finish_complete(board)
    assert board.state.outcome.scores == [1, 2, 1]


def test_one_tile_of_each_room_is_turned_up_and_what_is_unsold_stays_a16_a17_a73():
    state, _ = MAGIC_RULES.advance(end_of_round(at_window(magic_table(spells=["spy"]), "placed"))[0])
    before = MAGIC_RULES.view(state, None).magic.offers
    assert {room: stack[-1] for room, stack in state.stacks.items()} == before
    assert all(hidden is None for stack in MAGIC_RULES.view(state, A).magic.stacks.values() for hidden in stack[:-1])
    for _ in ("placing", "round"):
        state, _ = MAGIC_RULES.advance(end_of_round(state)[0])
    assert (state.round, MAGIC_RULES.view(state, None).magic.offers) == (3, before)


def test_the_tent_and_the_djinn_are_open_a26():
    assert {"tent", "djinn"} <= {*_spaces_to_place(magic_table())}


def _spaces_to_place(state):
    question = next(q for q in MAGIC_RULES.view(state, A).questions if q.decision.kind == "place")
    return [option.value for field in question.actions[0].fields if field.name == "space" for option in field.options]


def test_a_token_that_comes_back_while_placing_lasts_is_placed_again_a30():
    """Under Spy the others' tokens lie face up; an eclipse sends Ben's last one home, and he has another turn."""
    state = magic_table(spells=["spy lunar_eclipse"], camel=A)
    state.hands = [[1, 2], [7], [4]]
    state, _ = all_pass(declare_now(state, A, declare("spy"))[0])
    state, _ = play(state, (A, Place(1, "market")), (B, Place(7, "market")), (C, Place(4, "tent")))
    state, happened = declare_now(state, A, declare("lunar_eclipse", space="market"))
    state, more = all_pass(state) if asked_seats(state) else (state, [])
    assert [(event.seat, event.value) for event in only(happened + more, magic.TokenRemoved)] == [(B, 7)]
    assert state.hands[B] == [7]
    state, _ = play(state, (A, Place(2, "tent")), (B, Place(7, "tent")))
    assert MAGIC_RULES.is_advance_pending(state)


def test_a_token_that_comes_back_after_the_last_has_been_placed_stays_out_a30():
    state = magic_table(spaces={"market": "A1 B7"}, spells=["lunar_eclipse"])
    for token in state.spaces["market"]:
        token.face_up = True
    state, _ = play(at_window(state, "placed"), (A, declare("lunar_eclipse", space="market")))
    state, happened = end_of_round(state)
    assert state.spaces["market"] == []
    assert [ranked for ranked in only(happened, events.SpaceRanked) if ranked.space == "market"] == []
    assert {1, 7} <= {*state.hands[A], *state.hands[B]}


def test_what_was_just_bought_may_be_used_at_once_within_the_allowance_a74():
    state = magic_table(guard=1, spaces={"guard": "A9", "room-1": "A1", "room-2": "A2"}, hoards=[{"gem": 1, "gold": 9}])
    state.stacks["room-1"][-1] = "carpet"
    state, _ = silence(tally(state)[0], lambda now: isinstance(now.agenda[-1], Purchase))
    state, _ = play(state, (A, Buy(pay_1="gem")))
    assert (state.agenda[-1].where, playable(state, A)) == ("room-2", ["play_carpet", "play_lamp", "pass"])
    state, _ = play(state, (A, declare("carpet")))
    assert [token.source for token in state.spaces["room-2"] if not token.is_number] == ["carpet"]


def test_a_hand_of_spells_has_no_limit_a56():
    state = magic_table(spaces={"tent": "A9"}, spells=[" ".join([*SPELLS][:15])])
    state, _ = silence(tally(state)[0], lambda now: len(now.magic.spells[A]) > 15)
    assert len(state.magic.spells[A]) == 16


def played(length: str, number: int) -> State:
    """A game of greedy bots to its end; games of a number begin and go on alike."""
    random, bot = Random(number), RULES.bots["greedy"]
    state, _ = RULES.new(3, {"length": length}, seed_of(number))
    while RULES.outcome(state) is None:
        decision = next((decision for decision in RULES.decisions(state) if decision.prompted), None)
        if decision is None:
            RULES.cross(state)
        else:
            action = bot.choose(RULES.view(state, decision.seat), question_of(RULES, state, decision), random)
            RULES.play(state, decision.seat, action)
    return state


def test_a_short_game_until_it_is_decided_has_the_winner_it_would_have_and_ends_when_nobody_can_catch_up():
    left_over = 0
    for number in range(8):
        short, decided = played("short", number), played("decided", number)
        assert decided.outcome.winners == short.outcome.winners and decided.round <= short.round
        first, second, *_others = sorted(decided.outcome.scores, reverse=True)
        left = sum(map(len, decided.stacks.values()))
        assert first > second + left if left else decided.outcome.scores == short.outcome.scores
        assert decided.outcome.reason.code == ("decided" if left else short.outcome.reason.code)
        left_over += left
    assert left_over
