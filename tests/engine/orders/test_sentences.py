"""The sentences about orders, in every language."""

import re
import string
from pathlib import Path

import msgspec
import pytest

from engine.core.language import catalogue
from engine.orders import sentences as text
from engine.orders.sentences import DOMAIN, LOCALE

LANGUAGES = sorted(path.name for path in LOCALE.iterdir())


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_translated_with_the_same_placeholders_and_there_is_no_other(language):
    words = catalogue(LOCALE, DOMAIN, language)
    for sentence in text.SENTENCES.values():
        assert words.gettext(sentence) != sentence
        assert placeholders(words.gettext(sentence)) == placeholders(sentence), sentence
    source = (LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po").read_text()
    known = {msgspec.json.decode(found) for found in re.findall(r'^msgid (".+")$', source, re.MULTILINE)}
    assert known == set(text.SENTENCES.values())


def test_the_sentences_of_all_codes_exist_and_each_is_used():
    source = "".join(path.read_text() for path in Path(text.__file__).parent.glob("*.py") if path.name != "text.py")
    for code in re.findall(r'IllegalAction\("(orders\.[a-z-]+)"', source):
        assert code in text.SENTENCES
    for code in text.SENTENCES:
        last = code.removeprefix("orders.").removeprefix("dropped-")
        assert f'"{code}"' in source or f'"{last}"' in source or f"}}{last}" in source, code
