"""The lines of a form: filled in they are orders, and orders are read back into their lines."""

from random import Random
from typing import Any

import pytest

from engine.core import IllegalAction, Row
from engine.orders.answers import PASSING_ORDER
from engine.orders.checking import check_entry
from engine.orders.lines import change, fill, read, spread
from engine.orders.model import Order
from tests.engine.aladdins_dragons.rules import without_orders
from tests.engine.aladdins_dragons.table import A
from tests.engine.languages import LANGUAGES
from tests.engine.orders.orders import CAVE, DRAGONS, MAGIC, fact, fired, placing
from tests.engine.orders.test_plans import READY, give_tile, placed, planned
from tests.engine.orders.test_sheets import dawn

SEED = f"{7:064x}"
NAMES = ["Anna", "Ben", "Carla"]
ANYHOW = {"first": "none", "next": "none", "spare": "none"}


def rows_of(state: Any, seat: int = A) -> list[Row]:
    """The lines of the sheet or plan that is asked."""
    (question,) = MAGIC.questions(MAGIC.view(state, seat))
    return question.actions[0].rows


def wealthy() -> Any:
    """A plan is asked; A has a Key, a Carpet, a Counterspell and more."""
    state = placed(spells=["charity taboo", "spy", ""])
    for tile in ("counterspell", "key"):
        give_tile(state, A, tile)
    return state


def filled(rows: list[Row], random: Random) -> dict[str, str | int]:
    """Some lines filled in at random, with no token twice."""
    values: dict[str, str | int] = {}
    tokens = random.sample(range(1, 10), 9)
    for row in rows:
        if random.random() < 0.5:
            for blank in row.blanks:
                options = [one.value for one in blank.options]
                if blank.name.endswith("-token"):
                    options = [tokens.pop(next(at for at, one in enumerate(tokens) if one in options))]
                if not blank.name.endswith("-else") or random.random() < 0.6:
                    values[blank.name] = random.choice(options)
    return values


def given(values: dict[str, str | int]) -> list[dict[str, Any]]:
    """What the orders of a plan are, as plain data."""
    return [{"kind": one.kind, "answers": one.answers} for one in fill(rows_of(wealthy()), values)]


def tokens(*wanted: tuple[int, str]) -> dict[str, str | int]:
    """The lines of a sheet with these tokens on these spaces."""
    values: dict[str, str | int] = {}
    for number, (token, space) in enumerate(wanted, start=1):
        values |= {f"place-{number}-token": token, f"place-{number}-space": space}
    return values


def test_a_line_that_is_filled_in_is_an_order():
    rows = rows_of(dawn())
    assert fill(rows, tokens((9, "market"), (5, "guard"))) == [
        placing(9, "market", until="round"),
        placing(5, "guard", until="round"),
    ]


def test_what_holds_for_all_placements_is_in_each_of_them():
    rows, values = rows_of(dawn()), tokens((9, "market"), (8, "tent")) | {"place-all-even_so": "yes"}
    orders = fill(rows, values)
    assert orders == [
        placing(9, "market", until="round", even_so=True),
        placing(8, "tent", until="round", even_so=True),
    ]
    assert read(rows, orders) == (values, [])
    differing = [orders[0], placing(8, "tent", until="round")]
    assert read(rows, differing)[1] == differing[1:]
    assert fill(rows, {"place-all-even_so": "yes"}) == []


def test_an_empty_form_is_no_order():
    assert fill(rows_of(dawn()), {}) == []


@pytest.mark.parametrize(
    ("values", "orders"),
    [
        ({"tent-1-else": "default"}, [{"kind": "tent", "answers": [{"type": "default"}]}]),
        ({"tent-1-card": "spy"}, [{"kind": "tent", "answers": [{"type": "keep_spell", "card": "spy"}]}]),
        ({"bribe-1-limit": 4}, [{"kind": "bribe", "answers": [{"type": "bribe_up_to", "limit": 4, **ANYHOW}]}]),
        ({"bribe-1-else": "stay_out"}, [{"kind": "bribe", "answers": [{"type": "stay_out"}]}]),
        (
            {"room-1-limit": 9, "room-1-else": "decline"},
            [{"kind": "buy", "answers": [{"type": "buy_up_to", "limit": 9, **ANYHOW}, {"type": "decline"}]}],
        ),
        (
            {"market-1-answer": "exchange_for gold"},
            [{"kind": "market", "answers": [{"type": "exchange_for", "kind": "gold"}]}],
        ),
        ({"camel-1-answer": "give_camel 1"}, [{"kind": "camel", "answers": [{"type": "give_camel", "seat": 1}]}]),
        ({"window-1-topic": "market", "window-1-answer": "ask"}, [{"kind": "window", "answers": []}]),
        (
            {"window-1-topic": "market", "window-1-answer": "card carpet"},
            [{"kind": "window", "answers": [{"type": "card", "card": "carpet"}]}],
        ),
        ({"ask-1-answer": "default"}, [{"kind": "ask", "answers": [{"type": "default"}]}]),
    ],
)
def test_the_lines_of_a_plan(values, orders):
    assert given(values) == orders


