"""Finds the artifacts and spells, found in their folders: adding a card edits nothing here."""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from engine.aladdins_dragons import facts
from engine.aladdins_dragons.cards.card import CARDS, Artifact, Card, Spell

LAMP = facts.LAMP
"""The artifact under which spells are played (A84)."""


def _load(folder: str) -> None:
    path = Path(__file__).parent / folder
    for module in sorted(module_info.name for module_info in iter_modules([str(path)])):
        import_module(f"{__package__}.{folder}.{module}")


_load("artifacts")
_load("spells")

ALL_CARDS = CARDS
"""Artifacts and spells together."""

ARTIFACTS: dict[str, Artifact] = {name: card for name, card in CARDS.items() if isinstance(card, Artifact)}
SPELLS: dict[str, Spell] = {name: card for name, card in CARDS.items() if isinstance(card, Spell)}
"""By name, in alphabetical order: the order in which the deck is laid before it is shuffled (A11)."""


def get_card(name: str) -> Card:
    """The card of that name. Raises KeyError if there is none."""
    return CARDS[name]


def is_artifact(name: str) -> bool:
    """True for an artifact, False for a spell."""
    return name in ARTIFACTS
