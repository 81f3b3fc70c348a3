"""Every ruling of the game is named by some test here."""

import re
from pathlib import Path


def test_every_ruling_is_cited_by_a_test():
    names = [
        name
        for path in Path(__file__).parent.glob("test_*.py")
        for name in re.findall(r"def (test_\w+)", path.read_text())
    ]
    cited = {int(number) for name in names for number in re.findall(r"_c(\d+)", name)}
    assert set(range(1, 54)) - cited == set()
