"""Standing orders in scenarios."""

from typing import Any

import pytest

from engine.aladdins_dragons import model
from engine.core import IllegalAction
from engine.orders import checking
from engine.orders.model import CancelOrders, Order, SetOrders
from tests.engine.aladdins_dragons.magic_table import magic_table
from tests.engine.aladdins_dragons.table import A, B, C, table
from tests.engine.orders.orders import (
    DRAGONS,
    MAGIC,
    answer,
    asked,
    dropped,
    fact,
    fired,
    give,
    held,
    left,
    order,
    others,
    place,
    placing,
)

CAVES = {"crown": [5, 3], "gem": [4]}


@pytest.fixture
def start() -> Any:
    """Seat A is to place."""
    return table(3, caves=CAVES)


def test_an_order_answers_the_moment_its_question_opens(start):
    state = give(DRAGONS, start, B, placing(9, "cave-crown"))
    state, events = place(DRAGONS, state, A, 5, "market")
    assert [token.value for token in state.spaces["cave-crown"]] == [9]
    assert [event.action for event in fired(events)] == [{"type": "place", "token": 9, "space": "cave-crown"}]
    assert asked(DRAGONS, state)[0].seat == C
    assert left(DRAGONS, state, B) == []


def test_orders_answer_in_the_order_in_which_they_stand(start):
    state = give(DRAGONS, start, B, placing(9, "cave-crown"), placing(5, "guard"), placing(2, "market"))
    for token in (1, 2, 4):
        state, _ = place(DRAGONS, state, A, token, "caravanserai")
        state, _ = place(DRAGONS, state, C, token, "caravanserai")
    found = {space: [token.value for token in row if token.seat == B] for space, row in state.spaces.items()}
    assert (found["cave-crown"], found["guard"], found["market"]) == ([9], [5], [2])


def test_a_whole_circle_of_orders_runs_through_to_the_next_person(start):
    state = give(DRAGONS, start, B, placing(9, "guard"))
    state = give(DRAGONS, state, C, placing(8, "guard"))
    state, events = place(DRAGONS, state, A, 5, "market")
    assert [event.seat for event in fired(events)] == [B, C]
    assert asked(DRAGONS, state)[0].id == "r1-place-0-2"


def test_giving_orders_answers_nothing_that_is_open_already(start):
    state = give(DRAGONS, start, A, placing(9, "guard"))
    assert asked(DRAGONS, state)[0].seat == A
    assert state.spaces["guard"] == []


def test_an_order_whose_condition_does_not_hold_is_passed_over_and_kept(start):
    first = placing(9, "cave-crown", conditions=[others("cave-crown", 1)])
    state = give(DRAGONS, start, B, first, placing(2, "market"))
    state, _ = place(DRAGONS, state, A, 5, "guard")
    assert [token.value for token in state.spaces["market"]] == [2]
    assert left(DRAGONS, state, B) == ["o1"]


def test_stop_and_ask_me_leaves_the_question_to_its_player(start):
    state = give(DRAGONS, start, B, placing(9, "cave-crown", stops=[others("market", 1)]))
    state, events = place(DRAGONS, state, A, 5, "market")
    assert held(events) == [(B, "stopped")]
    assert asked(DRAGONS, state)[0].seat == B
    assert left(DRAGONS, state, B) == ["o1"]


def test_an_order_that_no_longer_fits_asks_and_nothing_behind_it_acts_in_its_place(start):
    state = give(DRAGONS, start, B, placing(9, "cave-pearl"), placing(2, "market"))  # no treasure there (A25)
    state, events = place(DRAGONS, state, A, 5, "guard")
    assert dropped(events) == [(B, "unfit")]
    assert asked(DRAGONS, state)[0].seat == B
    assert left(DRAGONS, state, B) == ["o2"]


def test_the_first_of_several_answers_that_is_possible_is_given(start):
    wishes = [{"type": "place", "token": 9, "space": space} for space in ("cave-pearl", "cave-gem", "guard")]
    state = give(DRAGONS, start, B, order("place", *wishes))
    state, _ = place(DRAGONS, state, A, 5, "guard")
    assert [token.value for token in state.spaces["cave-gem"]] == [9]


