"""Figures as plain data: what counts of a game are for programs, with the words beside."""

from collections.abc import Callable

import msgspec

from engine.core.questions import JsonObject, Seat, Text
from engine.core.rules import Figures


class FigureRow(msgspec.Struct, frozen=True):
    """One thing that was counted for each seat.

    Arguments:
        code: What was counted, the same in every language.
        params: What belongs to the code, such as the round or the space; empty for most.
        label: The code in the reader's language.
        numbers: One number for each seat, by its number.
        ranks: The seats that were ranked here, the first one first; empty where nothing is ranked.
    """

    code: str
    params: JsonObject
    label: str
    numbers: list[int]
    ranks: list[Seat]


class FigureTable(msgspec.Struct, frozen=True):
    """One table of how a game went.

    Arguments:
        code: What the table is about, the same in every language.
        params: What belongs to the code, such as the round of a tally; empty for most.
        title: The code in the reader's language.
        is_course: Whether the rows follow each other in time.
        rows: What was counted, in the order in which it is shown.
    """

    code: str
    params: JsonObject
    title: str
    is_course: bool
    rows: list[FigureRow]


def plain_table(figures: Figures, say: Callable[[Text], str]) -> FigureTable:
    """Returns a table as programs get it.

    Arguments:
        say: puts a text into the reader's words.
    """
    ranks = figures.ranks or [[]] * len(figures.lines)
    rows = [
        FigureRow(_short(label), label.params, say(label), numbers, ranked)
        for (label, numbers), ranked in zip(figures.lines, ranks, strict=True)
    ]
    return FigureTable(_short(figures.title), figures.title.params, say(figures.title), figures.is_course, rows)


def _short(text: Text) -> str:
    """The code without what stands before it in the catalogue of sentences."""
    return text.code.removeprefix("figures-")
