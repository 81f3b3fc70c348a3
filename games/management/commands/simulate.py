"""`manage.py simulate`: whole games in virtual time, by seeded people, with faults; figures and broken promises."""

import json
from dataclasses import replace
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.test.utils import override_settings

from games.simulation.doors import Broken
from games.simulation.model import CALM, DOORS, NAIVE, ORDINARY, ROUGH, SUBMIT, Scenario
from games.simulation.report import in_words, summary
from games.simulation.trial import Figures, play_one

DOOR_EVERY = 10  # in one of so many games everything goes through links, pages and API, with every mail composed


class Command(BaseCommand):
    """Plays games in a database of its own, which is thrown away."""

    help = "Play whole games in virtual time and report calendar days, mails and waits. Touches no database of yours."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """What is played, and how often."""
        parser.add_argument("--rules", default="aladdins-dragons", help="the rule set's name (aladdins-dragons)")
        parser.add_argument("--players", type=int, default=4, help="how many people play (4)")
        parser.add_argument("--pace", default="daily", help="the table's pace (daily)")
        parser.add_argument(
            "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the rules"
        )
        parser.add_argument("--seeds", type=int, default=30, help="how many games (30)")
        parser.add_argument("--first", type=int, default=1, help="the first seed (1)")
        parser.add_argument("--naive", action="store_true", help="without orders: everybody is asked everything")
        parser.add_argument("--calm", action="store_true", help="without faults")
        parser.add_argument("--doors", type=int, default=DOOR_EVERY, help="whole requests and mails in one of so many")
        parser.add_argument("--json", action="store_true", help="print the report as one object")

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints the report. Raises CommandError, with the seed, where a promise was broken."""
        scenario = Scenario(
            rules=options["rules"],
            players=options["players"],
            options=dict(option.split("=", 1) for option in options["option"]),
            pace=options["pace"],
            habits=NAIVE if options["naive"] else ORDINARY,
            faults=CALM if options["calm"] else ROUGH,
        )
        games = self._play_all(scenario, options)
        figures = summary(games)
        if options["json"]:
            self.stdout.write(json.dumps({"scenario": _told(scenario), **figures}))
        else:
            self.stdout.write(in_words(_title(scenario), figures))

    def _play_all(self, scenario: Scenario, options: dict[str, Any]) -> list[Figures]:
        quiet = options["json"]
        old = connection.settings_dict["NAME"]
        connection.creation.create_test_db(verbosity=0, autoclobber=True)
        try:
            with override_settings(WAKER_ENABLED=False, ALLOWED_HOSTS=["*"]):
                return [
                    self._play(scenario, seed, options, quiet=quiet)
                    for seed in range(options["first"], options["first"] + options["seeds"])
                ]
        finally:
            connection.creation.destroy_test_db(old, verbosity=0)

    def _play(self, scenario: Scenario, seed: int, options: dict[str, Any], *, quiet: bool) -> Figures:
        door = DOORS if options["doors"] and seed % options["doors"] == 0 else SUBMIT
        try:
            game = play_one(replace(scenario, door=door), seed)
        except Broken as error:
            raise CommandError(f"{error}. To see it again: --first {seed} --seeds 1 and the same options.") from error
        if not quiet:
            self.stdout.write(f"seed {seed}: {game.days:.1f} days, {game.waits} waits, {game.mails} mails")
            self.stdout.flush()
        return game


def _title(scenario: Scenario) -> str:
    options = "".join(f", {name}={value}" for name, value in scenario.options.items())
    return f"{scenario.rules}, {scenario.players} players, {scenario.pace}{options}"


def _told(scenario: Scenario) -> dict[str, Any]:
    return {
        "rules": scenario.rules,
        "players": scenario.players,
        "pace": scenario.pace,
        "options": dict(scenario.options),
    }