@pytest.mark.parametrize(
    ("values", "missing"),
    [
        ({"window-1-topic": "market"}, "What"),
        ({"window-1-answer": "card carpet"}, "Where"),
        ({"tent-1-card": "moon"}, "Card: “moon” can't be chosen here."),
        ({"moon-1": "full"}, "look at them again"),
    ],
)
def test_a_line_filled_in_half_is_refused_in_words(values, missing):
    with pytest.raises(IllegalAction) as refused:
        fill(rows_of(wealthy()), values)
    assert missing in MAGIC.say(refused.value.text, "en", NAMES)
    assert "{" not in MAGIC.say(refused.value.text, "es", NAMES)


def test_an_order_of_an_older_game_is_read_and_one_that_says_more_is_left():
    """A line says nothing of what is paid with: what is paid otherwise is kept as it is."""
    rows = rows_of(wealthy())
    older = Order(kind="bribe", answers=[{"type": "bribe_up_to", "limit": 4}], until="round")
    other = Order(
        kind="buy", topic="room-1", answers=[{"type": "buy_up_to", "limit": 9, "spare": "gem"}], until="round"
    )
    assert read(rows, [older, other]) == ({"bribe-1-limit": 4}, [other])


def up_to(limit: int, *otherwise: str, topic: str = "", **more: Any) -> Order:
    """To buy up to a limit, or else to do something."""
    answers = [{"type": "buy_up_to", **ANYHOW, "limit": limit}, *({"type": one} for one in otherwise)]
    return Order(kind="buy", answers=answers, topic=topic, until="round", **more)


def test_one_number_is_an_order_to_buy_in_each_room_that_says_nothing_of_its_own():
    rows = rows_of(wealthy())
    same = fill(rows, {"buy-1-limit": 9, "buy-1-else": "decline"})
    assert same == [up_to(9, "decline", topic=room) for room in ("room-1", "room-2", "room-3")]
    values = {"buy-1-limit": 9, "room-2-limit": 12}
    other = fill(rows, values)
    assert other == [up_to(9, topic="room-1"), up_to(12, topic="room-2"), up_to(9, topic="room-3")]
    assert read(rows, other) == (values, []), "what most rooms say is the one number"
    assert read(rows, other[1:]) == ({"room-2-limit": 12, "room-3-limit": 9}, []), "in the third room one is asked"
    assert read(rows, [up_to(9, topic="room-1"), up_to(8, topic="room-2"), up_to(7, topic="room-3")])[1] == []
    assert [row.name for row in rows if row.kind == "buy" and row.is_main] == ["buy-1"]


def test_a_room_that_is_sold_out_is_none_of_those():
    state = wealthy()
    state.stacks["room-2"], state.magic.known["room-2"] = [], []
    state.magic.offers.remove("room-2")
    rows = rows_of(state)
    orders = fill(rows, {"buy-1-limit": 9})
    assert [order.topic for order in orders] == ["room-1", "room-3"]
    assert read(rows, orders) == ({"buy-1-limit": 9}, [])


def test_an_order_in_words_that_names_no_room_speaks_for_all_that_no_other_names():
    kinds = MAGIC.vocabulary.kinds(MAGIC.view(wealthy(), A))
    found = spread(kinds, [up_to(9), up_to(12, topic="room-2")])
    assert found == [up_to(9, topic="room-1"), up_to(9, topic="room-3"), up_to(12, topic="room-2")]
    for alone in (up_to(9, stays=True), Order(kind="buy", until="round"), Order(kind="bribe", until="round")):
        assert spread(kinds, [alone]) == [alone]


@pytest.mark.parametrize("number", range(40))
def test_orders_are_read_back_into_the_lines_that_made_them(number):
    random = Random(number)
    rows = rows_of(wealthy() if number % 2 else dawn(spells=["charity taboo", "spy", ""]))
    orders = fill(rows, filled(rows, random))
    again, left = read(rows, orders)
    assert left == []
    assert fill(rows, again) == orders


