"""A line by mail means exactly one answer or none: in every game, in every language, whoever writes."""

from collections import Counter
from functools import cache
from random import Random
from unicodedata import normalize

import pytest
from django.conf import settings

from engine import registry
from engine.core import ActionForm, Amounts, Choice, Decision, Option, Question, Text
from engine.core.answers import check_answer, draw_answer
from games.play import reply_grammar
from games.play.keywords import Naming, spellings, split, written
from games.play.reply_grammar import QuestionReader, understand

NAMES = ["Anna", "Ben", "Carla"]
DRAGONS = next(rules for (name, _version), rules in registry.RULES.items() if name == "aladdins-dragons")


LANGUAGES = [language for language, _name in settings.LANGUAGES]


def naming(rules, language="en"):
    """How a game calls things to a reader of that language, who may use the words of any."""
    others = (one for one in LANGUAGES if one != language)
    return Naming(lambda text, spoken: rules.say(text, spoken, NAMES), (language, *others))


@cache
def some_questions():
    """A few questions of every kind of every game, met while bots without a plan play: (name, rules, question)."""
    found = []
    for (name, _version), rules in sorted(registry.RULES.items()):
        for number in range(2):
            options = {option.name: option.values[min(number, len(option.values) - 1)][0] for option in rules.options}
            found += [(name, rules, question) for question in _met(rules, options, Random(number))]
    return found


@cache
def a_placement():
    """The question for a first placement."""
    return next(question for _name, _rules, question in some_questions() if question.decision.kind == "place")


def _met(rules, options, dice):
    met = Counter()
    state, _events = rules.new(3, options, f"{7:064x}")
    for _step in range(260):
        if rules.outcome(state):
            return
        if rules.is_advance_pending(state):
            state, _events = rules.advance(state)
            continue
        asked = [decision for decision in rules.decisions(state) if decision.prompted]
        decision = dice.choice(asked)
        questions = rules.questions(rules.view(state, decision.seat))
        question = next(question for question in questions if question.decision.id == decision.id)
        kind = (decision.kind, len(question.actions))
        if met[kind] < 4:
            met[kind] += 1
            yield question
        state, _events = rules.apply(state, decision.id, decision.seat, rules.sample(question, dice))


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_answer_that_is_written_down_is_understood_as_what_it_is(language):
    dice, unwritten = Random(5), Counter()
    for name, rules, question in some_questions():
        calls = naming(rules, language)
        for _again in range(3):
            answer = draw_answer(question, dice)
            form = next(form for form in question.actions if form.type == answer["type"])
            read = [understand(line, question, calls) for line in reply_grammar.ways_to_write(form, answer, calls)]
            assert all(one.action in (answer, None) for one in read), (name, answer)
            unwritten[name, form.type] += not any(one.action == answer for one in read)
    assert not +unwritten


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_of_every_question_has_an_example_that_is_understood_in_every_language(language):
    for name, rules, question in some_questions():
        found = reply_grammar.examples(QuestionReader(question, naming(rules, language)))
        assert len(found) == len(question.actions), (name, question.decision.kind, found)
        for line in found:
            for reader in LANGUAGES:
                check_answer(question, understand(line, question, naming(rules, reader)).action)


def test_numbers_name_the_answers_of_short_questions_until_the_list_changes():
    short = [(rules, question) for _name, rules, question in some_questions() if reply_grammar.is_short(question)]
    assert len(short) > 10
    for _rules, question in short:
        for number, (form, chosen) in enumerate(reply_grammar.listed(question), start=1):
            code = reply_grammar.code("k3v9pq2mzt7a", number, form, chosen)
            answer = reply_grammar.by_number(f"#{code.upper()}.", "k3v9pq2mzt7a", question)
            check_answer(question, answer)
            assert answer == {"type": form.type, **{name: option.value for name, option in chosen.items()}}
            wrong = next(letter for letter in reply_grammar.LETTERS if not code.endswith(letter))
            assert reply_grammar.by_number(f"{number}{wrong}", "k3v9pq2mzt7a", question) is None
            assert reply_grammar.by_number(str(number), "k3v9pq2mzt7a", question) is None


@pytest.mark.parametrize(
    ("line", "token", "space"),
    [
        ("9 crowns", 9, "cave-crown"),
        ("9 coronas", 9, "cave-crown"),
        ("9 on the crown cave", 9, "cave-crown"),
        ("9 Kronen", 9, "cave-crown"),
        ("9 in die Kronenhöhle", 9, "cave-crown"),
        ("setze 9 kronenhoehle", 9, "cave-crown"),
        ("8 Wächter", 8, "guard"),
        ("8 waechter", 8, "guard"),
        ("8 Wachter!", 8, "guard"),
        ("Ich setze die 7 auf den Markt.", 7, "market"),
        ("  9   CROWNS.", 9, "cave-crown"),
        ("place 9 market", 9, "market"),
        ("Coloca 9 en el mercado!", 9, "market"),
        ("market 9", 9, "market"),
        ("place token 9, space room 1", 9, "room-1"),
        ("1 room 2", 1, "room-2"),
        ("4 al caravasar", 4, "caravanserai"),
    ],
)
def test_a_placement_is_a_token_and_a_space(line, token, space):
    said = understand(line, a_placement(), naming(DRAGONS))
    assert said.action == {"type": "place", "token": token, "space": space}


