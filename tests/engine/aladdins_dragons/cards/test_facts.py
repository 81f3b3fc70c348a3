"""Every card says everything that must be said of it in its own file, its own test and the rules in words."""

from pathlib import Path

import pytest

from engine.aladdins_dragons.cards.card import Card, Spell
from engine.aladdins_dragons.cards.deck import ALL_CARDS
from tests.engine.aladdins_dragons.cards.matrix import scenes

RULES_IN_WORDS = Path(__file__).resolve().parents[4] / "docs" / "rules"


def missing_facts(card: Card) -> list[str]:
    """What the card does not say of itself."""
    kind = type(card)
    facts = {
        "its rule with its rulings, as a docstring": bool(kind.__dict__.get("__doc__")),
        "`title`": bool(card.title),
        "`rule`": bool(card.rule),
        "`keep`, what it is worth to a bot": getattr(card, "keep", 0) > 0,
        "`judge`, what playing it brings": kind.judge is not Card.judge,
        "sentences that begin with its name": all(code.startswith(f"{card.name}-") for code in card.sentences),
        "its scene in `MATRIX` of its test file": not isinstance(card, Spell) or card.name in scenes(),
    }
    return [fact for fact, is_said in facts.items() if not is_said]


@pytest.mark.parametrize("name", ALL_CARDS)
def test_a_card_says_everything_that_must_be_said_of_it(name):
    assert missing_facts(ALL_CARDS[name]) == []


def test_of_a_card_that_says_nothing_everything_is_missed():
    class Nameless(Spell):
        pass

    assert len(missing_facts(Nameless())) == 6


@pytest.mark.parametrize("path", sorted(RULES_IN_WORDS.glob("aladdins-dragons*.md")), ids=lambda path: path.stem)
def test_every_spell_has_its_row_in_the_rules_in_words(path):
    rows = [line for line in path.read_text().splitlines() if line.startswith("| ![](spells/") and "** (S" in line]
    assert len(rows) == sum(isinstance(card, Spell) for card in ALL_CARDS.values())
