"""What must be true of tables that plan: sheets and plans written at random, row by row, in games at random."""

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from engine.core import IllegalAction
from engine.orders.answers import GATHERINGS
from engine.orders.lines import fill
from engine.orders.model import OrderFired, SetOrders
from engine.registry import AnyRules
from tests.engine.aladdins_dragons.rules import BasicRules, DealtRules, with_orders, without_orders
from tests.engine.languages import LANGUAGES
from tests.engine.orders.test_lines import filled
from tests.engine.playing import Step, one_step, question_of, seed_of

pytestmark = pytest.mark.slow

MAGIC = with_orders(DealtRules())
BASIC = with_orders(BasicRules())
WAVES = {"tally": "plan", "placing": "waves", "tokens_per_turn": "2"}
GAMES = [
    pytest.param(MAGIC, 3, {"tally": "plan"}, id="magic-3"),
    pytest.param(MAGIC, 3, WAVES, id="magic-waves-3"),
    pytest.param(BASIC, 3, {"tally": "plan"}, id="basic-3"),
]
ROUNDS = 2


def written(rules: Any, state: Any, decision: Any, random: Random) -> Any:
    """An answer to a sheet or a plan with rows filled in at random, if that can be meant."""
    question = question_of(rules, state, decision)
    action = rules.sample(question, random)
    rows = question.actions[0].rows
    if action.type != question.actions[0].type:
        return action
    for _ in range(5):
        values = filled(rows, random)
        try:
            with_orders_of_rows = msgspec.structs.replace(action, orders=fill(rows, values))
            rules.check(state, decision.id, decision.seat, with_orders_of_rows)
        except IllegalAction:
            continue
        return with_orders_of_rows
    return action


def step_of(rules: Any, state: Any, random: Random) -> Step:
    """The next step of a game in which sheets and plans are written."""
    gathered = [one for one in rules.decisions(state) if one.prompted and one.kind in GATHERINGS]
    if not gathered:
        return one_step(rules, state, random)
    decision = random.choice(gathered)
    action = written(rules, state, decision, random)
    return Step(state, decision, action, *rules.apply(state, decision.id, decision.seat, action))


def walk(rules: AnyRules, seats: int, options: dict[str, str], number: int) -> Iterator[Step]:
    """Some rounds of a game at random."""
    random = Random(number)
    state, _ = rules.new(seats, options, seed_of(number))
    while state.round <= ROUNDS:
        step = step_of(rules, state, random)
        yield step
        state = step.after


@pytest.mark.parametrize(("rules", "seats", "options"), GAMES)
def test_sheets_and_plans_do_only_what_their_players_could_have_done_themselves(rules, seats, options):
    """Across each boundary and each answer: every order's answer, given by hand, comes to the same board."""
    count = 0
    for step in walk(rules, seats, options, 5):
        if step.decision is not None and step.decision.kind in GATHERINGS:
            assert step.events == []
            continue
        if step.decision is not None:
            continue
        by_hand, _ = without_orders(rules).advance(step.before)
        for event in step.events:
            if isinstance(event, OrderFired):
                by_hand = passed_until(rules, by_hand, event)
                action = without_orders(rules).parse(event.action)
                without_orders(rules).check(by_hand, event.decision, event.seat, action)
                by_hand, _ = without_orders(rules).apply(by_hand, event.decision, event.seat, action)
                count += 1
    assert count > 3


def passed_until(rules: Any, state: Any, event: OrderFired) -> Any:
    """The state in which the question of the event is open: what quiet plans answered before is answered here, too."""
    for _ in range(200):
        if (event.decision, event.seat) in {(one.id, one.seat) for one in without_orders(rules).decisions(state)}:
            return state
        asked = next(one for one in without_orders(rules).decisions(state) if one.prompted)
        state, _ = without_orders(rules).apply(state, asked.id, asked.seat, without_orders(rules).default(state, asked))
    raise AssertionError(event)


@pytest.mark.parametrize(("rules", "seats", "options"), GAMES)
def test_what_a_sheet_or_plan_holds_can_be_told_by_nobody_else(rules, seats, options):
    """Two answers of a seat, one empty and one written: all others see the same, and are asked the same."""
    random, compared = Random(7), 0
    for step in walk(rules, seats, options, 7):
        if step.decision is None or step.decision.kind not in GATHERINGS:
            continue
        seat, code = step.decision.seat, step.decision.id
        empty, _ = rules.apply(
            step.before, code, seat, rules.sample(question_of(rules, step.before, step.decision), random)
        )
        for viewer in {None, *range(seats)} - {seat}:
            for other in (empty, step.before) if rules.decisions(step.after) else (empty,):
                assert rules.view(step.after, viewer) == rules.view(other, viewer)
            assert rules.questions(rules.view(step.after, viewer)) == rules.questions(rules.view(empty, viewer))
        assert rules.is_advance_pending(step.after) == rules.is_advance_pending(empty)
        compared += 1
    assert compared > 6


@pytest.mark.parametrize(("rules", "seats", "options"), GAMES)
def test_no_row_no_refusal_and_no_dry_run_depends_on_what_the_seat_cannot_see(rules, seats, options):
    random, compared = Random(11), 0
    for count, step in enumerate(walk(rules, seats, options, 11)):
        gathered = step.decision is not None and step.decision.kind in GATHERINGS
        if not gathered or count % 2:
            continue
        seat = step.decision.seat
        twin = rules.determinise(rules.view(step.before, seat), random)
        twin.orders = rules.load(rules.dump(step.before)).orders
        question = question_of(rules, step.before, step.decision)
        assert question == question_of(rules, twin, step.decision)
        values = filled(question.actions[0].rows, random)
        results = [given(rules, world, seat, question.actions[0].rows, values) for world in (step.before, twin)]
        assert results[0] == results[1]
        compared += isinstance(results[0], list)
    assert compared >= 1


def given(rules: Any, state: Any, seat: int, rows: Any, values: Any) -> Any:
    """The dry run of the orders that the rows make, or why they are refused."""
    try:
        after, _ = rules.instruct(state, seat, SetOrders(fill(rows, values)))
    except IllegalAction as refused:
        return refused.text
    return rules.dry_run(rules.view(after, seat), rules.orders(after, seat))


@pytest.mark.parametrize(("rules", "seats", "options"), GAMES)
def test_a_table_that_plans_is_described_kept_and_drawn_anywhere(rules, seats, options):
    """Board, picture, state and bots at every stop."""
    names = ["Anna", "Ben", "Carla", "David"][:seats]
    for count, step in enumerate(walk(rules, seats, options, 13)):
        assert rules.dump(rules.load(rules.dump(step.after))) == rules.dump(step.after)
        if count % 11:
            continue
        for viewer in (None, 0):
            view = rules.view(step.after, viewer)
            for language in LANGUAGES:
                assert "{" not in rules.describe(view, language, names)
                rules.picture(view, language, names)
        for decision in rules.decisions(step.after):
            if decision.kind in GATHERINGS:
                view = rules.view(step.after, decision.seat)
                question = question_of(rules, step.after, decision)
                for bot in rules.bots.values():
                    action = bot.choose(view, question, Random(1))
                    rules.check(step.after, decision.id, decision.seat, action)
