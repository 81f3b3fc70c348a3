"""`manage.py simulate_tournament`: a whole tournament in virtual time, by seeded people of whom some leave."""

import json
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from games.lab.simulation.timeline import InvariantBroken
from games.lab.tournaments.checks import TournamentFigures
from games.lab.tournaments.simulated_tournament import TournamentScenario, play_tournament


class Command(BaseCommand):
    """Plays a tournament in a database of its own, which is thrown away."""

    help = "Play a whole tournament in virtual time and check it. Does not touch your database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Takes the scenario and the seed."""
        usual = TournamentScenario()
        parser.add_argument("--rules", default=usual.rules, help=f"the rule set's name ({usual.rules})")
        parser.add_argument("--entrants", type=int, default=usual.entrants, help=f"how many enter ({usual.entrants})")
        parser.add_argument("--size", type=int, default=usual.size, help=f"players per table ({usual.size})")
        parser.add_argument("--rounds", type=int, default=usual.rounds, help=f"how many rounds ({usual.rounds})")
        parser.add_argument("--pace", default=usual.pace, help=f"the tables' pace ({usual.pace})")
        parser.add_argument(
            "--leave",
            type=float,
            default=usual.leaves,
            help=f"in what share of the rounds a person stops ({usual.leaves})",
        )
        parser.add_argument("--seed", type=int, default=1, help="from which everything follows (1)")
        parser.add_argument("--json", action="store_true", help="print the figures as one object")

    def handle(self, *args: object, **options: Any) -> None:
        """Prints the figures. Raises CommandError, with the seed, where a promise was broken."""
        names = ("rules", "entrants", "size", "rounds", "pace")
        scenario = TournamentScenario(**{name: options[name] for name in names}, leaves=options["leave"])
        old = connection.settings_dict["NAME"]
        connection.creation.create_test_db(verbosity=0, autoclobber=True)
        try:
            figures = play_tournament(scenario, options["seed"])
        except InvariantBroken as error:
            raise CommandError(f"seed {options['seed']}: {error}") from error
        finally:
            connection.creation.destroy_test_db(old, verbosity=0)
        self.stdout.write(json.dumps(asdict(figures)) if options["json"] else _in_words(figures))


def _in_words(figures: TournamentFigures) -> str:
    stayed = figures.entrants - figures.left - figures.removed
    return "\n".join(
        (
            f"{figures.tables} tables in {figures.rounds} rounds: {figures.seated} seated, {figures.ranked} ranked"
            f" ({figures.undecided} without a result).",
            f"{figures.entrants} people entered, {figures.left} left, {figures.removed} were removed, {stayed} stayed.",
            f"{figures.byes} sat out a round; {figures.repeated} pairs met more than once.",
            f"{figures.days:.0f} days, {figures.emails} emails.",
        )
    )
