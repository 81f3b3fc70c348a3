"""The measuring process of `carry`: `python -m tests.bench.carrying games|fill|play DATABASE GAMES HOURS YEAR ...`.

`games` plays some in an empty database, `fill` copies them into another one. `play` lets people of the simulator's
kinds answer by link, page, API and mail, look at tables and lists and leave pages open, at the pace of the busiest hour
of a day; then it counts. What they answer is thought out beforehand: nothing but requests and mails is done meanwhile.
"""

import contextlib
import http.client
import json
import os
import re
import smtplib
import statistics
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import django

from tests.bench.processes import descendants_of, memory_of, parent_of, processor_time_of
from tests.bench.report import Goal, heading, note

if TYPE_CHECKING:
    from games.models import Decision
    from tests.bench.answered import Person

ANSWERS = 4  # of people, a game and day
BUSY = 4  # times what people do in the mean: at the busiest hour
LOOKS, OPEN_SECONDS = 2, 300  # looks at tables, and as many at lists, beside an answer; how long a page stays open
WEEK = 168.0  # hours
PEOPLE = ("keen", "ordinary", "casual")
DOORS = {"link": 5, "page": 3, "API": 1, "mail": 1}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
TAKEN, LATE = (200, 201, 202, 302, 303), 409
SENDERS = 16  # requests at a time
STALE = 5.0  # seconds after which an idle connection is opened anew
LOOK_SECONDS, REST_SECONDS = 5.0, 60.0
RESTING, MOST_SETTLED = 0.1, 30  # cores of programs at rest; looks until they are taken to be
MOVE = Goal("p99", most=150)
FACTS = ("data-hx-get", "data-etag", "data-every")
BYTES = "SELECT pg_database_size(current_database()), pg_current_wal_lsn() - '0/0'::pg_lsn"


def main(step: str, database: str, games: int, hours: float, year: float, more: Sequence[str]) -> None:
    """Does one of the steps."""
    django.setup()
    if step == "games":
        from tests.bench.carried import Playing

        Playing()
    elif step == "fill":
        fill(database, games, year, int(more[0]), Path(more[1]))
    else:
        programs = {name: int(pid) for name, _is, pid in (one.partition("=") for one in more[2:])}
        play(hours, year, int(more[0]), float(more[1]), programs)


def fill(database: str, games: int, year: float, web_port: int, file: Path) -> None:
    """Fills an empty database with copies of the games in a file."""
    from tests.bench.carried import KINDS, OVER, Copies, load, size_of
    from tests.bench.storing import GOALS

    size = size_of(games, year)
    heading(f"{database}: {games:,} running games and the finished ones of a year")
    world = load(file, web_port)
    note(f"{len(KINDS)} running and {2 * len(OVER)} finished games were really played, by bots in people's place")
    begun = time.monotonic()
    copies = Copies(world, size)
    sizes = copies.write(lambda: stored()[0])
    note(f"scaled: the others are copies of them, made in {time.monotonic() - begun:.0f} s; on the disk, with indexes:")
    for (title, number), size_of_all in zip(size.by_name(year).items(), sizes, strict=True):
        note(f"  {number:,} {title}: {size_of_all / 1e6:,.0f} MB, {size_of_all / max(1, number) / 1000:.0f} kB a game")
    whole = sum(copies.of_magic.values()) / 1000
    note(f"a finished magic game of four, folded: {whole:.1f} kB  {GOALS[database].verdict(round(whole))}; of it")
    largest = sorted(copies.of_magic.items(), key=lambda item: -item[1])
    note("  " + ", ".join(f"{table} {size / 1000:.1f}" for table, size in largest if size > 100))


def stored() -> tuple[int, int]:
    """Bytes of the database, and of all that has been written to its log so far (0 on SQLite)."""
    from django.conf import settings
    from django.db import connection

    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(BYTES)
            size, log = cursor.fetchone()
            return int(size), int(log)
    path = Path(settings.DATABASES["default"]["NAME"])
    return sum(one.stat().st_size for one in path.parent.glob(f"{path.name}*")), 0


# What people mean to do


