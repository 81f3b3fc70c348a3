"""Plays tournaments of simulated people, and checks what must hold of one that is over."""

import json
import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from fractions import Fraction
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.test.utils import override_settings

from games.errors import ServiceError
from games.models import Entrant, Game, Move, Seat, Tournament, TournamentRound, TournamentSeat, TournamentTable, User
from games.play import game_moves
from games.tables.models import THREAD
from games.tournaments import pairing, rounds, tournaments
from games.tournaments import rounds as progress
from games.tournaments.tournaments import TournamentPlan
from notifications.clock import present
from notifications.models import Notice
from tests.lab.people import ORDINARY, SETTINGS, ZONES, Habits, ServiceDoor, SimulatedPlayer, mind_of
from tests.lab.simulation import BEGINS, FastMailTransport, Faults, Workers, next_instant
from tests.lab.timeline import InvariantBroken, Timeline, expect

State = TournamentTable.State


@dataclass(frozen=True)
class TournamentFigures:
    """What came of a tournament.

    Arguments:
        tables, seated, ranked: of all rounds: how many were drawn, played, and have places.
        undecided: of those that are ranked: they ended without a result.
        repeated: pairs of people who met more than once.
        left, removed: of the entrants.
        days: of virtual time, from the first round to the end.
        emails: to everybody.
    """

    entrants: int
    left: int
    removed: int
    rounds: int
    tables: int
    seated: int
    ranked: int
    undecided: int
    byes: int
    repeated: int
    days: float
    emails: int


def check(tournament: Tournament) -> None:
    """Raises InvariantBroken for whatever must not be in a tournament that is over."""
    expect(tournament.status == Tournament.Status.FINISHED, f"the tournament is {tournament.status}")
    for row in tournament.rounds.all():
        seated = Counter(TournamentSeat.objects.filter(table__round=row).values_list("entrant", flat=True))
        expect(set(seated.values()) == {1}, f"somebody sits twice in round {row.number}")
    for table in TournamentTable.objects.filter(round__tournament=tournament).select_related("game"):
        _check_table(table)
    _check_standings(tournament)
    _check_notices(tournament)


def _check_table(table: TournamentTable) -> None:
    places = list(table.seats.values_list("place", flat=True))
    expect(table.is_over and None not in places, f"{table} has no places")
    if table.state == State.BYE:
        expect(len(places) <= 1, f"several sit out together: {table}")
        return
    game = table.game
    expect(game is not None, f"{table} was never opened")
    assert game is not None
    players = set(Seat.objects.filter(game=game).values_list("user", flat=True))
    expect(players == set(table.seats.values_list("entrant__user", flat=True)), f"others play at {table}")
    expect(min(filter(None, places)) == 1, f"nobody is first at {table}")
    if table.state == State.DONE:
        expect(game.status == Game.Status.FINISHED, f"{table} is done and its game is not")


def _check_standings(tournament: Tournament) -> None:
    lines, tables = tournaments.standings(tournament), rounds.places_of(tournament)
    ever = set(TournamentSeat.objects.filter(table__round__tournament=tournament).values_list("entrant", flat=True))
    expect({line.entrant.pk for line in lines} == ever and len(lines) == len(ever), "somebody is not ranked")
    owed = sum((Fraction(len(places), 2) if len(places) > 1 else pairing.BYE for places in tables), Fraction(0))
    expect(sum((line.points for line in lines), Fraction(0)) == owed, "points are lost")
    placed = [line.place for line in lines if line.place is not None]
    expect(placed == sorted(placed) and placed[:1] == [1], "the places are out of order")


def _check_notices(tournament: Tournament) -> None:
    told = Counter(
        Notice.objects.filter(kind="tournament_over", subject=f"tournament:{tournament.ref}").values_list(
            "recipient", flat=True
        )
    )
    stayed = tournament.entrants.filter(status=Entrant.Status.ENTERED)
    owed = {*stayed.values_list("user__recipient", flat=True), tournament.host.recipient_id}
    expect(set(told) == owed and set(told.values()) == {1}, "the final standings were not told to everybody once")
    games = Game.objects.filter(tournament_table__round__tournament=tournament)
    for game in games:
        started = Notice.objects.filter(kind="started", dedupe_key__startswith=f"started:{game.ref}:").count()
        expect(started == game.seat_count, f"{started} of {game.seat_count} were told of {game}")


