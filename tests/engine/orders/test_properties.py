"""What must be true of orders in any game: random orders, given at random moments of random games."""

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from engine.core import Choice, Decision, IllegalAction, Question, Text
from engine.core.answers import draw_answer
from engine.orders.answers import CommonAction
from engine.orders.model import Order, OrderFired, OrderHeld, SetOrders, Sheet
from engine.orders.running import key_of
from engine.registry import AnyRules
from tests.engine.aladdins_dragons.rules import without_orders
from tests.engine.languages import LANGUAGES
from tests.engine.orders.orders import CAVE, DRAGONS, MAGIC
from tests.engine.playing import Step, one_step, seed_of

pytestmark = pytest.mark.slow

GAMES = [
    pytest.param(DRAGONS, 3, id="dragons-3"),
    pytest.param(MAGIC, 4, id="magic-4"),
    pytest.param(CAVE, 3, id="cave-3"),
]
STEPS = 150


def random_entry(forms: list[Any], random: Random) -> dict[str, Any]:
    """One answer or condition that a form allows."""
    answer = draw_answer(Question(Decision("", 0, ""), Text(""), forms, Text("")), random)
    return dict(answer)


def random_order(rules: AnyRules, view: Any, random: Random) -> Order:
    """An order for any kind of decision, with any conditions."""
    kind = random.choice(rules.vocabulary.kinds(view))
    facts = rules.vocabulary.facts(view)
    least = 1 if kind.is_unasked else 0
    return Order(
        kind=kind.name,
        answers=[random_entry(kind.answers, random) for _ in range(random.randint(least, 3))],
        topic=str(random.choice(kind.topics).value) if kind.topics and random.random() < 0.3 else "",
        conditions=[random_entry(facts, random) for _ in range(random.choice([least, least, 1])) if facts],
        stops=[random_entry(facts, random) for _ in range(random.choice([0, 0, 0, 1])) if facts],
        stays=not kind.is_unasked and random.random() < 0.5,
        even_so=random.random() < 0.5,
        until=random.choice(["", "round"]),
    )


def instructed(rules: AnyRules, state: Any, seat: int, random: Random) -> Any:
    """The state after the seat has given some orders, or as it was if they cannot be meant together."""
    view = rules.view(state, seat)
    orders = [random_order(rules, view, random) for _ in range(random.randint(1, 6))]
    orders.sort(key=lambda one: not one.answers and not one.conditions)  # nothing is reached behind one that asks
    try:
        return rules.instruct(state, seat, SetOrders(orders))[0]
    except IllegalAction:
        return state


def walk(rules: AnyRules, seats: int, number: int) -> Iterator[Step]:
    """A game at random in which seats give orders now and then."""
    random = Random(number)
    state, _ = rules.new(seats, {}, seed_of(number))
    for _ in range(STEPS):
        if rules.outcome(state) is not None:
            return
        if random.random() < 0.3:
            state = instructed(rules, state, random.randrange(seats), random)
        step = one_step(rules, state, random)
        yield step
        state = step.after


def answered(rules: Any, step: Step) -> Any:
    """The state after the answer alone, before any order has done anything; passing for longer is a pass."""
    assert step.decision is not None
    passes = isinstance(step.action, CommonAction)
    action = without_orders(rules).parse({"type": "pass"}) if passes else step.action
    return without_orders(rules).apply(step.before, step.decision.id, step.decision.seat, action)[0]


def redacted(rules: AnyRules, events: list[Any], viewer: int | None) -> list[Any]:
    return [seen for event in events if (seen := rules.redact(event, viewer)) is not None]


@pytest.mark.parametrize(("rules", "seats"), GAMES)
def test_an_order_does_only_what_its_player_could_have_done_himself_then(rules: AnyRules, seats: int) -> None:
    """The same moves, each made by hand: a game without orders comes to the same board."""
    count = 0
    for step in walk(rules, seats, 61):
        if step.decision is None:
            by_hand, _ = without_orders(rules).advance(step.before)
        else:
            by_hand = answered(rules, step)
        for event in step.events:
            if isinstance(event, OrderFired):
                action = rules.parse(event.action)
                without_orders(rules).check(by_hand, event.decision, event.seat, action)
                by_hand, _ = without_orders(rules).apply(by_hand, event.decision, event.seat, action)
                count += 1
        by_hand.orders = step.after.orders
        assert rules.dump(by_hand) == rules.dump(step.after)
    assert count > 2


