"""What things are called in a reply: by their value, by their label in every language, by the words of their game.

A game adds words through its catalogue: a sentence with the code "words-<value>", such as "words-cave-crown", holds
further names with commas between them, in each language. It need not have any: labels and values are enough.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from engine.core import Text

Words = tuple[str, ...]
SPLIT = re.compile(r"[\s,;:+&()\"'’‘“”«»*_/\u2068\u2069-]+")  # the last two hold names together
MARKS = "\u0300-\u036f"
ACCENT = re.compile(f"[{MARKS}]")
SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


@lru_cache(maxsize=4096)
def split(text: str) -> Words:
    """The words of a text, without accents, case and punctuation; a final stop or exclamation mark says nothing."""
    plain = ACCENT.sub("", unicodedata.normalize("NFKD", text)).casefold()
    return tuple(word for word in SPLIT.split(plain.strip().rstrip(".!").strip()) if word)


def spellings(text: str) -> list[Words]:
    """The words of a name; and with "ue" for "ü", as people write whose keyboard has no umlauts."""
    spelled_out = unicodedata.normalize("NFC", text).translate(SPELLED_OUT)
    return list(dict.fromkeys((split(text), split(spelled_out))))


def written(text: str) -> str:
    """A name as a line can hold it: with its accents and capitals, without what a line is split at."""
    return " ".join(filter(None, SPLIT.split(text.strip().rstrip(".!"))))


@dataclass(frozen=True)
class Naming:
    """How a game calls things: its sentences, in each language.

    Arguments:
        say: (text, language) in words; raises KeyError for a code the game has not.
        languages: the reader's own first.
    """

    say: Callable[[Text, str], str]
    languages: tuple[str, ...]

    def names(self, value: str | int, label: Text) -> list[str]:
        """Every name of a thing, the one to suggest to the reader first."""
        found = [*self._further(value), *(self.say(label, language) for language in self.languages), str(value)]
        return [name for name in found if split(name)]

    def of(self, value: str | int, label: Text) -> list[Words]:
        """The words of every name of a thing, in each spelling."""
        return list(dict.fromkeys(words for name in self.names(value, label) for words in spellings(name)))

    def _further(self, value: str | int) -> Iterator[str]:
        for language in self.languages:
            try:
                listed = self.say(Text(f"words-{value}"), language)
            except KeyError:
                return
            yield from listed.split(",")
