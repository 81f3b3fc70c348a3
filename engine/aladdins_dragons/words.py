"""Words in the reader's language: fills the sentences of `text` with names, spaces and treasures."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.aladdins_dragons.events import EVENT_PLURALS, EVENT_SENTENCES
from engine.aladdins_dragons.facts import KINDS
from engine.aladdins_dragons.recaps import FIGURE_SENTENCES, RECAP_SENTENCES
from engine.aladdins_dragons.sentences import (
    CARD_RULES,
    CARD_SENTENCES,
    CARD_SHORT,
    CARD_TITLES,
    FIELD_NAMES,
    KIND_COUNTS,
    KIND_NAMES,
    LISTS,
    PLURALS,
    SENTENCES,
    SPACE_NAMES,
    SPACE_PLACES,
    SPACE_SHORT,
)
from engine.core import Seat
from engine.core.language import BaseWords, locale_of

_SENTENCES = {
    **SENTENCES,
    **EVENT_SENTENCES,
    **CARD_SENTENCES,
    **FIGURE_SENTENCES,
    **RECAP_SENTENCES,
}

LOCALE = locale_of("engine.aladdins_dragons")
DOMAIN = "aladdins_dragons"


class Words(BaseWords):
    """A language and the names of the players by seat."""

    locale = LOCALE
    domain = DOMAIN
    sentences = _SENTENCES
    plurals = {**PLURALS, **EVENT_PLURALS}
    lists = LISTS

    def shapes(self) -> dict[str, Callable[[Any], str]]:
        """Kinds, treasures, spaces, tokens and cards."""
        return {
            **super().shapes(),
            "kind": self.kind,
            "amounts": self.amounts,
            "space": self.space,
            "at": self.place,
            "sum": lambda numbers: "+".join(map(str, numbers)),
            "numbers": lambda numbers: "/".join(str(number) for number in numbers),
            "tokens": self.tokens,
            "caves": self.caves,
            "groups": lambda groups: "; ".join(", ".join(self.listed_name(seat) for seat in group) for group in groups),
            "field": self.field,
            "blanks": lambda names: self.listed([f"{{{name}}}" for name in names]),
            "option": self.option,
            "counted": lambda pair: self.amounts({pair[0]: pair[1]}),
            "card": self.card,
            "cards": lambda cards: self.listed([self.card(card) for card in cards]) or self.sentence("nothing"),
            "rule": lambda card: self.get(CARD_RULES[card]),
            "plays": self.plays,
            "aimed": lambda pair: self.card_with_aims(*pair),
            "aims": self.aims,
            "why": lambda parts: " ".join(self.sentence(code, **params) for code, params in parts),
            "sales": lambda prices: self.listed(
                [self.sentence("why-sale", at={"at": room}, price=price) for room, price in prices.items()]
            ),
            "results": lambda parts: " ".join(self.sentence(code, **params) for code, params in parts),
            "places": self.places,
            "offers": lambda offers: ", ".join(f"{self.space(room)} {self.card(offers[room])}" for room in offers),
        }

    def kind(self, kind: str) -> str:
        """The name of a kind of treasure."""
        return self.get(KIND_NAMES[kind])

    def card(self, card: str) -> str:
        """The name of an artifact or a spell."""
        return self.get(CARD_TITLES[card])

    def short_card(self, card: str) -> str:
        """The shortest name of an artifact."""
        return self.get(CARD_SHORT.get(card, CARD_TITLES[card]))

    def plays(self, plays: Sequence[tuple[Seat, str, Mapping[str, object], Sequence[str]]]) -> str:
        """Cards with what they are aimed at and who played them: "Taboo! at the market (Anna), Smuggler (Ben)".

        Each is seat, card, targets, and the cards shown in the same window.
        """
        said = ((self.card_with_aims(card, targets, shown), seat) for seat, card, targets, shown in plays)
        return ", ".join(f"{card} ({self.listed_name(seat)})" for card, seat in said)

    def card_with_aims(self, card: str, targets: Mapping[str, object], shown: Sequence[str] = ()) -> str:
        """The card and its aims: "Taboo! at the market", "Teleport: the token no. 2 in the tent → Market".

        Arguments:
            targets: as in a `Play`.
            shown: the cards of the window in the order in which they were declared, for a card aimed at one of them.
        """
        name = self.card(card)
        if set(targets) == {"space"}:
            return f"{name} {self.place(str(targets['space']))}"
        aims = self.aims(targets, shown)
        return f"{name}: {aims}" if aims else name

    def aims(self, targets: Mapping[str, object], shown: Sequence[str] = ()) -> str:
        """The aims alone; "" for a card without any."""
        match targets:
            case {"give": Mapping() as give, "take": Mapping() as take}:
                return f"{self.amounts(give)} → {self.amounts(take)}"
        parts = [self._aim(name, value, shown) for name, value in targets.items()]
        return ", ".join(part for part in parts if part).replace(", →", " →")

    def _aim(self, name: str, value: object, shown: Sequence[str]) -> str:
        match name, value:
            case _, Mapping():
                return self.amounts(value)
            case "seat" | "owner", int():
                return self.listed_name(value)
            case "play", int():
                return self.card(shown[value]) if value < len(shown) else ""
            case "space", str():
                return self.place(value)
            case "to", str():
                return f"→ {self.space(value)}"
        return self.option(str(value))

    def place(self, space: str) -> str:
        """Where that is, with its preposition: "at the market"."""
        return self.get(SPACE_PLACES[space])

    def places(self, places: Mapping[str, int]) -> str:
        """Spaces, with how often each: "Market ×2, Gold"."""
        return ", ".join(
            f"{self.short_space(space)} ×{count}" if count > 1 else self.short_space(space)
            for space, count in places.items()
        )

    def space(self, space: str) -> str:
        """The name of a space."""
        return self.get(SPACE_NAMES[space])

    def short_space(self, space: str) -> str:
        """The shortest name of a space."""
        return self.get(SPACE_SHORT.get(space, SPACE_NAMES[space]))

    def amounts(self, amounts: Mapping[str, int]) -> str:
        """Treasures with their numbers, in the order of the caves; "nothing" for none."""
        parts = [
            self._catalogue.ngettext(*KIND_COUNTS[kind], amounts[kind]).format(count=amounts[kind])
            for kind in KINDS
            if amounts.get(kind)
        ]
        return self.listed(parts) if parts else self.sentence("nothing")

    def tokens(self, tokens: Sequence[tuple[Seat, int]]) -> str:
        """Tokens grouped by owner in the order of the row: "Anna 9+1, Ben 7"."""
        rows: dict[Seat, list[str]] = {}
        for seat, value in tokens:
            rows.setdefault(seat, []).append(str(value))
        return ", ".join(f"{self.listed_name(seat)} {'+'.join(values)}" for seat, values in rows.items())

    def caves(self, caves: Mapping[str, Sequence[int]]) -> str:
        """The caves that hold treasure, with their shelves: "Crowns 5/3, Gemstones 4"."""
        return ", ".join(
            f"{self.kind(kind)} {'/'.join(str(value) for value in caves[kind])}" for kind in KINDS if caves[kind]
        )

    def field(self, name: str) -> str:
        """The name of a field of an answer; a field without a name of its own as it is written."""
        if name.startswith("pay_"):
            return self.sentence("field-pay-for", value=name.split("_")[1])
        return self.get(FIELD_NAMES[name]) if name in FIELD_NAMES else name

    def option(self, value: str) -> str:
        """The name of what was chosen, if it is a kind, a space, a card or a token."""
        space, colon, number = value.partition(":")
        if colon and space in SPACE_NAMES:
            return self.sentence("token-named", number=number, at={"at": space})
        if value in KIND_NAMES:
            return self.kind(value)
        if value in CARD_TITLES:
            return self.card(value)
        return self.space(value) if value in SPACE_NAMES else value
