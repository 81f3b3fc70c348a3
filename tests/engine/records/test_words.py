"""What can be wrong with a record, in every language."""

import re
import string
from pathlib import Path

import msgspec
import pytest

from engine.core import Text
from engine.core.language import catalogue
from engine.records import checking as text
from engine.records import checking as words
from engine.records.checking import DOMAIN, LOCALE
from tests.engine.languages import LANGUAGES

SOURCES = [path.read_text() for path in Path(text.__file__).parent.glob("*.py") if path.name != "text.py"]


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_sentence_is_translated_with_the_same_placeholders_and_there_is_no_other(language: str) -> None:
    spoken = catalogue(LOCALE, DOMAIN, language)
    for sentence in text.SENTENCES.values():
        assert spoken.gettext(sentence) != sentence
        assert placeholders(spoken.gettext(sentence)) == placeholders(sentence), sentence
    source = (LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po").read_text()
    known = {msgspec.json.decode(found) for found in re.findall(r'^msgid (".+")$', source, re.MULTILINE)}
    assert known == set(text.SENTENCES.values())


def test_every_fault_that_is_raised_has_words() -> None:
    raised = {code for source in SOURCES for code in re.findall(r'Fault\("(record\.[a-z-]+)"', source)}
    assert len(raised) > 8 and raised <= set(text.SENTENCES)


def test_a_fault_is_said_in_the_language_of_its_reader() -> None:
    fault = Text("record.chain", {"number": 12})
    assert words.say(fault, "en") == "The hash of move 12 is wrong."
    assert words.say(fault, "es-mx") == "El hash de la jugada 12 es incorrecto."
    assert words.say(fault, "../../etc") == words.say(fault, "")
