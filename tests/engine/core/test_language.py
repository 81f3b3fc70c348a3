"""The sentences of what `engine.core` refuses, which games may say otherwise."""

import re
from pathlib import Path
from string import Formatter

import pytest

from engine import core
from engine.aladdins_dragons.words import Words as DragonsWords
from engine.cave_of_wonders.words import Words as CaveWords
from engine.core.language import DOMAIN, LOCALE, REFUSALS, catalogue


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


@pytest.mark.parametrize("language", ["de", "es"])
def test_every_refusal_is_translated_with_the_same_placeholders(language: str) -> None:
    words = catalogue(LOCALE, DOMAIN, language)
    for sentence in REFUSALS.values():
        assert words.gettext(sentence) != sentence
        assert placeholders(words.gettext(sentence)) == placeholders(sentence), sentence


def test_every_refusal_has_a_sentence_and_every_sentence_a_refusal() -> None:
    room = Path(core.__file__).parent
    sources = "".join(path.read_text() for path in [*room.glob("*.py"), room.parent / "rules.py"])
    raised = set(re.findall(r'"((?:illegal|cannot|no)-[a-z]+|stale)"(?:,|\)| if)', sources)) | {"malformed"}
    assert raised | {"illegal-both"} == set(REFUSALS)


def test_a_game_says_a_refusal_in_its_own_words_where_it_has_some() -> None:
    said = [words("de", []).sentence("illegal-repeat", value="Perle") for words in (CaveWords, DragonsWords)]
    assert said[0] == "Du hast Perle zweimal gewählt." and said[1] != said[0] and "Perle" in said[1]


def test_an_unknown_code_has_no_sentence() -> None:
    with pytest.raises(KeyError):
        CaveWords("en", []).sentence("nothing-like-it")
