"""Words in the reader's language: fills the sentences of `text` with names, spaces and treasures."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.cave_of_wonders import sentences as text
from engine.cave_of_wonders.events import EVENT_SENTENCES
from engine.cave_of_wonders.facts import KINDS, SQUARES
from engine.cave_of_wonders.recaps import FIGURE_SENTENCES
from engine.core.language import BaseWords, locale_of

_SENTENCES = {
    **text.SENTENCES,
    **EVENT_SENTENCES,
    **FIGURE_SENTENCES,
}

LOCALE = locale_of("engine.cave_of_wonders")
DOMAIN = "cave_of_wonders"


class Words(BaseWords):
    """A language and the names of the players by seat."""

    locale = LOCALE
    domain = DOMAIN
    sentences = _SENTENCES
    plurals = text.PLURALS
    lists = text.LISTS

    def shapes(self) -> dict[str, Callable[[Any], str]]:
        """Kinds, tokens, squares, directions and points."""
        return {
            **super().shapes(),
            "kinds": self.kinds,
            "token": lambda token: self.token(*token),
            "square": self.square,
            "direction": self.direction,
            "spaces": self.listed,
            "points": lambda count: self.sentence("points", count=count),
            "gain": signed,
            "parts": self.parts,
            "favourites": self.favourites,
            "field": lambda name: self.get(text.FIELD_NAMES[name]) if name in text.FIELD_NAMES else name,
            "option": lambda value: self.square(value) if value in SQUARES else value,
        }

    def kind(self, kind: str) -> str:
        """The name of a kind of treasure."""
        return self.get(text.KIND_NAMES[kind])

    def kinds(self, kind: str) -> str:
        """The name of several treasures of a kind, as a heading."""
        return self.get(text.KIND_PLURALS[kind])

    def token(self, kind: str, number: int | None, character: str) -> str:
        """The name of a token: "ruby 3", "ruby 2 with the monkey", "ruby, face down", "genie"."""
        return self.get(text.TOKEN_NAMES[character]).format(kind=self.kind(kind), number=number)

    def square(self, square: str) -> str:
        """The name of a square of a board: "ruby 3"."""
        kind, _, number = square.partition("-")
        return f"{self.kind(kind)} {number}"

    def direction(self, direction: str) -> str:
        """The name of a direction."""
        return self.get(text.DIRECTION_NAMES[direction])

    def character(self, character: str) -> str:
        """The name of a character."""
        return self.get(text.CHARACTER_NAMES[character])

    def character_rule(self, character: str) -> str:
        """Returns what a character does."""
        return self.get(text.CHARACTER_RULES[character])

    def short_token(self, kind: str, number: int | None, character: str) -> str:
        """The token in as few letters as can be: "R3", "R2m", "R?", "G"."""
        if character == "genie":
            return self.letter(character)
        letter = self.get(text.KIND_LETTERS[kind])
        return (
            f"{letter}?" if character == "hidden" else f"{letter}{number}{self.letter(character) if character else ''}"
        )

    def letter(self, character: str) -> str:
        """One letter for a token without its kind and number: "m" for a monkey, "x" for one without character."""
        return self.get(text.CHARACTER_LETTERS[character]) if character else "x"

    def parts(self, points: Mapping[str, int]) -> str:
        """Returns what points are for: "number +3, row +5"."""
        if not points:
            return self.sentence("no-points")
        return ", ".join(f"{self.get(text.PART_NAMES[part])} {signed(count)}" for part, count in points.items())

    def favourites(self, kinds: Sequence[str]) -> str:
        """Each player with the favourite: "Anna ruby, Ben topaz"."""
        return ", ".join(f"{self.listed_name(seat)} {self.kind(kind)}" for seat, kind in enumerate(kinds))

    def counted_kinds(self, counts: Mapping[str, int]) -> str:
        """How many of each kind: "3 emeralds, 1 ruby"; "nothing" for none."""
        parts = [
            self._catalogue.ngettext(*text.KIND_COUNTS[kind], counts[kind]).format(count=counts[kind])
            for kind in KINDS
            if counts.get(kind)
        ]
        return self.listed(parts) if parts else self.sentence("nothing")


def signed(count: int) -> str:
    """ "+3", "-3" with a real minus sign, "0"."""
    return f"+{count}" if count > 0 else str(count).replace("-", "\N{MINUS SIGN}")
