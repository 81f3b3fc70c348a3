"""`python -m tests.lab simulate`: whole games in virtual time, by seeded people; figures and broken promises."""

import json
from collections.abc import Sequence
from dataclasses import fields, replace
from itertools import zip_longest
from math import inf
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from tests.lab.people import MINDS, MIXED, NAIVE, POPULATIONS, Habits
from tests.lab.reports import GameFigures, break_down, compare, floor, format_report, format_table, summarise
from tests.lab.simulation import (
    BEGINS,
    CALM,
    DOOR_EVERY,
    DOORS,
    REPLIES,
    ROUGH,
    SUBMIT,
    TABLES,
    Played,
    Scenario,
    Task,
    play_all,
    scenario_of,
)

NAIVE_OPTIONS = {"tally": "step"}  # of rules that know them
MIXED_TABLES = "mixed tables"
NOTHING = "No game was played in that time."


class Command(BaseCommand):
    """Plays games in a database of its own, which is thrown away."""

    help = "Play whole games in virtual time and report calendar days, emails and waits. Does not touch your database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Takes the scenario and the number of games."""
        parser.add_argument("--rules", default="aladdins-dragons", help="the rule set's name (aladdins-dragons)")
        parser.add_argument("--players", type=int, default=4, help="how many people play (4)")
        parser.add_argument("--pace", default="daily", help="the table's pace (daily)")
        parser.add_argument(
            "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the rules"
        )
        parser.add_argument(
            "--setting", action="append", default=[], metavar="NAME=VALUE", help="a setting of the table"
        )
        parser.add_argument(
            "--habit",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="change a habit of the simulated people",
        )
        parser.add_argument("--people", choices=POPULATIONS, default="ordinary", help="who plays (ordinary)")
        parser.add_argument("--minds", choices=MINDS, default=MIXED, help="which bot they think like (mixed)")
        parser.add_argument(
            "--table", nargs="*", choices=TABLES, help="all populations at these tables (all tables), side by side"
        )
        parser.add_argument(
            "--breakdown", action="store_true", help="say which questions the games waited for, for whom, and when"
        )
        parser.add_argument("--mixed", action="store_true", help="use a different kind of table for each seed")
        parser.add_argument("--seeds", type=int, default=30, help="how many games (30)")
        parser.add_argument("--naive-seeds", type=int, help="how many games to repeat without orders, to compare (all)")
        parser.add_argument("--first", type=int, default=1, help="the first seed (1)")
        parser.add_argument("--only", type=int, nargs="*", help="these seeds instead")
        parser.add_argument("--jobs", type=int, default=1, help="how many games at a time (1)")
        parser.add_argument("--minutes", type=float, default=inf, help="start no further game after so many minutes")
        parser.add_argument("--calm", action="store_true", help="simulate no outages and no lost emails")
        parser.add_argument(
            "--doors", type=int, default=DOOR_EVERY, help="all doors and whole emails in one game of so many (10)"
        )
        parser.add_argument("--replies", action="store_true", help="let everybody answer by email replies only")
        parser.add_argument("--language", default="en", help="what the people read and write, such as de (en)")
        parser.add_argument("--json", action="store_true", help="print the report as one object")

    def handle(self, *args: object, **options: Any) -> None:
        """Prints the report. Raises CommandError, with the seed, where a promise was broken."""
        report = self._compare_populations(options) if options["table"] is not None else self._report(options)
        self.stdout.write(report)

    def _report(self, options: dict[str, Any]) -> str:
        tasks, asked = self._tasks(options), self._naive_tasks(options)
        games = self._play(_in_turn(tasks, asked), options)
        played = [game for task, game in games if task in tasks]
        naive = [game for task, game in games if task in asked]
        if not played:
            raise CommandError(NOTHING)
        report = {
            "title": MIXED_TABLES if options["mixed"] else _title(self._scenario(options)),
            "scenario": {} if options["mixed"] else _describe(self._scenario(options)),
            "played": summarise(played),
            "naive": summarise(naive) if naive else {},
            "compared": compare(played, naive),
            "floor": {} if options["mixed"] else self._floor(options, summarise(played)["rounds_median"]),
            "breakdown": break_down(played) if options["breakdown"] else {},
        }
        return json.dumps(report) if options["json"] else format_report(report)

    def _compare_populations(self, options: dict[str, Any]) -> str:
        """The figures of every population at every table. The cells are played in turn, seed by seed."""
        chosen = {
            (table, people): options | {"people": people}
            for table in options["table"] or TABLES
            for people in POPULATIONS
        }
        tasks = {cell: self._tasks(asked, cell[0]) for cell, asked in chosen.items()}
        games = self._play([task for same in zip(*tasks.values(), strict=True) for task in same], options)
        cells = {cell: [game for task, game in games if task in own] for cell, own in tasks.items()}
        found = {cell: summarise(played) for cell, played in cells.items() if played}
        if not found:
            raise CommandError(NOTHING)
        if options["json"]:
            return json.dumps(
                [{"table": table, "people": people, **figures} for (table, people), figures in found.items()]
            )
        return format_table(found)

    def _floor(self, options: dict[str, Any], rounds: float) -> dict[str, float]:
        return floor(self._scenario(options), rounds, BEGINS)

    def _scenario(self, options: dict[str, Any], table: str = "") -> Scenario:
        pace, chosen = TABLES[table] if table else (options["pace"], {})
        return Scenario(
            rules=options["rules"],
            players=options["players"],
            options={**chosen, **dict(option.split("=", 1) for option in options["option"])},
            pace=pace,
            settings=dict(setting.split("=", 1) for setting in options["setting"]),
            habits=_habits(options["people"], options["habit"]),
            minds=options["minds"],
            faults=CALM if options["calm"] else ROUGH,
            language=options["language"],
        )

    def _tasks(self, options: dict[str, Any], table: str = "") -> list[Task]:
        seeds = options["only"] or range(options["first"], options["first"] + options["seeds"])
        if options["mixed"]:
            return [Task(scenario_of(seed, options["doors"]), seed) for seed in seeds]
        scenario, every = self._scenario(options, table), options["doors"]
        if options["replies"]:
            return [Task(replace(scenario, door=REPLIES), seed) for seed in seeds]
        return [Task(replace(scenario, door=DOORS if every and seed % every == 0 else SUBMIT), seed) for seed in seeds]

    def _naive_tasks(self, options: dict[str, Any]) -> list[Task]:
        """The same tables and people, who are asked everything."""
        count = options["seeds"] if options["naive_seeds"] is None else options["naive_seeds"]
        return [Task(_naive(task.scenario), task.seed) for task in self._tasks(options)[:count]]

    def _play(self, tasks: Sequence[Task], options: dict[str, Any]) -> list[tuple[Task, GameFigures]]:
        old = connection.settings_dict["NAME"]
        connection.creation.create_test_db(verbosity=0, autoclobber=True)
        try:
            games = [
                (played.task, self._heard(played, options))
                for played in play_all(tasks, options["jobs"], options["minutes"] * 60)
            ]
        finally:
            connection.creation.destroy_test_db(old, verbosity=0)
        return sorted(games, key=lambda game: game[0].seed)

    def _heard(self, played: Played, options: dict[str, Any]) -> GameFigures:
        seed, game = played.task.seed, played.figures
        if game is None:
            raise CommandError(f"{played.fault}. To see it again: --first {seed} --seeds 1 and the same options.")
        aside = self.stderr if options["json"] else self.stdout  # the report may be read by a program
        aside.write(f"seed {seed}: {game.days:.1f} days, {game.waits} waits, {game.mails} mails", lambda line: line)
        aside.flush()
        return game


