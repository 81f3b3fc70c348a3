"""Every ruling of the game is named by some test here, and by the rules in words in every language."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
RULINGS = set(range(1, 54))


def test_every_ruling_that_the_rules_in_words_name_is_named_by_a_test():
    text = (ROOT / "docs/rules/cave-of-wonders.md").read_text()
    assert {int(number) for number in re.findall(r"\bC(\d+)\b", text)} == RULINGS
    names = [
        name
        for path in Path(__file__).parent.rglob("test_*.py")
        for name in re.findall(r"def (test_\w+)", path.read_text())
    ]
    cited = {int(number) for name in names for number in re.findall(r"_c(\d+)", name)}
    assert RULINGS - cited == set()


@pytest.mark.parametrize("suffix", ["", ".es"])
def test_every_ruling_is_in_the_rules_in_words(suffix):
    text = (ROOT / f"docs/rules/cave-of-wonders{suffix}.md").read_text()
    assert {int(number) for number in re.findall(r"\bC(\d+)\b", text)} == RULINGS


def test_the_rules_are_the_same_in_both_languages():
    """Line for line of structure: the same headings, items, table rows and rulings in the same order."""
    shapes = [
        re.findall(r"^(?:#+|- |\d+\.|\s*\|)|\b[AC]\d+\b|[−+]\d+", path.read_text(), re.MULTILINE)
        for path in sorted((ROOT / "docs" / "rules").glob("cave-of-wonders*.md"))
    ]
    assert shapes[0] == shapes[1]
