"""Standing orders for what is asked after the placing: bribes, purchases, the tent, the camel, the market, Aladdin."""

import pytest

from engine.core import IllegalAction
from tests.engine.aladdins_dragons.magic_table import magic_table
from tests.engine.aladdins_dragons.table import A, B, table
from tests.engine.orders.orders import CAVE, DRAGONS, MAGIC, answer, asked, dropped, fired, give, order

CAVES = {"crown": [5, 3], "gem": [4]}


def test_bribe_up_to_a_limit_and_buy_up_to_a_price():
    state = table(3, spaces={"guard": "A2", "room-1": "A4 A1"}, hoards=[{"gem": 4, "gold": 9}], guard=5)
    bribe = order("bribe", {"type": "bribe_up_to", "limit": 3, "spare": "gold"})
    buy = order("buy", {"type": "buy_up_to", "limit": 5, "spare": "none"}, topic="room-1")
    state.agenda.pop()
    state, events = DRAGONS.advance(give(DRAGONS, state, A, bribe, buy))
    assert [event.action for event in fired(events)] == [
        {"type": "bribe", "pay": {"gem": 3}},
        {"type": "buy", "pay_4": "gold", "pay_1": "gem"},
    ]


@pytest.mark.parametrize(
    ("wish", "paid"),
    [
        ({}, {"gold": 2, "gem": 1}),
        ({"spare": "gold"}, {"gem": 2, "pearl": 1}),
        ({"first": "pearl", "spare": "gem"}, {"pearl": 1, "gold": 2}),
        ({"first": "pearl", "next": "gem"}, {"pearl": 1, "gem": 2}),
        ({"first": "gem", "spare": "gold"}, {"gem": 2, "pearl": 1}),
        ({"first": "trophy"}, {"gold": 2, "gem": 1}),
    ],
)
def test_a_bribe_is_paid_with_the_kinds_in_their_order_of_preference(wish, paid):
    """What is not said is left to what there is most of; whatever is said, the bribe is paid in full."""
    state = table(3, spaces={"guard": "A2"}, hoards=[{"pearl": 1, "gem": 2, "gold": 9}], guard=5)
    state.agenda.pop()
    bribe = order("bribe", {"type": "bribe_up_to", "limit": 3, **wish})
    _state, events = DRAGONS.advance(give(DRAGONS, state, A, bribe))
    assert [event.action for event in fired(events)] == [{"type": "bribe", "pay": paid}]


@pytest.mark.parametrize(
    ("wish", "paid"),
    [
        ({}, {"pay_4": "gold", "pay_1": "gem"}),
        ({"first": "gem"}, {"pay_4": "gem", "pay_1": "crown"}),
        ({"first": "gem", "next": "gold"}, {"pay_4": "gem", "pay_1": "gold"}),
        ({"first": "crown", "spare": "gold"}, {"pay_4": "gem", "pay_1": "crown"}),
        ({"first": "gem", "spare": "gem"}, None),
        ({"first": "gem", "next": "gem"}, None),
    ],
)
def test_an_artifact_is_paid_with_the_kinds_in_their_order_of_preference(wish, paid):
    hoards = [{"crown": 2, "gem": 5, "gold": 9}]
    state = table(3, spaces={"guard": "A7", "room-1": "A4 A1"}, hoards=hoards, guard=5)
    state.agenda.pop()
    buy = order("buy", {"type": "buy_up_to", "limit": 5, **wish}, topic="room-1")
    if paid is None:
        with pytest.raises(IllegalAction) as refused:
            give(DRAGONS, state, A, buy)
        assert (refused.value.text.code, refused.value.text.params) == ("order-kind-twice", {"number": 1})
        return
    _state, events = DRAGONS.advance(give(DRAGONS, state, A, buy))
    assert [event.action for event in fired(events)] == [{"type": "buy", **paid}]


def test_what_costs_more_than_the_limit_asks():
    state = table(3, spaces={"guard": "A1"}, hoards=[{"gem": 9}], guard=5)
    state.agenda.pop()
    bribe = order("bribe", {"type": "bribe_up_to", "limit": 3, "spare": "none"})
    state, events = DRAGONS.advance(give(DRAGONS, state, A, bribe))
    assert dropped(events) == [(A, "unfit")]
    assert asked(DRAGONS, state)[0].kind == "bribe"


def test_an_order_for_the_tent_may_end_in_what_the_deadline_would_do():
    state = magic_table(spaces={"tent": "A7"}, spells=["charity"])
    keep = order("tent", {"type": "keep_spell", "card": "charity"}, {"type": "default"})  # a card that is in his hand
    state = give(MAGIC, state, A, keep)
    state.agenda.pop()
    state, events = MAGIC.advance(state)
    while not fired(events):
        state, events = answer(MAGIC, state, asked(MAGIC, state)[0].seat, {"type": "pass"})
    (done,) = fired(events)
    assert done.decision == "r1-tent"
    assert done.action["card"] in state.magic.spells[A]


def test_an_order_for_a_room_answers_in_that_room_only():
    state = table(3, spaces={"guard": "A9", "room-1": "A1", "room-2": "A2"}, hoards=[{"gem": 9}], guard=5)
    buy = {"type": "buy_up_to", "limit": 9, "spare": "none"}
    state = give(DRAGONS, state, A, order("buy", buy, topic="room-2"))
    state.agenda.pop()
    state, events = DRAGONS.advance(state)
    assert not fired(events)
    state, events = answer(DRAGONS, state, A, {"type": "decline"})
    assert [event.decision for event in fired(events)] == ["r1-room-2-buy"]


def test_the_camel_and_the_market_are_answered_in_advance():
    state = table(3, spaces={"market": "A9", "caravanserai": "A8"}, hoards=[{"gem": 2}], caves=CAVES)
    exchange = order("market", {"type": "exchange_for", "kind": "gold"})
    state = give(DRAGONS, state, A, exchange, order("camel", {"type": "give_camel", "seat": B}))
    state.agenda.pop()
    state, events = DRAGONS.advance(state)
    assert [event.action for event in fired(events)] == [
        {"type": "exchange", "give": "gem", "take": {"gold": 3}},
        {"type": "give_camel", "seat": B},
    ]


def test_aladdin_goes_where_the_order_wishes():
    state, _ = CAVE.new(2, {}, "5eed" * 16)
    seat = asked(CAVE, state)[0].seat
    other = 1 - seat
    kinds = ["move", "carpet"]
    orders = [order(kind, {"type": "take_best"}, stays=True) for kind in kinds]
    state = give(CAVE, state, other, *orders, order("genie", {"type": "best_square"}, stays=True))
    while not CAVE.is_advance_pending(state):
        decision = asked(CAVE, state)[0]
        state, _ = CAVE.apply(state, decision.id, decision.seat, CAVE.default(state, decision))
    state, events = CAVE.advance(state)
    assert not asked(CAVE, state), "the whole turn has run by itself"
    assert all(event.seat == other for event in fired(events))