@pytest.mark.parametrize(
    "said",
    [
        {"conditions": [fact("round", how="at_least", value=3)]},
        {"stops": [fact("round", how="at_least", value=3)]},
        {"any_play": True},
        {"stays": True},
        {"until": ""},
    ],
)
def test_orders_that_no_line_can_say_are_left_as_they_are(said):
    rows = rows_of(dawn())
    strange = placing(9, "market", **({"until": "round"} | said))
    values, left = read(rows, [strange, placing(8, "tent", until="round")])
    assert values == tokens((8, "tent"))
    assert left == [strange]
    assert change(rows, tokens((7, "tent")), [strange]) == [strange, placing(7, "tent", until="round")]


def test_an_order_that_is_given_again_keeps_its_id_and_its_place():
    rows = rows_of(dawn())
    orders = [placing(9, "market", until="round", id="o1"), placing(8, "tent", until="round", id="o2")]
    assert change(rows, tokens((9, "market"), (8, "tent")), orders) == orders
    assert [one.id for one in change(rows, tokens((8, "tent"), (7, "guard")), orders)] == ["o2", ""]


def test_what_goes_on_passing_stays_behind_what_is_filled_in():
    passing = Order(id=PASSING_ORDER, kind="window", answers=[{"type": "pass"}], stays=True, until="round")
    made = change(rows_of(wealthy()), {"window-1-topic": "market", "window-1-answer": "ask"}, [passing])
    assert [order.topic for order in made] == ["market", ""]


def made_by(rows: list[Row], row: Row) -> list[Order]:
    """An order for each option of the line, what else it needs being chosen too."""
    required = {blank.name: blank.options[0].value for blank in row.blanks if not blank.name.endswith("-else")}
    found = []
    for blank in row.blanks:
        for option in blank.options:
            found += fill(rows, {**required, blank.name: option.value})
    return found


def test_every_order_a_line_can_make_is_one_that_can_be_given():
    """Each option of each line alone passes the checks of orders."""
    for state in (dawn(), wealthy()):
        view = without_orders(MAGIC).view(state, A)
        kinds = {kind.name: kind for kind in MAGIC.vocabulary.kinds(view)}
        rows = rows_of(state)
        for row in rows:
            orders = made_by(rows, row)
            assert orders or row.name == "place-all", row.name
            for one in orders:
                kind = kinds[one.kind]
                assert one.topic in {"", *(option.value for option in kind.topics)}
                for answer in one.answers:
                    check_entry(kind.answers, answer)


def test_every_line_has_words_in_each_language():
    for state in (dawn(), wealthy()):
        for language in LANGUAGES:
            for row in rows_of(state):
                texts = [option.label for blank in row.blanks for option in blank.options]
                labels = [blank.label for blank in row.blanks]
                for text in [row.group, *texts, *labels, *filter(None, (row.label, row.place))]:
                    words = MAGIC.say(text, language, NAMES)
                    assert words and "{" not in words


def test_a_placement_offers_lines_for_what_follows_it_where_nothing_is_planned():
    state, _events = DRAGONS.new(3, {"version": "basic", "tally": "step"}, SEED)
    while not (asked := [one for one in DRAGONS.decisions(state) if one.kind == "place"]):
        first = next((one for one in DRAGONS.decisions(state) if one.prompted), None)
        if first is None:
            state, _events = DRAGONS.advance(state)
        else:
            state, _events = DRAGONS.apply(state, first.id, first.seat, DRAGONS.default(state, first))
    (question,) = DRAGONS.questions(DRAGONS.view(state, asked[0].seat))
    assert {row.kind for row in question.actions[0].rows} == {"place", "market", "camel", "bribe", "buy"}


def test_a_game_in_which_no_answer_brings_orders_has_no_lines():
    state, _events = CAVE.new(3, {}, SEED)
    asked = next(one for one in CAVE.decisions(state) if one.prompted)
    questions = CAVE.questions(CAVE.view(state, asked.seat))
    assert not any(form.rows for question in questions for form in question.actions)


def test_a_plan_flies_the_carpet_where_it_decides():
    """An order that no line can say: not first there, but first with three more."""
    where = {"type": "first", "space": "here"}
    order = {"kind": "window", "topic": "market", "answers": [{"type": "card", "card": "carpet"}], "until": "round"}
    order["conditions"] = [{**where, "is": "no"}, {**where, "plus": 3}]
    for strength, flies in ((6, True), (9, False), (1, False)):
        state = placed(spaces={"market": f"A4 B{strength}"}, hoards=[{"gem": 3}] * 3)
        state, events = planned(state, {**READY, "orders": [order]})
        assert bool(fired(events)) is flies, strength
