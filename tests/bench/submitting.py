"""The measuring process of `submit`: `python -m tests.bench.submitting NAME` and the process and port of each web:
ours, and the minimal view.

A round is one answer at every table, by one way; between the rounds, unmeasured, the workers' steps are done and the
next answers are chosen. Each round is looked at: all its answers must have been accepted.
"""

import http.client
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

import django

from tests.bench import boardgame
from tests.bench.measuring import Contestant, Spread, merged, take_turns
from tests.bench.posted import Request
from tests.bench.processes import parent_of, processor_time_of
from tests.bench.report import Goal, heading, note, rate_lines, ratio_line
from tests.bench.surroundings import count_rows

if TYPE_CHECKING:
    from tests.bench.answered import Supply, Way

ROUNDS = {1: 6, 8: 12}  # by how many ask at a time; of eight some wait for others, now longer and now shorter
TABLES = 72  # answered in a turn: after a short one of another server all comes new into the processor's caches
LONG_TABLES = 216  # beside boardgame.io, whose turns take seconds: a short one of ours is half beginning and end
WARMING = 3  # rounds until on each connection of the web servers all is planned
CLIENTS = 8
TRIES = 3  # to measure boardgame.io before its server dies
LONG, SPAN = 1000, 100  # moves of a game of boardgame.io, and how many of them a turn makes
VIEW = "a minimal Django + DRF view"
TAKEN = (200, 201, 204, 302, 303)
MOVE = {"type": "place", "space": "market", "token": 9}
SLOWEST = 3.0  # times the minimal view's median time


@dataclass
class Web:
    """A web server, and how long its answers took.

    Arguments:
        clients: how many ask at a time, each on a connection of its own, which is kept.
        follows: the page to which an answer leads on is loaded as well.
    """

    port: int
    clients: int
    follows: bool = False
    seconds: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._connections = [http.client.HTTPConnection("127.0.0.1", self.port) for _ in range(self.clients)]
        self._pool = ThreadPoolExecutor(self.clients)

    def ask(self, requests: Sequence[Request]) -> None:
        """All of them, side by side. Raises AssertionError for one that was refused."""
        shares = [requests[number :: self.clients] for number in range(self.clients)]
        for times in self._pool.map(self._ask_in_turn, self._connections, shares):
            self.seconds += times

    def _ask_in_turn(self, connection: http.client.HTTPConnection, requests: Sequence[Request]) -> list[float]:
        times = []
        connection.close()  # the web server keeps it for two seconds only; it opens anew by itself
        for request in requests:
            begun = time.perf_counter()
            connection.request("POST", request.path, request.body, request.headers)
            response = connection.getresponse()
            said, location = response.read(), response.getheader("Location")
            if self.follows and location:
                connection.request("GET", location, headers=request.headers)
                response = connection.getresponse()
                said = response.read()
            times.append(time.perf_counter() - begun)
            assert response.status in TAKEN, (request.path, response.status, said[:500])
        return times

    def milliseconds(self) -> tuple[float, float]:
        """The median and the 99th percentile."""
        parts = statistics.quantiles(self.seconds, n=100, method="inclusive")
        return 1000 * parts[49], 1000 * parts[98]


