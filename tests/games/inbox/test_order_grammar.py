"""Every order can be written down in a line, in every game and both languages, and means exactly itself."""

import datetime as dt
from random import Random

import pytest
from django.utils import translation
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import registry
from engine.core.answers import draw_answer
from engine.orders.lines import form_lines
from engine.orders.model import Order, SetOrders
from games.play import order_grammar
from games.play.order_grammar import fact_name, grammar_for
from games.play.reply_grammar import ways_to_write
from games.play.standing_orders import OrderBook, sentence
from tests.engine.orders.test_lines import made_by
from tests.games.inbox.test_grammar import LANGUAGES, NAMES, naming

DAY, DAY_TYPED = dt.datetime(2026, 12, 25, tzinfo=dt.UTC), "2026-12-24"


def _placing(rules, version):
    """A state in which the first placement, or move, is asked."""
    options = {option.name: option.default for option in rules.options} | version
    state, _events = rules.new(3, options, f"{7:064x}")
    while True:
        if rules.is_advance_pending(state):
            state, _events = rules.advance(state)
            continue
        asked = next(decision for decision in rules.decisions(state) if decision.prompted)
        if asked.kind in ("place", "move"):
            return state
        question = next(one for one in rules.questions(rules.view(state, asked.seat)) if one.decision.id == asked.id)
        state, _events = rules.apply(state, asked.id, asked.seat, rules.sample(question, Random(3)))


RULES = {rules.name: rules for rules in registry.newest()}
DRAGONS = RULES["aladdins-dragons"]
CAVE = RULES["cave-of-wonders"]
STATES = {
    "basic": (DRAGONS, _placing(DRAGONS, {"version": "basic"})),
    "magic": (DRAGONS, _placing(DRAGONS, {"version": "magic"})),
    "cave": (CAVE, _placing(CAVE, {})),
}


def grammar(game, language="en"):
    rules, state = STATES[game]
    return grammar_for(rules, rules.view(state, 0), naming(rules, language))


GRAMMARS = {(game, language): grammar(game, language) for game in STATES for language in LANGUAGES}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", STATES)
def test_every_example_of_a_mail_is_taken_by_the_rules(game, language):
    rules, state = STATES[game]
    found = GRAMMARS[game, language]
    with translation.override(language):
        lines = order_grammar.examples(found)
        facts = order_grammar.facts(found)
        settled = [f"{lines[0]} {setting}" for setting in order_grammar.settings()]
    assert len(lines) == len(found.kinds) and len(facts) == len(found.facts)
    for line in [*lines, *(f"{lines[0]} {fact}" for fact in facts), *settled]:
        (meant,) = found.read(line.split(maxsplit=1)[1])
        assert not meant.unclear and len(meant.orders) == 1, line
        after, _events = rules.instruct(state, 0, SetOrders(meant.orders))
        assert len(rules.orders(after, 0).orders) == 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", STATES)
def test_every_answer_and_every_fact_can_be_written_and_none_is_taken_for_another(game, language):
    found, dice = GRAMMARS[game, language], Random(5)
    for kind in found.kinds:
        for form in kind.answers:
            answer = draw_answer(order_grammar.alone(form), dice)
            name = " ".join(kind.name.split("_"))
            read = [
                found.read(start + line)[0]
                for line in ways_to_write(form, answer, found.naming)
                for start in ("", f"{name} ")
            ]
            orders = [one.orders[0] for one in read if len(one.orders) == 1]
            assert any(_is(order, kind.name, answer) for order in orders), (kind.name, answer)
    for form in found.facts:
        fact = draw_answer(order_grammar.alone(form), dice)
        lines = ways_to_write(form, fact, found.naming, fact_name(form))
        read = [found.read_fact(line) for line in lines]
        assert [fact] in read and all(one in ([fact], []) for one in read), fact


def _is(order, kind, answer):
    is_lasting = answer["type"].startswith("pass_") and order.answers == [{"type": "pass"}] and order.stays
    return order.kind == kind and (order.answers == [answer] or is_lasting)


def written(game, language, order):
    """The line that a page and an email show of an order."""
    rules, state = STATES[game]
    view = rules.view(state, 0)
    book = OrderBook(
        [], rules.vocabulary.kinds(view), rules.vocabulary.facts(view), lambda text: rules.say(text, language, NAMES)
    )
    with translation.override(language):
        return sentence(book, order, DAY if order.until == "date" else None)


