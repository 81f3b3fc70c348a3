"""Sentences in the reader's language: gettext catalogues, one folder per game, and how a sentence is filled."""

import gettext
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, ClassVar, Protocol, cast

from engine.core.questions import Seat

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


class BaseWords:
    """The sentences of a game in one language, filled with the names of the players and what else the game has.

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

    def __init__(self, language: str, names: Sequence[str]) -> None:
        self._catalogue = catalogue(self.locale, self.domain, language)
        self._names = names
        self._shapes = self.shapes()

    def shapes(self) -> dict[str, Callable[[Any], str]]:
        """How parameters are put into words, by their shape: of {"seat": 2} that is "seat"."""
        return {
            "seat": self.name,
            "seats": lambda seats: self.listed([self.name(seat) for seat in seats]),
            "totals": lambda pairs: ", ".join(f"{self.name(seat)} {total}" for seat, total in pairs),
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
        """The sentence of that code, filled. Raises KeyError if there is none."""
        if code in self.plurals:
            count, singular, plural = self.plurals[code]
            pattern = self._catalogue.ngettext(singular, plural, params[count])
        else:
            pattern = self.get(self.sentences[code])
        return pattern.format_map({name: self._fill(value) for name, value in params.items()})

    def _fill(self, value: object) -> str:
        if isinstance(value, Mapping):
            ((shape, content),) = value.items()
            return self._shapes[shape](content)
        return str(value)

    def name(self, seat: Seat) -> str:
        """The name of the player in a seat."""
        return self._names[seat]

    def listed(self, parts: Sequence[str]) -> str:
        """ "a", "a and b", "a, b and c"."""
        if len(parts) < 2:
            return "".join(parts)
        first = self.get(self.lists["join"]).join(parts[:-1])
        return self.get(self.lists["pair"]).format(first=first, last=parts[-1])
