"""A placement that brings orders with it: one answer for this token and for those to come."""

from typing import Any

import pytest

from engine.core import IllegalAction, StaleDecision
from tests.engine.aladdins_dragons.table import SEED, A, B, C, table
from tests.engine.orders.orders import CAVE, DRAGONS, answer, asked, dropped, fired, give, left, place, placing
from tests.engine.orders.test_sheets import put


@pytest.fixture
def start() -> Any:
    """Seat A is to place."""
    return table(3, caves={"crown": [5, 3]})


def bringing(token: int, space: str, *orders: dict[str, Any]) -> dict[str, Any]:
    """Place that token there, and these are all my orders."""
    return {"type": "place", "token": token, "space": space, "orders": list(orders)}


def owned(state: Any, seat: int) -> list[tuple[int, str]]:
    """Where the seat's tokens lie."""
    return [(token.value, space) for space, row in state.spaces.items() for token in row if token.seat == seat]


def test_a_placement_and_what_comes_after_it_are_one_answer(start):
    state, events = answer(DRAGONS, start, A, bringing(9, "guard", put(5, "caravanserai"), put(2, "market")))
    assert owned(state, A) == [(9, "guard")]
    assert fired(events) == []
    for seat, space in ((B, "caravanserai"), (C, "caravanserai")):
        state, events = place(DRAGONS, state, seat, 1, space)
    assert [event.action["token"] for event in fired(events)] == [5]
    assert left(DRAGONS, state, A) == ["o2"]


def test_nobody_else_can_tell_that_orders_came_with_a_placement(start):
    plain, said = place(DRAGONS, start, A, 9, "guard")
    state, events = answer(DRAGONS, start, A, bringing(9, "guard", put(5, "caravanserai")))
    assert events == said
    for viewer in (None, B, C):
        assert DRAGONS.view(state, viewer) == DRAGONS.view(plain, viewer)
    assert DRAGONS.decisions(state) == DRAGONS.decisions(plain)


def test_orders_fill_what_is_left_of_a_turn_of_several_tokens():
    state, _ = DRAGONS.new(3, {"version": "basic", "tokens_per_turn": "4"}, SEED)
    for decision in DRAGONS.decisions(state):
        state, _ = DRAGONS.apply(state, decision.id, decision.seat, DRAGONS.default(state, decision))
    state, _ = DRAGONS.advance(state)
    (decision,) = asked(DRAGONS, state)
    first, *rest = DRAGONS.view(state, decision.seat).hand
    orders = [put(token, "caravanserai") for token in rest]
    state, events = answer(DRAGONS, state, decision.seat, bringing(first, "guard", *orders))
    assert len(fired(events)) == 3
    assert len(owned(state, decision.seat)) == 4
    assert decision.seat not in {one.seat for one in asked(DRAGONS, state)}
    assert len(left(DRAGONS, state, decision.seat)) == len(rest) - 3


@pytest.mark.parametrize(
    "orders",
    [
        [put(9, "caravanserai")],  # the token that is placed with this very answer
        [put(5, "caravanserai"), put(5, "market")],
        [put(5, "nowhere")],
        [{"kind": "dance"}],
        [put(5, "caravanserai", id="o7")],
    ],
)
def test_orders_that_cannot_be_meant_refuse_the_placement_with_them(start, orders):
    before = DRAGONS.dump(start)
    with pytest.raises(IllegalAction):
        answer(DRAGONS, start, A, bringing(9, "guard", *orders))
    assert DRAGONS.dump(start) == before


def test_an_impossible_placement_brings_no_orders(start):
    with pytest.raises(IllegalAction):
        answer(DRAGONS, start, A, bringing(9, "nowhere", put(5, "caravanserai")))
    with pytest.raises(StaleDecision):
        DRAGONS.apply(start, "r1-place-1-1", B, DRAGONS.parse(bringing(9, "guard", put(5, "caravanserai"))))


def test_all_orders_of_the_seat_are_meant(start):
    state = give(DRAGONS, start, A, placing(5, "caravanserai"), placing(2, "market"))
    kept = put(2, "market", id="o2")
    del kept["until"]
    state, _ = answer(DRAGONS, state, A, bringing(9, "guard", kept, put(4, "caravanserai")))
    assert left(DRAGONS, state, A) == ["o2", "o3"]


def test_orders_that_came_with_a_placement_end_with_their_round(start):
    start.hands = [[9], [1], [1]]
    stay = {"kind": "bribe", "answers": [{"type": "stay_out"}], "until": "round"}
    state, _ = answer(DRAGONS, start, A, bringing(9, "caravanserai", stay))
    gone = []
    while DRAGONS.view(state, None).round == start.round:
        decisions = asked(DRAGONS, state)
        if decisions:
            step = DRAGONS.apply(state, decisions[0].id, decisions[0].seat, DRAGONS.default(state, decisions[0]))
        else:
            step = DRAGONS.advance(state)
        state, events = step
        gone += dropped(events)
    assert gone == [(A, "round")]


def test_an_action_with_orders_survives_being_stored(start):
    action = DRAGONS.parse(bringing(9, "guard", put(5, "caravanserai")))
    assert DRAGONS.load_action(DRAGONS.dump_action(action)) == action


def test_only_answers_that_say_so_take_orders(start):
    (question,) = DRAGONS.questions(DRAGONS.view(start, A))
    assert [(form.type, form.takes_orders) for form in question.actions] == [("place", True)]
    state, _ = CAVE.new(3, {}, SEED)
    decision = asked(CAVE, state)[0]
    some = CAVE.dump_action(CAVE.default(state, decision)).decode()
    with pytest.raises(IllegalAction) as refused:
        CAVE.check(state, decision.id, decision.seat, CAVE.load_action(f'{some[:-1]},"orders":[]}}'.encode()))
    assert CAVE.say(refused.value.text, "en", ["A", "B", "C"])


def test_the_last_token_offers_no_rows_for_further_ones(start):
    start.hands[A] = [9]
    (question,) = DRAGONS.questions(DRAGONS.view(start, A))
    assert not any(row.kind == "place" for row in question.actions[0].rows)
    start.hands[A] = [9, 5, 2]
    (question,) = DRAGONS.questions(DRAGONS.view(start, A))
    assert [row.name for row in question.actions[0].rows if row.kind == "place"] == ["place-1", "place-2"]


def test_a_dry_run_after_an_answer_knows_that_its_token_is_placed(start):
    sheet = DRAGONS.orders(give(DRAGONS, start, A, placing(9, "caravanserai"), placing(5, "market")), A)
    view = DRAGONS.view(start, A)
    assert [found.does for found in DRAGONS.dry_run(view, sheet)] == ["fires", "fires"]
    giving = {"type": "place", "token": 9, "space": "guard"}
    assert [(found.does, found.why) for found in DRAGONS.dry_run(view, sheet, giving)] == [
        ("does not", "unfit"),
        ("does not", "earlier"),
    ]