@dataclass
class Visit:
    """Somebody's answer, and what he looks at beside it.

    Arguments:
        send: sends the answer; returns its status.
    """

    person: "Person"
    table: str
    lists: tuple[str, ...]
    door: str
    send: "Callable[[Client], int]"


def plan(hours: float, dice: Random) -> list[Visit]:
    """As many visits as people make in these hours, each to another game."""
    from games.models import Decision, Game
    from tests.lab.people import GREEDY, POPULATIONS, Thinker

    games = list(Game.objects.filter(status="running").values_list("pk", flat=True))
    wanted = round(len(games) * ANSWERS / 24 * hours)
    minds = [Thinker(POPULATIONS[kind], GREEDY, dice) for kind in PEOPLE]
    visits = []
    for key in dice.sample(games, min(wanted, len(games))):
        rows = Decision.objects.filter(game=key, status="open", is_automatic=False, seat__user__isnull=False)
        row = rows.select_related("game", "seat__user__recipient").order_by("pk").first()
        if row is not None:
            visits.append(_visit(row, dice.choice(minds), dice))
    return visits


def _visit(row: "Decision", mind: Any, dice: Random) -> Visit:
    from django.urls import reverse

    from engine.orders.answers import ORDERS, SHEET
    from games.play import proposals
    from games.web.play.answering import PROPOSAL
    from tests.bench.answered import equipped
    from tests.lab.people import as_posted, look_at

    row.seat.game = row.game
    assert row.seat.user is not None
    person = equipped(row.seat.user)
    proposal = proposals.load(row) if row.seat.is_proposed_to else None
    answer, _ordered = mind.respond(look_at(row), proposals.answer_of(proposal) if proposal else None)
    door = dice.choices([*DOORS], [*DOORS.values()])[0]
    if answer is None:
        assert proposal is not None
        posted, action = {"decision": row.code, PROPOSAL: proposal.mark}, {"proposal": proposal.mark}
        line = "ok" if proposal.is_first else ""
    else:
        if ORDERS in answer or answer["type"] == SHEET:
            door = "API"  # no form of a page takes orders at once
        posted, action = as_posted(row.code, answer, f"carry-{row.ref}"), {"action": dict(answer)}
        line = _line(row, answer) if door == "mail" else ""
    if door == "mail" and not line:
        door = "link"
    ways = {"link": _by_link, "page": _by_page, "API": _by_api}
    send = _by_mail(row, line) if door == "mail" else ways[door](person, row, action if door == "API" else posted)
    lists = (reverse("my_games"), reverse("lobby"))
    return Visit(person, reverse("table", args=[row.game.ref]), lists, door, send)


def _line(row: "Decision", answer: dict[str, Any]) -> str:
    from django.utils import translation

    from games.play.reply_grammar import QuestionReader, line_of, naming_of
    from tests.lab.people import look_at

    assert row.seat.user is not None
    with translation.override(row.seat.user.recipient.language):
        return str(line_of(dict(answer), QuestionReader(look_at(row).question, naming_of(row.game))) or "")


def _by_link(person: "Person", row: "Decision", posted: dict[str, Any]) -> "Callable[[Client], int]":
    from django.conf import settings

    from games.play import decision_links
    from tests.games.web.filling import pressed

    path = decision_links.act_url(row).removeprefix(settings.SITE_URL)

    def send(client: "Client") -> int:
        client.get("the page behind a link", path)
        return client.post("link", path, urlencode({**posted, **pressed()}), FORM)

    return send


def _by_page(person: "Person", row: "Decision", posted: dict[str, Any]) -> "Callable[[Client], int]":
    from django.urls import reverse

    path, body = reverse("table_act", args=[row.game.ref]), {"csrfmiddlewaretoken": person.csrf, **posted}
    return lambda client: client.post("page", path, urlencode(body), FORM | {"Cookie": person.cookies})


def _by_api(person: "Person", row: "Decision", action: dict[str, Any]) -> "Callable[[Client], int]":
    from django.urls import reverse

    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {person.token}"}
    path, body = reverse("api_answer_decision", args=[row.game.ref, row.code]), json.dumps(action)
    return lambda client: client.post("API", path, body, headers | {"Idempotency-Key": f"carry-{row.ref}"})