def _in_turn(tasks: Sequence[Task], naive: Sequence[Task]) -> list[Task]:
    """Each naive game behind its own, so that whatever has been played when the time is over can be compared."""
    return [task for pair in zip_longest(tasks, naive) for task in pair if task is not None]


def _habits(people: str, chosen: Sequence[str]) -> Habits:
    """Those of a population, but for what was chosen. Raises CommandError."""
    known = {field.name for field in fields(Habits) if isinstance(field.default, float)}
    values = dict(choice.split("=", 1) for choice in chosen)
    if not set(values) <= known:
        raise CommandError(f"Habits that can be varied: {', '.join(sorted(known))}.")
    changed: dict[str, Any] = {name: float(value) for name, value in values.items()}
    return replace(POPULATIONS[people], **changed)


def _naive(scenario: Scenario) -> Scenario:
    known = NAIVE_OPTIONS if "dragons" in scenario.rules else {}
    lazy = {name: getattr(NAIVE, name) for name in ("sheets", "rest", "plans", "ahead", "asks", "comfort")}
    return replace(scenario, options={**scenario.options, **known}, habits=replace(scenario.habits, **lazy))


def _title(scenario: Scenario) -> str:
    options = "".join(f", {name}={value}" for name, value in {**scenario.options, **scenario.settings}.items())
    return f"{scenario.rules}, {scenario.players} players, {scenario.pace}{options}"


def _describe(scenario: Scenario) -> dict[str, object]:
    return {
        "rules": scenario.rules,
        "players": scenario.players,
        "pace": scenario.pace,
        "settings": dict(scenario.settings),
        "minds": scenario.minds,
        "options": dict(scenario.options),
        "habits": {field.name: str(getattr(scenario.habits, field.name)) for field in fields(Habits)},
    }
