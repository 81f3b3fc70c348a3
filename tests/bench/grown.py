"""What `growth` measures: ten tables at which people really play, in a database that fills up around them."""

from collections.abc import Callable, Sequence
from functools import partial

from django.db import connection
from django.test import Client
from django.urls import reverse

from games import ticks
from games.lobby import lifecycle
from games.models import Decision, Game, Move, Outage, Seat, User
from games.play import automatic_answers, game_moves
from games.tables.settings import TablePlan
from notifications.clock import present
from notifications.delivery.claims import make_deliveries
from notifications.models import Delivery, DeliveryState
from tests.bench import crowd
from tests.bench.answered import NAMES, Supply
from tests.bench.measuring import Contestant

RULES = "aladdins-dragons"
TABLES = 10
TIMES = 8  # a page is asked for in one turn
PAGES = {"my games": "my_games", "tables to join": "lobby", "archive": "archive", "ranking": "ranking"}


class Grown:
    """The tables, and what stands beside them."""

    def __init__(self) -> None:
        self.supply = Supply(size=TABLES)
        self.supply.answers()
        self.person = next(iter(self.supply.people.values())).user
        self.client = Client(SERVER_NAME="127.0.0.1")
        self.client.force_login(self.person)
        players = [person.user for person in list(self.supply.people.values())[:4]]
        self.running = played(players, crowd.MOVES)
        self.over = played(players, None)
        self.log = self.running  # whose page is looked at
        crowd.invite(self.person)
        self.counts = {"running": TABLES, "finished": 0}

    def run(self, size: int) -> None:
        """As many running games as `size`."""
        if size > self.counts["running"]:
            crowd.run(self.running, self.counts["running"] + 1, size)
            self.counts["running"] = size
        crowd.settle()

    def finish(self, size: int) -> None:
        """As many finished games as `size`."""
        crowd.finish(self.over, self.counts["finished"] + 1, size)
        self.counts["finished"] = size
        crowd.settle()

    def lengthen(self, size: int) -> None:
        """Logs of as many moves at all ten tables."""
        self.supply.answers()
        for game in Game.objects.filter(pk__in=self.supply.games):
            if game.seq < size:
                crowd.lengthen(game, size - game.seq)
        crowd.settle()

    def bytes_stored(self) -> int:
        """Of the whole database."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            return int(cursor.fetchone()[0])

    def whole_game(self) -> tuple[int, int]:
        """Of the one that was played to its end: moves, and bytes of all its rows as they are stored."""
        size = 0
        with connection.cursor() as cursor:
            for model, key in ((Game, "id"), (Seat, "game_id"), (Decision, "game_id"), (Move, "game_id")):
                table = f'"{model._meta.db_table}"'
                cursor.execute(
                    f"SELECT sum(pg_column_size(t.*)) FROM {table} t WHERE {key} = %s",  # noqa: S608  # from above
                    [self.over.pk],
                )
                size += int(cursor.fetchone()[0])
        return self.over.seq, size

    def contestants(self) -> list[Contestant]:
        """What is measured."""
        return [
            self._moves(),
            Contestant("a table's page", self._look_at_tables),
            *(
                Contestant(
                    f"page: {name}", partial(self._look, reverse(page, args=[RULES] if page == "ranking" else None))
                )
                for name, page in PAGES.items()
            ),
            Contestant("a tick, nothing due", self._tick, self._be_done),
        ]

    def yardstick(self) -> Contestant:
        """A page on which nothing of any game stands."""
        return Contestant("yardstick: no data", partial(self._look, reverse("privacy")))

    def _moves(self) -> Contestant:
        ready: list[Callable[[], object]] = []

        def prepare(number: int) -> None:
            ready[:] = [partial(_submit, row, answer) for row, answer in self.supply.answers()]

        def turn(number: int) -> float:
            for submit in ready:
                submit()
            return len(ready)

        return Contestant("a move", turn, prepare)

    def _look_at_tables(self, number: int) -> float:
        seats = self.person.seats.filter(game__in=self.supply.games).values_list("game__ref", flat=True)
        for ref in list(seats):
            for _ in range(TIMES):
                self._get(reverse("table", args=[ref]))
        return TIMES * len(seats)

    def _look(self, path: str, number: int) -> float:
        for _ in range(TIMES):
            self._get(path)
        return TIMES

    def _get(self, path: str) -> None:
        response = self.client.get(path)
        assert response.status_code == 200, (path, response.status_code)

    def _be_done(self, number: int) -> None:
        """Whatever the tables have led to."""
        self.supply.answers()
        while make_deliveries(present.now()):
            pass
        Delivery.objects.exclude(attempt_after=None).update(state=DeliveryState.STALE, attempt_after=None)
        ticks.tick()
        while Outage.objects.filter(settled_at=None).exists():  # nobody looked while the database was filled
            ticks.tick()

    def _tick(self, number: int) -> float:
        for _ in range(TIMES):
            ticks.tick()
        return TIMES


def played(users: Sequence[User], moves: int | None, **options: str) -> Game:
    """A table that these people have played that far; to its end if None."""
    game = _table(users, **options)
    while True:
        _go_on()
        game.refresh_from_db()
        if game.is_over or (moves is not None and game.seq >= moves):
            return game
        row = Decision.objects.filter(game=game, status=Decision.Status.OPEN).select_related("seat__user").first()
        if row is not None:  # the next phase may begin in a moment
            _submit(row, automatic_answers.bot_action(game, row, automatic_answers.SUBSTITUTE))


def four_people() -> list[User]:
    """New accounts."""
    return [User.objects.create_user(f"{name}@sweep.example.org".lower(), name=name) for name in NAMES]


def asking_all() -> Game:
    """A table at which everybody is asked at once: for the plan of the round."""
    users = four_people()
    game = _table(users, tally="plan")
    _go_on()
    assert Decision.objects.filter(game=game, status=Decision.Status.OPEN).count() == len(users)
    return game


def _table(users: Sequence[User], **options: str) -> Game:
    plan = TablePlan("Copied", RULES, len(users), options={"version": "magic"} | options, is_listed=True)
    now = present.now()
    host, *guests = users
    game = lifecycle.open_table(host=host, plan=plan, now=now)
    for guest in guests:
        lifecycle.join(game_id=game.pk, user=guest, now=now)
    lifecycle.start(game_id=game.pk, host=host, now=now)
    return game


def _go_on() -> None:
    """Whatever no person does."""
    while game_moves.advance_one(present.now()) or automatic_answers.answer_one(present.now()):
        pass


def _submit(row: Decision, action: object) -> None:
    game_moves.submit(
        game_id=row.game_id,
        seat=row.seat.number,
        decision=row.code,
        action=action,
        source=Move.Source.WEB,
        received_at=present.now(),
        actor=row.seat.user,
    )
