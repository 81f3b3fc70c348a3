"""What is wrong with a record, in the reader's language."""

from engine.core import Text
from engine.core.language import catalogue, locale_of
from engine.records.text import SENTENCES

LOCALE = locale_of(__package__)
DOMAIN = "records"


def say(fault: Text, language: str) -> str:
    """The sentence of a fault."""
    return catalogue(LOCALE, DOMAIN, language).gettext(SENTENCES[fault.code]).format(**fault.params)