def drawn(game, dice):
    """An order of as many answers, conditions and settings as chance has it."""
    kind, facts = dice.choice(GRAMMARS[game, "en"].kinds), GRAMMARS[game, "en"].facts
    answers = [form for form in kind.answers if not form.type.startswith("pass_")]  # those are said as what they order
    return Order(
        kind=kind.name,
        answers=some(answers, dice, dice.randint(int(kind.is_unasked), 3)),
        topic=str(dice.choice(kind.topics).value) if kind.topics and dice.random() < 0.5 else "",
        conditions=some(facts, dice, dice.randint(int(kind.is_unasked), 3)),
        stops=some(facts, dice, dice.randint(0, 2)),
        stays=dice.random() < 0.3,
        even_so=(is_even_so := dice.random() < 0.3),
        any_play=not is_even_so and dice.random() < 0.3,
        until=dice.choice(["", "round", "return", "date"]),
    )


def some(forms, dice, count):
    return [draw_answer(order_grammar.alone(dice.choice(forms)), dice) for _ in range(count)]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["magic", "cave"])  # the magic version has what the basic one has
def test_the_line_that_is_shown_of_an_order_gives_the_same_order(game, language):
    dice = Random(11)
    for order in [drawn(game, dice) for _ in range(60)]:
        line = written(game, language, order)
        read = GRAMMARS[game, language].read(line)
        assert [(one.orders, one.ends_on) for one in read] == [([order], DAY_TYPED if order.until == "date" else "")], (
            line
        )


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["magic", "cave"])  # the magic version has what the basic one has
def test_each_option_of_each_line_of_a_form_is_shown_in_words_that_give_the_same_order(game, language):
    rules, state = STATES[game]
    view = rules.view(state, 0)
    for row in form_lines(rules.vocabulary.written(view, "sheet"), ()):
        for order in made_by([row], row):
            line = written(game, language, order)
            assert [one.orders for one in GRAMMARS[game, language].read(line)] == [[order]], line


def only(game, line):
    (meant,) = GRAMMARS[game, "en"].read(line)
    assert not meant.unclear and not meant.is_ambiguous, meant
    return meant.orders


def test_passing_for_longer_can_be_ordered_ahead():
    (until,) = only("magic", "pass until market")
    assert until.conditions == [{"type": "before", "space": "market"}] and until.stays and until.until == "round"
    (shown,) = only("magic", "pass until somebody plays")
    assert shown.stays and shown.any_play and not shown.even_so and not shown.conditions
    (whole,) = only("magic", "pass this round")
    assert whole.stays and whole.even_so and whole.until == "round"
    assert {order.kind for order in [until, shown, whole]} == {"window"}


def test_ask_me_at_a_place_is_an_order_for_each_thing_that_may_be_asked_there():
    found = only("magic", "ask me at the market")
    assert {(order.kind, order.topic) for order in found} == {("market", ""), ("window", "market")}
    assert all(order.answers == [] for order in found)
    assert [(order.kind, order.topic) for order in only("magic", "ask me at the window at room 1")] == [
        ("window", "room-1")
    ]


def test_an_order_ends_in_one_way():
    (meant,) = GRAMMARS["magic", "en"].read("9 crowns this round until 2026-12-24")
    assert meant.is_ambiguous and not meant.orders


def test_a_place_says_of_which_kind_an_answer_is():
    (order,) = only("magic", "window pass at guard")
    assert (order.kind, order.topic) == ("window", "guard")
    (meant,) = GRAMMARS["magic", "en"].read("pass at the market")
    assert meant.is_ambiguous and {order.kind for order in meant.orders} == {"market", "window"}


WORDS = [
    "order", "9", "5", "crowns", "guard", "market", "pass", "if", "at", "most", "least", "8", "round", "ask", "me",
    "always", "until", "this", "or", "the", "on", ",", "then",
]  # fmt: skip


@pytest.mark.slow
@settings(max_examples=120, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=9))
def test_whatever_is_written_the_rules_could_be_told_or_nothing_is_meant(words):
    for meant in GRAMMARS["magic", "en"].read(" ".join(words)):
        assert bool(meant.unclear) != bool(meant.orders)
        for order in meant.orders:
            assert order.kind and (order.answers or meant.said.split("ask")[1:])