def measure(tournament: Tournament, emails: int) -> TournamentFigures:
    """Counts what came of a tournament that is over."""
    tables = TournamentTable.objects.filter(round__tournament=tournament).exclude(state=State.BYE)
    byes = TournamentSeat.objects.filter(table__round__tournament=tournament, table__state=State.BYE)
    met = pairing.meetings(rounds.places_of(tournament))
    again = sum(count > 1 for others in met.values() for count in others.values())
    assert tournament.started_at is not None and tournament.finished_at is not None
    return TournamentFigures(
        entrants=tournament.entrants.count(),
        left=tournament.entrants.filter(status=Entrant.Status.LEFT).count(),
        removed=tournament.entrants.filter(status=Entrant.Status.REMOVED).count(),
        rounds=tournament.rounds.count(),
        tables=tables.count(),
        seated=tables.filter(game__isnull=False).count(),
        ranked=tables.filter(state__in=(State.DONE, State.UNDECIDED)).count(),
        undecided=tables.filter(state=State.UNDECIDED).count(),
        byes=byes.count(),
        repeated=again // 2,
        days=(tournament.finished_at - tournament.started_at).total_seconds() / 86400,
        emails=emails,
    )


# People at a tournament: they play as simulated players do, and some of them leave, give up or stay away.


class Goodbye(Enum):
    """How somebody stops playing."""

    LEAVES = auto()  # says so, and plays the game that has begun to its end
    RESIGNS = auto()  # says so, and resigns at the table
    VANISHES = auto()  # answers no email any more


class TournamentPlayer(SimulatedPlayer):
    """Somebody who has entered.

    Arguments:
        tournament: the one that he has entered.
        leaves: in what share of the rounds he stops playing, in one of three ways.
        mood: draws whether he does.
    """

    def __init__(self, *args: Any, tournament: Tournament, leaves: float, mood: Random) -> None:
        super().__init__(*args)
        self.goodbye: Goodbye | None = None
        self._tournament, self._leaves, self._mood = tournament, leaves, mood
        self._heard: set[int] = set()  # of games

    def hear(self, game: Game) -> None:
        """Stops playing with the first email of a game, perhaps; else looks at the game some time later."""
        if game.pk not in self._heard:
            self._heard.add(game.pk)
            if self.goodbye is None and self._mood.random() < self._leaves:
                self._say_goodbye(self._mood.choice(list(Goodbye)), game)
        if self.goodbye is not Goodbye.VANISHES:
            super().hear(game)

    def _say_goodbye(self, how: Goodbye, game: Game) -> None:
        self.goodbye = how
        if how is Goodbye.VANISHES:
            return
        now = self.timeline.now
        tournaments.leave(tournament_id=self._tournament.pk, user=self.user, now=now)
        if how is Goodbye.RESIGNS:
            seat = Seat.objects.get(game=game, user=self.user)
            try:
                game_moves.resign(game_id=game.pk, seat=seat.number, actor=self.user, source=Move.Source.WEB, now=now)
            except ServiceError:
                return  # all others have resigned before, or the game is over


# Plays one tournament from its opening to the final standings, in virtual time.

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
    dice = Random(f"tournament:{seed}")
    with ExitStack() as stack:
        drawn = SimpleNamespace(SystemRandom=lambda: dice)
        stack.enter_context(patch("games.tournaments.rounds.secrets", drawn))
        stack.enter_context(patch("games.lobby.lifecycle.secrets", SimpleNamespace(token_bytes=dice.randbytes)))
        logger = logging.getLogger("games")
        level = logger.level
        stack.callback(logger.setLevel, level)
        logger.setLevel(logging.ERROR)
        yield


class SimulatedTournament:
    """A tournament with its host, its people, the mail transport and the workers."""

    def __init__(self, scenario: TournamentScenario, seed: int, timeline: Timeline) -> None:
        self.scenario, self.seed, self.timeline = scenario, seed, timeline
        self.dice = Random(f"simulate_tournament:{seed}")
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
        return tournaments.open_tournament(host=self.host, plan=plan, now=self.timeline.now)

    def _person(self, number: int) -> TournamentPlayer:
        user, dice = self._account(f"Player {number}"), Random(f"{number}:{self.seed}")
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
        tournaments.enter(tournament_id=self.tournament.pk, user=user, now=self.timeline.now)
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
            tournaments.remove_entrant(
                tournament_id=self.tournament.pk,
                by=self.host,
                entrant=entrant.ref,
                reason="You didn't answer.",
                now=self.timeline.now,
            )


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
