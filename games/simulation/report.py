"""Many games of one scenario in a few figures."""

from collections.abc import Sequence
from statistics import median, quantiles
from typing import Any

from games.simulation.trial import Figures


def summary(games: Sequence[Figures]) -> dict[str, Any]:
    """Median and 90th percentile of what matters to people (DESIGN 9), over at least one game."""
    days = [game.days for game in games]
    return {
        "games": len(games),
        "days_median": round(median(days), 1),
        "days_p90": round(_p90(days), 1),
        "mails_per_player_and_day": round(median(game.mails / game.players / max(game.days, 1) for game in games), 2),
        "waits_per_game": round(median(game.waits for game in games), 1),
        "answers_per_game": round(median(game.answers for game in games), 1),
        "passed_per_game": round(median(game.passed for game in games), 1),
        "ordered_share": round(median(game.ordered / max(1, game.answers + game.ordered) for game in games), 3),
        "crashes": sum(game.crashes for game in games),
        "refused_as_late": sum(game.refused for game in games),
    }


def _p90(values: Sequence[float]) -> float:
    return quantiles(values, n=10, method="inclusive")[-1] if len(values) > 1 else values[0]


def in_words(title: str, figures: dict[str, Any]) -> str:
    """The summary as a few lines."""
    lines = [title, *(f"  {name.replace('_', ' '):<28}{value:>10}" for name, value in figures.items())]
    return "\n".join(lines)
