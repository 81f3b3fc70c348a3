"""A whole service for `growth`: people, running and finished games, some of them with all that a real game leaves.

Each game is a copy of one of two that were really played, made by the database itself. The rows of logs are written in
the order of their times, as they would have come about: lists that show the newest first find those of running and of
finished games mixed, as in a service of that age.
"""

from dataclasses import dataclass

from django.db import connection

from games.models import Decision, Game, Seat, User
from notifications.clock import present
from notifications.delivery.claims import make_deliveries
from notifications.models import Recipient
from tests.bench.crowd import APART, FINISHED, REF, RUNNING, copy, settle

DAYS = 25  # that a game takes, at a day a move
OFTEN = 7_919  # a prime: neighbours in time have other players
NUMBERED = 1_000  # more than the questions, and the notices, of one game: their references are made of it
FAR = 20_000_000  # where the numbers of rows of logs begin: behind those of the two games

ARRIVED = """
UPDATE notifications_delivery SET state = 'accepted', attempt_after = NULL, accepted_at = now(), tries = 1;
INSERT INTO notifications_attempt (delivery_id, started_at, ended_at, outcome, code, detail, excerpt)
SELECT id, now(), now(), 'accepted', '250', '2.0.0 Ok: queued as 4Vq1Zk2Jb3z9', '' FROM notifications_delivery;
"""
LOGGED = """
CREATE TEMP TABLE of_game AS
SELECT {base} + n AS game_id, {base} AS base, n, {code} + n AS code, began, took FROM (
    SELECT n, now() - {ended} - took AS began, took FROM (
        SELECT 1 + (i - 1) * {step} + (i - 1) * 37 % {step} AS n, interval '{days} days' * {played} AS took
        FROM generate_series(1, {logged}) i
    ) lasting) placed
"""
PLANNED = """
CREATE TEMP TABLE of_{name} AS
SELECT row_number() OVER (ORDER BY at, game_id) + {far} AS id, planned.* FROM (
    SELECT l.id AS old_id, l.rank, g.*, g.began + g.took * l.rank / l.of_all AS at FROM of_game g JOIN (
        SELECT t.id, CASE t.game_id WHEN {running} THEN {of_running} ELSE {of_finished} END AS base,
               row_number() OVER (PARTITION BY t.game_id ORDER BY t.id) AS rank,
               count(*) OVER (PARTITION BY t.game_id) AS of_all
        FROM ({rows}) t) l USING (base)) planned
ORDER BY 1
"""
OF_LOG = {
    "decision": "SELECT id, game_id FROM games_decision WHERE status <> 'open' AND game_id IN ({running}, {finished})",
    "move": "SELECT id, game_id FROM games_move WHERE game_id IN ({running}, {finished})",
    "notice": "SELECT n.id, g.id AS game_id FROM notifications_notice n JOIN games_game g"
    " ON n.thread = 'game:' || g.ref WHERE g.id IN ({running}, {finished})",
}
CODED = "'x' || reverse(lpad((p.code::bigint * {numbered} + {rank})::text, 11, '0'))"
Changes = dict[str, str]
WRITTEN: tuple[tuple[str, str, str, Changes], ...] = (
    (
        "games_decision",
        "of_decision p JOIN games_decision d ON d.id = p.old_id JOIN games_seat s ON s.id = d.seat_id",
        "d",
        {
            "id": "p.id", "ref": "{ref}", "game_id": "p.game_id", "seat_id": "p.game_id * {apart} + s.number",
            "opened_at": "p.at", "closed_at": "p.at",
        },
    ),
    (
        "games_move",
        """of_move p JOIN games_move m ON m.id = p.old_id
        LEFT JOIN games_seat s ON s.game_id = m.game_id AND s.user_id = m.actor_id""",
        "m",
        {
            "id": "p.id", "game_id": "p.game_id", "received_at": "p.at", "made_at": "p.at",
            "actor_id": "CASE WHEN m.actor_id IS NULL THEN NULL ELSE {user} END",
        },
    ),
    (
        "notifications_notice",
        """of_notice p JOIN notifications_notice n ON n.id = p.old_id
        LEFT JOIN games_decision d ON n.subject = 'decision:' || d.ref
        LEFT JOIN of_decision q ON q.old_id = d.id AND q.game_id = p.game_id
        JOIN games_game old ON old.id IN ({running}, {finished}) AND n.thread = 'game:' || old.ref
        JOIN games_game new ON new.id = p.game_id
        LEFT JOIN games_user u ON u.recipient_id = n.recipient_id
        LEFT JOIN games_seat s ON s.game_id = old.id AND s.user_id = u.id""",
        "n",
        {
            "id": "p.id", "ref": "{ref} || '0123456789'", "dedupe_key": "n.dedupe_key || ':' || p.code",
            "thread": "'game:' || new.ref", "created_at": "p.at", "recipient_id": "coalesce({user}, new.host_id)",
            "subject": "CASE WHEN q.id > 0 THEN 'decision:' || {asked} ELSE replace(n.subject, old.ref, new.ref) END",
        },
    ),
    (
        "notifications_delivery",
        """of_notice p JOIN notifications_delivery d ON d.notice_id = p.old_id AND d.channel = 'mail'
        JOIN notifications_notice n ON n.id = p.id""",
        "d",
        {
            "id": "p.id", "notice_id": "p.id", "message_id": "'<' || {ref} || '@many.test>'", "accepted_at": "p.at",
            "recipient_id": "n.recipient_id", "leader_id": "NULL",
        },
    ),
    (
        "notifications_attempt",
        """of_notice p JOIN notifications_delivery d ON d.notice_id = p.old_id AND d.channel = 'mail'
        JOIN notifications_attempt a ON a.delivery_id = d.id""",
        "a",
        {"id": "p.id", "delivery_id": "p.id", "started_at": "p.at", "ended_at": "p.at"},
    ),
)  # fmt: skip
"""Table, where its rows come from, and what they are like, but for these columns."""


