"""Every ruling that touches the basic version is named by some test here."""

import re
from pathlib import Path

MAGIC_ONLY = {8, 9, 11, 24, 31, 37, 53, 54, 55, 56, 57, 64, 65, 66, 71, 72, 74, 95, 96}
"""Rulings in the ranges of the basic rules that speak of spells, of moved tokens or of the power of artifacts."""


def test_every_ruling_of_the_basic_version_is_cited_by_a_test():
    wanted = {*range(1, 75), *range(94, 100)} - MAGIC_ONLY
    names = [
        name
        for path in Path(__file__).parent.glob("test_*.py")
        for name in re.findall(r"def (test_\w+)", path.read_text())
    ]
    cited = {int(number) for name in names for number in re.findall(r"_a(\d+)", name)}
    assert wanted - cited == set()