def _by_mail(row: "Decision", line: str) -> "Callable[[Client], int]":
    from django.conf import settings

    from games.play import decision_links

    assert row.seat.user is not None
    sender, to = row.seat.user.email, decision_links.reply_address(row)
    proved = f"Authentication-Results: {settings.MAIL_AUTHSERV_ID}; dmarc=pass header.from=carry.example.org"
    head = f"{proved}\r\nFrom: {sender}\r\nTo: {to}\r\nMessage-ID: <{row.ref}@carry.example.org>\r\nSubject: Re: move"
    host, _colon, port = settings.MAIL_LISTEN.rpartition("/")[2].partition(":")

    def send(client: "Client") -> int:
        with client.timed("mail"), smtplib.SMTP(host, int(port), timeout=60) as server:
            server.sendmail(sender, [to], f"{head}\r\n\r\n{line}\r\n".encode())
        return 200

    return send


# Doing it


class Client:
    """A browser or program, one for each thread; notes how long everything took."""

    def __init__(self, port: int, seconds: dict[str, list[float]], statuses: Counter[str]) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self._used = 0.0
        self._seconds, self._statuses = seconds, statuses
        self.location = ""

    @contextlib.contextmanager
    def timed(self, what: str) -> Any:
        """Notes how long that takes."""
        begun = time.perf_counter()
        yield
        self._seconds[what].append(time.perf_counter() - begun)

    def get(self, what: str, path: str, headers: dict[str, str] | None = None) -> tuple[int, str, str]:
        """Status, text and ETag."""
        return self._ask(what, "GET", path, None, headers or {})

    def post(self, what: str, path: str, body: str, headers: dict[str, str]) -> int:
        """The status; `location` is where an answer led to."""
        return self._ask(what, "POST", path, body.encode(), headers)[0]

    def _ask(
        self, what: str, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> tuple[int, str, str]:
        if time.monotonic() - self._used > STALE:
            self._connection.close()
        with self.timed(what):
            self._connection.request(method, path, body, headers)
            response = self._connection.getresponse()
            text = response.read()
        self._used = time.monotonic()
        self.location = response.getheader("Location") or ""
        self._statuses[f"{what} {response.status}"] += 1
        return response.status, text.decode(), response.getheader("ETag") or ""


class Traffic:
    """Visits spread over some time, and what follows of each."""

    def __init__(self, port: int) -> None:
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.statuses: Counter[str] = Counter()
        self.behind: list[float] = []
        self.broken: Counter[str] = Counter()
        self._port, self._own, self._lock = port, threading.local(), threading.Lock()
        self._jobs: list[tuple[float, int, Callable[[Client], None]]] = []
        self._numbers, self._end = count(), 0.0

    def run(self, visits: Sequence[Visit], seconds: float, dice: Random) -> None:
        """Returns when the time is over."""
        begun = time.monotonic()
        self._end = begun + seconds
        for visit in visits:
            self._at(begun + dice.random() * seconds, lambda client, visit=visit: self._answer(client, visit))
        with ThreadPoolExecutor(SENDERS) as pool:
            while (now := time.monotonic()) < self._end:
                with self._lock:
                    due = [heappop(self._jobs) for _ in range(len(self._jobs)) if self._jobs[0][0] <= now]
                for at, _number, job in due:
                    pool.submit(self._do, at, job)
                time.sleep(0.01)

    def _at(self, when: float, job: "Callable[[Client], None]") -> None:
        if when < self._end:
            with self._lock:
                heappush(self._jobs, (when, next(self._numbers), job))

    def _do(self, at: float, job: "Callable[[Client], None]") -> None:
        self.behind.append(time.monotonic() - at)
        if not hasattr(self._own, "client"):
            self._own.client = Client(self._port, self.seconds, self.statuses)
        try:
            job(self._own.client)
        except (OSError, http.client.HTTPException) as error:
            self.broken[type(error).__name__] += 1
            self._own.client = Client(self._port, self.seconds, self.statuses)

    def _answer(self, client: Client, visit: Visit) -> None:
        signed_in = {"Cookie": visit.person.cookies}
        _status, page, _etag = client.get("a table", visit.table, signed_in)
        for path in visit.lists:
            client.get("a list", path, signed_in)
        status = visit.send(client)
        if client.location and visit.door in ("link", "page"):
            client.get("the page after an answer", client.location, signed_in)
        self.statuses["answers taken" if status in TAKEN else "answers refused"] += 1
        for _ in range(LOOKS - 1):
            _status, page, _etag = client.get("a table", visit.table, signed_in)
        found = [re.search(rf'{name}="([^"]+)"', page) for name in FACTS]
        if all(found):
            path, etag, every = (one[1] for one in found if one)
            until = time.monotonic() + OPEN_SECONDS
            self._follow(path, f'"{etag}"', signed_in | {"HX-Request": "true"}, int(every) / 1000, until)

    def _follow(self, path: str, etag: str, headers: dict[str, str], every: float, until: float) -> None:
        def ask(client: Client) -> None:
            status, _text, new = client.get("an open page", path, headers | {"If-None-Match": etag})
            if status in (200, 304):
                self._follow(path, new or etag, headers, every, until)

        if (when := time.monotonic() + every) < until:
            self._at(when, ask)


class Watch:
    """Looks at the processes while people are at work: memory, processor time and bytes written."""

    def __init__(self, programs: dict[str, int]) -> None:
        self.programs = programs
        self.most: dict[str, float] = {}
        self.loads: list[float] = []
        self._used = {name: processor_time_of(pid) for name, pid in programs.items()}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look_again)

    def begin(self) -> None:
        """From now on."""
        self._begun = {name: used() for name, used in self._used.items()}
        self._io = self._written()
        self._thread.start()

    def end(self) -> tuple[dict[str, float], dict[str, int]]:
        """Seconds of processor time by program, and bytes it had written to the disk."""
        self._stop.set()
        self._thread.join()
        io = self._written()
        spent = {name: used() - self._begun[name] for name, used in self._used.items()}
        return spent, {name: io[name] - self._io[name] for name in io}

    def _look_again(self) -> None:
        while not self._stop.wait(LOOK_SECONDS):
            self.loads.append(os.getloadavg()[0])
            for name, pid in self.programs.items():
                self.most[name] = max(self.most.get(name, 0.0), sum(memory_of(pid).values()))

    def _written(self) -> dict[str, int]:
        return {name: sum(map(_bytes_written, descendants_of(pid))) for name, pid in self.programs.items()}


