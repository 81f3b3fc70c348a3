"""What `carry` fills a database with: some games that were really played, and copies of them made by the database.

The copied games have people, questions, moves, notices, deliveries and attempts of their own, as the played ones have.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

from django.apps import apps
from django.conf import settings
from django.db import connection, connections
from django.db.models import DateTimeField, Field, ForeignKey, Max, Model

from games.lobby import lifecycle
from games.models import Decision, Game, GameReview, Move, User
from games.play import automatic_answers, game_moves, proposals, stored_moves
from games.tables.settings import TablePlan
from notifications import ledger
from notifications.clock import present
from notifications.delivery.claims import make_deliveries
from notifications.models import Endpoint, Notice, Recipient, Ways
from tests.bench.storing import sizes as sizes_of_tables
from tests.bench.storing import tell_all
from tests.lab.people import ZONES

MARK = "zzzz"  # how references of what was played begin; copies have their number in its place
APART = 1_000_000  # between the keys of two copies
DAYS = 25  # that a game takes
FRESH = 30  # days in which a finished game is kept as rows
YEAR = 365
HOOKED = 8  # every so manieth person has a webhook
KINDS = (
    *[("aladdins-dragons", 4, {"version": "magic"}, 664)] * 4,
    *[("aladdins-dragons", 4, {"version": "basic"}, 420)] * 2,
    *[("cave-of-wonders", seats, {}, 23 * seats) for seats in (2, 3, 4)] * 2,
)
"""Rules, seats, options and moves of a whole game, for the running ones."""
PACES = ("daily", "brisk", "swift", "relaxed")
OVER = (0, 1, 4, 8, 10, 11)  # which of the kinds are played to their end, once as rows and once folded
OF_PEOPLE = ("games_user", "notifications_recipient", "notifications_endpoint", "account_emailaddress")
TEXTS = {
    "ref", "email", "address", "thread", "subject", "dedupe_key", "message_id", "data", "target", "url", "name",
}  # fmt: skip
LIKE = f"'%{MARK}%'"


@dataclass(frozen=True)
class Size:
    """How many games run, how many have ended within FRESH days, and how many before, within the year."""

    running: int
    fresh: int
    folded: int

    def by_name(self, year: float) -> dict[str, int]:
        """In words; `year` is the share of a year's that this is."""
        some = f"({year:g} of a year's)"
        return {
            "that run": self.running,
            f"that ended within {FRESH} days, as rows {some}": self.fresh,
            f"that ended before, packed and folded {some}": self.folded,
        }


def size_of(games: int, year: float) -> Size:
    """What a service of so many running games holds after a year, of whose finished games a share is stored."""
    a_day = games / DAYS * year
    return Size(games, round(a_day * FRESH), round(a_day * (YEAR - FRESH)))


class World:
    """Games that were played, everybody at two of those that run; the first rows of a database."""

    def __init__(self) -> None:
        games = Game.objects.filter(pk__lt=APART).order_by("pk")
        self.running = list(games.filter(status=Game.Status.RUNNING))
        self.fresh = list(games.filter(status=Game.Status.FINISHED, is_packed=False))
        self.folded = list(games.filter(is_packed=True))


