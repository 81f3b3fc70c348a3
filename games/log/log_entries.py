"""Lines of a game's log: one event each, and what belongs together told in one."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any


@dataclass(frozen=True)
class LogLine:
    """One event as its viewer may know it: in words, "" where there is nothing to say, and as data.

    `number` is public and has no gaps; None for what only this viewer may know. `is_taken_back` after a roll-back to
    an earlier step: it counts no more.
    """

    number: int | None
    at: datetime
    text: str
    event: Any  # the rules' own, redacted for the viewer
    is_taken_back: bool = False


def in_words(lines: Iterable[LogLine]) -> list[LogLine]:
    """Those with words. What happened several times at once, known to the viewer alone, is one line that counts it."""
    worded = (line for line in lines if line.text)
    told = []
    for _alike, group in groupby(worded, key=lambda line: (line.number, line.at, line.text)):
        first, *more = group
        told.append(replace(first, text=f"{first.text} (×{len(more) + 1})") if more else first)
    return told
