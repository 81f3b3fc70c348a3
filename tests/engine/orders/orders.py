"""Orders and positions in one line each."""

from typing import Any

from engine.core import Decision
from engine.orders.model import Order, OrderDropped, OrderFired, OrderHeld, SetOrders
from engine.registry import newest
from tests.engine.aladdins_dragons.rules import MagicRules, with_orders

DRAGONS, CAVE = newest()[:2]
MAGIC = with_orders(MagicRules())
Events = list[Any]


def placing(token: int, space: str, **more: Any) -> Order:
    """Place that token there."""
    return Order(kind="place", answers=[{"type": "place", "token": token, "space": space}], **more)


def order(kind: str, *answers: dict[str, Any], **more: Any) -> Order:
    """An order of any kind."""
    return Order(kind=kind, answers=list(answers), **more)


def fact(name: str, **fields: Any) -> dict[str, Any]:
    """A condition; `how` stands for "is"."""
    return {"type": name, **{"is" if key == "how" else key: value for key, value in fields.items()}}


def others(space: str, least: int) -> dict[str, Any]:
    """At least so many tokens of others lie there."""
    return fact("others", space=space, how="at_least", value=least)


def give(rules: Any, state: Any, seat: int, *orders: Order) -> Any:
    """The state after the seat has given these orders, and no others."""
    after, events = rules.instruct(state, seat, SetOrders(list(orders)))
    assert events == []
    return after


def answer(rules: Any, state: Any, seat: int, action: dict[str, Any]) -> tuple[Any, Events]:
    """The seat answers the question that is put to it."""
    decision = next(found for found in rules.decisions(state) if found.seat == seat and found.prompted)
    return rules.apply(state, decision.id, seat, rules.parse(action))


def place(rules: Any, state: Any, seat: int, token: int, space: str) -> tuple[Any, Events]:
    """The seat places a token."""
    return answer(rules, state, seat, {"type": "place", "token": token, "space": space})


def asked(rules: Any, state: Any) -> list[Decision]:
    """Everybody who is asked something."""
    return [decision for decision in rules.decisions(state) if decision.prompted]


def fired(events: Events) -> list[OrderFired]:
    """What orders have answered."""
    return [event for event in events if isinstance(event, OrderFired)]


def held(events: Events) -> list[tuple[int, str]]:
    """Whose orders asked, and why."""
    return [(event.seat, event.why) for event in events if isinstance(event, OrderHeld)]


def dropped(events: Events) -> list[tuple[int, str]]:
    """Whose orders are gone, and why."""
    return [(event.seat, event.why) for event in events if isinstance(event, OrderDropped)]


def left(rules: Any, state: Any, seat: int) -> list[str]:
    """The ids of the orders a seat still has."""
    return [found.id for found in rules.orders(state, seat).orders]
