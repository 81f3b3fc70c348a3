"""Populations side by side: one row for each table, one column for each population, as Markdown."""

from collections.abc import Mapping, Sequence
from typing import Any

Figures = Mapping[str, Any]  # as `summarise` gives them
SHOWN: Mapping[str, Sequence[str]] = {
    "days, median (p90)": ("days_median", "days_p90"),
    "rounds": ("rounds_median", "rounds_p90"),
    "days a round": ("days_per_round_median", "days_per_round_p90"),
    "waits a round": ("waits_per_round", "waits_per_round_p90"),
    "mails per player and day": ("mails_per_player_and_day", "mails_per_player_and_day_p90"),
    "sheets by the steward": ("sheets_by_steward",),
    "games": ("games",),
}
"""What stands in a table, under its name: a median, and a 90th percentile if there is one."""


def format_table(cells: Mapping[tuple[str, str], Figures]) -> str:
    """Formats the figures by (table, population)."""
    rows, columns = list(dict.fromkeys(row for row, _ in cells)), list(dict.fromkeys(column for _, column in cells))
    lines = [_line(["", "", *columns]), _line(["---"] * (len(columns) + 2))]
    for row in rows:
        for name, keys in SHOWN.items():
            found = [_cell(cells.get((row, column)), keys) for column in columns]
            lines.append(_line([row, name, *found]))
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(figures: Figures | None, keys: Sequence[str]) -> str:
    if figures is None:
        return ""
    first, *others = (str(figures[key]) for key in keys)
    return f"{first} ({others[0]})" if others else first
