"""Mirage."""

import pytest

from engine.aladdins_dragons import events as magic
from engine.aladdins_dragons.actions import Reply
from engine.aladdins_dragons.model import Ask
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.cards.scenes import Scene
from tests.engine.aladdins_dragons.magic_table import MAGIC_RULES, at_window, declare, end_of_round, magic_table
from tests.engine.aladdins_dragons.table import A, B, C, only, play

MATRIX = {"mirage": Scene(wishes={"space": ["room-1"]}, reaches="finds")}
"""How it is cast to have most to do with artifacts, and what it has to do with each."""

MIRAGE = declare("mirage", space="room-1")
STACK = ["key", "carpet", "key", "double", "scroll"]


def room(stack, **position):
    """The first room holds these tiles, bottom first; Anna has the card."""
    state = magic_table(spells=["mirage"], **position)
    state.stacks["room-1"] = list(stack)
    state.magic.known["room-1"] = [*([] for _ in stack[:-1]), [-1]]
    return state


def turned_up(card, tiles=STACK):
    state, _ = play(at_window(room(tiles), "placed"), (A, MIRAGE))
    return play(state, (A, Reply("turn_up", {"card": card})))


def test_the_chosen_one_comes_on_top_and_the_former_goes_to_the_bottom_s12():
    state, happened = turned_up("key")
    assert state.stacks["room-1"] == ["scroll", "key", "carpet", "double", "key"]
    assert only(happened, magic.OfferChosenRevealed) == [magic.OfferChosenRevealed(A, "room-1", "key", "scroll")]
    assert [len(owned) for owned in state.artifacts] == [1, 1, 1]


def test_only_the_caster_sees_the_rest_s12():
    state, _ = turned_up("key")
    assert MAGIC_RULES.view(state, A).magic.stacks["room-1"] == ["scroll", "key", "carpet", "double", "key"]
    for other in (B, C, None):
        assert MAGIC_RULES.view(state, other).magic.stacks["room-1"] == ["scroll", None, None, None, "key"]


def test_what_others_knew_of_the_stack_they_cannot_tell_apart_any_more_s12():
    state = room(STACK)
    state.magic.known["room-1"] = [[], [B], [], [-1], [-1]]
    state, _ = play(at_window(state, "placed"), (A, MIRAGE))
    state, _ = play(state, (A, Reply("turn_up", {"card": "key"})))
    assert MAGIC_RULES.view(state, B).magic.stacks["room-1"] == ["scroll", None, None, None, "key"]


def test_the_search_is_told_to_the_caster_alone_s12():
    _, happened = play(at_window(room(STACK), "placed"), (A, MIRAGE))
    (searched,) = only(happened, magic.StackRevealed)
    assert MAGIC_RULES.redact(searched, A).tiles == STACK
    assert MAGIC_RULES.redact(searched, B).tiles is None


def test_silence_turns_up_the_first_in_stack_order_s12_a99():
    state, _ = play(at_window(room(STACK), "placed"), (A, MIRAGE))
    assert isinstance(state.agenda[-1], Ask)
    (decision,) = MAGIC_RULES.decisions(state)
    assert MAGIC_RULES.default(state, decision) == Reply("turn_up", {"card": "double"})


def test_of_a_single_one_there_is_nothing_to_choose_s12():
    state, _ = play(at_window(room(["key", "scroll"]), "placed"), (A, MIRAGE))
    assert state.stacks["room-1"] == ["scroll", "key"]
    assert not isinstance(state.agenda[-1], Ask)


def test_in_a_room_that_has_sold_the_chosen_one_waits_for_the_next_round_s12_a17():
    state = room(["key", "carpet"], spaces={"room-2": "B1"}, guard=1)
    state.magic.offers.remove("room-1")
    state.magic.known["room-1"] = [[], []]
    state, _ = play(at_window(state, "placed"), (A, MIRAGE))
    state, _ = play(state, (A, Reply("turn_up", {"card": "key"})))
    assert state.stacks["room-1"] == ["carpet", "key"]
    state, _ = MAGIC_RULES.advance(end_of_round(state)[0])
    assert MAGIC_RULES.view(state, None).magic.offers["room-1"] == "key"


@pytest.mark.parametrize("tiles", [["scroll"]])
def test_a_room_with_nothing_face_down_is_refused_and_nothing_changes_s12(tiles):
    state = at_window(room(tiles), "placed")
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        play(state, (A, MIRAGE))
    assert MAGIC_RULES.dump(state) == before


def test_if_nothing_lies_face_down_any_more_it_is_spent_for_nothing_s12_a78():
    state = at_window(room(["key", "scroll"], tiles=["lamp", "counterspell", "lamp"]), "placed")
    state, _ = play(state, (A, MIRAGE))
    state.stacks["room-1"] = ["scroll"]
    state.magic.known["room-1"] = [[-1]]
    state, happened = end_of_round(state)
    assert only(happened, magic.CardFizzled) == [magic.CardFizzled(A, "mirage")]
