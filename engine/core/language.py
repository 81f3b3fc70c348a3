"""Sentences in the reader's language: gettext catalogues, one folder per game, and how a sentence is filled."""

import gettext
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from textwrap import wrap
from typing import Any, ClassVar, Protocol, Self, cast

from engine.core.games import GameEvent
from engine.core.questions import Seat, Text

MOST_NAMED = 8  # options in the refusal of another one


class Folder(Traversable, Hashable, Protocol):
    """A folder on a disk or in a zip archive: the verifier is one file."""


def locale_of(package: str | None) -> Folder:
    """The folder of a package's catalogues."""
    assert package is not None
    return cast(Folder, files(package) / "locale")


@cache
def catalogue(folder: Folder, domain: str, language: str) -> gettext.NullTranslations:
    """The catalogue `folder`/<language>/LC_MESSAGES/`domain`.mo; English as it stands in the code if there is none.

    Arguments:
        folder: the locale folder of the game.
        domain: the name of its catalogues.
        language: a code such as "es" or "es-mx"; a region falls back to its language.
    """
    main, _, region = language.replace("_", "-").partition("-")
    for name in [f"{main}_{region.upper()}", main] if region else [main]:
        compiled = folder / name / "LC_MESSAGES" / f"{domain}.mo"
        if name.isidentifier() and compiled.is_file():
            with compiled.open("rb") as file:
                return gettext.GNUTranslations(file)
    return gettext.NullTranslations()


def _(sentence: str) -> str:
    """Marks a sentence for the catalogues."""
    return sentence


def _n(singular: str, plural: str) -> tuple[str, str]:
    """Marks a sentence that depends on a number."""
    return singular, plural


REFUSALS = {
    "counted": "{counted}",  # how many of an option
    "illegal-option": _("{option}: {value} isn't one of the choices."),
    "stale": _("You can no longer answer this question."),
    "malformed": _("This answer can't be read: {detail}."),
    "illegal-type": _("That doesn't answer the question."),
    "illegal-field": _("{field}: this isn't part of the question."),
    "illegal-missing": _("{field}: please choose."),
    "illegal-value": _("{field}: {value} can't be chosen now. Possible: {choices}"),
    "illegal-amount": _("{field}: choose between 0 and {most}."),
    "illegal-total": _("{field}: choose {total} in all."),
    "illegal-range": _("{field}: choose {least} to {total} in all."),
    "illegal-sum": _("{field}, {other}: choose the same number for both."),
    "illegal-both": _("You've chosen {value} twice; choose something else for one of them."),
    "illegal-repeat": _("You've chosen {value} twice."),
    "illegal-pair": _("These don't go together: {other}, {value}. Please change one of them."),
    "no-boundary": _("The game is waiting for an answer."),
    "cannot-resign": _("{seat} can't resign now."),
    "cannot-end": _("{seat} can't end the game while nobody has resigned."),
}
"""Sentences of the refusals of `engine.core`, by code; a game may say one otherwise under the same code."""

YOU = _("You")
"""Stands for the reader in lists of players, such as "You 9, Ben 7"."""
SHARED = {
    "illegal-seats": _("The number of players must be one of these: {seats}."),
    # what is asked
    "ask": _("Your move."),
    "do": _("Your move"),
    "field": _("Choice"),
    "value": _("{value}"),
    "default": _("If you don't answer: {answer}."),
    # what has happened
    "opened": _("The game begins."),
    "gave-up": _("{seat} has resigned."),
    "gave-up-you": _("You have resigned."),
    "won": _("{seat} wins with {score} points."),
    "won-you": _("You win with {score} points."),
    "shared": _("{seats} win together with {score} points each."),
    "drawn": _("The game is drawn."),
    "abandoned": _("The others have resigned; {seat} ends the game and wins."),
    "abandoned-you": _("The others have resigned; you end the game and win."),
    # the board
    "turn": _("turn {turn}"),
    "points": _("{score} points"),
    "is-asked": _("to answer"),
    "standing": _("Points: {totals}."),
    "figures-points": _("Points"),
    "figures-turn": _("After turn {turn}"),
    "pair": _("{first} and {last}"),
    "join": _(", "),
    # bots
    "bot-random": _("Random"),
    "bot-greedy": _("Greedy"),
    "why-greedy": _("Of all moves it looks best at once."),
}
"""Sentences of games that derive from `engine.base`, by code; a game may say one otherwise under the same code."""

LOCALE = locale_of("engine.core")
DOMAIN = "core"


