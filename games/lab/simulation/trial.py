"""One table from its opening to its winner, in virtual time."""

from datetime import UTC, datetime
from hashlib import sha256
from random import Random

from django.test.utils import override_settings

from engine.core.rng import commitment
from games.lab.simulation.checks import Auditor
from games.lab.simulation.doors import WORLD, Door, EveryDoor, InvariantBroken
from games.lab.simulation.figures import SimulatedFigures, figures_of
from games.lab.simulation.model import DOORS, ZONES, Scenario
from games.lab.simulation.moderator import Moderator
from games.lab.simulation.person import SimulatedPerson
from games.lab.simulation.postman import postman_for
from games.lab.simulation.service import SimulatedService, soon
from games.lab.simulation.world import SimulatedWorld
from games.models import Game, User
from games.tables import lifecycle
from notifications.clock import present

NAMES = ("Anna", "Ben", "Carla", "David", "Eva")
BEGINS = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)  # a Monday; clocks change four weeks later
MOST_DAYS = 800  # more means that the table is stuck


def play_one(scenario: Scenario, seed: int) -> SimulatedFigures:
    """Plays it; everything follows from the seed. Raises Broken."""
    dice = Random(f"simulate:{seed}")  # noqa: S311  the world must be repeatable
    world = SimulatedWorld(BEGINS)
    with present.going_by(lambda: world.now), override_settings(**WORLD):
        trial = SimulatedTable(scenario, seed, world, dice)
        with trial.postman.at_work():
            try:
                return trial.run()
            except Exception as error:  # whatever it is, it is told with what shows it again
                fault = error if isinstance(error, InvariantBroken) else repr(error)
                raise InvariantBroken(
                    f"seed {seed}, {world.now:%Y-%m-%d %H:%M}, step {trial.steps}: {fault}"
                ) from error


class SimulatedTable:
    """A table, the people at it, and the world around them."""

    def __init__(self, scenario: Scenario, seed: int, world: SimulatedWorld, dice: Random) -> None:
        self.scenario, self.seed, self.world, self.dice = scenario, seed, world, dice
        self.steps = 0
        faults = scenario.faults
        self.postman = postman_for(scenario.door)(world, self._hear, faults, Random(f"post:{seed}"))  # noqa: S311
        deliver = self.postman.deliver_one
        self.service = SimulatedService(world, deliver, faults, Random(f"faults:{seed}"))  # noqa: S311
        self.people = {person.user.email: person for person in map(self._person, NAMES[: scenario.players])}
        self.game = self._open_table()
        self.auditor = Auditor(self.game)
        moderator = Random(f"moderator:{seed}")  # noqa: S311
        if moderator.random() < scenario.habits.taken_back:
            Moderator(world, self.game, moderator)

    def _person(self, name: str) -> SimulatedPerson:
        address = f"{name.lower()}-{self.seed}@example.org"
        user = User.objects.create_user(address, name=name)
        user.recipient.zone = self.dice.choice(ZONES)
        user.recipient.save(update_fields=["zone"])
        dice = Random(f"{name}:{self.seed}")  # noqa: S311
        door = EveryDoor(dice) if self.scenario.door == DOORS else Door(dice)
        return SimulatedPerson(user, self.world, self.scenario.habits, door, dice)

    def _open_table(self) -> Game:
        scenario, now = self.scenario, self.world.now
        host, *guests = (person.user for person in self.people.values())
        plan = lifecycle.TablePlan(
            title=f"Simulation {self.seed}",
            rules_name=scenario.rules,
            seat_count=scenario.players,
            pace=scenario.pace,
            options=scenario.options,
        )
        game = lifecycle.open_table(host=host, plan=plan, now=now)
        chosen = sha256(f"table:{self.seed}".encode()).digest()  # what is random in earnest would not be repeatable
        Game.objects.filter(pk=game.pk).update(server_seed=chosen.hex(), commitment=commitment(chosen))
        for guest in guests:
            lifecycle.join(game_id=game.pk, user=guest, now=now)
        lifecycle.start(game_id=game.pk, host=host, now=now)
        game.refresh_from_db()
        return game

    def _hear(self, address: str, thread: str) -> None:
        self.people[address].hear(self.game)

    def run(self) -> SimulatedFigures:
        """Until the winner is known and everybody was told."""
        while True:
            self.service.settle()
            self.world.act()
            due = self.service.settle()
            self.auditor.after_step(self.world.now)
            self.steps += 1
            if self.game.is_over:
                break
            self._go_on(due)
        self.service.finish()
        self.auditor.at_the_end(self.world.now)
        return figures_of(self)

    def _go_on(self, due: datetime | None) -> None:
        when = soon(self.world, due)
        if when is None or (when - BEGINS).days > MOST_DAYS:
            raise InvariantBroken(f"the game is stuck at move {self.game.seq}; the next thing happens {when}")
        self.world.go_to(when)
