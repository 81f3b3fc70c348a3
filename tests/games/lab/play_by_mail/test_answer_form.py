"""Forms of questions as the page shows them, read and filled in without knowing the game."""

from random import Random

import pytest
from django.template.loader import render_to_string

from engine.core import ActionForm, Amounts, Choice, Decision, Option, Question, Text
from games.lab.play_by_mail.person import Page, Unfillable, find_answer_form, find_extra_form
from games.web.answers.posted_answer import decode
from games.web.answers.question_form import question_item
from games.web.play.answering import Asked

KINDS = [Option(kind, Text(kind), limit=2) for kind in ("gold", "silk", "figs")]
PLACE = ActionForm(
    "place",
    Text("place"),
    [
        Choice("token", Text("token"), [Option(value, Text(str(value))) for value in (3, 7, 9)]),
        Choice("space", Text("space"), [Option("cave-1", Text("cave 1")), Option("guard", Text("guard"))]),
    ],
)
EXCHANGE = ActionForm(
    "exchange", Text("exchange"), [Choice("give", Text("give"), KINDS), Amounts("take", Text("take"), KINDS, 3)]
)
BUY = ActionForm(
    "buy", Text("buy"), [Choice(f"pay_{n}", Text("pay"), KINDS[: n + 1], distinct="kind") for n in range(3)]
)
KEEP = ActionForm("keep", Text("keep"))


def say(text):
    return text.code


def question(*forms):
    return Question(Decision("r1-x", 0, "x"), Text("What?"), list(forms), Text("nothing"))


def form_of(*forms):
    context = {"asked": Asked(question_item(question(*forms), say), None), "action_url": "/act/abc/def/"}
    html = render_to_string("games/play/parts/question.html", context)
    return find_answer_form(Page("http://localhost/act/abc/def/?token=7", 200, f"<main>{html}</main>"))


@pytest.mark.slow
@pytest.mark.parametrize("forms", [[PLACE], [EXCHANGE], [EXCHANGE, KEEP], [BUY, KEEP], [KEEP]])
def test_every_filled_form_is_an_answer(forms):
    for seed in range(30):
        data = form_of(*forms).fill(Random(seed), careful=bool(seed % 2))
        decoded = decode(data, question(*forms), say)
        assert decoded.messages == []
        assert decoded.action["type"] in {form.type for form in forms}
        if "take" in decoded.action:
            assert sum(decoded.action["take"].values()) == 3


@pytest.mark.parametrize("forms", [[PLACE], [EXCHANGE], [EXCHANGE, KEEP], [BUY, KEEP], [KEEP]])
def test_an_untouched_form_is_no_answer(forms):
    decoded = decode(form_of(*forms).untouched(), question(*forms), say)
    assert decoded.action is None
    assert decoded.messages


@pytest.mark.slow
def test_all_ways_and_all_options_come_up():
    answers = [
        decode(form_of(PLACE, KEEP).fill(Random(n), careful=True), question(PLACE, KEEP), say) for n in range(60)
    ]
    assert {answer.action["type"] for answer in answers} == {"place", "keep"}
    assert {answer.action.get("token") for answer in answers} == {3, 7, 9, None}


@pytest.mark.slow
def test_who_is_careful_chooses_nothing_twice():
    for seed in range(20):
        action = decode(form_of(BUY).fill(Random(seed), careful=True), question(BUY), say).action
        assert len({action["pay_0"], action["pay_1"], action["pay_2"]}) == 3
        action = decode(form_of(EXCHANGE).fill(Random(seed), careful=True), question(EXCHANGE), say).action
        assert action["give"] not in action["take"]


def test_the_form_goes_where_it_says():
    form = form_of(KEEP)
    assert form.form.url == "http://localhost/act/abc/def/"
    assert form.form.data["decision"] == "r1-x"


def test_a_page_that_asks_nothing_has_no_form():
    assert find_answer_form(Page("http://localhost/", 200, "<main><form method='post'></form></main>")) is None


def test_number_fields_without_a_total_are_refused():
    field = '<fieldset><input type="number" name="a"></fieldset>'
    body = f'<form class="answer" method="post"><input name="decision" value="x">{field}</form>'
    with pytest.raises(Unfillable):
        find_answer_form(Page("http://localhost/", 200, body))


EXTRA = """
<form class="answer" method="post" action="/act/one/two/"><input type="hidden" name="decision" value="r1-x">
<fieldset><input type="radio" name="place-token" value="3"></fieldset></form>
"""


def test_what_may_be_done_unasked_is_found_behind_the_question():
    page = Page("http://localhost/act/one/two/", 200, EXTRA)
    assert find_extra_form(page) is None
    shown = Page(page.url, 200, EXTRA + EXTRA.replace("r1-x", "r1-declared-1"))
    assert find_extra_form(shown).form.data == {"decision": "r1-declared-1"}