def _bytes_written(pid: int) -> int:
    with contextlib.suppress(OSError):
        found = re.search(r"^write_bytes: (\d+)$", Path(f"/proc/{pid}/io").read_text(), re.MULTILINE)
        return int(found[1]) if found else 0
    return 0


def play(hours: float, year: float, port: int, settled: float, programs: dict[str, int]) -> None:
    """Prints the figures."""
    from django.db import connection, connections

    from games.models import Game
    from notifications.clock import present

    dice = Random(1)
    if connection.vendor == "postgresql":
        connection.ensure_connection()
        programs = programs | {"PostgreSQL": parent_of(connection.connection.info.backend_pid)}
    begun = time.monotonic()
    visits = plan(hours, dice)
    games = Game.objects.filter(status="running").count()
    note(f"{len(visits):,} answers thought out by {', '.join(PEOPLE)} people in {time.monotonic() - begun:.0f} s")
    size, log = stored()
    connections.close_all()
    _settle(settled, processor_time_of(*programs.values()))
    since, traffic, watch = present.host(), Traffic(port), Watch(programs)
    seconds = hours * 3600 / BUSY
    watch.begin()
    traffic.run(visits, seconds, dice)
    spent, written = watch.end()
    grown, logged = (now - before for now, before in zip(stored(), (size, log), strict=True))
    connections.close_all()
    time.sleep(REST_SECONDS)
    heading(f"{hours:g} of the {WEEK:g} hours of a week, at {BUSY} times their mean: {seconds / 60:.0f} minutes")
    loads = watch.loads
    note(f"load of this machine, others' work too: {statistics.mean(loads):.1f} ({min(loads):.1f} .. {max(loads):.1f})")
    note(f"{sum(map(len, traffic.seconds.values())):,} requests and mails: " + _counted(traffic))
    behind = _quantile(traffic.behind, 0.99)
    note(f"requests begun {1000 * behind:.0f} ms late in 99 of 100; broken {dict(traffic.broken)}")
    share = WEEK / hours
    for name, used in spent.items():
        size_of = f"{watch.most[name]:5.0f} MB (PSS, most), {written[name] / 1e6:7.1f} MB written"
        print(f"  {name:<14}{used:8.1f} s of processor time, {size_of}")
    whole, memory = sum(spent.values()), sum(watch.most.values())
    note(f"together {whole:.1f} s ({whole * 24 / hours / games:.2f} s a game and day), {memory:.0f} MB")
    kept = f"kept {grown / 1e6:.1f} MB, {grown / max(1, len(visits)) / 1000:.1f} kB an answer"
    note(f"{kept}; log of the database {logged / 1e6:.1f} MB")
    cores = whole / seconds
    note(
        f"at the busiest hour {cores:.2f} cores; scaled to a week: {whole * share / 3600:.1f} hours of processor time,"
    )
    note(f"{grown * share / 1e9:.2f} GB kept before folding, {sum(written.values()) * share / 1e9:.1f} GB written")
    moves = [one for door in ("link", "page", "API") for one in traffic.seconds[door]]
    verdict = MOVE.verdict(round(1000 * _quantile(moves, 0.99)))
    for name, times in {"a move": moves, **traffic.seconds}.items():
        line = (
            f"{len(times):>7,} p50 {1000 * _quantile(times, 0.5):7.1f} ms, p99 {1000 * _quantile(times, 0.99):7.1f} ms"
        )
        print(f"  {name:<26}{line}" + (f"  {verdict}" if name == "a move" else ""))
    _show_told(since)


