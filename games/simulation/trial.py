"""One table from its opening to its winner, in virtual time."""

from datetime import UTC, datetime
from hashlib import sha256
from random import Random
from typing import NamedTuple

from engine.rng import commitment
from games.models import Decision, Game, Move, User
from games.services import tables
from games.simulation import checks
from games.simulation.doors import Broken, Browser, Door
from games.simulation.model import DOORS, ZONES, Scenario
from games.simulation.person import Person
from games.simulation.postman import Postman
from games.simulation.service import Service, soon
from games.simulation.world import World
from notifications.clock import present

NAMES = ("Anna", "Ben", "Carla", "David", "Eva")
BEGINS = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)  # a Monday; clocks change four weeks later
MOST_DAYS = 400  # more means that the table is stuck
FIRED = '"type":"OrderFired"'  # in the events of a move
CHECK_EVERY = 7  # steps between two looks at the whole; every step would cost more than the game


class Figures(NamedTuple):
    """What one game amounted to.

    Arguments:
        days: calendar days from the start to the end.
        rounds: phases of the rules that were completed, as the log counts them.
        waits: questions (or simultaneous ones together) that people were waited for, one after the other.
        mails: sent to all players together.
        passed: answers given by deadlines.
        ordered: answers given by orders and plans.
        answers: answers given by people, orders and deadlines together.
        crashes: processes that died.
        refused: answers of people that came too late.
    """

    seed: int
    days: float
    rounds: int
    waits: int
    players: int
    mails: int
    passed: int
    ordered: int
    answers: int
    crashes: int
    refused: int


def play_one(scenario: Scenario, seed: int) -> Figures:
    """Plays it; everything follows from the seed. Raises Broken."""
    dice = Random(f"simulate:{seed}")  # noqa: S311  the world must be repeatable
    world = World(BEGINS)
    with present.going_by(lambda: world.now):
        trial = _Trial(scenario, seed, world, dice)
        with trial.postman.at_work():
            try:
                return trial.run()
            except Broken as error:
                raise Broken(f"seed {seed}, {world.now:%Y-%m-%d %H:%M}: {error}") from error


class _Trial:
    def __init__(self, scenario: Scenario, seed: int, world: World, dice: Random) -> None:
        self.scenario, self.seed, self.world, self.dice = scenario, seed, world, dice
        faults, door = scenario.faults, scenario.door
        self.postman = Postman(world, self._hear, faults, Random(f"post:{seed}"), door)  # noqa: S311
        self.service = Service(world, self.postman.deliver_one, faults, Random(f"faults:{seed}"))  # noqa: S311
        self.people = [self._person(name) for name in NAMES[: scenario.players]]
        self.game = self._open_table()

    def _person(self, name: str) -> Person:
        address = f"{name.lower()}-{self.seed}@example.org"
        user = User.objects.create_user(address, name=name)
        user.recipient.zone = self.dice.choice(ZONES)
        user.recipient.save(update_fields=["zone"])
        dice = Random(f"{name}:{self.seed}")  # noqa: S311
        door = Browser(dice) if self.scenario.door == DOORS else Door(dice)
        return Person(user, self.world, self.scenario.habits, door, dice)

    def _open_table(self) -> Game:
        scenario, now = self.scenario, self.world.now
        host, *guests = (person.user for person in self.people)
        plan = tables.TablePlan(
            title=f"Simulation {self.seed}",
            rules_name=scenario.rules,
            seat_count=scenario.players,
            pace=scenario.pace,
            options=scenario.options,
        )
        game = tables.open_table(host=host, plan=plan, now=now)
        chosen = sha256(f"table:{self.seed}".encode()).digest()  # what is random in earnest would not be repeatable
        Game.objects.filter(pk=game.pk).update(server_seed=chosen.hex(), commitment=commitment(chosen))
        for guest in guests:
            tables.join(game_id=game.pk, user=guest, now=now)
        tables.start(game_id=game.pk, host=host, now=now)
        game.refresh_from_db()
        return game

    def _hear(self, address: str, thread: str) -> None:
        person = next(person for person in self.people if person.user.email == address)
        person.hear(self.game)

    def run(self) -> Figures:
        """Until the winner is known and everybody was told."""
        step = 0
        while True:
            self.service.settle()
            self.world.act()
            self.game.refresh_from_db()
            if step % CHECK_EVERY == 0:
                checks.after_step(self.game, self.world.now)
            step += 1
            if self.game.is_over:
                break
            self._go_on()
        self.service.settle()
        checks.at_the_end(self.game, self.world.now)
        return self._figures()

    def _go_on(self) -> None:
        when = soon(self.world, self.service)
        if when is None or (when - BEGINS).days > MOST_DAYS:
            raise Broken(f"the game is stuck at move {self.game.seq}; the next thing happens {when}")
        self.world.go_to(when)

    def _figures(self) -> Figures:
        game = self.game
        asked = game.decisions.filter(is_automatic=False)
        assert game.finished_at is not None
        assert game.started_at is not None
        return Figures(
            seed=self.seed,
            days=(game.finished_at - game.started_at).total_seconds() / 86_400,
            rounds=max(1, game.moves.filter(kind=Move.Kind.ADVANCE).count()),
            waits=asked.exclude(status=Decision.Status.WITHDRAWN).values("code").distinct().count(),
            players=self.scenario.players,
            mails=sum(self.postman.mails.values()),
            passed=game.moves.filter(source=Move.Source.DEADLINE).count(),
            ordered=sum(move.count(FIRED) for move in game.moves.values_list("events", flat=True)),
            answers=game.moves.filter(kind=Move.Kind.ANSWER).count(),
            crashes=self.service.crashes,
            refused=sum(person.door.refused for person in self.people),
        )
