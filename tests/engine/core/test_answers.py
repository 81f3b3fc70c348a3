"""Amounts whose sum may vary, must be that of another field, and may not share an option with it."""

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import ActionForm, Amounts, Decision, IllegalAction, Option, Question, Text
from engine.core.answers import check_answer, draw_answer, every_answer

LABEL = Text("label")


def some(name, limits, total, **bounds):
    options = [Option(kind, LABEL, limit=limit) for kind, limit in zip("abc", limits, strict=True)]
    return Amounts(name, LABEL, options, total, **bounds)


def asking(*fields):
    return Question(Decision("d", 0, "k"), LABEL, [ActionForm("swap", LABEL, list(fields))], LABEL)


def swap(give, take):
    return {"type": "swap", "give": give, "take": take}


def is_legal(question, answer):
    try:
        check_answer(question, answer)
    except IllegalAction:
        return False
    return True


LIMITS = st.lists(st.integers(0, 2), min_size=3, max_size=3)


@pytest.mark.slow
@settings(max_examples=40)
@given(LIMITS, LIMITS, st.integers(1, 3), st.booleans())
def test_what_is_listed_is_exactly_what_is_accepted(given_limits, taken_limits, most, must_differ):
    bounds = {"least": 1, "distinct": "kind" if must_differ else ""}
    question = asking(
        some("give", given_limits, most, **bounds), some("take", taken_limits, most, same_as="give", **bounds)
    )
    rows = [{kind: n for kind, n in zip("abc", row, strict=True) if n} for row in product(range(3), repeat=3)]
    accepted = [swap(give, take) for give in rows for take in rows if is_legal(question, swap(give, take))]
    listed = list(every_answer(question))
    assert sorted(map(str, listed)) == sorted(map(str, accepted))
    if listed:
        assert draw_answer(question, Random(most)) in listed


PAIR = asking(
    some("give", (3, 2, 0), 4, least=1, distinct="kind"),
    some("take", (3, 3, 3), 4, least=1, same_as="give", distinct="kind"),
)


@pytest.mark.parametrize(
    ("give", "take", "code"),
    [
        ({}, {}, "illegal-range"),
        ({"a": 3, "b": 2}, {"c": 3}, "illegal-range"),
        ({"a": 4}, {"c": 3}, "illegal-amount"),
        ({"c": 1}, {"a": 1}, "illegal-value"),
        ({"a": -1, "b": 2}, {"c": 1}, "illegal-amount"),
        ({"a": 2}, {"c": 3}, "illegal-sum"),
        ({"a": 2}, {"a": 1, "c": 1}, "illegal-both"),
    ],
)
def test_each_refusal_has_its_code(give, take, code):
    with pytest.raises(IllegalAction) as refused:
        check_answer(PAIR, swap(give, take))
    assert refused.value.text.code == code
