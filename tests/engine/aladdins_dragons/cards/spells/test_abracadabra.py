"""Abracadabra."""

import pytest

from engine.aladdins_dragons import events
from engine.aladdins_dragons import events as magic
from engine.aladdins_dragons.actions import Buy, Reply
from engine.aladdins_dragons.model import Ask, Purchase
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.cards.scenes import PURCHASE, Scene
from tests.engine.aladdins_dragons.magic_table import (
    MAGIC_RULES,
    asked_seats,
    at_window,
    declare,
    magic_table,
    silence,
)  # fmt: skip
from tests.engine.aladdins_dragons.table import A, B, C, only, play

MATRIX = {
    "abracadabra": Scene(
        PURCHASE,
        use={"carpet": "room-1", "double": "room-1"},
        caster_has={"carpet": "prices", "double": "prices"},
        reaches="finds",
        unused={"key"},
    )
}
"""How it is cast to have most to do with artifacts, and what it has to do with each."""

CAST = declare("abracadabra", pay_4="gem")
STACK = ["key", "double", "scroll"]


def at_purchase(tiles=("lamp", "lamp", "lamp"), stack=STACK, hoard=4, **position):
    """Anna is first to buy in the first room, at 4 of one kind, and has the card."""
    spaces = {"guard": "A1 B2", "room-1": "A4 B1"}
    state = magic_table(
        spells=["abracadabra"], tiles=tiles, guard=1, spaces=spaces, hoards=[{"gem": hoard}, {"gem": 1}], **position
    )
    state.stacks["room-1"] = list(stack)
    state.magic.known["room-1"] = [*([] for _ in stack[:-1]), [-1]]
    return silence(state_at(state), lambda now: isinstance(now.agenda[-1], Purchase))[0]


def state_at(state):
    return at_window(state, "placed")


def test_the_buyer_pays_the_price_and_takes_a_hidden_one_s2():
    state, happened = play(at_purchase(), (A, CAST))
    assert only(happened, events.TreasurePaid) == [events.TreasurePaid(A, {"gem": 4}, "room-1")]
    state, happened = play(state, (A, Reply("take_hidden", {"card": "key"})))
    assert sorted(state.artifacts[A]) == ["key", "lamp"]
    assert state.stacks["room-1"] == ["double", "scroll"]
    assert MAGIC_RULES.view(state, None).magic.offers["room-1"] == "scroll"
    (taken,) = only(happened, magic.ArtifactTaken)
    assert [MAGIC_RULES.redact(taken, seat).artifact for seat in (A, B, None)] == ["key", None, None]


def test_what_was_taken_is_not_shown_and_the_rest_is_known_to_the_buyer_alone_s2_a47():
    state = at_purchase()
    state.magic.known["room-1"] = [[-1], [B], [-1]]
    state, _ = play(state, (A, CAST), (A, Reply("take_hidden", {"card": "key"})))
    assert MAGIC_RULES.view(state, B).magic.stacks["room-1"] == [None, "scroll"]
    assert MAGIC_RULES.view(state, A).magic.stacks["room-1"] == ["double", "scroll"]
    assert MAGIC_RULES.view(state, B).magic.tiles[A] == ["lamp"]


def test_the_face_up_one_may_be_taken_too_and_silence_does_s2_a99():
    state, _ = play(at_purchase(), (A, CAST))
    assert isinstance(state.agenda[-1], Ask)
    (decision,) = MAGIC_RULES.decisions(state)
    assert MAGIC_RULES.default(state, decision) == Reply("take_offer")
    state, happened = play(state, (A, Reply("take_offer")))
    assert only(happened, magic.ArtifactSold) == [magic.ArtifactSold(A, "room-1", "scroll")]
    assert state.stacks["room-1"] == ["key", "double"]


def test_countered_it_is_a_purchase_of_the_face_up_one_s2_a79():
    state, _ = play(at_purchase(tiles=["lamp", "lamp", "counterspell"]), (A, CAST))
    assert asked_seats(state) == [C]
    state, happened = play(state, (C, declare("counterspell", play=1)))
    assert only(happened, magic.ArtifactSold) == [magic.ArtifactSold(A, "room-1", "scroll")]
    assert only(happened, magic.StackRevealed) == []
    assert state.hoards[A]["gem"] == 0


def test_of_the_last_artifact_there_is_nothing_to_choose_s2_a78():
    state, happened = play(at_purchase(stack=["scroll"]), (A, CAST))
    assert only(happened, magic.ArtifactSold) == [magic.ArtifactSold(A, "room-1", "scroll")]
    assert not isinstance(state.agenda[-1], Ask)


def test_the_last_artifact_of_all_rooms_ends_the_game_s2_a94():
    state = at_purchase(stack=["scroll"], stacks={"room-2": 0, "room-3": 0})
    state.magic.offers = ["room-1"]
    state, _ = play(state, (A, CAST))
    assert state.outcome is not None


def test_the_room_is_done_with_after_it_s2():
    state, _ = play(at_purchase(), (A, CAST), (A, Reply("take_hidden", {"card": "double"})))
    assert not any(isinstance(frame, Purchase) for frame in state.agenda)


@pytest.mark.parametrize(("_case", "hoard"), [("too poor", 3)])
def test_who_cannot_pay_is_refused_and_nothing_changes_s2_a69(_case, hoard):
    state = at_purchase(hoard=hoard, open_hoards=False)  # else she is not even asked
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        play(state, (A, CAST))
    assert MAGIC_RULES.dump(state) == before


def test_it_is_no_card_for_a_window_and_not_against_the_room_s2():
    state = at_window(magic_table(spells=["abracadabra"]), "placed")
    with pytest.raises(IllegalAction):
        play(state, (A, declare("abracadabra")))
    state, _ = play(at_purchase(), (A, Buy(pay_4="gem")))
    assert state.magic.spells[A] == ["abracadabra"]
