"""The generic form: what it shows of a question, and what it makes of what was posted."""

import pytest

from engine.core import ActionForm, Amounts, Choice, Decision, Option, Question, Text
from games.play import reply_grammar
from games.web.answers.posted_answer import attempt_key, decode
from games.web.answers.question_form import question_item


def say(text: Text) -> str:
    return text.code


def option(value, **details):
    return Option(value, Text(f"label-{value}"), **details)


MOVE = ActionForm(
    "move",
    Text("do-move"),
    [
        Choice("piece", Text("piece"), [option(4), option(7)]),
        Choice("to", Text("to"), [option("a1", group=Text("left")), option("b2", group=Text("right"))]),
    ],
)
PAY = ActionForm("pay", Text("do-pay"), [Amounts("coins", Text("coins"), [option("red", limit=2), option("blue")], 3)])
PASS = ActionForm("pass", Text("do-pass"))


def asking(*forms: ActionForm) -> Question:
    return Question(Decision("r1-x", 0, "x"), Text("title"), list(forms), Text("default"))


def test_one_way_with_fields_needs_no_radio_of_its_own():
    assert not question_item(asking(MOVE), say).has_way_choice
    assert decode({"move-piece": "7", "move-to": "a1"}, asking(MOVE), say).action == {
        "type": "move",
        "piece": 7,
        "to": "a1",
    }


@pytest.mark.parametrize("forms", [(PASS,), (MOVE, PASS), (PASS, PAY)])
def test_a_way_without_fields_and_each_of_several_ways_need_their_radio(forms):
    assert question_item(asking(*forms), say).has_way_choice
    assert decode({"do": "pass"}, asking(*forms), say).action == {"type": "pass"}


@pytest.mark.parametrize("forms", [(MOVE,), (PAY,), (PASS,), (MOVE, PASS), (PAY, PASS), (MOVE, PAY, PASS)])
def test_a_form_that_is_posted_untouched_answers_nothing(forms):
    decoded = decode({"pay-coins-red": "", "pay-coins-blue": ""}, asking(*forms), say)
    assert decoded.action is None
    assert decoded.messages


ONE = ActionForm("buy", Text("do-buy"), [Choice("pay", Text("pay"), [option("crown")])])


def test_what_has_one_answer_is_chosen_beforehand_beside_a_choice_and_answers_nothing_alone():
    (way,) = (way for way in question_item(asking(ONE, PASS), say).ways if way.type == "buy")
    (only,) = way.fields[0].groups[0].options
    assert only.is_chosen and only.is_settled
    assert decode({"do": "buy"}, asking(ONE, PASS), say).action == {"type": "buy", "pay": "crown"}
    assert decode({"buy-pay": "crown"}, asking(ONE, PASS), say).action is None  # a form that is posted untouched
    (alone,) = question_item(asking(ONE), say).ways[0].fields[0].groups[0].options
    assert not alone.is_chosen and decode({}, asking(ONE), say).action is None


LAST = ActionForm(
    "place",
    Text("do-place"),
    [
        Choice("token", Text("token"), [option("2")]),
        Choice("space", Text("space"), [option("market"), option("guard")]),
    ],
)


def test_the_last_token_stays_in_the_hand_that_is_shown():
    (way,) = question_item(asking(LAST), lambda text: text.code[-1]).ways
    assert [field.name for field in way.open_fields] == ["place-space"]
    assert [field.name for field in way.shown_fields] == ["place-token", "place-space"]
    assert decode({"place-space": "guard"}, asking(LAST), say).action == {
        "type": "place",
        "token": "2",
        "space": "guard",
    }


def test_a_way_whose_button_names_all_of_it_has_a_button_for_each_whole_answer():
    kinds = [option("crown"), option("gold")]
    fields = [Choice(name, Text(name), kinds, distinct="kind") for name in ("pay_5", "pay_2")]
    question = asking(ActionForm("buy", Text("do-buy"), fields, button=Text("Buy for {pay_5} and {pay_2}")), PASS)
    wholes = dict(question_item(question, say).ways[0].wholes)
    assert list(wholes) == ["Buy for label-crown and label-gold", "Buy for label-gold and label-crown"]
    answers = [decode({"do": value}, question, say).action for value in wholes.values()]
    assert answers == [{"type": "buy", "pay_5": a, "pay_2": b} for a, b in (("crown", "gold"), ("gold", "crown"))]
    assert decode({"do": "buy?pay_5=crown"}, question, say).messages