def main(database: str, *servers: int) -> None:
    """Prints the figures of one database.

    Arguments:
        servers: process and port of each web.
    """
    our_port, their_port = servers[1::2]
    django.setup()
    from tests.bench.answered import Supply, by_api, by_api_in_short, by_link, by_page

    supply = Supply(size=TABLES)
    ways = {
        "link in the mail": (by_link, False),
        "table's page": (by_page, False),
        "API": (by_api, False),
        "API, return=minimal": (by_api_in_short, False),
        "link, and the page after it": (by_link, True),
        "table, and the page after it": (by_page, True),
    }
    supply.requests(by_api)
    rows = _minimal_rows(supply.games)
    count_rows()
    pids = (*servers[::2], *server_of_database())
    others = processor_time_of(*pids)
    for clients, rounds in ROUNDS.items():
        heading(f"Accepted moves, {database}, {clients} at a time")
        minimal_web = Web(their_port, clients)
        asked = {name: one for name, one in ways.items() if clients == 1 or not one[1]}
        webs = {name: Web(our_port, clients, follows=follows) for name, (_way, follows) in asked.items()}
        ours = [_ours(name, webs[name], way, supply) for name, (way, _follows) in asked.items()]
        bare = [Contestant("a bare transaction", _bare_turn(rows))] if clients == 1 else []
        theirs = [_just_before(one, _minimal(minimal_web, rows)) for one in ours]
        in_turn = [*bare, *chain.from_iterable(zip(theirs, ours, strict=True))]
        take_turns(in_turn, rounds, others, warming=WARMING)
        minimal = merged(theirs)
        rate_lines([*bare, minimal, *ours], "moves/s")
        for one, other in zip(ours, theirs, strict=True):
            goal = Goal("P4" if database == "PostgreSQL" else "P5", least=0.6)
            ratio_line(one, other, goal if clients == CLIENTS else None)
        _times(minimal_web, webs)
        by_clock = ", ".join(f"{one.name} {Spread.of(one.rates_by_clock).median:,.0f}" for one in (minimal, *ours))
        note(f"by the clock: {by_clock}")
    if database == "PostgreSQL":
        supply.size = LONG_TABLES
        supply.requests(by_api)
        rows += _minimal_rows(supply.games[TABLES:])
        count_rows()
        _beside_boardgame(pids, Web(their_port, CLIENTS), rows, our_port, supply)
    note("rates are by the processor time of all: the web servers', the database's, and of who asks")


def _just_before(one: Contestant, other: Contestant) -> Contestant:
    """The other one, whose turn comes when this one is ready for its own: a machine may have another speed a second
    later, and choosing answers takes one."""
    one.prepare, other.prepare = other.prepare, one.prepare
    return other