@pytest.mark.parametrize(("rules", "seats"), GAMES)
def test_in_place_orders_do_what_they_do_to_a_copy(rules: AnyRules, seats: int) -> None:
    fired = 0
    for step in walk(rules, seats, 61):
        if step.decision is not None:
            own = rules.load(rules.dump(step.before))
            found = rules.open(own, step.decision.id, step.decision.seat).apply(step.action, in_place=True)
            assert found == (step.after, step.events)
            fired += sum(isinstance(event, OrderFired) for event in step.events)
    assert fired > 0


@pytest.mark.parametrize(("rules", "seats"), GAMES)
def test_nobody_else_sees_that_or_which_orders_are_given(rules: AnyRules, seats: int) -> None:
    random, given = Random(67), 0
    for step in walk(rules, seats, 67):
        seat = random.randrange(seats)
        if rules.outcome(step.after) is not None:
            break
        after = instructed(rules, step.after, seat, random)
        given += rules.dump(after) != rules.dump(step.after)
        for viewer in (None, *range(seats)):
            assert msgspec.json.encode(rules.view(after, viewer)) == msgspec.json.encode(rules.view(step.after, viewer))
        assert rules.decisions(after) == rules.decisions(step.after)
        assert rules.is_advance_pending(after) == rules.is_advance_pending(step.after)
    assert given > 20


@pytest.mark.parametrize(("rules", "seats"), GAMES)
def test_what_happens_to_orders_is_told_to_their_seat_alone(rules: AnyRules, seats: int) -> None:
    told = 0
    for step in walk(rules, seats, 71):
        for event in step.events:
            if not type(event).__name__.startswith("Order") or type(event).__name__.startswith("Offer"):
                continue
            told += 1
            for viewer in {None, *range(seats)} - {event.seat}:
                assert rules.redact(event, viewer) is None
            assert rules.redact(event, event.seat) == event
            for language in LANGUAGES:
                assert "{" not in rules.say(event, language, ["Anna", "Ben", "Carla", "David", "Eva"])
        assert rules.load_events(rules.dump_events(step.events)) == step.events
        assert rules.dump(rules.load(rules.dump(step.after))) == rules.dump(step.after)
    assert told > 20


@pytest.mark.parametrize(("rules", "seats"), GAMES)
def test_states_with_equal_views_give_equal_refusals_and_dry_runs(rules: AnyRules, seats: int) -> None:
    random, compared = Random(73), 0
    for count, step in enumerate(walk(rules, seats, 73)):
        if count % 4 or rules.outcome(step.after) is not None:
            continue
        seat = random.randrange(seats)
        view = rules.view(step.after, seat)
        orders = SetOrders([random_order(rules, view, random) for _ in range(4)])
        other = rules.determinise(view, random)
        other.orders = step.after.orders
        results = [_given(rules, world, seat, orders) for world in (step.after, other)]
        assert results[0] == results[1]
        compared += isinstance(results[0], list)
    assert compared > 5


def _given(rules: AnyRules, state: Any, seat: int, orders: SetOrders) -> Any:
    try:
        after, _ = rules.instruct(state, seat, orders)
    except IllegalAction as refused:
        return refused.text
    return rules.dry_run(rules.view(after, seat), rules.orders(after, seat))


@pytest.mark.parametrize(("rules", "seats"), GAMES)
def test_whether_an_order_answers_depends_on_nothing_its_seat_cannot_see(rules: AnyRules, seats: int) -> None:
    """Orders of one seat in two worlds that look alike to it: they answer alike, as long as nothing is turned over."""
    random, answered = Random(79), 0
    for step in walk(rules, seats, 79):
        if step.decision is None or any("Reveal" in type(event).__name__ for event in step.events):
            continue
        seat = step.decision.seat
        twin = rules.determinise(rules.view(step.before, seat), random)
        twin.orders = [
            sheet if owner == seat else type(sheet)() for owner, sheet in enumerate(_sheets(step.before, seats))
        ]
        alone = rules.load(rules.dump(step.before))
        alone.orders = list(twin.orders)
        results = []
        for world in (alone, twin):
            after, events = rules.apply(world, step.decision.id, seat, step.action)
            if step.decision.sealed and key_of(step.decision) not in {key_of(d) for d in rules.decisions(after)}:
                results = []
                break  # a window closes in one of the worlds only: what others have answered is shown
            results.append([event for event in events if isinstance(event, OrderFired | OrderHeld)])
        if results:
            assert results[0] == results[1]
            answered += bool(results[0])
    assert answered >= (1 if rules is CAVE else 0)


