"""Orders as sentences with blanks: filled in they are orders, and orders are read back into their rows."""

from contextlib import suppress
from random import Random
from typing import Any

import msgspec
import pytest

from engine.core import IllegalAction, Row
from engine.orders import rows as rows_of_orders
from engine.orders.actions import PASSING_ORDER
from engine.orders.checking import check_entry
from engine.orders.model import Order
from engine.orders.rows import change, fill, read
from tests.engine.aladdins_dragons.table import A, B
from tests.engine.orders.orders import MAGIC, fact, fired, placing
from tests.engine.orders.test_plans import READY, give_tile, placed, planned
from tests.engine.orders.test_sheets import dawn

NAMES = ["Anna", "Ben", "Carla"]
ANYHOW = {"first": "none", "next": "none", "spare": "none"}


def rows_of(state: Any, seat: int = A) -> list[Row]:
    """The rows of the sheet or plan that is asked."""
    (question,) = MAGIC.questions(MAGIC.view(state, seat))
    return question.actions[0].rows


def wealthy() -> Any:
    """A plan is asked; A has a Key, a Carpet, a Counterspell and more."""
    state = placed(spells=["charity taboo", "spy", ""])
    for tile in ("counterspell", "key"):
        give_tile(state, A, tile)
    return state


def filled(rows: list[Row], random: Random) -> dict[str, str | int]:
    """Some rows filled in at random."""
    values: dict[str, str | int] = {}
    for row in rows:
        if random.random() < 0.5:
            for blank in row.blanks:
                if blank.name not in row.optional or random.random() < 0.6:
                    values[blank.name] = random.choice(blank.options).value
    return values


def given(values: dict[str, str | int]) -> list[dict[str, Any]]:
    """What the orders of a plan are, as plain data."""
    return [{"kind": one.kind, "answers": one.answers} for one in fill(rows_of(wealthy()), values)]


def test_a_row_that_is_filled_in_is_an_order():
    rows = rows_of(dawn())
    values = {"token-1": 9, "space-1": "market", "token-2": 5, "space-2": "guard", "unless-2": 2}
    assert fill(rows, values) == [
        placing(9, "market", until="round"),
        placing(5, "guard", until="round", conditions=[fact("others", space="guard", how="at_most", value=1)]),
    ]


def test_what_holds_for_all_placements_is_in_each_of_them():
    rows = rows_of(dawn())
    values = {"token-1": 9, "space-1": "market", "watched": 2, "watch": "tent", "steady": "yes"}
    (one,) = fill(rows, values)
    assert one.stops == [fact("others", space="tent", how="at_least", value=2)]
    assert one.even_so
    assert read(rows, [one]) == (values, [])


def test_an_empty_form_is_no_order():
    assert fill(rows_of(dawn()), {}) == []


@pytest.mark.parametrize(
    ("values", "orders"),
    [
        ({"tent-rest": "default"}, [{"kind": "tent", "answers": [{"type": "default"}]}]),
        ({"bribe": 4}, [{"kind": "bribe", "answers": [{"type": "bribe_up_to", "limit": 4, **ANYHOW}]}]),
        ({"bribe-rest": "stay_out"}, [{"kind": "bribe", "answers": [{"type": "stay_out"}]}]),
        (
            {"buy-1": 9, "pay-first": "pearl", "pay-spare": "gem", "buy-rest-1": "decline"},
            [
                {
                    "kind": "buy",
                    "answers": [
                        {"type": "buy_up_to", "limit": 9, **ANYHOW, "first": "pearl", "spare": "gem"},
                        {"type": "decline"},
                    ],
                }
            ],
        ),
        ({"market": "gold"}, [{"kind": "market", "answers": [{"type": "exchange_for", "kind": "gold"}]}]),
        ({"camel": "seat-1"}, [{"kind": "camel", "answers": [{"type": "give_camel", "seat": 1}]}]),
        ({"ask-1": "market"}, [{"kind": "window", "answers": []}]),
        (
            {"where-1": "market", "play-1": "carpet", "if-1": "decides"},
            [{"kind": "window", "answers": [{"type": "card", "card": "carpet"}]}],
        ),
        (
            {"key": 5},
            [{"kind": "bribe", "answers": [{"type": "card", "card": "key"}]}],
        ),
        ({"counter-mine": "spy"}, [{"kind": "window", "answers": [{"type": "counter", "card": "spy"}]}]),
        (
            {"tent-1": "spy", "tent-2": "taboo"},
            [{"kind": "tent", "answers": [{"type": "keep_spell", "card": name} for name in ("spy", "taboo")]}],
        ),
    ],
)  # fmt: skip
def test_the_rows_of_a_plan(values, orders):
    assert given(values) == orders


