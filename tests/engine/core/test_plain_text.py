"""Lines of bounded width, and the same lines whole again."""

from textwrap import wrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.language import DEEPER, WIDTH, folded, unfolded

WORDS = st.lists(st.text("abcd-7*", min_size=1, max_size=30), min_size=1, max_size=40)
LINES = st.lists(st.builds(lambda depth, words: "  " * depth + " ".join(words), st.integers(0, 1), WORDS), max_size=8)


@pytest.mark.slow
@given(LINES)
def test_what_was_folded_is_whole_again(lines):
    short = list(folded(lines, WIDTH))
    assert all(len(line) <= WIDTH for line in short)
    assert unfolded(short) == lines


def test_a_line_that_only_stands_in_is_not_taken_for_the_rest_of_another():
    lines = ["Palace", "    Room 1", "", "    Room 2", "x" * WIDTH, "  deeper"]
    assert unfolded(lines) == lines


@given(st.lists(st.text("ab -–é", max_size=30), max_size=9).map(" ".join), st.integers(0, 6), st.integers(12, 40))
def test_a_line_is_folded_as_textwrap_does(text, indent, width):
    line = " " * indent + text.strip()
    options = {"initial_indent": " " * indent, "subsequent_indent": " " * (indent + DEEPER), "break_on_hyphens": False}
    expected = [line.rstrip()] if len(line) <= width else wrap(text.strip(), width, **options)
    assert list(folded([line], width)) == [one for one in expected if one]
