"""Many games of one scenario in a few figures, beside the same games without orders."""

from collections.abc import Callable, Mapping, Sequence
from statistics import mean, median, quantiles
from typing import Any

from games.lab.simulation.figures import SimulatedFigures


def summary(games: Sequence[SimulatedFigures]) -> dict[str, Any]:
    """Medians and the 90th percentile of what matters to people, over at least one game."""

    def middle(value: Callable[[SimulatedFigures], float], digits: int = 1) -> float:
        return round(median(value(game) for game in games), digits)

    return {
        "games": len(games),
        "days_median": middle(lambda game: game.days),
        "days_p90": round(_p90([game.days for game in games]), 1),
        "rounds_median": middle(lambda game: game.rounds),
        "waits_per_game": middle(lambda game: game.waits),
        "waits_per_round": middle(lambda game: game.waits / game.rounds, 2),
        "waits_per_round_by_kind": _by_kind(games, lambda game: game.waits_by_kind),
        "days_per_round_by_kind": _by_kind(games, lambda game: game.days_by_kind),
        "mails_per_player_and_day": middle(lambda game: game.mails / game.players / max(game.days, 1), 2),
        "answered_by_orders": middle(lambda game: game.ordered / max(1, game.given + game.passed + game.ordered), 3),
        "passed_per_game": middle(lambda game: game.passed),
        "passed_share": middle(lambda game: game.passed / max(1, game.given + game.passed), 3),
        "refused_as_late": sum(game.refused for game in games),
        "crashes": sum(game.crashes for game in games),
        "outages": sum(game.outages for game in games),
    }


def _by_kind(
    games: Sequence[SimulatedFigures], of: Callable[[SimulatedFigures], Mapping[str, float]]
) -> dict[str, float]:
    """The mean per round of every kind, the largest first."""
    kinds = {kind for game in games for kind in of(game)}
    means = {kind: mean(of(game).get(kind, 0) / game.rounds for game in games) for kind in kinds}
    return {kind: round(means[kind], 2) for kind in sorted(kinds, key=lambda kind: (-means[kind], kind))}


def compared(games: Sequence[SimulatedFigures], naive: Sequence[SimulatedFigures]) -> dict[str, float]:
    """How many times fewer waits and days than naive asking."""
    if not naive:
        return {}
    ours, theirs = summary(games), summary(naive)
    return {
        "fewer_waits": round(theirs["waits_per_round"] / ours["waits_per_round"], 1),
        "fewer_days": round(theirs["days_median"] / ours["days_median"], 1),
    }


def _p90(values: Sequence[float]) -> float:
    return quantiles(values, n=10, method="inclusive")[-1] if len(values) > 1 else values[0]


def in_words(report: Mapping[str, Any]) -> str:
    """The report as a table of a few lines."""
    columns = {name: report[name] for name in ("played", "naive") if report.get(name)}
    lines = [report["title"], f"  {'':<28}" + "".join(f"{name:>12}" for name in columns)]
    for name, value in report["played"].items():
        if not isinstance(value, dict):
            cells = "".join(f"{column[name]:>12}" for column in columns.values())
            lines.append(f"  {name.replace('_', ' '):<28}{cells}")
    for name, column in columns.items():
        for figure, value in column.items():
            if isinstance(value, dict):
                found = ", ".join(f"{kind} {amount}" for kind, amount in value.items())
                lines.append(f"  {name}, {figure.replace('_', ' ')}: {found}")
    lines += [f"  {name.replace('_', ' ')}: {value} times" for name, value in report.get("compared", {}).items()]
    lines += [f"  floor, {name.replace('_', ' ')}: {value}" for name, value in report.get("floor", {}).items()]
    return "\n".join(lines)
