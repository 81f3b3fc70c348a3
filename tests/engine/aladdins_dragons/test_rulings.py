"""Every ruling is named by some test of this folder, and by the rules in words in every language."""

import re
from pathlib import Path

import pytest

from engine.aladdins_dragons.cards.deck import SPELLS

SPELL_RULINGS = range(1, len(SPELLS) + 1)
RULES_IN_WORDS = Path(__file__).resolve().parents[3] / "docs" / "rules"

NAMES = [
    name
    for path in Path(__file__).parent.rglob("test_*.py")
    for name in re.findall(r"def (test_\w+)", path.read_text())
]


def cited(letter):
    """The numbers of the rulings of that letter in the names of tests."""
    return {int(number) for name in NAMES for number in re.findall(rf"_{letter}(\d+)(?=_|$)", name)}


def in_words(suffix=""):
    """The rulings that the rules in words name, "A12"; "A75 to A81" names all of them."""
    text = (RULES_IN_WORDS / f"aladdins-dragons{suffix}.md").read_text()
    found = {f"{letter}{number}" for letter, number in re.findall(r"\b([AS])(\d+)\b", text)}
    for letter, first, last in re.findall(r"\b([AS])(\d+) (?:to|a) [AS](\d+)\b", text):
        found |= {f"{letter}{number}" for number in range(int(first), int(last))}
    return found


def test_every_ruling_that_the_rules_in_words_name_is_named_by_a_test():
    assert in_words() - {f"{letter}{number}" for letter in "AS" for number in cited(letter.lower())} == set()


def test_every_ruling_of_the_game_is_cited_by_a_test():
    assert {*range(1, 100)} - cited("a") == set()


def test_every_spells_ruling_is_cited_by_at_least_three_tests():
    counts = {number: sum(f"_s{number}_" in f"{name}_" for name in NAMES) for number in SPELL_RULINGS}
    assert {number: count for number, count in counts.items() if count < 3} == {}


@pytest.mark.parametrize("suffix", ["", ".de", ".es"])
def test_every_ruling_is_in_the_rules_in_words(suffix):
    wanted = {*(f"A{number}" for number in range(1, 100)), *(f"S{number}" for number in SPELL_RULINGS)}
    assert wanted - in_words(suffix) == set()


def test_the_rules_are_the_same_in_every_language():
    """Line for line of structure: the same headings, items, table rows and rulings in the same order."""
    shapes = [
        re.findall(r"^(?:#+|- |\d+\.|\s*\|)|\b[AS]\d+\b", path.read_text(), re.MULTILINE)
        for path in sorted(RULES_IN_WORDS.glob("aladdins-dragons*.md"))
    ]
    assert len(shapes) == 3
    assert shapes[0] == shapes[1] == shapes[2]
