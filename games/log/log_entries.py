"""Lines of a game's log: one event each; equal lines of one moment are counted in one."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any


@dataclass(frozen=True)
class LogLine:
    """One event as its viewer may see it: as text, "" for an event without one, and as data.

    `number` is public and has no gaps; None for an event that only this viewer may see. `is_taken_back` is true of an
    event that a roll-back has undone.
    """

    number: int | None
    at: datetime
    text: str
    event: Any  # the rules' own, redacted for the viewer
    is_taken_back: bool = False


def in_words(lines: Iterable[LogLine]) -> list[LogLine]:
    """Returns the lines with text. Equal lines of one moment become one that ends in a count: "(×3)"."""
    worded = (line for line in lines if line.text)
    told = []
    for _alike, group in groupby(worded, key=lambda line: (line.number, line.at, line.text)):
        first, *more = group
        told.append(replace(first, text=f"{first.text} (×{len(more) + 1})") if more else first)
    return told
