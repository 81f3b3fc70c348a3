"""Laying out the board, and the starting treasures."""

import pytest

from engine.aladdins_dragons import events
from engine.aladdins_dragons.actions import TakeTreasures
from engine.aladdins_dragons.facts import CAVES, DECKS, KINDS, PIECES, SPACES, rooms
from engine.aladdins_dragons.rules import AladdinsDragons
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.table import RULES, SEED, A, B, C, only, play
from tests.engine.playing import seed_of


def test_three_to_five_may_play_a1():
    assert list(RULES.seat_counts) == [3, 4, 5]
    for seats in (2, 6):
        with pytest.raises(IllegalAction):
            RULES.new(seats, {}, SEED)


def test_both_versions_are_offered_and_magic_is_the_default_a2():
    (version,) = (option for option in RULES.options if option.name == "version")
    assert [value for value, _ in version.values] == ["magic", "basic"]
    assert AladdinsDragons().new(3, {}, SEED)[0].has_magic
    assert not AladdinsDragons().new(3, {"version": "basic"}, SEED)[0].has_magic


def test_what_the_last_will_be_the_first_does_is_an_option_s3():
    for value in ("reverse", "swap19"):
        assert AladdinsDragons().new(3, {"last_first": value}, SEED)[0].magic.last_first == value
    with pytest.raises(IllegalAction):
        AladdinsDragons().new(3, {"last_first": "perhaps"}, SEED)


def test_a_random_seat_has_the_camel_and_clockwise_is_by_seat_number_a3_a4():
    camels = {RULES.new(3, {}, seed_of(number))[0].camel for number in range(30)}
    assert camels == {A, B, C}
    state, _ = RULES.new(3, {}, SEED)
    state.camel = B
    assert state.sequence() == [B, C, A]


@pytest.mark.parametrize(
    ("_case", "amounts", "is_allowed"),
    [
        ("three of one", {"gem": 3}, True),
        ("a mix", {"gem": 1, "gold": 2}, True),
        ("three kinds", {"crown": 1, "gem": 1, "gold": 1}, True),
        ("too few", {"gem": 2}, False),
        ("too many", {"gem": 4}, False),
        ("less than nothing", {"gem": 3, "crown": 1, "gold": -1}, False),
        ("no such kind", {"silver": 3}, False),
    ],
)
def test_any_three_small_treasures_to_start_with_a5(_case, amounts, is_allowed):
    state, _ = RULES.new(3, {}, SEED)
    if is_allowed:
        RULES.check(state, "start-treasures", A, TakeTreasures(amounts))
    else:
        with pytest.raises(IllegalAction):
            RULES.check(state, "start-treasures", A, TakeTreasures(amounts))


def test_all_choose_at_once_and_it_is_logged_openly_when_all_have_a6():
    state, _ = RULES.new(3, {}, SEED)
    assert [decision.seat for decision in RULES.decisions(state)] == [A, B, C]
    state, early = play(state, (C, TakeTreasures({"gem": 3})), (A, TakeTreasures({"gold": 3})))
    assert early == []
    assert sum(state.hoards[C].values()) == 0
    state, late = play(state, (B, TakeTreasures({"gem": 2, "crown": 1})))
    taken = {event.seat: event.amounts for event in only(late, events.TreasureTaken)}
    assert taken == {A: {"gold": 3}, B: {"gem": 2, "crown": 1}, C: {"gem": 3}}
    assert state.bank == {"crown": 28, "pearl": 29, "gem": 24, "trophy": 29, "gold": 26}
    assert RULES.is_advance_pending(state)


def test_zero_amounts_of_a_form_are_dropped_a5():
    action = RULES.parse({"type": "take_treasures", "amounts": {"gem": 3, "gold": 0}})
    assert action == TakeTreasures({"gem": 3})


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_six_shuffled_artifacts_lie_in_each_of_the_first_n_rooms_a7_a10(seats):
    state, _ = RULES.new(seats, {}, SEED)
    assert list(state.stacks) == list(rooms(seats)) == [f"room-{number}" for number in range(1, seats + 1)]
    assert {len(stack) for stack in state.stacks.values()} == {6}
    other, _ = RULES.new(seats, {}, seed_of(5))
    assert other.stacks != state.stacks
    assert [space for space in state.spaces if space.startswith("room-")] == list(rooms(seats))


def test_guards_are_one_to_ten_and_each_round_has_any_of_them_a12_a13():
    assert PIECES.guards == list(range(1, 11))
    seen = set()
    for number in range(120):
        state, _ = RULES.new(3, {}, seed_of(number))
        state.agenda.pop()
        state, happened = RULES.advance(state)
        seen.add(state.guard)
        assert RULES.redact(only(happened, events.GuardPosted)[0], A) == events.GuardPosted(None)
        assert RULES.view(state, A).guard is None
    assert seen == set(range(1, 11))


def test_caves_lie_in_the_order_of_the_list_and_each_holds_one_kind_a14_a52():
    assert KINDS == ("crown", "pearl", "gem", "trophy", "gold")
    assert SPACES[:5] == CAVES == ("cave-crown", "cave-pearl", "cave-gem", "cave-trophy", "cave-gold")


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_fifteen_cards_with_fewer_shelves_than_players_a49(seats):
    assert len(DECKS[seats]) == 15
    for card in DECKS[seats]:
        assert max(len(shelves) for shelves in card.caves) <= seats - 1
        assert any(not shelves for shelves in card.caves)
    totals = {sum(sum(card.caves[cave]) for card in DECKS[seats]) for cave in range(5)}
    assert len(totals) == 1, "every kind is as common as any other"


def test_the_first_round_is_laid_out_by_the_system_a15_a16():
    state, _ = RULES.new(3, {}, SEED)
    everybody = [(seat, TakeTreasures({"gem": 3})) for seat in (A, B, C)]
    state, _ = play(state, *everybody)
    state, happened = RULES.advance(state)
    assert [type(event) for event in happened] == [events.RoundBegan, events.CavesFilled, events.GuardPosted]
    assert RULES.decisions(state)[0].seat == state.camel
    assert state.round == 1


@pytest.mark.parametrize(("version", "seats"), [("magic", 3), ("magic", 4), ("basic", 4)])
def test_a_host_is_told_how_long_a_table_takes_for_every_size_that_was_simulated(version, seats):
    for placing in ("turns", "waves"):
        options = {"version": version, "tally": "plan", "placing": placing}
        found = RULES.days(seats, options, proposals=True)
        assert 0 < found.keen <= found.casual


def test_nothing_is_said_of_what_was_not_simulated():
    for proposals in (True, False):
        assert RULES.days(4, {"tally": "step"}, proposals=proposals).keen > 200
        assert RULES.days(3, {"tally": "step"}, proposals=proposals) is None
        assert RULES.days(4, {"version": "basic", "tally": "step"}, proposals=proposals) is None
    assert RULES.days(3, {"tally": "plan"}, proposals=False) is None


def test_without_proposals_it_matters_more_how_diligent_people_are():
    options = {"tally": "plan"}
    proposed, planned = (RULES.days(4, options, proposals=proposals) for proposals in (True, False))
    assert planned.casual - planned.keen > proposed.casual - proposed.keen