@pytest.mark.parametrize(
    ("values", "missing"),
    [
        ({"where-1": "market"}, "Card"),
        ({"play-1": "carpet"}, "Space"),
        ({"where-1": "moon", "play-1": "carpet"}, "Space: “moon” cannot be chosen here."),
    ],
)
def test_a_row_filled_in_half_is_refused_in_words(values, missing):
    with pytest.raises(IllegalAction) as refused:
        fill(rows_of(wealthy()), values)
    assert missing in MAGIC.say(refused.value.text, "en", NAMES)
    assert "{" not in MAGIC.say(refused.value.text, "es", NAMES)


def test_one_line_says_with_what_every_payment_is_made():
    rows = rows_of(wealthy())
    values = {"bribe": 4, "buy-1": 9, "pay-first": "pearl", "pay-next": "gold", "pay-spare": "gem"}
    orders = fill(rows, values)
    kinds = {"first": "pearl", "next": "gold", "spare": "gem"}
    assert [order.answers for order in orders] == [
        [{"type": "bribe_up_to", "limit": 4, **kinds}],
        [{"type": "buy_up_to", "limit": 9, **kinds}],
    ]
    assert read(rows, orders) == (values, [])
    assert fill(rows, {"pay-first": "pearl"}) == []


def test_payments_that_differ_and_those_of_older_games_are_read_as_far_as_rows_can_say_them():
    """The line says one thing of all payments: what is paid otherwise is kept as it is."""
    rows = rows_of(wealthy())
    older = Order(kind="bribe", answers=[{"type": "bribe_up_to", "limit": 4, "spare": "gem"}], until="round")
    other = Order(kind="buy", topic="room-1", answers=[{"type": "buy_up_to", "limit": 9, **ANYHOW}], until="round")
    assert read(rows, [older, other]) == ({"bribe": 4, "pay-spare": "gem"}, [other])


@pytest.mark.parametrize("number", range(40))
def test_orders_are_read_back_into_the_rows_that_made_them(number):
    random = Random(number)
    rows = rows_of(wealthy() if number % 2 else dawn(spells=["charity taboo", "spy", ""]))
    values: dict[str, str | int] = {}
    orders: list[Order] = []
    for _ in range(20):  # until one is filled in that is no half
        values = filled(rows, random)
        try:
            orders = fill(rows, values)
        except IllegalAction:
            continue
        break
    again, left = read(rows, orders)
    assert left == []
    assert fill(rows, again) == orders


def test_rows_that_are_the_same_for_everybody_are_made_once_and_never_changed():
    state = wealthy()
    others = rows_of(state, B)
    shared = [row for row in rows_of(state) if any(row is other for other in others)]
    assert {row.name for row in shared} == {"bribe", "buy-1", "buy-2", "buy-3", "pay", "market", "tent", "asked"}
    before = msgspec.json.encode(shared)
    for number in range(20):
        with suppress(IllegalAction):
            orders = fill(shared, filled(shared, Random(number)))
            read(shared, orders)
            change(shared, filled(shared, Random(number + 1)), orders)
    assert msgspec.json.encode(shared) == before