def _beside_boardgame(pids: Sequence[int], minimal_web: Web, rows: Sequence[int], port: int, supply: "Supply") -> None:
    """Over whole games of 1,000 moves: what its server writes with each move grows with the log."""
    from tests.bench.answered import by_api, by_link

    heading(f"Accepted moves beside boardgame.io, {CLIENTS} at a time")
    for _ in range(TRIES):
        minimal = _minimal(minimal_web, rows)
        ours = [_ours(name, Web(port, CLIENTS), way, supply) for name, way in (("link", by_link), ("API", by_api))]
        try:
            with boardgame.playing(CLIENTS) as players:
                theirs = Contestant("boardgame.io, FlatFile, games of 1,000 moves", lambda _: players.play(SPAN))
                others = processor_time_of(*pids, *players.pids)
                take_turns([theirs, minimal, *ours], LONG // SPAN - 1, others)  # and one that warms up
        except boardgame.NotHere as error:
            note(str(error))
            return
        except boardgame.Died:
            note("boardgame.io's server has died")
            continue
        _compare(theirs, minimal, ours)
        return


def _compare(theirs: Contestant, minimal: Contestant, ours: Sequence[Contestant]) -> None:
    """The goal is about moves in a second: one of its processor time is not one that goes by, for it uses one core."""
    rate_lines([theirs, minimal, *ours], "moves/s")
    for one, goal in ((minimal, None), *((one, Goal("P4", least=1.5)) for one in ours)):
        clock, used = (_overall(one, name) / _overall(theirs, name) for name in ("wall", "seconds"))
        told = {"by the clock": round(clock, 2), "by processor time": round(used, 2)}
        verdicts = (f"{how} {ratio}" + (f"  {goal.verdict(ratio)}" if goal else "") for how, ratio in told.items())
        note(f"{one.name} / boardgame.io, all rounds: {'; '.join(verdicts)}")


def _overall(one: Contestant, seconds: str) -> float:
    return sum(one.units) / sum(getattr(one, seconds))


def _times(minimal: Web, ours: dict[str, Web]) -> None:
    usual, slow = minimal.milliseconds()
    note(f"{VIEW:<30} p50 {usual:6.1f} ms, p99 {slow:6.1f} ms")
    for name, web in ours.items():
        median, late = web.milliseconds()
        more = ""
        if web.clients == 1 and name == "link in the mail":
            more = f"  {Goal('P3', most=15).verdict(median)}; {Goal('p99', most=40).verdict(late)}; "
            more += Goal("beside the view", most=SLOWEST).verdict(round(median / usual, 2))
        note(f"{name:<30} p50 {median:6.1f} ms, p99 {late:6.1f} ms{more}")


def _ours(name: str, web: Web, way: "Way", supply: "Supply") -> Contestant:
    from tests.bench.answered import accepted

    ready: list[Request] = []
    before = 0

    def prepare(number: int) -> None:
        nonlocal before
        ready[:] = supply.requests(way)
        before = accepted()
        if number == 1:
            web.seconds.clear()

    def turn(number: int) -> float:
        web.ask(ready)
        return len(ready)

    def check() -> None:
        assert accepted() == before + len(ready), "an answer was not written down"

    return Contestant(name, turn, prepare, check)


def _minimal_rows(games: Sequence[int]) -> list[int]:
    """As many rows of the minimal view as these games, with the same states."""
    from django.db import connection

    from tests.bench.answered import states

    with connection.cursor() as cursor:
        for state in states(games):
            cursor.execute("INSERT INTO minimal_table (seq, state) VALUES (0, %s)", [state])
        cursor.execute("SELECT id FROM minimal_table ORDER BY id DESC LIMIT %s", [len(games)])
        return [row[0] for row in cursor.fetchall()]


def _minimal(web: Web, rows: Sequence[int]) -> Contestant:
    body, headers = json.dumps(MOVE).encode(), {"Content-Type": "application/json"}
    requests = [Request(f"/tables/{pk}/moves/", body, headers) for pk in rows]

    def turn(number: int) -> float:
        if number == 1:
            web.seconds.clear()
        web.ask(requests)
        return len(requests)

    return Contestant(VIEW, turn)


def _bare_turn(rows: Sequence[int]) -> Callable[[int], float]:
    """The same statements on the database's own driver, in this process."""
    from django.db import connection

    connection.ensure_connection()
    lock = " FOR UPDATE" if connection.vendor == "postgresql" else ""
    mark = "%s" if connection.vendor == "postgresql" else "?"
    begin = "BEGIN" if connection.vendor == "postgresql" else "BEGIN IMMEDIATE"
    cursor: Any = connection.connection.cursor()
    text = json.dumps(MOVE)

    def turn(number: int) -> float:
        for pk in rows:
            cursor.execute(begin)
            cursor.execute(f"SELECT seq, state FROM minimal_table WHERE id = {mark}{lock}", [pk])  # noqa: S608
            seq, state = cursor.fetchone()
            update = f"UPDATE minimal_table SET seq = {mark}, state = {mark} WHERE id = {mark}"  # noqa: S608
            cursor.execute(update, [seq + 1, state, pk])
            line = f"INSERT INTO minimal_line (table_id, seq, text) VALUES ({mark}, {mark}, {mark})"  # noqa: S608
            cursor.execute(line, [pk, seq + 1, text])
            cursor.execute(f"INSERT INTO minimal_owed (table_id, text) VALUES ({mark}, {mark})", [pk, text])  # noqa: S608
            cursor.execute("COMMIT")
        return len(rows)

    return turn


def server_of_database() -> list[int]:
    """The process above all that serve this one's database; none for SQLite."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return []
    connection.ensure_connection()
    return [parent_of(connection.connection.info.backend_pid)]


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
