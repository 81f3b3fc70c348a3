"""What the magic version changes in laying out, placing, buying and at the end."""

from collections import Counter

import pytest

from engine.aladdins_dragons import events
from engine.aladdins_dragons import events as magic
from engine.aladdins_dragons.actions import Buy, Place
from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.cards.deck import ARTIFACTS, SPELLS
from engine.aladdins_dragons.model import Purchase
from engine.aladdins_dragons.tally import finish_complete
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
from tests.engine.aladdins_dragons.table import SEED, A, B, C, only, play, tally


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