def test_an_order_without_an_answer_asks(start):
    state = give(DRAGONS, start, B, order("place", conditions=[others("guard", 1)]), placing(9, "guard"))
    state, events = place(DRAGONS, state, A, 5, "guard")
    assert held(events) == [(B, "told")]
    assert asked(DRAGONS, state)[0].seat == B


def test_what_a_seat_cannot_see_is_asked_and_not_guessed(start):
    first = fact("first", space="guard", plus=0, how="yes")
    state = give(DRAGONS, start, B, placing(9, "guard", conditions=[fact("guard", how="at_most", value=5)]))
    state, events = place(DRAGONS, state, A, 5, "guard")
    assert held(events) == [(B, "unknown")]
    state = give(DRAGONS, start, B, placing(9, "guard"), placing(1, "market", conditions=[first]))
    state, _ = place(DRAGONS, state, A, 5, "guard")
    assert [token.value for token in state.spaces["guard"]] == [5, 9]
    state, _ = place(DRAGONS, state, C, 5, "market")
    state, _ = place(DRAGONS, state, A, 8, "market")
    assert asked(DRAGONS, state)[0].seat == B, "9 beats one hidden token of 1 to 8, and may tie with a 9"


def test_an_order_for_this_round_ends_with_it(start):
    keep = order("market", {"type": "keep"}, stays=True, until="round")
    state = give(DRAGONS, start, B, keep, order("camel", {"type": "leave_camel"}))
    state.agenda = [model.RoundEnd(), model.Boundary("placing")]
    state, _ = DRAGONS.advance(state)
    state, events = DRAGONS.advance(state)
    assert dropped(events) == [(B, "round")]
    assert left(DRAGONS, state, B) == ["o2"]


def test_an_order_that_stays_answers_again(start):
    low = order("place", {"type": "place_low", "space": "guard"}, stays=True)
    state = give(DRAGONS, start, B, low)
    for token in (1, 2):
        state, _ = place(DRAGONS, state, A, token, "market")
        state, _ = place(DRAGONS, state, C, token, "market")
    assert [token.value for token in state.spaces["guard"]] == [1, 2]
    assert left(DRAGONS, state, B) == ["o1"]


def test_the_service_ends_an_order_by_a_move_and_its_seat_is_told(start):
    state = give(DRAGONS, start, B, placing(9, "guard"), placing(8, "guard"))
    state, events = DRAGONS.instruct(state, B, CancelOrders(["o1"], "date"))
    assert dropped(events) == [(B, "date")]
    assert left(DRAGONS, state, B) == ["o2"]


def test_orders_end_with_the_seat(start):
    state = give(DRAGONS, start, B, placing(9, "guard"))
    state, _ = DRAGONS.resign(state, B)
    assert left(DRAGONS, state, B) == []


# Declarations


def magic_start(**position: Any) -> Any:
    """Seat A is to place; B holds Taboo! and a lamp, C nothing but his lamp."""
    return magic_table(3, caves=CAVES, spells=["", "taboo", "spy"], **position)


TABOO = {"type": "play_taboo", "space": "cave-crown"}


def declare(seat: int, state: Any, action: dict[str, Any]) -> tuple[Any, list[Any]]:
    decision = next(d for d in MAGIC.decisions(state) if d.seat == seat and d.kind == "declare")
    return MAGIC.apply(state, decision.id, seat, MAGIC.parse(action))


def close_window(state: Any) -> tuple[Any, list[Any]]:
    events: list[Any] = []
    while asked(MAGIC, state)[0].kind == "window":
        state, more = answer(MAGIC, state, asked(MAGIC, state)[0].seat, {"type": "pass"})
        events += more
    return state, events


def test_when_somebody_enters_a_cave_a_declaration_acts_unasked():
    state = give(MAGIC, magic_start(), B, order("declare", TABOO, conditions=[others("cave-crown", 1)]))
    state, events = place(MAGIC, state, A, 5, "cave-crown")
    assert [event.action for event in fired(events)] == [TABOO]
    assert {decision.kind for decision in asked(MAGIC, state)} == {"window"}
    state, _ = close_window(state)
    assert [effect.space for effect in state.magic.effects] == ["cave-crown"]
    assert left(MAGIC, state, B) == [], "it acts once"


