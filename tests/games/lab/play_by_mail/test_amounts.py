"""Number fields that make a total together, and choices that differ."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.lab.play_by_mail.person import Unfillable, draw_distinct, split


@pytest.mark.slow
@given(st.lists(st.integers(0, 9), min_size=1, max_size=6), st.data(), st.randoms(use_true_random=False))
def test_amounts_make_the_total_within_their_limits(limits, data, dice):
    total = data.draw(st.integers(0, sum(limits)))
    amounts = split(total, limits, dice)
    assert sum(amounts) == total
    assert all(0 <= amount <= limit for amount, limit in zip(amounts, limits, strict=True))


def test_limits_that_allow_too_little_are_refused():
    with pytest.raises(Unfillable):
        split(5, [2, 2], Random(1))


def test_every_way_to_split_comes_up():
    assert {tuple(split(2, [2, 1], Random(seed))) for seed in range(50)} == {(2, 0), (1, 1)}


@pytest.mark.slow
@given(
    st.lists(st.lists(st.sampled_from("abcde"), min_size=1, max_size=4, unique=True), min_size=1, max_size=4),
    st.integers(),
)
def test_distinct_choices_differ_and_come_from_their_own_lists(choices, seed):
    drawn = draw_distinct(choices, Random(seed))
    if drawn is not None:
        assert len(set(drawn)) == len(choices)
        assert all(value in values for value, values in zip(drawn, choices, strict=True))


def test_the_only_distinct_choice_is_found():
    assert draw_distinct([["a", "b", "c"], ["a", "b"], ["a"]], Random(1)) == ["c", "b", "a"]


def test_there_may_be_no_distinct_choice():
    assert draw_distinct([["a"], ["a"]], Random(1)) is None