def _sheets(state: Any, seats: int) -> list[Any]:

    return [Sheet() for _ in range(seats)] if state.orders is msgspec.UNSET else state.orders


@pytest.mark.parametrize(("rules", "seats"), GAMES)
def test_a_dry_run_that_is_not_open_says_what_happens_if_nothing_changes(rules: AnyRules, seats: int) -> None:
    """When a question opens, its seat's orders do what a dry run at that moment says of them."""
    seen = 0
    for step in walk(rules, seats, 83):
        fired = [event for event in step.events if isinstance(event, OrderFired)]
        if len(fired) != 1 or step.decision is None:
            continue
        by_hand = answered(rules, step)
        seat = fired[0].seat
        if seat == step.decision.seat or not any(d.id == fired[0].decision for d in rules.decisions(by_hand)):
            continue
        sheet = rules.orders(by_hand, seat)
        forecasts = rules.dry_run(rules.view(by_hand, seat), sheet)
        asked = next(d for d in rules.decisions(by_hand) if d.id == fired[0].decision and d.seat == seat)
        relevant = {order.id for order in sheet.orders if order.kind == asked.kind}
        first = [found for found in forecasts if found.does == "fires" and found.order in relevant]
        assert (first[0].order, first[0].action) == (fired[0].order, fired[0].action)
        seen += 1
    assert seen >= (0 if rules is CAVE else 2)


@pytest.mark.parametrize(("rules", "seats"), GAMES)
def test_a_game_with_orders_replays_from_its_moves(rules: AnyRules, seats: int) -> None:
    random = Random(89)
    state, _ = rules.new(seats, {}, seed_of(89))
    log: list[tuple[Any, ...]] = []
    for _ in range(STEPS):
        if rules.outcome(state) is not None:
            break
        seat = random.randrange(seats)
        try:
            move = SetOrders([random_order(rules, rules.view(state, seat), random) for _ in range(3)])
            state, _ = rules.instruct(state, seat, move)
            log.append((seat, rules.dump_orders(move)))
        except IllegalAction:
            pass
        step = one_step(rules, state, random)
        log.append((step.decision, None if step.action is None else rules.dump_action(step.action), step.events))
        state = step.after
    again, _ = rules.new(seats, {}, seed_of(89))
    for what, data, *events in log:
        again = rules.load(rules.dump(again))
        if isinstance(what, int):
            again, _ = rules.instruct(again, what, rules.load_orders(data))
        elif what is None:
            again, happened = rules.advance(again)
            assert happened == events[0]
        else:
            again, happened = rules.apply(again, what.id, what.seat, rules.load_action(data))
            assert happened == events[0]
    assert rules.dump(again) == rules.dump(state)


@pytest.mark.parametrize(("rules", "seats"), GAMES)
def test_every_kind_fact_and_option_has_words(rules: AnyRules, seats: int) -> None:
    names = ["Anna", "Ben", "Carla", "David", "Eva"][:seats]
    for count, step in enumerate(walk(rules, seats, 97)):
        if count % 20:
            continue
        view = rules.view(step.after, 0)
        kinds = rules.vocabulary.kinds(view)
        forms = [*rules.vocabulary.facts(view), *(form for kind in kinds for form in kind.answers)]
        texts = [kind.label for kind in kinds] + [option.label for kind in kinds for option in kind.topics]
        for form in forms:
            texts += [form.label, *(field.label for field in form.fields)]
            texts += [option.label for field in form.fields for option in field.options]
            assert all(field.options for field in form.fields if isinstance(field, Choice)), form
        for language in LANGUAGES:
            assert all("{" not in rules.say(text, language, names) for text in texts)
        assert rules.vocabulary.kinds(rules.view(step.after, None)) == []