@dataclass(frozen=True)
class Size:
    """How many games there are, and as many people as running games.

    Arguments:
        logged: how many of the running ones, and how many of the finished ones, have moves, questions, notices,
            deliveries and attempts of their own. The others have the rows of the game and what is open.
    """

    running: int
    finished: int
    logged: int


class Population:
    """Copies of two games in an otherwise empty database.

    Arguments:
        running: a game that is half played.
        finished: one that was played to its end.
    """

    def __init__(self, running: Game, finished: Game, size: Size) -> None:
        self.running, self.finished, self.size = running, finished, size
        self.names = {
            "running": running.pk, "finished": finished.pk, "of_running": RUNNING, "of_finished": FINISHED,
            "far": FAR, "numbered": NUMBERED,
        }  # fmt: skip

    def fill(self) -> None:
        """Writes everything, and tells the database how much that is."""
        while make_deliveries(present.now()):
            pass
        self._run("SET session_replication_role = replica")  # references are right, and need not be looked up
        self._run(ARRIVED)
        self._write_people()
        self._write_games()
        self._write_standings()
        self._plan_logs()
        self._write_logs()
        self._run("DROP TABLE of_game, of_decision, of_move, of_notice")
        self._run("SET session_replication_role = DEFAULT")
        settle()

    def player(self) -> User:
        """Somebody who plays one of the running games that have a log."""
        return User.people.get(seats=(RUNNING + 1) * APART)

    def table(self) -> Game:
        """That game."""
        return Game.objects.get(pk=RUNNING + 1)

    def over(self) -> Game:
        """A finished game that has a log."""
        return Game.objects.get(pk=FINISHED + 1)

    def _somebody(self, number: str, n: str = "n") -> str:
        return f"{RUNNING} + 1 + ({n}::bigint * 4 + {number}) * {OFTEN} % {self.size.running}"

    def _apart(self) -> float:
        """Seconds from one end of a game to the next one."""
        return DAYS * 86_400 / self.size.running

    def _write_people(self) -> None:
        like, last = self.running.host, self.size.running
        name = "substr(md5(n::text), 1, 2) || ' of ' || n"
        address = {"id": f"{RUNNING} + n", "address": "n || '@many.test'", "name": name}
        copy(Recipient, f"t.id = {like.recipient_id}", 1, last, address)
        account = {"id": f"{RUNNING} + n", "recipient_id": f"{RUNNING} + n", "email": "n || '@many.test'", "name": name}
        copy(User, f"t.id = {like.pk}", 1, last, account | {"ref": REF.format(salt="u")})

    def _write_games(self) -> None:
        common = {"host_id": self._somebody("0"), "is_listed": "n % 2 = 0"}
        common["title"] = "substr(md5(n::text), 1, 3) || ' table ' || n"
        begun = f"now() - interval '{DAYS} days' * (n % 97) / 97"
        started = {"created_at": begun, "started_at": begun, "rated_at": "NULL"}
        key = {"id": f"{RUNNING} + n", "ref": REF.format(salt="r")}
        absent = {"absent_seats": "CASE WHEN n % 20 = 0 THEN 'takeover' ELSE 'pass' END"}
        copy(Game, f"t.id = {self.running.pk}", 1, self.size.running, common | started | key | absent)
        ended = f"now() - n * interval '{self._apart()} seconds'"
        begun = f"{ended} - interval '{DAYS} days'"
        over = {"created_at": begun, "started_at": begun, "finished_at": ended, "rated_at": ended}
        key = {"id": f"{FINISHED} + n", "ref": REF.format(salt="f")}
        copy(Game, f"t.id = {self.finished.pk}", 1, self.size.finished, common | over | key)
        for game, base, last in (
            (self.running, RUNNING, self.size.running),
            (self.finished, FINISHED, self.size.finished),
        ):
            seat = {"id": f"({base} + n) * {APART} + t.number", "game_id": f"{base} + n"}
            copy(Seat, f"t.game_id = {game.pk}", 1, last, seat | {"user_id": self._somebody("t.number")})
        self._ask()

    def _ask(self) -> None:
        later = "now() + (1 + n % 72) * interval '1 hour'"
        for place, row in enumerate(Decision.objects.filter(game=self.running, status=Decision.Status.OPEN)):
            seat = f"({RUNNING} + n) * {APART} + {row.seat.number}"
            key = {"id": f"({RUNNING} + n) * {APART} + {place}", "game_id": f"{RUNNING} + n", "seat_id": seat}
            clock = {"due_at": later, "remind_at": f"{later} - interval '30 minutes'", "opened_at": "now()"}
            ref = {"ref": f"'{place}' || substr({REF.format(salt='q')}, 2)"}
            copy(Decision, f"t.id = {row.pk}", 1, self.size.running, key | clock | ref)

    def _write_standings(self) -> None:
        """Ratings, how each game has changed them, and that players looked at their tables."""
        self._run(
            f"""
            INSERT INTO games_rating (user_id, rules_name, mu, sigma, points, games, wins, rated_at)
            SELECT {RUNNING} + n, '{self.finished.rules_name}', 25, 5, 1000 + n % 997, 20, 5, now()
            FROM generate_series(1, {self.size.running}) n;
            INSERT INTO games_ratingchange (user_id, rules_name, game_id, points, rated_at)
            SELECT s.user_id, g.rules_name, g.id, 1000, g.finished_at
            FROM games_game g JOIN games_seat s ON s.game_id = g.id WHERE g.id > {FINISHED} AND g.is_listed;
            INSERT INTO notifications_conversation (recipient_id, thread, rhythm, ways, muted, seen_at)
            SELECT s.user_id, 'game:' || g.ref, '', CASE WHEN g.id % 500 = 0 THEN 'mail' ELSE '' END, '[]', now()
            FROM games_game g JOIN games_seat s ON s.game_id = g.id WHERE g.id > {RUNNING};
            """  # noqa: S608  # from above
        )

    def _plan_logs(self) -> None:
        """Notes which copies have a log, when each began and ended, and the rows of it, each with its time.

        Every so many copies have one, the newest among them.
        """
        halves = (
            (RUNNING, self.size.running, 0, "interval '0'", "random()"),
            (FINISHED, self.size.finished, 10_000_000, f"n * interval '{self._apart()} seconds'", "1"),
        )
        planned = [
            LOGGED.format(
                base=base, code=code, ended=ended, step=total // self.size.logged, days=DAYS, played=played,
                logged=self.size.logged,
            ).removeprefix("\nCREATE TEMP TABLE of_game AS")
            for base, total, code, ended, played in halves
        ]  # fmt: skip
        self._run(f"CREATE TEMP TABLE of_game AS {' UNION ALL '.join(planned)}")
        for name, rows in OF_LOG.items():
            self._run(PLANNED.format(name=name, rows=rows.format(**self.names), **self.names))
            self._run(f"ANALYZE of_{name}")

    def _write_logs(self) -> None:
        words = self.names | {
            "apart": APART,
            "ref": CODED.format(numbered=NUMBERED, rank="p.rank"),
            "asked": CODED.format(numbered=NUMBERED, rank="q.rank"),
            "user": self._somebody("s.number", "p.n"),
        }
        for table, source, like, changes in WRITTEN:
            self._insert(
                table, source.format(**words), like, {key: sql.format(**words) for key, sql in changes.items()}
            )

    def _insert(self, table: str, source: str, like: str, changes: dict[str, str]) -> None:
        """Writes planned rows in their order; what comes later gets higher keys."""
        with connection.cursor() as cursor:
            columns = [column.name for column in connection.introspection.get_table_description(cursor, table)]
            values = ", ".join(changes.get(column, f'{like}."{column}"') for column in columns)
            names = ", ".join(f'"{column}"' for column in columns)
            cursor.execute(f"INSERT INTO {table} ({names}) SELECT {values} FROM {source} ORDER BY p.id")  # noqa: S608
            cursor.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) FROM {table}))")  # noqa: S608

    def _run(self, statements: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(statements)