def test_orders_that_no_row_can_say_are_left_as_they_are():
    rows = rows_of(dawn())
    strange = placing(9, "market", until="round", conditions=[fact("round", how="at_least", value=3)])
    plain = placing(8, "tent", until="round")
    values, left = read(rows, [strange, plain])
    assert values == {"token-1": 8, "space-1": "tent"}
    assert left == [strange]


def test_what_goes_on_passing_stays_behind_what_is_filled_in():
    passing = Order(id=PASSING_ORDER, kind="window", answers=[{"type": "pass"}], stays=True, until="round")
    made = change(rows_of(wealthy()), {"ask-1": "market"}, [passing])
    assert [order.topic for order in made] == ["market", ""]


def test_orders_that_differ_in_what_holds_for_all_are_left_as_they_are():
    rows = rows_of(dawn())
    stop = fact("others", space="tent", how="at_least", value=2)
    first, second = placing(9, "market", until="round", stops=[stop]), placing(8, "tent", until="round")
    values, left = read(rows, [first, second])
    assert values == {"token-1": 9, "space-1": "market", "watch": "tent", "watched": 2}
    assert left == [second]


def made_by(rows: list[Row], row: Row) -> list[Order]:
    """An order for each option of the row, what else it needs being chosen too."""
    required = {blank.name: blank.options[0].value for blank in row.blanks if blank.name not in row.optional}
    found = []
    for blank in row.blanks:
        for option in blank.options:
            with suppress(IllegalAction):  # a blank that means nothing without another that is optional
                found += fill(rows, {**required, blank.name: option.value})
    return found


def test_every_order_a_row_can_make_is_one_that_can_be_given():
    """Each option of each row alone passes the checks of orders."""
    for state in (dawn(), wealthy()):
        view = MAGIC.inner.view(state, A)
        kinds = {kind.name: kind for kind in MAGIC.order_kinds(view)}
        facts = MAGIC.order_facts(view)
        rows = rows_of(state)
        for row in rows:
            orders = made_by(rows, row)
            assert orders or not row.order, row.name
            for one in orders:
                kind = kinds[one.kind]
                assert one.topic in {"", *(option.value for option in kind.topics)}
                for answer in one.answers:
                    check_entry(kind.answers, answer)
                for condition in [*one.conditions, *one.stops]:
                    check_entry(facts, condition)


def test_every_sentence_names_its_blanks_and_has_words_in_each_language():
    for state in (dawn(), wealthy()):
        for language in ("en", "es"):
            for row in rows_of(state):
                sentence = MAGIC.say(row.sentence, language, NAMES)
                assert "{" not in sentence
                assert all(rows_of_orders.mark(blank.name) in sentence for blank in row.blanks), sentence
                assert row.group is not None
                assert MAGIC.say(row.group, language, NAMES)
                texts = [option.label for blank in row.blanks for option in blank.options]
                assert all(MAGIC.say(text, language, NAMES) for text in texts)


def test_a_plan_written_in_rows_flies_the_carpet_where_it_decides():
    values = {"where-1": "market", "play-1": "carpet", "if-1": "decides"}
    for strength, flies in ((6, True), (9, False), (1, False)):
        state = placed(spaces={"market": f"A4 B{strength}"}, hoards=[{"gem": 3}] * 3)
        orders = [{"kind": one.kind, "topic": one.topic, "answers": one.answers, "conditions": one.conditions,
                   "until": one.until} for one in fill(rows_of(state), values)]  # fmt: skip
        state, events = planned(state, {**READY, "orders": orders})
        assert bool(fired(events)) is flies, strength


def test_a_hand_without_cards_has_no_rows_for_them():
    state = placed(tiles=["", "lamp", "lamp"], spells=["", "", ""])
    names = {row.name for row in rows_of(state)}
    assert not {"play-1", "reply-1", "counter-mine", "key"} & names
    assert "ask-1" in names
