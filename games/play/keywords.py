"""The words of answers by mail that belong to no game: commands, and the small words of an order.

Whoever writes may use those of any language, in every mail. The first of each list is the one that mails suggest.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache

from django.conf import settings
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from engine.core import Text

# Names of things in a reply: their value, their label in every language, the words of their game.

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
        names = [*self._further(value), *(self.say(label, language) for language in self.languages), str(value)]
        return [name for name in names if split(name)]

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


class Keyword(StrEnum):
    """The meaning of a word, whatever it is in a language."""

    YES = "yes"
    STATUS = "status"
    HELP = "help"
    RESIGN = "resign"
    ORDERS = "orders"
    SAY = "say"
    PLAN = "plan"
    SHEET = "sheet"
    ORDER = "order"
    CHANGE = "change"
    CANCEL = "cancel"
    MOVE = "move"
    ALL = "all"
    FIRST = "first"
    LAST = "last"
    ASK = "ask me"
    NOTHING = "nothing"
    IF = "if"
    STOP = "stop if"
    OR = "or"
    THEN = "then"
    STAYS = "always"
    EVEN_SO = "even so"
    ANY_PLAY = "unless a card is shown"
    ROUND = "this round"
    RETURN = "until I am back"
    UNTIL = "until"
    PASSING = "pass"


# Translators: all of these are words of answers by mail, with commas between them; the first is the one suggested
WORDS: dict[Keyword, str | Promise] = {
    # Translators: plays what the email proposes
    Keyword.YES: pgettext_lazy("reply by mail", "ok, okay, yes"),
    Keyword.STATUS: pgettext_lazy("reply by mail", "status, board"),
    Keyword.HELP: pgettext_lazy("reply by mail", "help"),
    Keyword.RESIGN: pgettext_lazy("reply by mail", "resign, I resign"),
    # Translators: shows the standing orders
    Keyword.ORDERS: pgettext_lazy("reply by mail", "orders, my orders, list orders"),
    # Translators: answers the question for a plan, as in "plan bribe up to 4, ask me at the market"
    Keyword.PLAN: pgettext_lazy("reply by mail", "plan, my plan"),
    # Translators: answers the question of a round's beginning, as in "sheet 9 crowns, 5 guard"
    Keyword.SHEET: pgettext_lazy("reply by mail", "sheet, my sheet, round"),
    # Translators: gives a standing order, as in "order 9 crowns"
    Keyword.ORDER: pgettext_lazy("reply by mail", "order"),
    # Translators: puts another order in the place of one, as in "change 2 to 9 crowns"
    Keyword.CHANGE: pgettext_lazy("reply by mail", "change, replace"),
    # Translators: takes orders back, as in "cancel 2" or "cancel all"
    Keyword.CANCEL: pgettext_lazy("reply by mail", "cancel, delete, remove"),
    # Translators: moves an order in the list, as in "move 3 first"
    Keyword.MOVE: pgettext_lazy("reply by mail", "move"),
    # Translators: says the rest of the line to the table, as in "say good move"
    Keyword.SAY: pgettext_lazy("reply by mail", "say"),
    # Translators: all orders, as in "cancel all"
    Keyword.ALL: pgettext_lazy("reply by mail", "all, all orders, everything"),
    # Translators: to the beginning of the list, as in "move 3 first"
    Keyword.FIRST: pgettext_lazy("reply by mail", "first, up, to the top"),
    # Translators: to the end of the list, as in "move 3 last"
    Keyword.LAST: pgettext_lazy("reply by mail", "last, down, to the end"),
    # Translators: the order gives no answer, as in "order ask me at the market"
    Keyword.ASK: pgettext_lazy("reply by mail", "ask me, ask"),
    # Translators: leaves a whole round to the defaults, as in "sheet nothing"
    Keyword.NOTHING: pgettext_lazy("reply by mail", "nothing, forfeit"),
    # Translators: what an order depends on, as in "if guard at most 8"
    Keyword.IF: pgettext_lazy("reply by mail", "if"),
    # Translators: before "if": the order does not answer, as in "ask me if others at least 2"
    Keyword.STOP: pgettext_lazy("reply by mail", "ask me, stop, stop and ask me, ask, stop and ask"),
    # Translators: between answers of which the first possible one is given
    Keyword.OR: pgettext_lazy("reply by mail", "or, or else"),
    # Translators: between orders, beside the comma
    Keyword.THEN: pgettext_lazy("reply by mail", "then, and then"),
    # Translators: the order is kept after it has answered
    Keyword.STAYS: pgettext_lazy("reply by mail", "always, again and again, every time"),
    # Translators: the order answers even if others show a card before
    Keyword.EVEN_SO: pgettext_lazy("reply by mail", "even so, even then"),
    # Translators: its player is asked once others have shown any card
    Keyword.ANY_PLAY: pgettext_lazy("reply by mail", "unless a card is shown, unless anybody shows a card"),
    # Translators: the order ends with the round
    Keyword.ROUND: pgettext_lazy("reply by mail", "this round, for this round"),
    # Translators: the order ends when its player is back
    Keyword.RETURN: pgettext_lazy("reply by mail", "until I am back, until I return"),
    # Translators: before a date, as in "until 2026-12-24"
    Keyword.UNTIL: pgettext_lazy("reply by mail", "until"),
    # Translators: what the order is called by which somebody passes for longer, as in "cancel pass"
    Keyword.PASSING: pgettext_lazy("reply by mail", "pass"),
}
"""Every keyword in the reader's language."""


@cache
def spoken(keyword: Keyword) -> tuple[Words, ...]:
    """Every way to say it, in all languages, the longest first."""
    phrases: list[Words] = []
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            phrases += [words for word in str(WORDS[keyword]).split(",") for words in spellings(word)]
    return tuple(sorted(dict.fromkeys(phrases), key=len, reverse=True))


def word(keyword: Keyword) -> str:
    """Returns the keyword in the reader's language."""
    return str(WORDS[keyword]).split(",")[0]


def ends(words: Words, keyword: Keyword) -> Words | None:
    """Returns the words before the keyword, or None if they do not end with it."""
    return next((words[: -len(phrase)] for phrase in spoken(keyword) if words[-len(phrase) :] == phrase), None)


def parted(words: Words, keyword: Keyword) -> list[Words]:
    """The parts between the keywords."""
    parts, at, begun = list[Words](), 0, 0
    while at < len(words):
        match = next((phrase for phrase in spoken(keyword) if words[at : at + len(phrase)] == phrase), None)
        if match is None:
            at += 1
            continue
        parts.append(words[begun:at])
        at = begun = at + len(match)
    return [*parts, words[begun:]]


# Lines that ask for something beside a move, in the same words in every game.

ALONE = (Keyword.STATUS, Keyword.HELP, Keyword.RESIGN, Keyword.ORDERS)
"""Commands that are a whole line; those about standing orders are in `order_lines`."""


def find_command(line: str) -> Keyword | None:
    """Return the command that a whole line is, in any language, or None."""
    words = split(line)
    return next((command for command in ALONE if words in spoken(command)), None)


def is_yes(line: str) -> bool:
    """Return whether the line is no more than a yes, in any language: it plays what is proposed."""
    return split(line.rstrip(".! ")) in spoken(Keyword.YES)


def parse_table_talk(line: str) -> str:
    """Return what a line says to the table, as it was written; "" if it is not table talk."""
    command, _space, words = line.strip().partition(" ")
    return words.strip() if (command.casefold(),) in spoken(Keyword.SAY) else ""