class BaseWords:
    """The sentences of a game in one language, filled with the names of the players and what else the game has.

    A sentence about its reader says "you": that of "gives" is "gives-you" where he is its {seat}, and "gives-to-you"
    where he is its {to}. Where there is none, his name stands. In lists he is "You".

    Arguments:
        locale, domain: where the catalogues are.
        sentences: by code, in English.
        plurals: by code the parameter that counts, singular and plural.
        lists: how the parts of a list are joined: "join" of all but the last, "pair" of those and the last.
    """

    locale: ClassVar[Folder]
    domain: ClassVar[str]
    sentences: ClassVar[Mapping[str, str]]
    plurals: ClassVar[Mapping[str, tuple[str, str, str]]]
    lists: ClassVar[Mapping[str, str]]

    def __init__(self, language: str, names: Sequence[str], reader: Seat | None = None) -> None:
        self._catalogue = catalogue(self.locale, self.domain, language)
        self._shared = catalogue(LOCALE, DOMAIN, language)
        self._names = names
        self._reader = reader
        self._shapes = self.shapes()

    @classmethod
    @lru_cache(maxsize=64)  # a page says a hundred sentences in a row to the same reader
    def of(cls, language: str, names: tuple[str, ...], reader: Seat | None = None) -> Self:
        """The sentences in a language, with these names by seat."""
        return cls(language, names, reader)

    def say(self, said: Text | GameEvent) -> str:
        """A sentence or an event in words; "" for an event that nobody needs to read."""
        sentence = said if isinstance(said, Text) else said.text()
        return self.sentence(sentence.code, **sentence.params) if sentence else ""

    def shapes(self) -> dict[str, Callable[[Any], str]]:
        """How parameters are put into words, by their shape: of {"seat": 2} that is "seat"."""
        return {
            "seat": self.name,
            "seats": lambda seats: self.listed([self.listed_name(seat) for seat in seats]),
            "totals": lambda pairs: ", ".join(f"{self.listed_name(seat)} {total}" for seat, total in pairs),
            "options": self.options,
            "counted": lambda pair: f"{pair[1]} {self._fill({'option': str(pair[0])})}",
        }

    def options(self, values: Sequence[object]) -> str:
        """The names of what can be chosen, as many as one reads: "1, 2, 5", "1, 2, 3, 4, 5, 6, …"."""
        names = [self._fill({"option": str(value)}) for value in values[:MOST_NAMED]]
        return ", ".join([*names, "…"] if len(values) > MOST_NAMED else names)

    def get(self, sentence: str) -> str:
        """A marked sentence in the reader's language."""
        return self._catalogue.gettext(sentence)

    def sentence(self, code: str, **params: Any) -> str:
        """The sentence of that code, filled: the game's own, or one of REFUSALS. Raises KeyError if there is none."""
        if self._reader is not None:
            code = self._addressed(code, params)
        if code in self.plurals:
            count, singular, plural = self.plurals[code]
            pattern = self._catalogue.ngettext(singular, plural, params[count])
        elif code in self.sentences:
            pattern = self.get(self.sentences[code])
        else:
            pattern = self._shared.gettext(REFUSALS[code])
        return pattern.format_map({name: self._fill(value) for name, value in params.items()})

    def _addressed(self, code: str, params: Mapping[str, object]) -> str:
        """The code of the sentence that speaks to its reader, as far as he is in it and there is one."""
        reader = ({"seat": self._reader}, {"seats": [self._reader]})
        for name in [name for name, value in params.items() if value in reader]:
            addressed = f"{code}-you" if name == "seat" else f"{code}-{name}-you"
            if addressed in self.sentences or addressed in self.plurals:
                code = addressed
        return code

    def _fill(self, value: object) -> str:
        if isinstance(value, Mapping):
            ((shape, content),) = value.items()
            return self._shapes[shape](content)
        return str(value)

    def name(self, seat: Seat) -> str:
        """The name of the player in a seat."""
        return self._names[seat]

    def listed_name(self, seat: Seat) -> str:
        """The name of the player in a seat, or that the reader is meant, where it stands in a list."""
        return self._shared.gettext(YOU) if seat == self._reader else self.name(seat)

    def listed(self, parts: Sequence[str]) -> str:
        """ "a", "a and b", "a, b and c"."""
        if len(parts) < 2:
            return "".join(parts)
        first = self.get(self.lists["join"]).join(parts[:-1])
        return self.get(self.lists["pair"]).format(first=first, last=parts[-1])


# Plain text as mails, terminals and screen readers want it: lines of bounded width.

WIDTH = 78  # characters, of a board in words
DEEPER = 4  # characters by which the rest of a line that was folded stands in


def folded(lines: Sequence[str], width: int) -> Iterator[str]:
    """Lines no wider than `width` characters; what does not fit goes on below, indented a little further."""
    for line in lines:
        if len(line) <= width:
            if line := line.rstrip():
                yield line
            continue
        text = line.strip()
        indent = " " * (len(line) - len(line.lstrip()))
        yield from _wrapped(text, width, indent, indent + " " * DEEPER)


def _wrapped(text: str, width: int, indent: str, deeper: str) -> Iterator[str]:
    """Wraps like `textwrap.wrap`, in a tenth of its time where every word fits: a page folds ten long lines."""
    if max(map(len, text.split(" "))) > width - len(deeper):
        yield from wrap(text, width, initial_indent=indent, subsequent_indent=deeper, break_on_hyphens=False)
        return
    while len(indent) + len(text) > width:
        end = text.rindex(" ", 0, width - len(indent) + 1)
        yield indent + text[:end].rstrip(" ")
        text, indent = text[end:].lstrip(" "), deeper
    yield indent + text


def unfolded(lines: Iterable[str]) -> list[str]:
    """Lines that were folded at WIDTH, whole again: for a screen that folds them in its own way."""
    whole: list[str] = []
    last = ""
    for line in lines:
        word = line.split(maxsplit=1)[:1]
        if word and whole and _indent(line) == _indent(whole[-1]) + DEEPER and len(f"{last} {word[0]}") > WIDTH:
            whole[-1] += f" {line.lstrip()}"
        else:
            whole.append(line)
        last = line
    return whole


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
