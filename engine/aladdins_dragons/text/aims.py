"""What a card is aimed at, in words: "Taboo! at the market", "Teleport: the token no. 2 in the tent → Market"."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.aladdins_dragons.text.words import Words


def card_with_aims(words: "Words", card: str, targets: Mapping[str, object], shown: Sequence[str] = ()) -> str:
    """The card and its aims.

    Arguments:
        targets: as in a `Play`.
        shown: the cards of the window in the order in which they were declared, for a card aimed at one of them.
    """
    name = words.card(card)
    if set(targets) == {"space"}:
        return f"{name} {words.place(str(targets['space']))}"
    said = aims(words, targets, shown)
    return f"{name}: {said}" if said else name


def aims(words: "Words", targets: Mapping[str, object], shown: Sequence[str] = ()) -> str:
    """The aims alone; "" for a card without any."""
    match targets:
        case {"give": Mapping() as give, "take": Mapping() as take}:
            return f"{words.amounts(give)} → {words.amounts(take)}"
    parts = [_aim(words, name, value, shown) for name, value in targets.items()]
    return ", ".join(part for part in parts if part).replace(", →", " →")


def _aim(words: "Words", name: str, value: object, shown: Sequence[str]) -> str:
    match name, value:
        case _, Mapping():
            return words.amounts(value)
        case "seat" | "owner", int():
            return words.name(value)
        case "play", int():
            return words.card(shown[value]) if value < len(shown) else ""
        case "space", str():
            return words.place(value)
        case "to", str():
            return f"→ {words.space(value)}"
    return words.option(str(value))
