"""Flying Carpet."""

import pytest

from engine.aladdins_dragons import events
from engine.aladdins_dragons import events as magic
from engine.aladdins_dragons.actions import Buy
from engine.aladdins_dragons.model import Effect, Market
from engine.core import IllegalAction, StaleDecision
from tests.engine.aladdins_dragons.magic_table import (
    MAGIC_RULES,
    PASS,
    asked_seats,
    at_window,
    declare,
    end_of_round,
    magic_table,
    playable,
)
from tests.engine.aladdins_dragons.table import A, B, C, only, play


def test_the_market_with_two_carpets_goes_to_who_sits_first_a75_a86():
    """Anna and David have 7 each; David brings a carpet, Anna answers with hers and is first in sequence again."""
    state = at_window(
        magic_table(spaces={"market": "A7 B7"}, tiles=["carpet", "carpet", "lamp"], hoards=[{"gem": 1}]), "market"
    )
    assert asked_seats(state) == [A, B]
    state, shown = play(state, (A, PASS), (B, declare("carpet")))
    assert [event.card for event in only(shown, magic.CardPlayed)] == ["carpet"]
    assert asked_seats(state) == [A]
    state, happened = play(state, (A, declare("carpet")))
    (ranked,) = [event for event in only(happened, events.SpaceRanked) if event.space == "market"]
    assert (ranked.ranking, ranked.totals) == ([A, B], [10, 10])
    assert state.agenda[-1] == Market(A)


def test_a_carpet_comes_only_into_the_space_being_tallied_a86():
    state = magic_table(spaces={"market": "A7"}, tiles=["carpet", "lamp", "lamp"])
    assert playable(state, A) == []
    state = at_window(state, "market")
    assert playable(state, A) == ["play_carpet", "pass"]


def test_no_carpet_into_a_cave_without_treasure_or_a_closed_space_a25_s19():
    state = magic_table(spaces={"cave-gem": "A7"}, tiles=["carpet double", "lamp", "lamp"])
    assert playable(at_window(state, "cave-gem"), A) == ["play_double", "pass"]
    state = magic_table(spaces={"market": "A7"}, tiles=["carpet double", "lamp", "lamp"])
    state.magic.effects = [Effect("closed", C, "market")]
    assert playable(at_window(state, "market"), A) == ["play_double", "pass"]


def test_a_carpet_in_a_room_without_other_tokens_costs_three_of_one_kind_a72():
    state = magic_table(guard=1, spaces={"guard": "A9"}, tiles=["carpet", "lamp", "lamp"], hoards=[{"gem": 3}])
    state = at_window(state, "room-1")
    state, _ = play(state, (A, declare("carpet")))
    state, happened = play(state, (A, Buy(pay_3="gem")))
    assert only(happened, events.TreasurePaid) == [events.TreasurePaid(A, {"gem": 3}, "room-1")]
    assert len(state.artifacts[A]) == 2


def test_a_carpet_at_the_guard_counts_and_goes_back_used_a65_a90():
    state = magic_table(guard=10, spaces={"guard": "A7"}, tiles=["carpet", "lamp", "lamp"])
    state = at_window(state, "guard")
    state, _ = play(state, (A, declare("carpet")))
    assert A in state.admitted
    assert state.magic.used[A] == ["carpet"]


def test_a_carpet_into_an_empty_space_of_the_city_takes_its_prize_a33_a86():
    state = at_window(
        magic_table(spaces={"djinn": "B1"}, tiles=["carpet", "lamp", "lamp"], hoards=[{"gem": 1}]), "market"
    )
    state, _ = play(state, (A, declare("carpet")))
    assert state.agenda[-1] == Market(A)


def test_who_is_not_in_the_palace_brings_no_carpet_into_its_rooms_a68_a86():
    state = magic_table(guard=9, spaces={"guard": "B9", "room-1": "B1"}, tiles=["carpet", "carpet", "lamp"])
    state = at_window(state, "room-1")
    assert asked_seats(state) == [B]
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        MAGIC_RULES.apply(state, "r1-window-room-1-1", A, declare("carpet"))
    assert MAGIC_RULES.dump(state) == before


@pytest.mark.parametrize("targets", [{"space": "tent"}, {"space": "market"}, {"token": "market:1"}])
def test_its_space_is_not_chosen_a86(targets):
    state = at_window(magic_table(spaces={"market": "A7"}, tiles=["carpet", "lamp", "lamp"]), "market")
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        play(state, (A, declare("carpet", **targets)))
    assert MAGIC_RULES.dump(state) == before


def test_not_once_the_space_is_tallied_a86_a36():
    """While Anna decides at the market it is tallied, and no window is open."""
    state = at_window(
        magic_table(spaces={"market": "A7"}, tiles=["lamp", "carpet", "lamp"], hoards=[{"gem": 1}]), "market"
    )
    state, _ = play(state, (B, PASS))
    assert state.agenda[-1] == Market(A)
    with pytest.raises(StaleDecision):
        MAGIC_RULES.apply(state, "r1-window-market-1", B, declare("carpet"))


def test_if_the_cave_has_been_emptied_meanwhile_it_is_spent_for_nothing_a25_a78():
    state = magic_table(
        camel=C, caves={"gem": [4, 2]}, spaces={"cave-gem": "A1 B9"}, tiles=["carpet", "lamp", "lamp"],
        spells=["", "", "dragons_return"],
    )  # fmt: skip
    state = at_window(state, "cave-gem")
    state, happened = play(state, (A, declare("carpet")), (C, declare("dragons_return", space="cave-gem")))
    assert only(happened, magic.CardFizzled) == [magic.CardFizzled(A, "carpet")]
    assert (state.magic.used[A], len(state.spaces["cave-gem"])) == (["carpet"], 2)


def test_it_goes_back_to_its_owner_at_the_end_of_the_round_a83():
    state = at_window(magic_table(spaces={"market": "A7"}, tiles=["carpet", "lamp", "lamp"]), "market")
    state, _ = play(state, (A, declare("carpet")))
    state, _ = MAGIC_RULES.advance(end_of_round(state)[0])
    assert (state.artifacts[A], state.spaces["market"], len(state.hands[A])) == (["carpet"], [], 8)
