"""docs/reliability.md has a row for each of the fifty checks, and what a row names is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLACES = (ROOT / "tests", ROOT, ROOT / "docs")
TEXT = (ROOT / "docs" / "reliability.md").read_text()
ROWS = [line.strip("| ").split(" | ") for line in TEXT.splitlines() if re.match(r"\| \d+ \|", line)]
NAMES = re.compile(r"`([^`]+)`")
PLACE = re.compile(r"([\w/]+\.py)(?:: (\w+))?")


def found(path: str) -> Path | None:
    """A file or folder that a row names: below tests/, or of the whole project."""
    return next((place / path for place in PLACES if (place / path).exists()), None)


def missing(cell: str) -> list[str]:
    """What a row names and there is not. A test's name alone is one of the file that was named before it."""
    lost, last = [], Path()
    for name in NAMES.findall(cell):
        path, test = named.groups() if (named := PLACE.fullmatch(name)) else ("", name)
        if path:
            last = found(path) or Path()
            lost += [] if last.is_file() else [path]
        if test and test.startswith("test_"):
            lost += [] if last.is_file() and f"def {test}(" in last.read_text() else [test]
    return lost


def test_there_are_fifty_in_their_order() -> None:
    assert [int(row[0]) for row in ROWS] == list(range(1, 51))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_each_names_what_shows_it_and_that_is_there(row: list[str]) -> None:
    assert len(row) == 3
    assert any(".py" in name or found(name) for name in NAMES.findall(row[2])), row[2]
    assert missing(row[2]) == []