class Playing:
    """Plays such games in a new SQLite database: bots answer in people's place."""

    def __init__(self) -> None:
        seats = sum(kind[1] for kind in KINDS)
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA foreign_keys=OFF")
            _clear()
            cursor.execute("PRAGMA foreign_keys=ON")
        with patch.object(settings, "REF_PREFIX", MARK):
            self.people = [_person(number) for number in range(seats // 2)]
            for number, kind in enumerate(KINDS):  # each as far as another one
                self._play(number, kind, 0.08 + 0.8 * (number * 7 % len(KINDS)) / len(KINDS))
            for number in OVER:
                self._play(number, KINDS[number], 1.0)
            folded = [self._play(number, KINDS[number], 1.0) for number in OVER]
            GameReview.objects.all().delete()  # none of the copies is reviewed
            while make_deliveries(present.now()):
                pass
        tell_all(present.now())
        for game in folded:
            assert stored_moves.pack_log(game.pk, present.now())
        while ledger.fold_some(Notice.objects.filter(thread__in=[f"game:{game.ref}" for game in folded])):
            pass

    def _play(self, number: int, kind: tuple[str, int, dict[str, str], int], share: float) -> Game:
        rules, seats, options, moves = kind
        first = sum(one[1] for one in KINDS[:number])
        host, *guests = [self.people[(first + place) % len(self.people)] for place in range(seats)]
        pace = PACES[number % len(PACES)]
        plan = TablePlan(f"Table {number}", rules, seats, options=options, is_listed=number % 2 == 0, pace=pace)
        now = present.now()
        game = lifecycle.open_table(host=host, plan=plan, now=now)
        for guest in guests:
            lifecycle.join(game_id=game.pk, user=guest, now=now)
        lifecycle.start(game_id=game.pk, host=host, now=now)
        return _go_on(game, None if share == 1.0 else round(share * moves))


def load(file: Path, web_port: int) -> World:
    """Writes what was played into a database that has nothing but its tables; webhooks lead to this port."""
    connections.settings["played"] = connections.settings["default"] | {
        "ENGINE": "django.db.backends.sqlite3", "NAME": str(file), "OPTIONS": {},
    }  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica" if _is_postgres() else "PRAGMA foreign_keys=OFF")
        _clear()
        for model in filter(_is_copied_from("played"), apps.get_models(include_auto_created=True)):
            rows = list(model._base_manager.using("played").order_by("pk"))
            model._base_manager.using("default").bulk_create(rows, batch_size=500)
        if _is_postgres():
            cursor.execute("SET session_replication_role = DEFAULT")
    with connection.cursor() as cursor:
        for model in filter(_is_copied_from("default"), apps.get_models(include_auto_created=True)):
            if _is_postgres():
                _count_on(cursor, model)
    for hook in Endpoint.objects.all():
        hook.url, hook.secret = f"http://127.0.0.1:{web_port}/{hook.ref}", Endpoint().secret
        hook.save()
    while proposals.make_one(present.now()):  # else a worker makes those of all the copies
        pass
    return World()


def _clear() -> None:
    """Removes what a new service begins with."""
    with connection.cursor() as cursor:
        for model in filter(_is_copied_from("default"), apps.get_models(include_auto_created=True)):
            cursor.execute(f'DELETE FROM "{model._meta.db_table}"')  # noqa: S608


def _is_postgres() -> bool:
    return connection.vendor == "postgresql"


def _is_copied_from(alias: str) -> Callable[[type[Model]], bool]:
    asleep = ("games_heartbeat", "games_outage", "games_requestcount", "notifications_channelhealth")

    def is_copied(model: type[Model]) -> bool:
        ours = model._meta.app_label in ("games", "notifications", "account") and not model._meta.proxy
        return ours and model._meta.db_table not in asleep and model._base_manager.using(alias).exists()

    return is_copied


def _person(number: int) -> User:
    user = User.objects.create_user(f"p{number}.{MARK}@carry.example.org", name=f"Player {number}")
    recipient = user.recipient
    recipient.zone, recipient.language = ZONES[number % len(ZONES)], ("en", "de", "es")[number % 3]
    if number % HOOKED == 0:
        Endpoint.objects.create(recipient=recipient, url=f"http://127.0.0.1:9/{user.ref}")
        recipient.ways = Ways.BOTH
    recipient.save()
    return user


def _go_on(game: Game, moves: int | None) -> Game:
    """Plays it so far, and to the next question of a person; to its end if None."""
    while True:
        while game_moves.advance_one(present.now()) or automatic_answers.answer_one(present.now()):
            pass
        game = Game.objects.get(pk=game.pk)
        if game.is_over or (moves is not None and game.seq >= moves):
            return game
        row = Decision.objects.filter(game=game, status="open").select_related("seat__user").order_by("pk")[0]
        answer = automatic_answers.bot_action(game, row, automatic_answers.SUBSTITUTE)
        facts = {"game_id": game.pk, "seat": row.seat.number, "decision": row.code, "actor": row.seat.user}
        game_moves.submit(**facts, action=answer, source=Move.Source.LINK, received_at=present.now())


class Copies:
    """Writes copies of the played games, and of the people who run some of them, until there are as many as asked for.

    Arguments:
        world: what was played in an otherwise empty database.
    """

    def __init__(self, world: World, size: Size) -> None:
        self.world, self.size = world, size
        self.of_magic: dict[str, float] = {}  # bytes of a finished magic game of four, folded, by table
        self.blocks = max(1, size.running // len(world.running))  # the played games are the first of them
        self._models = list(filter(_is_copied_from("default"), apps.get_models(include_auto_created=True)))
        self._is_postgres = _is_postgres()
        for model in self._models:
            largest = model._default_manager.aggregate(Max("pk"))["pk__max"]
            assert not isinstance(largest, int) or largest < APART, (model, largest)

    def write(self, size: Callable[[], int]) -> list[int]:
        """All of them. Returns bytes of those that run, of those that ended lately, and of those that ended before.

        Arguments:
            size: tells how many bytes the database has.
        """
        sizes = [size()]
        with connection.cursor() as cursor:
            cursor.execute("SET session_replication_role = replica" if self._is_postgres else "PRAGMA foreign_keys=OFF")
        fresh, folded = self.world.fresh, self.world.folded
        self._copy(self.blocks - 1, None, "0", people="n")
        sizes.append(size())
        number = self.size.fresh // len(fresh)
        self._copy(number, fresh, f"{FRESH * 86_400 / max(1, number)} * (n - 0.5)")
        sizes.append(size())
        number = self.size.folded // len(folded)
        age = f"{FRESH * 86_400} + {(YEAR - FRESH) * 86_400 / max(1, number)} * (n - 0.5)"
        magic = [game for game in folded if game.options.get("version") == "magic"]
        before = sizes_of_tables(is_vacuumed=False)
        self._copy(number, magic, age)
        after = sizes_of_tables(is_vacuumed=False)
        of_magic = max(1, number * len(magic))
        self.of_magic = {table: (after[table] - before[table]) / of_magic for table in after}
        self._copy(number, [game for game in folded if game not in magic], age)
        sizes.append(size())
        self._spread_deadlines()
        with connection.cursor() as cursor:
            if self._is_postgres:
                cursor.execute("SET session_replication_role = DEFAULT")
                for model in self._models:
                    _count_on(cursor, model)
            cursor.execute("VACUUM ANALYZE" if self._is_postgres else "ANALYZE")
            if self._is_postgres:
                cursor.execute("CHECKPOINT")  # what was filled is not to be written later
        return [after - before for before, after in pairwise(sizes)]

    def _copy(self, number: int, games: Sequence[Game] | None, age: str, people: str = "") -> None:
        """So many copies, numbered `n`, of these games, or of the running ones and of the people.

        Arguments:
            age: how many seconds earlier all happened, in SQL.
        """
        people = people or f"(n % {self.blocks})"
        every = [game for group in (self.world.fresh, self.world.folded) for game in group]
        for model in self._models:
            table = model._meta.db_table
            where = self._condition(model, games or every)
            if where is None and games:
                continue  # of people
            if games is None and where is not None:
                where = f"NOT ({where})"
            columns = {field.column: self._value(field, people, age) for field in model._meta.concrete_fields}
            names = ", ".join(f'"{name}"' for name in columns)
            first = "SELECT CAST(1 AS BIGINT)"
            series = f"WITH RECURSIVE s(n) AS ({first} UNION ALL SELECT n + 1 FROM s WHERE n < {number})"  # noqa: S608
            if number > 0:
                with connection.cursor() as cursor:
                    cursor.execute(
                        f'{series} INSERT INTO "{table}" ({names}) SELECT {", ".join(columns.values())} '  # noqa: S608
                        f'FROM s CROSS JOIN "{table}" t WHERE {where or "1 = 1"}'
                    )

    def _condition(self, model: type[Model], games: Sequence[Game]) -> str | None:
        """Which rows belong to these games, in SQL; None for a table of people."""
        keys = ", ".join(str(game.pk) for game in games)
        threads = ", ".join(f"'game:{game.ref}'" for game in games)
        asked = f"SELECT id FROM games_decision WHERE game_id IN ({keys})"  # noqa: S608
        seats = f"SELECT id FROM games_seat WHERE game_id IN ({keys})"  # noqa: S608
        told = f"SELECT id FROM notifications_notice WHERE thread IN ({threads})"  # noqa: S608
        sent = f"SELECT id FROM notifications_delivery WHERE notice_id IN ({told})"  # noqa: S608
        ways = {
            "thread": f"t.thread IN ({threads})", "notice_id": f"t.notice_id IN ({told})",
            "delivery_id": f"t.delivery_id IN ({sent})", "decision_id": f"t.decision_id IN ({asked})",
            "seat_id": f"t.seat_id IN ({seats})", "log_id": f"t.log_id IN ({keys})",
            "game_id": f"t.game_id IN ({keys})",
        }  # fmt: skip
        if model is Game:
            return f"t.id IN ({keys})"
        if model._meta.db_table in OF_PEOPLE:
            return None
        columns = {field.column for field in model._meta.concrete_fields}
        order = ("game_id", "decision_id", "log_id", "notice_id", "delivery_id", "thread", "seat_id")
        return next((ways[column] for column in order if column in columns), None)

    def _value(self, field: Field, people: str, age: str) -> str:
        """A column of a copy, in SQL on the played row `t`."""
        column = f't."{field.column}"'
        target = field.related_model if isinstance(field, ForeignKey) else field.model if field.primary_key else None
        if target in (User, Recipient, Endpoint) or (field.primary_key and field.model._meta.db_table in OF_PEOPLE):
            return f"{column} + {people} * {APART}"
        if target in self._models:
            return f"{column} + n * {APART}"
        if isinstance(field, DateTimeField) and age != "0":
            return self._earlier(column, age)
        if field.column not in TEXTS:
            return column
        code = "lpad(to_hex(n), 4, '0')" if self._is_postgres else "printf('%04x', n)"
        if field.get_internal_type() == "JSONField" and self._is_postgres:
            return f"replace({column}::text, '{MARK}', {code})::jsonb"
        if not field.unique:
            return f"replace({column}, '{MARK}', {code})"
        other = (
            f"'<' || {code} || substr({column}, 6)"
            if field.column == "message_id"
            else f"{code} || substr({column}, 5)"
        )
        return f"CASE WHEN {column} LIKE {LIKE} THEN replace({column}, '{MARK}', {code}) ELSE {other} END"

    def _earlier(self, column: str, seconds: str) -> str:
        if self._is_postgres:
            return f"{column} - ({seconds}) * interval '1 second'"
        return f"strftime('%Y-%m-%d %H:%M:%f', {column}, (-1 * ({seconds})) || ' seconds')"

    def _spread_deadlines(self) -> None:
        """What is asked falls due within DAYS: one answer in thirty is left to the deadline."""
        rows = Decision.objects.filter(status=Decision.Status.OPEN, due_at__isnull=False)
        keys, dice, now = list(rows.values_list("pk", flat=True)), random.Random(1), present.now()
        for start in range(0, len(keys), 2_000):
            some = list(Decision.objects.filter(pk__in=keys[start : start + 2_000]).only("pk", "due_at", "remind_at"))
            for row in some:
                row.due_at = now + timedelta(days=DAYS) * dice.random()
                row.allowed_until, row.steward_at = row.due_at, None
                row.remind_at = row.due_at - timedelta(hours=1)
            Decision.objects.bulk_update(some, ["due_at", "allowed_until", "remind_at", "steward_at"], batch_size=500)


def _count_on(cursor: "object", model: type[Model]) -> None:
    """Lets new rows of a table come behind the copies."""
    table, key = model._meta.db_table, model._meta.pk
    if key is not None and key.get_internal_type() in ("BigAutoField", "AutoField"):
        cursor.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) FROM {table}))")  # type: ignore[attr-defined]  # noqa: S608
