"""Simulates one table from its opening to its winner, in virtual time."""

from datetime import UTC, datetime
from hashlib import sha256
from random import Random
from typing import Any

from django.test.utils import override_settings

from engine.core.rng import commitment
from games.lab.simulation.invariants import InvariantChecker
from games.lab.simulation.mailing import transport_for
from games.lab.simulation.people.doors import SETTINGS, ReplyDoor, RequestDoor, ServiceDoor
from games.lab.simulation.people.habits import ZONES, mind_of
from games.lab.simulation.people.moderator import Moderator
from games.lab.simulation.people.player import SimulatedPlayer
from games.lab.simulation.reports.figures import GameFigures, measure_game
from games.lab.simulation.scenario import DOORS, REPLIES, SUBMIT, Scenario
from games.lab.simulation.timeline import InvariantBroken, Timeline
from games.lab.simulation.workers import Workers, next_instant
from games.models import Game, User
from games.tables import lifecycle, plans
from games.timing import stewards
from notifications.clock import present

NAMES = ("Anna", "Ben", "Carla", "David", "Eva")
BEGINS = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)  # a Monday; clocks change four weeks later
MOST_DAYS = 800  # more means that the table is stuck
DOOR_CLASSES = {SUBMIT: ServiceDoor, DOORS: RequestDoor, REPLIES: ReplyDoor}


def play_one(scenario: Scenario, seed: int) -> GameFigures:
    """Plays one game, which follows from the seed. Raises InvariantBroken."""
    dice = Random(f"simulate:{seed}")  # noqa: S311  the world must be repeatable
    timeline = Timeline(BEGINS)
    with present.going_by(lambda: timeline.now), override_settings(**SETTINGS):
        simulated = SimulatedGame(scenario, seed, timeline, dice)
        with simulated.transport.at_work():
            try:
                return simulated.run()
            except Exception as error:  # any error is reported with the seed that reproduces it
                fault = error if isinstance(error, InvariantBroken) else repr(error)
                raise InvariantBroken(
                    f"seed {seed}, {timeline.now:%Y-%m-%d %H:%M}, step {simulated.steps}: {fault}"
                ) from error


class SimulatedGame:
    """A table with its players, mail transport, workers and checker."""

    def __init__(self, scenario: Scenario, seed: int, timeline: Timeline, dice: Random) -> None:
        self.scenario, self.seed, self.timeline, self.dice = scenario, seed, timeline, dice
        self.steps = 0
        faults = scenario.faults
        self.transport = transport_for(scenario.door)(timeline, self._hear, faults, Random(f"post:{seed}"))  # noqa: S311
        deliver = self.transport.deliver_one
        self.workers = Workers(timeline, deliver, faults, Random(f"faults:{seed}"))  # noqa: S311
        self.people = {person.user.email: person for person in map(self._person, NAMES[: scenario.players])}
        self.game = self._open_table()
        self.checker = InvariantChecker(self.game)
        moderator = Random(f"moderator:{seed}")  # noqa: S311
        if moderator.random() < scenario.habits.taken_back:
            Moderator(timeline, self.game, moderator)

    def _person(self, name: str) -> SimulatedPlayer:
        address = f"{name.lower()}-{self.seed}@example.org"
        user = User.objects.create_user(address, name=name)
        user.recipient.zone = self.dice.choice(ZONES)
        user.recipient.language = self.scenario.language
        user.recipient.save(update_fields=["zone", "language"])
        dice = Random(f"{name}:{self.seed}")  # noqa: S311
        door = DOOR_CLASSES[self.scenario.door](dice)
        mind = mind_of(self.scenario.minds, Random(f"mind:{name}:{self.seed}"))  # noqa: S311
        return SimulatedPlayer(user, self.timeline, self.scenario.habits, mind, door, dice)

    def _open_table(self) -> Game:
        scenario, now = self.scenario, self.timeline.now
        host, *guests = (person.user for person in self.people.values())
        settings: dict[str, Any] = dict(scenario.settings)
        plan = plans.TablePlan(
            title=f"Simulation {self.seed}",
            rules_name=scenario.rules,
            seat_count=scenario.players,
            pace=scenario.pace,
            options=scenario.options,
            **settings,
        )
        game = lifecycle.open_table(host=host, plan=plan, now=now)
        chosen = sha256(f"table:{self.seed}".encode()).digest()  # a really random seed would not be repeatable
        Game.objects.filter(pk=game.pk).update(server_seed=chosen.hex(), commitment=commitment(chosen))
        for guest in guests:
            lifecycle.join(game_id=game.pk, user=guest, now=now)
        lifecycle.start(game_id=game.pk, host=host, now=now)
        self._appoint_stewards(game)
        game.refresh_from_db()
        return game

    def _appoint_stewards(self, game: Game) -> None:
        """Gives stewards to those who want one; where the pace has them for everybody they have one already."""
        habits, dice = self.scenario.habits, Random(f"stewards:{self.seed}")  # noqa: S311
        for seat in game.seats.filter(steward_hours=None).order_by("number"):
            if dice.random() < habits.steward:
                hours = round(habits.steward_hours)
                stewards.change(game_id=game.pk, seat=seat.number, hours=hours, now=self.timeline.now)

    def _hear(self, address: str, thread: str) -> None:
        self.people[address].hear(self.game)

    def run(self) -> GameFigures:
        """Plays until the game is over and everybody was notified."""
        while True:
            self.workers.settle()
            self.timeline.act()
            due = self.workers.settle()
            self.checker.after_step(self.timeline.now)
            self.steps += 1
            if self.game.is_over:
                break
            self._go_on(due)
        self.workers.finish()
        self.checker.at_the_end(self.timeline.now)
        return measure_game(self)

    def _go_on(self, due: datetime | None) -> None:
        when = next_instant(self.timeline, due)
        if when is None or (when - BEGINS).days > MOST_DAYS:
            raise InvariantBroken(f"the game is stuck at move {self.game.seq}; the next thing happens {when}")
        self.timeline.go_to(when)