def test_nothing_is_chosen_beforehand_not_even_what_a_link_suggests():
    item = question_item(asking(MOVE, PAY), say, hints={"do": "pay", "piece": "7", "to": "b2", "coins": "blue"})
    options = [o for way in item.ways for f in way.fields for group in f.groups for o in group.options]
    assert not any(o.is_chosen or o.typed for o in options)
    assert not any(way.is_chosen for way in item.ways)


def test_what_a_link_suggests_comes_first():
    item = question_item(asking(MOVE, PAY), say, hints={"do": "pay", "piece": "7", "to": "b2"})
    assert [way.type for way in item.ways] == ["pay", "move"]
    piece, to = item.ways[1].fields
    assert [o.value for o in piece.groups[0].options] == ["7", "4"]
    assert [group.label for group in to.groups] == ["right", "left"]


def test_fields_that_are_filled_in_say_which_way_is_meant_if_no_radio_does():
    question = asking(MOVE, PAY, PASS)
    assert decode({"pay-coins-red": "1", "pay-coins-blue": "2"}, question, say).action == {
        "type": "pay",
        "coins": {"red": 1, "blue": 2},
    }
    both = {"pay-coins-red": "1", "move-piece": "4"}
    assert decode(both, question, say).action is None


def test_the_first_seat_is_a_choice_as_any_other_though_its_number_is_0():
    give = ActionForm("give", Text("do-give"), [Choice("to", Text("to"), [option(0), option(1)])])
    assert decode({"give-to": "0"}, asking(give, PASS), say).action == {"type": "give", "to": 0}
    assert decode({"pay-coins-red": "0", "give-to": "1"}, asking(PAY, give), say).action == {"type": "give", "to": 1}


def test_a_radio_wins_over_fields_of_another_way():
    posted = {"do": "pass", "pay-coins-red": "1", "pay-coins-blue": "2"}
    assert decode(posted, asking(PAY, PASS), say).action == {"type": "pass"}


def test_a_way_that_is_not_offered_is_refused():
    assert decode({"do": "fly"}, asking(MOVE, PASS), say).messages


def test_a_missing_field_is_named():
    assert "to" in decode({"move-piece": "4"}, asking(MOVE), say).messages[0]


@pytest.mark.parametrize("typed", ["x", "-1", "1.5", "1e9", "99999", "²", "٣"])
def test_an_amount_that_is_no_small_whole_number_is_refused(typed):
    assert decode({"pay-coins-red": typed, "pay-coins-blue": "2"}, asking(PAY), say).messages


def test_a_value_that_is_not_offered_goes_to_the_rules_to_be_refused_in_words():
    action = decode({"move-piece": "9", "move-to": "z" * 500}, asking(MOVE), say).action
    assert action is not None
    assert action["piece"] == 9
    assert len(action["to"]) == 80


def test_what_was_typed_is_shown_again():
    item = question_item(asking(MOVE, PAY), say, typed={"do": "pay", "move-piece": "4", "pay-coins-red": "5"})
    move, pay = item.ways
    assert pay.is_chosen and not move.is_chosen
    assert [o.is_chosen for o in move.fields[0].groups[0].options] == [True, False]
    assert [o.typed for o in pay.fields[0].groups[0].options] == ["5", ""]


def test_a_double_click_has_one_key_and_another_answer_another():
    posted = {"key": "k", "decision": "d", "move-piece": "4"}
    assert attempt_key(posted) == attempt_key(posted | {"csrfmiddlewaretoken": "t"})
    assert attempt_key(posted) != attempt_key(posted | {"move-piece": "7"})
    assert attempt_key(posted) != attempt_key(posted | {"key": "l"})
    assert attempt_key({"decision": "d"}) != attempt_key({"decision": "d"}), "no key: each is an answer of its own"


FAR = ActionForm(
    "far",
    Text("do-far"),
    [
        Choice("piece", Text("piece"), [option("p", bars=["a1"]), option("q", bars=["a1", "b2"]), option("r")]),
        Choice("to", Text("to"), [option("a1"), option("b2"), option("c3")]),
    ],
)


def test_an_option_says_which_choices_of_other_fields_it_rules_out():
    item = question_item(asking(FAR), say)
    pieces, spaces = ([o.bars for group in f.groups for o in group.options] for f in item.ways[0].fields)
    assert pieces == ["not with: label-a1", "only with: label-c3", ""]
    assert spaces == ["", "", ""]


def test_no_link_is_made_for_choices_that_rule_each_other_out():
    pairs = [(chosen["piece"].value, chosen["to"].value) for chosen in reply_grammar.combinations(FAR)]
    assert pairs == [("p", "b2"), ("p", "c3"), ("q", "c3"), ("r", "a1"), ("r", "b2"), ("r", "c3")]
