"""However hard a seat tries, its orders make a state only so much larger."""

from random import Random
from typing import Any

import msgspec
import pytest

from engine.core import Amounts, IllegalAction
from engine.orders.model import MOST_ANSWERS, MOST_BYTES, MOST_CONDITIONS, MOST_ORDERS, Order, SetOrders
from engine.registry import AnyRules
from tests.engine.orders.orders import CAVE, DRAGONS, MAGIC
from tests.engine.orders.test_properties import random_entry
from tests.engine.playing import one_step, seed_of

pytestmark = pytest.mark.slow
LARGEST = 64 * 1024


def fat_order(rules: AnyRules, view: Any, random: Random) -> Order:
    """An order with all that it can have, written as long as it can be."""
    kind, facts = random.choice(rules.vocabulary.kinds(view)), rules.vocabulary.facts(view)
    answers = [_padded(kind.answers, random) for _ in range(MOST_ANSWERS)]
    return Order(
        kind=kind.name,
        answers=answers,
        topic=str(random.choice(kind.topics).value) if kind.topics else "",
        conditions=[random_entry(facts, random)] * MOST_CONDITIONS,
        stays=not kind.is_unasked,
        even_so=True,
    )


def _padded(forms: list[Any], random: Random) -> dict[str, Any]:
    """An answer in which nothing is taken of what is not there."""
    entry = random_entry(forms, random)
    form = next(form for form in forms if form.type == entry["type"])
    for field in form.fields:
        if isinstance(field, Amounts):
            entry[field.name] = {**entry[field.name], **{"x" * 5000 + str(i): 0 for i in range(5)}}
    return entry


@pytest.mark.parametrize("rules", [DRAGONS, MAGIC, CAVE], ids=["dragons", "magic", "cave"])
def test_no_seat_makes_a_state_grow_with_orders_beyond_64_kb(rules: AnyRules) -> None:
    random, refused, largest = Random(5), 0, 0
    state, _ = rules.new(3, {}, seed_of(5))
    for _ in range(8):
        if rules.outcome(state) is not None:
            break
        view = rules.view(state, 0)
        for number in (1, 5, 8, 10, 12, 16, MOST_ORDERS):
            orders = [fat_order(rules, view, random) for _ in range(number)]
            try:
                state, _events = rules.instruct(state, 0, SetOrders(orders))
            except IllegalAction as error:
                refused += error.text.code == "orders.too-large"
            sheet = rules.orders(state, 0)
            largest = max(largest, len(msgspec.json.encode(sheet)))
        state = one_step(rules, state, random).after
    assert refused > 0 and largest <= LARGEST


def test_a_sheet_and_a_plan_are_kept_beside_the_orders_and_all_three_are_bounded() -> None:
    assert 3 * (MOST_BYTES + MOST_ORDERS * len('"id":"o12345",')) < LARGEST


def test_as_many_orders_as_a_seat_can_give_in_earnest_have_room() -> None:
    state, _ = DRAGONS.new(5, {}, seed_of(1))
    view, random = DRAGONS.view(state, 0), Random(1)
    kind = next(kind for kind in DRAGONS.vocabulary.kinds(view) if kind.answers and not kind.is_unasked)
    facts = DRAGONS.vocabulary.facts(view)
    orders = [
        Order(kind=kind.name, answers=[random_entry(kind.answers, random)], conditions=[random_entry(facts, random)])
        for _ in range(MOST_ORDERS)
    ]
    assert len(msgspec.json.encode(orders)) < MOST_BYTES / 2