def _settle(settled: float, used: Callable[[], float]) -> None:
    """Returns when the programs do nothing any more but look at the clock."""
    begun = last = used()
    for _ in range(MOST_SETTLED):
        time.sleep(settled)
        last, before = used(), last
        if last - before <= RESTING * settled:
            break
    note(f"{last - begun:.1f} s of processor time before that, such as for what is cleared once a day")


def _counted(traffic: Traffic) -> str:
    taken, refused = traffic.statuses["answers taken"], traffic.statuses["answers refused"]
    others = {name: number for name, number in traffic.statuses.items() if name[-3:] >= "400" and name[-3:].isdigit()}
    return f"{taken:,} answers taken, {refused:,} refused; {others or 'no other refusals'}"


def _show_told(since: Any) -> None:
    from games.models import Move
    from notifications.conversations import LOOKING
    from notifications.models import Conversation, Delivery

    moves = Move.objects.filter(made_at__gte=since)
    note(
        "moves by source: "
        + ", ".join(
            f"{source} {number:,}" for source, number in Counter(moves.values_list("source", flat=True)).items()
        )
    )
    seen = {
        (recipient, thread): at
        for recipient, thread, at in Conversation.objects.values_list("recipient_id", "thread", "seen_at")
        if at is not None
    }
    for channel in ("mail", "webhook"):
        rows = Delivery.objects.filter(
            channel=channel, notice__created_at__gte=since, notice__not_before__isnull=True, state="accepted"
        )
        facts = rows.values_list("accepted_at", "notice__created_at", "notice__recipient_id", "notice__thread")
        late, looked = [], 0
        for at, made, *reader in facts:
            until = seen.get(tuple(reader), made) + LOOKING  # his email waits until then
            is_held = channel == "mail" and made < until <= at
            looked += is_held
            late.append((at - (until if is_held else made)).total_seconds())
        left = Delivery.objects.filter(channel=channel, notice__created_at__gte=since, attempt_after__lte=since).count()
        if late:
            text = f"{len(late):,} delivered, p50 {_quantile(late, 0.5):.1f} s, p99 {_quantile(late, 0.99):.1f} s"
            since_then = f", {looked:,} of them late from when their readers had stopped looking" if looked else ""
            note(f"{channel}: {text}{since_then}; {left} left")


def _quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


if __name__ == "__main__":
    _step, _database, _games, _hours, _year, *_more = sys.argv[1:]
    main(_step, _database, int(_games), float(_hours), float(_year), _more)
