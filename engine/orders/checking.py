"""Reads and checks orders: what cannot be meant is refused, with the number of the order and the reason."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import msgspec

from engine.core import ActionForm, Choice, Decision, IllegalAction, Question, Text
from engine.core.answers import check_answer
from engine.orders.model import (
    MOST_ANSWERS,
    MOST_BYTES,
    MOST_CONDITIONS,
    MOST_ORDERS,
    AnyVocabulary,
    Entry,
    Order,
    OrderKind,
    SeatView,
    SetOrders,
    Sheet,
)

LEAST, MOST = "at_least", "at_most"
YES = "yes"  # what is meant where a condition says nothing of it


def parse(raw: object) -> SetOrders:
    """Orders in what JSON gives: {"orders": [...]}. Raises IllegalAction, with the path."""
    try:
        return msgspec.convert({"type": "set_orders", **raw} if isinstance(raw, dict) else raw, SetOrders)
    except msgspec.ValidationError as error:
        raise IllegalAction("orders.malformed", detail=str(error)) from error


def check(vocabulary: AnyVocabulary, view: SeatView, sheet: Sheet, orders: Sequence[Order]) -> None:
    """Raises IllegalAction if these orders cannot be given. An order that is kept as it was is not judged anew."""
    if len(orders) > MOST_ORDERS:
        raise IllegalAction("orders.too-many", most=MOST_ORDERS)
    if len(msgspec.json.encode(orders)) > MOST_BYTES:
        raise IllegalAction("orders.too-large", most=MOST_BYTES)
    kept = {order.id: order for order in sheet.orders}
    ids = [order.id for order in orders if order.id]
    if len(set(ids)) != len(ids) or not set(ids) <= set(kept):
        raise IllegalAction("orders.changed")
    kinds = {kind.name: kind for kind in vocabulary.kinds(view)}
    facts = vocabulary.facts(view)
    for number, order in enumerate(orders, start=1):
        if order != kept.get(order.id):
            with _numbered_refusal(number):
                _check_order(kinds, facts, order)
    for number, order in enumerate(orders, start=1):
        if any(hides(kinds.get(order.kind), earlier, order) for earlier in orders[: number - 1]):
            raise IllegalAction("orders.never-reached", number=number)
    contradiction = vocabulary.contradiction(view, orders)
    if contradiction is not None:
        raise IllegalAction(contradiction.code, **contradiction.params)


@contextmanager
def _numbered_refusal(number: int) -> Iterator[None]:
    """Says in a refusal which order it is about."""
    try:
        yield
    except IllegalAction as error:
        if "number" in error.text.params:
            raise
        raise IllegalAction("orders.at", number=number, reason={"text": msgspec.to_builtins(error.text)}) from error


def _check_order(kinds: Mapping[str, OrderKind], facts: list[ActionForm], order: Order) -> None:
    kind = kinds.get(order.kind)
    if kind is None:
        raise IllegalAction("orders.no-kind", kind=order.kind[:40])
    if order.topic and order.topic not in {option.value for option in kind.topics}:
        raise IllegalAction("orders.no-topic", topic=order.topic[:40])
    if len(order.answers) > MOST_ANSWERS or max(len(order.conditions), len(order.stops)) > MOST_CONDITIONS:
        raise IllegalAction("orders.too-long", answers=MOST_ANSWERS, conditions=MOST_CONDITIONS)
    if kind.is_unasked and (not order.conditions or not order.answers):
        raise IllegalAction("orders.needs-condition")
    if kind.is_unasked and order.stays:
        raise IllegalAction("orders.loop")
    for answer in order.answers:
        check_entry(kind.answers, answer)
    for condition in [*order.conditions, *order.stops]:
        check_entry(facts, condition)
    if (
        (order.even_so and order.any_play)
        or is_impossible(order.conditions)
        or any(stop in order.conditions for stop in order.stops)
    ):
        raise IllegalAction("orders.contradiction")


def check_entry(forms: list[ActionForm], entry: Entry) -> None:
    """Raises IllegalAction unless the entry is exactly what one of the forms allows.

    A choice of which a game says what is meant where nothing is said may be left out.
    """
    for value in entry.values():
        if isinstance(value, Mapping) and not all(type(amount) is int for amount in value.values()):
            raise IllegalAction("orders.malformed", detail=str(dict(value))[:80])
        if isinstance(value, bool) or not isinstance(value, str | int | Mapping):
            raise IllegalAction("orders.malformed", detail=str(value)[:80])
    check_answer(Question(Decision("", 0, ""), Text(""), forms, Text("")), {**_unsaid(forms, entry), **entry})


def _unsaid(forms: Iterable[ActionForm], entry: Entry) -> Entry:
    fields = next((form.fields for form in forms if form.type == entry.get("type")), [])
    return {field.name: field.unsaid for field in fields if isinstance(field, Choice) and field.unsaid is not None}


def is_impossible(conditions: Iterable[Entry]) -> bool:
    """Do the conditions ask for more than something and for less of it, or for it and its opposite?"""
    bounds: dict[bytes, tuple[int, int]] = {}
    sides: dict[bytes, str] = {}
    for condition in conditions:
        subject = {name: value for name, value in condition.items() if name not in ("is", "value")}
        key, wanted = msgspec.json.encode(sorted(subject.items())), condition.get("is", YES)
        least, most = bounds.get(key, (-1000, 1000))
        if wanted == LEAST:
            least = max(least, condition["value"])
        elif wanted == MOST:
            most = min(most, condition["value"])
        elif sides.setdefault(key, wanted) != wanted:
            return True
        if least > most:
            return True
        bounds[key] = least, most
    return False


def hides(kind: OrderKind | None, earlier: Order, later: Order) -> bool:
    """Does the earlier order always have the word where the later one would, as long as that lives?

    An order that only asks is never used up. Of two that end on dates nobody here knows which ends first.
    """
    if earlier.kind != later.kind or earlier.conditions or earlier.topic not in ("", later.topic):
        return False
    if earlier.stays or not earlier.answers:
        return not earlier.until or (earlier.until == later.until and earlier.until != "date")
    return kind is not None and kind.is_once and _is_used_up_too_late(kind, earlier, later)


def _is_used_up_too_late(kind: OrderKind, earlier: Order, later: Order) -> bool:
    """Is there only one question for both, so that nothing is left to the later one?"""
    is_same_question = earlier.topic == later.topic and bool(earlier.topic or not kind.topics)
    return is_same_question and later.until == "round" and earlier.until in ("", "round")


def numbered(sheet: Sheet, orders: Sequence[Order]) -> list[Order]:
    """The orders with an id each: new ones get the next."""
    named = []
    for order in orders:
        sheet.last += not order.id
        named.append(order if order.id else msgspec.structs.replace(order, id=f"o{sheet.last}"))
    return named