def test_a_shown_play_suspends_the_orders_of_the_others_until_they_answer():
    state = give(MAGIC, magic_start(), B, placing(9, "guard"), placing(8, "guard"))
    state, _ = declare(C, state, {"type": "play_spy"})
    state, _ = close_window(state)
    state, _ = place(MAGIC, state, A, 5, "market")
    if asked(MAGIC, state)[0].seat == B:  # B has answered the window, so he has seen it
        pytest.fail("an answer lifts the suspension")
    assert [token.value for token in state.spaces["guard"]] == [9]


def test_a_player_who_was_not_asked_since_is_asked_before_his_order_acts():
    state = magic_table(3, caves=CAVES, tiles=["lamp", "", "lamp"], spells=["", "", "spy"])
    state = give(MAGIC, state, B, placing(9, "guard"), placing(8, "guard", even_so=True))
    state, _ = declare(C, state, {"type": "play_spy"})
    state, _ = close_window(state)
    state, events = place(MAGIC, state, A, 5, "market")
    assert held(events) == [(B, "suspended")]
    assert asked(MAGIC, state)[0].seat == B


def test_even_so_is_not_suspended():
    state = magic_table(3, caves=CAVES, tiles=["lamp", "", "lamp"], spells=["", "", "spy"])
    state = give(MAGIC, state, B, placing(9, "guard", even_so=True))
    state, _ = declare(C, state, {"type": "play_spy"})
    state, _ = close_window(state)
    state, events = place(MAGIC, state, A, 5, "market")
    assert [event.seat for event in fired(events)] == [B]


def test_counter_it_if_it_hits_me():
    counter = order("window", {"type": "counter", "card": "any-spell"}, conditions=[fact("hits", card="any")])
    state = magic_start(tiles=["counterspell", "lamp", "lamp"], spaces={"cave-crown": "A9"})
    state = give(MAGIC, state, A, counter)
    state, events = declare(B, state, TABOO)
    assert [event.seat for event in fired(events)] == [A]
    state, events = close_window(state)
    assert any(type(event).__name__ == "CardStruck" for event in events)


# What is refused where it is typed


@pytest.mark.parametrize(
    "bad",
    [
        Order(kind="dance"),
        placing(12, "guard"),
        placing(9, "moon"),
        order("place", {"type": "place", "token": 9}),
        order("place", {"type": "dance"}),
        placing(9, "guard", topic="room-1"),
        placing(9, "guard", conditions=[fact("weather")]),
        placing(9, "guard", conditions=[fact("others", space="guard", how="at_least", value=99)]),
        placing(9, "guard", conditions=[fact("round", how="at_least", value=[])]),
        placing(9, "guard", conditions=[others("guard", 1)] * 9),
        order("place", *[{"type": "place_low", "space": "guard"}] * 9),
        placing(9, "guard", conditions=[others("guard", 3), fact("others", space="guard", how="at_most", value=2)]),
        placing(9, "guard", conditions=[others("guard", 3)], stops=[others("guard", 3)]),
        placing(9, "guard", conditions=[fact("first", space="market"), fact("first", space="market", how="no")]),
        order("bribe", {"type": "bribe_up_to", "limit": 0, "spare": "none"}),
        order("market", {"type": "exchange", "give": "gem", "take": {"gold": 2}}),
        order("market", {"type": "exchange", "give": "gem", "take": {"gold": -1, "gem": 4}}),
        order("market", {"type": "exchange", "give": "gem", "take": {"gold": "3"}}),
    ],
)
def test_an_order_that_cannot_be_meant_is_refused_with_its_number_and_changes_nothing(start, bad):
    before = DRAGONS.dump(start)
    with pytest.raises(IllegalAction) as refused:
        DRAGONS.instruct(start, B, SetOrders([placing(1, "guard"), bad]))
    assert refused.value.text.code == "orders.at"
    assert refused.value.text.params["number"] == 2
    assert DRAGONS.say(refused.value.text, "en", ["Anna", "Ben", "Carla"]).startswith("Order 2: ")
    assert DRAGONS.dump(start) == before


def test_a_token_that_lies_on_the_board_already_cannot_be_ordered(start):
    state, _ = place(DRAGONS, start, A, 5, "market")
    with pytest.raises(IllegalAction):
        give(DRAGONS, state, A, placing(5, "guard"))


