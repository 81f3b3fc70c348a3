"""Reports many games of one scenario in a few figures, beside the same games without orders."""

from collections.abc import Callable, Mapping, Sequence
from statistics import mean, median, quantiles
from typing import Any

from games.lab.simulation.reports.figures import GameFigures


def summarise(games: Sequence[GameFigures]) -> dict[str, Any]:
    """Medians and 90th percentiles over at least one game."""

    def middle(value: Callable[[GameFigures], float], digits: int = 1) -> float:
        return round(median(map(value, games)), digits)

    def ninth(value: Callable[[GameFigures], float], digits: int = 1) -> float:
        return round(_p90([value(game) for game in games]), digits)

    return {
        "games": len(games),
        "days_median": middle(lambda game: game.days),
        "days_p90": ninth(lambda game: game.days),
        "rounds_median": middle(lambda game: game.rounds),
        "rounds_p90": ninth(lambda game: game.rounds),
        "days_per_round_median": middle(lambda game: game.days / game.rounds, 2),
        "days_per_round_p90": ninth(lambda game: game.days / game.rounds, 2),
        "waits_per_game": middle(lambda game: game.waits),
        "waits_per_round": middle(lambda game: game.waits / game.rounds, 2),
        "waits_per_round_p90": ninth(lambda game: game.waits / game.rounds, 2),
        "waits_per_round_by_kind": _per_round(games, lambda game: game.waits_by_kind),
        "days_per_round_by_kind": _per_round(games, lambda game: game.days_by["kind"]),
        "mails_per_player_and_day": middle(_mails, 2),
        "mails_per_player_and_day_p90": ninth(_mails, 2),
        "answered_by_orders": middle(lambda game: game.ordered / max(1, game.given + game.passed + game.ordered), 3),
        "proposals_accepted": round(_share(games, lambda game: game.accepted, lambda game: game.given), 3),
        "sheets_by_steward": round(_share(games, lambda game: game.sheets_by_steward, lambda game: game.sheets), 3),
        "passed_per_game": middle(lambda game: game.passed),
        "passed_share": middle(lambda game: game.passed / max(1, game.given + game.passed), 3),
        "refused_as_late": sum(game.refused for game in games),
        "crashes": sum(game.crashes for game in games),
        "outages": sum(game.outages for game in games),
    }


def break_down(games: Sequence[GameFigures]) -> dict[str, dict[str, float]]:
    """The days a round for which the games stood, by what they stood on."""
    return {
        "kind": _per_round(games, lambda game: game.days_by["kind"]),
        "last_answer": _per_round(games, lambda game: game.days_by["last"]),
        "last_waiter": _per_round(games, lambda game: game.days_by["person"]),
        "hour_of_the_last_waiter": dict(sorted(_per_round(games, lambda game: game.days_by["hour"]).items())),
    }


def _mails(game: GameFigures) -> float:
    return game.mails / game.players / max(game.days, 1)


Count = Callable[[GameFigures], int]


def _share(games: Sequence[GameFigures], part: Count, whole: Count) -> float:
    return sum(map(part, games)) / max(1, sum(map(whole, games)))


def _per_round(games: Sequence[GameFigures], of: Callable[[GameFigures], Mapping[str, float]]) -> dict[str, float]:
    """The mean per round of every kind, the largest first."""
    kinds = {kind for game in games for kind in of(game)}
    means = {kind: mean(of(game).get(kind, 0) / game.rounds for game in games) for kind in kinds}
    return {kind: round(means[kind], 2) for kind in sorted(kinds, key=lambda kind: (-means[kind], kind))}


def compare(games: Sequence[GameFigures], naive: Sequence[GameFigures]) -> dict[str, float]:
    """How many times fewer waits and days than naive asking."""
    if not naive:
        return {}
    ours, theirs = summarise(games), summarise(naive)
    return {
        "fewer_waits": round(theirs["waits_per_round"] / ours["waits_per_round"], 1),
        "fewer_days": round(theirs["days_median"] / ours["days_median"], 1),
    }


def _p90(values: Sequence[float]) -> float:
    return quantiles(values, n=10, method="inclusive")[-1] if len(values) > 1 else values[0]


def format_report(report: Mapping[str, Any]) -> str:
    """Formats the report as a table of a few lines."""
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
    for name, amounts in report.get("breakdown", {}).items():
        lines += [f"  days a round by {name.replace('_', ' ')}:"]
        lines += [f"    {what:<26}{amount:>12}" for what, amount in amounts.items()]
    return "\n".join(lines)
