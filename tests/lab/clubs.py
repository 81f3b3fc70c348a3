"""Plays the tables of a club for a year, before and after people could leave well and company was asked for."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from django.core.management.base import BaseCommand, CommandParser
from django.db import connection
from django.test.utils import override_settings

from games.clubs import clubs
from games.errors import ServiceError
from games.lobby import lifecycle
from games.models import Game, Move, Seat, User
from games.play import absences, game_moves
from games.tables.models import THREAD
from games.tables.settings import TablePlan
from notifications.clock import present
from tests.lab.people import ORDINARY, SETTINGS, ZONES, Habits, ServiceDoor, SimulatedPlayer, mind_of
from tests.lab.simulation import BEGINS, CALM, FastMailTransport, Workers, next_instant
from tests.lab.timeline import Timeline, expect
from tests.lab.tournaments import MINDS, Goodbye

DAY = timedelta(days=1)
EMPTY = (Seat.Status.ABSENT, Seat.Status.RESIGNED)


@dataclass(frozen=True)
class ClubScenario:
    """What is simulated.

    Arguments:
        rest_days: mean time from the end of a person's game to his wish for the next; exponential.
        leaves: the share of his games that a person stops playing, in one of three ways: he plays this one and leaves
            the club (somebody new comes), he wants to get up from this table, or he stops answering at it.
        takes: the share of wishes for a game with which a seat that is offered is taken instead of a new game.
        patience_days: how long somebody who wants to get up looks for a successor before he resigns.
        returns: the share of those barred because they left others waiting who return; the others resign there.
        absent_seats, company: settings of all tables.
        can_seek, is_barring: whether one can look for a successor, and whether the absent are barred elsewhere.
    """

    rules: str = "cave-of-wonders"
    members: int = 60
    days: int = 365
    size: int = 4
    pace: str = "daily"
    habits: Habits = ORDINARY
    rest_days: float = 90.0
    leaves: float = 0.1
    takes: float = 0.5
    patience_days: float = 7.0
    returns: float = 0.5
    absent_seats: str = Game.AbsentSeats.TAKEOVER
    company: str = Game.Company.MOST
    can_seek: bool = True
    is_barring: bool = True

    def before(self) -> "ClubScenario":
        """The same people with what there was before."""
        return replace(self, absent_seats=Game.AbsentSeats.PASS, company="all", can_seek=False, is_barring=False)


@dataclass(frozen=True)
class ClubFigures:
    """What came of the tables of a club.

    Arguments:
        abandoned: tables that ended with a seat whose player had resigned or was absent.
        got_up, vanished: how often somebody wanted to get up, or stopped answering.
        taken_over: seats that somebody else sat down on.
        passed: the share of people's answers that deadlines gave.
    """

    started: int
    finished: int
    abandoned: int
    got_up: int
    vanished: int
    taken_over: int
    passed: float
    emails_per_person_and_day: float


class Member:
    """Somebody in the club, who plays at one table at a time."""

    def __init__(self, club: "SimulatedClub", user: User, dice: Random) -> None:
        self.user = user
        self._club, self._scenario, self._dice = club, club.scenario, dice
        self._players: dict[int, SimulatedPlayer] = {}  # by game
        self._stops: dict[int, int] = {}  # mails of a game after which he stops playing; 0 for never
        self._goodbyes: dict[int, Goodbye] = {}
        self._table: int | None = None
        self._wish()

    def _wish(self) -> None:
        self._table = None
        self._later(self._dice.expovariate(1 / self._scenario.rest_days), self._enter)

    def _later(self, days: float, deed: Callable[[], None]) -> None:
        self._club.timeline.at(self._club.timeline.now + days * DAY, deed)

    def _enter(self) -> None:
        """Sits down at an offered seat, at a table that waits for players, or opens one."""
        if self._scenario.is_barring and self._is_absent():
            self._make_good()
        if self._table is None and self._dice.random() < self._scenario.takes:
            self._take_offered_seat()
        if self._table is None:
            self._table = self._club.seat(self.user)
        if self._table is None:
            self._wish()  # no table may be opened today

    def _is_absent(self) -> bool:
        try:
            absences.check_has_not_left(self.user)
        except ServiceError:
            return True
        return False

    def _make_good(self) -> None:
        """Does what the refusal says: returns to the table where others wait, or resigns there."""
        now = self._club.timeline.now
        seat = Seat.objects.filter(user=self.user, status=Seat.Status.ABSENT, game__status=Game.Status.RUNNING).first()
        assert seat is not None
        if self._dice.random() >= self._scenario.returns:
            self._resign(seat.game)
            return
        absences.come_back(seat_id=seat.pk, now=now)
        self._goodbyes.pop(seat.game_id, None)
        self._table = seat.game_id

    def _take_offered_seat(self) -> None:
        for seat in Seat.objects.filter(game__status=Game.Status.RUNNING).select_related("game").order_by("pk"):
            if absences.is_offered(seat):
                try:
                    absences.take_over(seat_id=seat.pk, user=self.user, now=self._club.timeline.now)
                except ServiceError:
                    continue
                self._table = seat.game_id
                return

    def hear(self, game: Game) -> None:
        """Looks at the game some time after an email of it, unless he has stopped playing there."""
        if game.is_over or not game.seats.filter(user=self.user).exclude(status=Seat.Status.RESIGNED).exists():
            self._is_free_of(game)
            return
        if game.status == Game.Status.RUNNING and self._is_playing_on(game):
            self._player_at(game).hear(game)

    def _is_free_of(self, game: Game) -> None:
        if self._table != game.pk:
            return
        if self._goodbyes.get(game.pk) is Goodbye.LEAVES:
            self._club.replace(self)
        else:
            self._wish()

    def _player_at(self, game: Game) -> SimulatedPlayer:
        if game.pk not in self._players:
            dice, habits = Random(f"{game.pk}:{self._dice.random()}"), self._scenario.habits
            mind = mind_of(MINDS, dice)
            person = SimulatedPlayer(self.user, self._club.timeline, habits, mind, ServiceDoor(dice), dice)
            self._players[game.pk] = person
        return self._players[game.pk]

    def _is_playing_on(self, game: Game) -> bool:
        """Whether he still answers at this table, after he has perhaps decided to stop."""
        if game.pk not in self._stops:
            self._stops[game.pk] = self._dice.randint(1, 10) if self._dice.random() < self._scenario.leaves else 0
        if self._stops[game.pk] > 0:
            self._stops[game.pk] -= 1
            if self._stops[game.pk] == 0:
                self._say_goodbye(self._dice.choice(list(Goodbye)), game)
        return self._goodbyes.get(game.pk) is not Goodbye.VANISHES

    def _say_goodbye(self, how: Goodbye, game: Game) -> None:
        self._goodbyes[game.pk] = how
        self._club.goodbyes[how] += 1
        if how is Goodbye.VANISHES:
            self._wish()
        elif how is Goodbye.RESIGNS and self._scenario.can_seek:
            seat = game.seats.get(user=self.user)
            absences.seek_successor(seat_id=seat.pk, is_wanted=True, now=self._club.timeline.now)
            self._later(self._scenario.patience_days, lambda: self._resign(game))
        elif how is Goodbye.RESIGNS:
            self._resign(game)

    def _resign(self, game: Game) -> None:
        seat = Seat.objects.filter(game=game, user=self.user, game__status=Game.Status.RUNNING).first()
        if seat is None or seat.status == Seat.Status.RESIGNED:
            return
        now = self._club.timeline.now
        try:
            game_moves.resign(game_id=game.pk, seat=seat.number, actor=self.user, source=Move.Source.WEB, now=now)
        except ServiceError:
            return  # all others have resigned before
        if self._table == game.pk:
            self._wish()


class SimulatedClub:
    """A club with its members, the mail transport and the workers."""

    def __init__(self, scenario: ClubScenario, seed: int, timeline: Timeline) -> None:
        self.scenario, self.timeline = scenario, timeline
        self.goodbyes = dict.fromkeys(Goodbye, 0)
        self._seed, self._count = seed, 0
        self.transport = FastMailTransport(timeline, self._hear, CALM, Random(f"post:{seed}"))
        self.workers = Workers(timeline, self.transport.deliver_one, CALM, Random(f"faults:{seed}"))
        self.members: dict[str, Member] = {}
        owner = User.objects.create_user("owner@example.org", name="Owner")
        self.club = clubs.found(user=owner, name="Simulation", about="", now=timeline.now)
        for _ in range(scenario.members):
            self._arrive()

    def _arrive(self) -> None:
        self._count += 1
        dice = Random(f"{self._seed}:{self._count}")
        user = User.objects.create_user(f"player-{self._count}@example.org", name=f"Player {self._count}")
        user.recipient.zone = dice.choice(ZONES)
        user.recipient.save(update_fields=["zone"])
        clubs.join(club=self.club, user=user, now=self.timeline.now)
        self.members[user.email] = Member(self, user, dice)

    def replace(self, member: Member) -> None:
        """Somebody leaves the club, and somebody new comes."""
        del self.members[member.user.email]
        clubs.leave(club=self.club, user=member.user)
        self._arrive()

    def seat(self, user: User) -> int | None:
        """Sits somebody down at the table that has waited longest and takes him, or opens one; gives its key."""
        now = self.timeline.now
        for game in Game.objects.filter(status=Game.Status.OPEN).order_by("pk"):
            try:
                lifecycle.join(game_id=game.pk, user=user, now=now)
                if game.seats.count() == game.seat_count:
                    lifecycle.start(game_id=game.pk, host=game.host, now=now)
            except ServiceError:
                continue
            return game.pk
        scenario = self.scenario
        plan = TablePlan(
            title=f"Table {Game.objects.count() + 1}",
            rules_name=scenario.rules,
            seat_count=scenario.size,
            pace=scenario.pace,
            club=self.club.ref,
            absent_seats=scenario.absent_seats,
            company=scenario.company,
        )
        try:
            return lifecycle.open_table(host=user, plan=plan, now=now).pk
        except ServiceError:
            return None

    def _hear(self, address: str, thread: str) -> None:
        if address in self.members and thread.startswith(THREAD):
            game = Game.objects.defer("state").filter(ref=thread.removeprefix(THREAD)).first()
            if game is not None:
                self.members[address].hear(game)

    def run(self) -> ClubFigures:
        """Plays to the last day. Raises InvariantBroken."""
        stop = self.timeline.now + self.scenario.days * DAY
        due: datetime | None = self.timeline.now
        while (when := next_instant(self.timeline, due)) is not None and when < stop:
            self.timeline.go_to(when)
            self.timeline.act()
            due = self.workers.settle()
        expect(not Game.objects.exclude(quarantined_at=None).exists(), "a game broke")
        return self._measure()

    def _measure(self) -> ClubFigures:
        over = Game.objects.exclude(started_at=None).filter(status__in=(Game.Status.FINISHED, Game.Status.CLOSED))
        passed = Move.objects.filter(source=Move.Source.DEADLINE).count()
        given = Move.objects.filter(kind=Move.Kind.ANSWER, source=Move.Source.WEB).count()
        seats = Seat.objects.exclude(game__started_at=None)
        emails = sum(self.transport.mails.values()) / self.scenario.members / self.scenario.days
        return ClubFigures(
            started=Game.objects.exclude(started_at=None).count(),
            finished=over.count(),
            abandoned=over.filter(seats__status__in=EMPTY).distinct().count(),
            got_up=self.goodbyes[Goodbye.RESIGNS],
            vanished=self.goodbyes[Goodbye.VANISHES],
            taken_over=sum(seat.tenures.count() > 1 for seat in seats),
            passed=round(passed / max(1, passed + given), 4),
            emails_per_person_and_day=round(emails, 3),
        )


def play_club(scenario: ClubScenario, seed: int) -> ClubFigures:
    """Plays a club, which follows from the seed. Raises InvariantBroken."""
    timeline = Timeline(BEGINS)
    with present.going_by(lambda: timeline.now), override_settings(**SETTINGS), _seeded(scenario, seed):
        simulated = SimulatedClub(scenario, seed, timeline)
        with simulated.transport.at_work():
            return simulated.run()


@contextmanager
def _seeded(scenario: ClubScenario, seed: int) -> Iterator[None]:
    dice = Random(f"club:{seed}")
    with ExitStack() as stack:
        stack.enter_context(patch("games.lobby.lifecycle.secrets", SimpleNamespace(token_bytes=dice.randbytes)))
        if not scenario.is_barring:
            stack.enter_context(patch("games.play.absences.check_has_not_left"))
        yield


class Command(BaseCommand):
    """Plays a club twice in a database of its own, which is thrown away."""

    help = "Play a club's tables in virtual time, with and without leaving well. Does not touch your database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Takes the scenario and the seed."""
        usual = ClubScenario()
        parser.add_argument("--members", type=int, default=usual.members, help=f"how many people ({usual.members})")
        parser.add_argument("--days", type=int, default=usual.days, help=f"for how long ({usual.days})")
        parser.add_argument("--leave", type=float, default=usual.leaves, help=f"share of games left ({usual.leaves})")
        parser.add_argument("--seed", type=int, default=1, help="from which everything follows (1)")

    def handle(self, *args: object, **options: Any) -> None:
        """Prints the figures of both as JSON. Raises InvariantBroken."""
        after = ClubScenario(members=options["members"], days=options["days"], leaves=options["leave"])
        for name, scenario in (("before", after.before()), ("after", after)):
            old = connection.settings_dict["NAME"]
            connection.creation.create_test_db(verbosity=0, autoclobber=True)
            try:
                figures = play_club(scenario, options["seed"])
            finally:
                connection.creation.destroy_test_db(old, verbosity=0)
            self.stdout.write(json.dumps({"with": name, **asdict(figures)}))
            self.stdout.flush()