def test_two_unconditional_orders_for_one_token_contradict_each_other(start):
    with pytest.raises(IllegalAction) as refused:
        give(DRAGONS, start, B, placing(9, "guard"), placing(9, "market"))
    assert refused.value.text.params == {"first": 1, "second": 2}


def test_an_order_behind_one_that_always_answers_is_refused(start):
    low = order("place", {"type": "place_low", "space": "guard"}, stays=True)
    with pytest.raises(IllegalAction) as refused:
        give(DRAGONS, start, B, low, placing(9, "market"))
    assert refused.value.text.code == "orders.never-reached"


def test_an_order_behind_one_that_always_asks_is_refused(start):
    with pytest.raises(IllegalAction) as refused:
        give(DRAGONS, start, B, order("market"), order("market", {"type": "keep"}))
    assert refused.value.text.code == "orders.never-reached"


def test_of_two_orders_for_what_is_asked_once_a_round_the_second_is_refused(start):
    low, high = ({"type": "buy_up_to", "limit": limit, "spare": "none"} for limit in (1, 2))
    keep, exchange = {"type": "keep"}, {"type": "exchange", "give": "gem", "take": {"gold": 3}}
    room = "room-1"
    for until in ("", "round"):
        first = order("market", keep, until=until)
        with pytest.raises(IllegalAction) as refused:
            give(DRAGONS, start, B, first, order("market", exchange, until="round"))
        assert (refused.value.text.code, refused.value.text.params) == ("orders.never-reached", {"number": 2})
        give(DRAGONS, start, B, first, order("market", exchange))  # the next round's
        dear = order("buy", high, topic=room, until="round")
        with pytest.raises(IllegalAction):
            give(DRAGONS, start, B, order("buy", low, topic=room, until=until), dear)
    give(DRAGONS, start, B, order("buy", low, topic=room), order("buy", high, topic="room-2", until="round"))
    give(DRAGONS, start, B, order("buy", low, until="round"), order("buy", high, until="round"))  # in two rooms
    give(DRAGONS, start, B, *[order("bribe", {"type": "bribe_up_to", "limit": 2, "spare": "none"}, until="round")] * 2)
    some = order("market", keep, conditions=[others("market", 1)], until="round")
    give(DRAGONS, start, B, some, order("market", exchange, until="round"))


def test_an_order_that_outlives_the_one_before_it_is_reached(start):
    keep = {"type": "keep"}
    for until in ("", "return", "date"):
        give(DRAGONS, start, B, order("market", keep, stays=True, until="round"), order("market", keep, until=until))
    give(DRAGONS, start, B, *[order("market", keep, stays=True, until="date")] * 2)
    for until in ("", "round"):
        with pytest.raises(IllegalAction):
            give(DRAGONS, start, B, order("market", keep, stays=True), order("market", keep, until=until))


def test_something_unasked_needs_a_condition_and_cannot_loop():
    for bad in (order("declare", TABOO), order("declare", TABOO, conditions=[others("guard", 1)], stays=True)):
        with pytest.raises(IllegalAction):
            give(MAGIC, magic_start(), B, bad)


def test_there_is_a_bound_and_orders_of_an_old_page_are_refused(start):
    with pytest.raises(IllegalAction):
        give(DRAGONS, start, B, *[order("market", {"type": "keep"})] * 41)
    with pytest.raises(IllegalAction):
        give(DRAGONS, start, B, placing(9, "guard", id="o7"))


def test_an_order_that_is_kept_as_it_was_is_not_judged_anew(start):
    state = give(DRAGONS, start, B, placing(9, "market", conditions=[others("guard", 5)]), placing(9, "guard"))
    state, _ = place(DRAGONS, state, A, 5, "market")
    kept = DRAGONS.orders(state, B).orders
    assert [found.id for found in kept] == ["o1"], "its token lies at the guard now"
    assert left(DRAGONS, give(DRAGONS, state, B, *kept, placing(8, "guard")), B) == ["o1", "o3"]


@pytest.mark.parametrize("raw", [None, 5, {}, {"orders": 5}, {"orders": [{"kind": 5}]}, {"orders": [], "more": 1}])
def test_what_is_no_list_of_orders_is_not_parsed(raw):
    if raw == {}:
        assert checking.parse(raw) == SetOrders()
        return
    with pytest.raises(IllegalAction) as refused:
        checking.parse(raw)
    assert DRAGONS.say(refused.value.text, "en", [])
