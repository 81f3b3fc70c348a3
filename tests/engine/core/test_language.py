"""The sentences of what `engine.core` refuses, which games may say otherwise."""

import re
from pathlib import Path
from string import Formatter
from textwrap import wrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import core
from engine.aladdins_dragons.words import Words as DragonsWords
from engine.cave_of_wonders.words import Words as CaveWords
from engine.core.language import DEEPER, DOMAIN, LOCALE, REFUSALS, WIDTH, catalogue, folded, unfolded


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


@pytest.mark.parametrize("language", ["de", "es"])
def test_every_refusal_is_translated_with_the_same_placeholders(language: str) -> None:
    words = catalogue(LOCALE, DOMAIN, language)
    for sentence in REFUSALS.values():
        if sentence == "{counted}":
            continue  # it has no word
        assert words.gettext(sentence) != sentence
        assert placeholders(words.gettext(sentence)) == placeholders(sentence), sentence


def test_every_refusal_has_a_sentence_and_every_sentence_a_refusal() -> None:
    room = Path(core.__file__).parent
    sources = "".join(path.read_text() for path in [*room.glob("*.py"), room.parent / "rules.py"])
    raised = set(re.findall(r'"((?:illegal|cannot|no)-[a-z]+|stale)"(?:,|\)| if)', sources)) | {"malformed"}
    assert raised | {"illegal-both", "counted"} == set(REFUSALS)


def test_a_game_says_a_refusal_in_its_own_words_where_it_has_some() -> None:
    said = [words("de", []).sentence("illegal-repeat", value="Perle") for words in (CaveWords, DragonsWords)]
    assert said[0] == "Du hast Perle zweimal gewählt." and said[1] != said[0] and "Perle" in said[1]


def test_an_unknown_code_has_no_sentence() -> None:
    with pytest.raises(KeyError):
        CaveWords("en", []).sentence("nothing-like-it")


# Lines of bounded width, and the same lines whole again.

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
