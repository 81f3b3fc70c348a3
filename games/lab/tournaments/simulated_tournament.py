"""Plays one tournament from its opening to the final standings, in virtual time."""

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from types import SimpleNamespace
from unittest.mock import patch

from django.test.utils import override_settings

from games.lab.simulation.mailing import FastMailTransport
from games.lab.simulation.people.doors import SETTINGS, ServiceDoor
from games.lab.simulation.people.habits import ORDINARY, ZONES, Habits, mind_of
from games.lab.simulation.scenario import Faults
from games.lab.simulation.simulated_game import BEGINS
from games.lab.simulation.timeline import InvariantBroken, Timeline
from games.lab.simulation.workers import Workers, next_instant
from games.lab.tournaments.checks import TournamentFigures, check, measure
from games.lab.tournaments.people import Goodbye, TournamentPlayer
from games.models import Game, Tournament, TournamentRound, User
from games.play.notify import THREAD
from games.tournaments import entering, hosting, opening, progress
from games.tournaments.opening import TournamentPlan
from notifications.clock import present

FAULTS = Faults(crash=0.01, refused=0.03, repeated=0.02, late=0.02)
MINDS = "greedy"
DAY = timedelta(days=1)


@dataclass(frozen=True)
class TournamentScenario:
    """What is simulated.

    Arguments:
        entrants: how many enter.
        size: of the tables.
        leaves: the share of the rounds of a person in which he stops playing: says so, resigns, or vanishes.
        removes: the share of the rounds in which the host removes one of those who have vanished.
    """

    rules: str = "cave-of-wonders"
    entrants: int = 90  # for 200 tables and more, though some leave
    size: int = 4
    rounds: int = 10
    pace: str = "daily"
    round_days: int = 60
    leaves: float = 0.02
    removes: float = 0.5
    habits: Habits = ORDINARY


def play_tournament(scenario: TournamentScenario, seed: int) -> TournamentFigures:
    """Plays a tournament, which follows from the seed, and checks it. Raises InvariantBroken."""
    timeline = Timeline(BEGINS)
    with present.going_by(lambda: timeline.now), override_settings(**SETTINGS), _seeded(seed):
        simulated = SimulatedTournament(scenario, seed, timeline)
        with simulated.transport.at_work():
            return simulated.run()


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Draws lots and shuffles from the seed: chance of the service's own would not be repeatable."""
    dice = Random(f"tournament:{seed}")  # noqa: S311
    with ExitStack() as stack:
        drawn = SimpleNamespace(SystemRandom=lambda: dice)
        stack.enter_context(patch("games.tournaments.rounds.secrets", drawn))
        stack.enter_context(patch("games.tables.lifecycle.secrets", SimpleNamespace(token_bytes=dice.randbytes)))
        logger = logging.getLogger("games")
        level = logger.level
        stack.callback(logger.setLevel, level)
        logger.setLevel(logging.ERROR)
        yield


class SimulatedTournament:
    """A tournament with its host, its people, the mail transport and the workers."""

    def __init__(self, scenario: TournamentScenario, seed: int, timeline: Timeline) -> None:
        self.scenario, self.seed, self.timeline = scenario, seed, timeline
        self.dice = Random(f"simulate_tournament:{seed}")  # noqa: S311  the world must be repeatable
        self.transport = FastMailTransport(timeline, self._hear, FAULTS, self.dice)
        self.workers = Workers(timeline, self.transport.deliver_one, FAULTS, self.dice)
        self.host = self._account("Host")
        self.tournament = self._open()
        self.people = {person.user.email: person for person in map(self._person, range(1, scenario.entrants + 1))}
        self._seen_rounds = 0

    def _account(self, name: str) -> User:
        user = User.objects.create_user(f"{name.lower().replace(' ', '-')}@example.org", name=name)
        user.recipient.zone = self.dice.choice(ZONES)
        user.recipient.save(update_fields=["zone"])
        return user

    def _open(self) -> Tournament:
        scenario = self.scenario
        plan = TournamentPlan(
            title=f"Simulation {self.seed}",
            rules_name=scenario.rules,
            table_size=scenario.size,
            rounds=scenario.rounds,
            pace=scenario.pace,
            round_days=scenario.round_days,
            fewest=2,
            most=scenario.entrants,
            closes_at=self.timeline.now + DAY,
        )
        return opening.open_tournament(host=self.host, plan=plan, now=self.timeline.now)

    def _person(self, number: int) -> TournamentPlayer:
        user, dice = self._account(f"Player {number}"), Random(f"{number}:{self.seed}")  # noqa: S311
        person = TournamentPlayer(
            user,
            self.timeline,
            self.scenario.habits,
            mind_of(MINDS, dice),
            ServiceDoor(dice),
            dice,
            tournament=self.tournament,
            leaves=self.scenario.leaves,
            mood=self.dice,
        )
        entering.enter(tournament_id=self.tournament.pk, user=user, now=self.timeline.now)
        return person

    def _hear(self, address: str, thread: str) -> None:
        person = self.people.get(address)
        if person is not None and thread.startswith(THREAD):
            person.hear(Game.objects.defer("state").get(ref=thread.removeprefix(THREAD)))

    def run(self) -> TournamentFigures:
        """Plays until the tournament is over and everybody was told."""
        stop = self.timeline.now + DAY * (self.scenario.round_days * self.scenario.rounds + 2)
        while True:
            self._settle()
            self.timeline.act()
            due = self._settle()
            if self.tournament.is_over:
                break
            when = next_instant(self.timeline, due)
            if when is None or when > stop:
                raise InvariantBroken(f"seed {self.seed}: the tournament is stuck; the next thing happens {when}")
            self.timeline.go_to(when)
        check(self.tournament)
        return measure(self.tournament, sum(self.transport.mails.values()))

    def _settle(self) -> datetime | None:
        """Lets the workers do what is due; returns when there will be something to do again."""
        due = self.workers.settle()
        while self.workers.run(progress.step_one, self.timeline.now):
            due = self.workers.settle()
        self.tournament.refresh_from_db()
        last = self.tournament.rounds.order_by("number").last()
        if last is not None and last.number > self._seen_rounds:
            self._seen_rounds = last.number
            self._remove_somebody()
        return min([one for one in (due, self._next_step(last)) if one is not None], default=None)

    def _next_step(self, last: TournamentRound | None) -> datetime | None:
        """When the tournament itself has something to do, whatever people do."""
        if self.tournament.is_open:
            return self.tournament.closes_at
        return last.ends_at if last is not None and last.finished_at is None else None

    def _remove_somebody(self) -> None:
        """The host may have noticed that somebody does not answer any more."""
        lost = [person for person in self.people.values() if person.goodbye is Goodbye.VANISHES]
        if lost and self.dice.random() < self.scenario.removes:
            entrant = self.tournament.entrants.get(user=self.dice.choice(lost).user)
            hosting.remove(
                tournament_id=self.tournament.pk,
                by=self.host,
                entrant=entrant.ref,
                reason="You didn't answer.",
                now=self.timeline.now,
            )
