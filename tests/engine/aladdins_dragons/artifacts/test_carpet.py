"""Flying Carpet."""

from engine.aladdins_dragons import events
from engine.aladdins_dragons import magic_events as magic
from engine.aladdins_dragons.actions import Buy
from engine.aladdins_dragons.magic_model import Effect
from engine.aladdins_dragons.model import Market
from tests.engine.aladdins_dragons.magic_table import (
    PASS,
    asked_seats,
    at_window,
    declare,
    magic_table,
    playable,
)
from tests.engine.aladdins_dragons.table import A, B, C, only, play


def test_the_market_with_two_carpets_goes_to_who_sits_first_a75_a86():
    """Anna and David have 7 each; David brings a carpet, Anna answers with hers and is first in sequence again."""
    state = at_window(magic_table(spaces={"market": "A7 B7"}, tiles=["carpet", "carpet", "lamp"]), "market")
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