@pytest.mark.parametrize(
    "line",
    [
        "", "9", "crowns", "9 crowns?", "not 9 crowns", "don't 9 crowns", "9 crowns or 8 pearls", "9 crowns 9 pearls",
        "no 9 coronas", "99 crowns", "9 cave", "I will do 9 crowns tomorrow", "9 crowns please wait",
        "pass", "-9 crown s", "nein 9 Kronen", "nicht 9 Kronen", "9 Kronen oder 8 Perlen", "ich nehme die 9",
        "9crowns", "3 crowns", "Hi Anna,", "room 9 1", "on " * 300 + "9 crowns",
    ],
)  # fmt: skip
def test_what_is_not_exactly_a_placement_is_none(line):
    assert understand(line, a_placement(), naming(DRAGONS)).action is None


@pytest.mark.parametrize(
    "line", ["pass until market", "Pass until the market.", "paso hasta el mercado", "passe bis zum Markt"]
)
def test_a_window_is_passed_until_a_space(line):
    windows = [question for _name, _rules, question in some_questions() if question.decision.kind == "window"]
    said = [understand(line, question, naming(DRAGONS)).action for question in windows]
    assert {"type": "pass_until", "until": "market"} in said
    assert all(action in (None, {"type": "pass_until", "until": "market"}) for action in said)


@pytest.mark.slow
def test_pass_is_the_no_of_a_question_that_has_one():
    for name, rules, question in some_questions():
        no = [
            form.type
            for form in question.actions
            if form.type in ("pass", "keep", "leave_camel", "stay_out", "decline")
        ]
        for line in ("pass", "paso", "PASS.", "passe"):
            action = understand(line, question, naming(rules)).action
            assert action == ({"type": no[0]} if no else None), (name, question.decision.kind)


def label(word):
    return Text("kind", {"kind": word})


def made(*forms):
    return Question(Decision("d", 0, "k"), label("title"), list(forms), label("default"))


PLAIN = Naming(lambda text, _language: _only(text), ("en",))


def _only(text):
    return text.params["kind"]  # KeyError for a code this game has not


def choice(name, *values, distinct=""):
    return Choice(name, label(name), [Option(value, label(str(value))) for value in values], distinct)


def test_a_game_without_words_of_its_own_is_answered_by_its_labels_and_values():
    question = made(ActionForm("build_house", label("Build a house"), [choice("street", "high-street", "mill lane")]))
    assert understand("build a house mill lane", question, PLAIN).action == {
        "type": "build_house",
        "street": "mill lane",
    }
    assert understand("high street", question, PLAIN).action == {"type": "build_house", "street": "high-street"}


def test_two_choices_of_the_same_things_need_their_names():
    buy = made(ActionForm("buy", label("Buy it"), [choice("pay_5", "gold", "pearl"), choice("pay_2", "gold", "pearl")]))
    assert understand("buy 5 gold 2 pearl", buy, PLAIN).action == {"type": "buy", "pay_5": "gold", "pay_2": "pearl"}
    assert understand("2 gold 5 pearl", buy, PLAIN).action == {"type": "buy", "pay_5": "pearl", "pay_2": "gold"}
    assert understand("buy gold pearl", buy, PLAIN).is_ambiguous


def test_amounts_are_counted_and_their_sum_is_the_rules_business():
    kinds = [Option(kind, label(kind), limit=3) for kind in ("pearl", "gold")]
    bribe = made(ActionForm("bribe", label("Bribe"), [Amounts("pay", label("Pay"), kinds, 3)]))
    assert understand("bribe 2 pearl 1 gold", bribe, PLAIN).action == {"type": "bribe", "pay": {"pearl": 2, "gold": 1}}
    assert understand("bribe 2 pearl and gold", bribe, PLAIN).action == {
        "type": "bribe",
        "pay": {"pearl": 2, "gold": 1},
    }
    assert understand("bribe 2 pearl", bribe, PLAIN).refusal.code == "illegal-total"
    assert understand("bribe 2 pearl 2 pearl", bribe, PLAIN) == understand("nonsense", bribe, PLAIN)


def test_a_player_who_is_called_like_a_word_makes_it_ambiguous_not_dangerous():
    question = made(ActionForm("pass", label("Pass")), ActionForm("give", label("Give"), [choice("to", "pass", "Ben")]))
    assert understand("pass", question, PLAIN).is_ambiguous
    assert understand("give pass", question, PLAIN).action == {"type": "give", "to": "pass"}


def test_words_have_no_accents_case_or_punctuation():
    assert split(" ¡Sí, Cámbialo!! ") == ("¡si", "cambialo")
    assert spellings("Größte Höhle") == [("grosste", "hohle"), ("groesste", "hoehle")]
    assert spellings("Höhle") == spellings(normalize("NFD", "Höhle"))
    assert written("¡Tabú! «Wächter», Kammer 1") == "¡Tabú! Wächter Kammer 1"
    assert split("cave-crown (9)") == split("Cave_Crown 9.")
