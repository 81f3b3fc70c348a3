"""What deploy/ describes, on real servers, through one fault after the other, and a new version in mid-game.

PostgreSQL, Redis, a web behind Caddy with TLS and the settings of production, a worker, a listener.
`python -m pytest -s tests/e2e/test_deployment.py` prints how long each fault was felt.
"""

import importlib
import os
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import celery
import psycopg
import pytest
import requests

from tests.e2e.running import LISTENER, PATIENCE, WEB, WEBS, WORKER, WORKERS, Running, until
from tests.servers import frozen_postgres
from tests.soak.receivers import World, receiving

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.long, pytest.mark.redis, pytest.mark.usefixtures("caddy")]
EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
AT_ONCE = 50
CROWD = 24  # who ask while PostgreSQL is frozen: more than the webs have threads
READ = (("GET", "accounts/login/"), ("GET", "api/v1/me/"))
SENT = (("POST", "api/v1/me/"),)  # every web says that nothing can be made there; a proxy treats it unlike what is read
# Answered before; or its web was killed in the middle, or the database does not answer: ask once more.
SETTLED = ((409, "conflict"), (502, "no-json"), (503, "unavailable"))
MOST_LINES = 4  # about one outage: the processes of a web or of a worker, each of which writes one
# FREEZES=10 FROZEN_SECONDS=30 is the long trial. Each is longer than anybody may wait.
FREEZES, FROZEN_SECONDS = int(os.environ.get("FREEZES", "1")), float(os.environ.get("FROZEN_SECONDS", "15"))
PEOPLE = """
import json
from games.models import User
from games.people import tokens
from notifications.clock import present
people = [User.objects.create_user(f"{name}@example.org", name=name) for name in ("Anna", "Ben")]
print(json.dumps([tokens.create_token(user=user, name="bot", now=present.now())[1] for user in people]))
"""
OWED = """
import json
from notifications.models import IS_OPEN, Delivery, Notice
print(json.dumps(Delivery.objects.filter(IS_OPEN).count() + Notice.objects.filter(pending__isnull=False).count()))
"""
TOLD = """
import json
from games.models import Move
from notifications.models import Delivery
rows = Delivery.objects.select_related("leader")
print(json.dumps([[row.state, (row.leader or row).message_id] for row in rows]))
"""


class Player:
    """Plays table after table against bots, through the API: each answer needs a web, each next question a worker."""

    def __init__(self, client: Any, choose: Callable[..., Any], refused: type[Exception]) -> None:
        self.client, self.choose, self.refused = client, choose, refused
        self.answers = 0
        self.trouble: list[str] = []
        self.is_resting = False
        self._dice, self._over = Random(3), threading.Event()

    @contextmanager
    def playing(self) -> Iterator[None]:
        """In a thread of its own, until the end of `with`."""
        thread = threading.Thread(target=self._run, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join(60)

    def _run(self) -> None:
        while not self._over.wait(0.4):
            try:
                if not self.is_resting:
                    self._look()
            except self.refused as error:
                if (error.status, error.code) not in SETTLED:  # type: ignore[attr-defined]
                    self.trouble.append(f"{error.status} {error}")  # type: ignore[attr-defined]
            except requests.RequestException as error:
                self.trouble.append(repr(error))

    def _look(self) -> None:
        running = [game["ref"] for game in self.client.games(status="running")]
        if not running:
            open_and_start(self.client)
        for ref in running:
            game = self.client.game(ref)
            for question in [one for one in self.client.decisions(ref) if one["is_waiting"]]:
                self.client.answer(ref, question["code"], self.choose(question, game, self._dice))
                self.answers += 1

    def goes_on(self, what: str) -> float:
        """Two answers from now on, with a round of the bots between them; returns how many seconds they took."""
        before = self.answers
        return until(lambda: self.answers >= before + 2, f"play goes on after: {what}; {self.trouble[-3:]}")


def open_and_start(client: Any) -> str:
    """A table against two bots; returns its reference."""
    ref: str = client.open_table("aladdins-dragons", 3, bots=["random", "random"], options={"version": "basic"})["ref"]
    client.start(ref)
    return ref


class Faults:
    """One after the other; `felt` says for how many seconds each was."""

    def __init__(self, house: Running, player: Player, world: World, postgres_url: str) -> None:
        self.house, self.player, self.world, self.postgres_url = house, player, world, postgres_url
        self.felt: dict[str, float] = {}

    def all(self, ben: Any) -> None:
        """In an order in which each finds everything well."""
        self.redis_loses()
        self.redis_freezes()
        for _ in range(FREEZES):
            self.postgres_freezes(FROZEN_SECONDS)
        self.a_newer_version_sends_tasks()
        for _ in range(3):
            self.connections_are_cut()
        self.killed(WEB)
        self.killed(WORKER)
        self.a_machine_freezes_with_a_lease(ben)
        self.webs_are_away()
        self.a_new_version_comes()

    def _feel(self, what: str) -> None:
        self._note(self.player.goes_on(what), what)

    def _note(self, seconds: float, what: str) -> None:
        print(f"  {seconds:5.1f} s  {what}", flush=True)
        self.felt[what] = max(seconds, self.felt.get(what, 0.0))

    def redis_loses(self) -> None:
        with self.house.broker() as broker:
            broker.client_kill_filter(_type="normal", skipme=True)
            self._feel("CLIENT KILL")
            broker.flushall()
            self._feel("FLUSHALL")

    def redis_freezes(self) -> None:
        with self.house.broker() as broker:
            process = broker.info("server")["process_id"]
        os.kill(process, signal.SIGSTOP)
        try:
            self._feel("a frozen Redis")
        finally:
            os.kill(process, signal.SIGCONT)

    def postgres_freezes(self, seconds: float) -> None:
        """Whoever asks is refused in words, no web is taken for dead, and no ticker stands still; then play goes on."""
        logs = {name: log_of(self.house, name) for name in (*WEBS, *WORKERS)}
        rounds = {name: self.house.tick_file(name).stat().st_mtime for name in WORKERS}
        with ExitStack() as load, Pulse(self.house, self.player.client) as pulse, frozen_postgres(self.postgres_url):
            crowd = [load.enter_context(Pulse(self.house, self.player.client)) for _ in range(CROWD)]
            healthy = set()
            for _ in range(int(seconds)):
                time.sleep(1)
                healthy |= {self.house.health(name) for name in WEBS}
            ready = {self.house.readiness(name) for name in WEBS}
        answers = sum((one.answers for one in crowd), pulse.answers)
        longest = max(one.longest for one in (pulse, *crowd))
        print(f"  a frozen PostgreSQL: {dict(answers)}, the longest in {longest:.1f} s", flush=True)
        assert set(answers) <= {200, 503} and answers[503] >= 2, answers
        assert (healthy, ready) == ({200}, {503})
        self._feel("a frozen PostgreSQL")
        for name in WORKERS:
            until(lambda: self.house.tick_file(name).stat().st_mtime > rounds[name], f"{name} ticks again")  # noqa: B023
        for name, before in logs.items():
            new = log_of(self.house, name)[len(before) :]
            assert new.count("The database is away") <= MOST_LINES and "Traceback" not in new, f"{name}: {new[-3000:]}"

    def a_newer_version_sends_tasks(self) -> None:
        app = celery.Celery(broker=self.house.redis_url)
        app.send_task("games.of_tomorrow", queue="play", ignore_result=True)
        app.send_task("games.play", args=[1], kwargs={"of": "tomorrow"}, queue="play", ignore_result=True)
        app.send_task("games.play", queue="play", ignore_result=True)
        with self.house.broker() as broker:
            until(lambda: broker.llen("play") == 0, "the worker takes what comes after them")
        app.close()
        self._feel("tasks of a newer version")

    def connections_are_cut(self) -> None:
        with psycopg.connect(self.postgres_url, autocommit=True) as connection:
            theirs = "datname = current_database() AND pid <> pg_backend_pid()"
            connection.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {theirs}")  # noqa: S608
        self._feel("pg_terminate_backend of all")

    def killed(self, name: str) -> None:
        """Whoever watches over it starts it again."""
        self.house.children[name].kill()
        self.house.replace(name)
        self._feel(f"SIGKILL of {name}")

    def a_machine_freezes_with_a_lease(self, ben: Any) -> None:
        """The worker of one machine stops in the middle of a mail; that of another one sends it."""
        self.player.is_resting = True  # an answer would spare the mail that asks for it
        until(lambda: self.house.ask(OWED) == 0, "everybody is told")
        self.world.is_to_stall = True
        open_and_start(ben)
        until(lambda: self.world.stalled, "a mail is begun")
        self.house.signal(WORKER, signal.SIGSTOP)
        other = self.house.another(WORKER)
        other.start()
        try:
            seconds = until(
                lambda: any(arrival.id == self.world.stalled for arrival in self.world.arrivals), "it is sent again"
            )
            self._note(seconds, "SIGSTOP of a worker in the middle of a mail: until it is there")
            self.player.is_resting = False
            self._feel("workers that have stopped")
        finally:
            self.house.signal(WORKER, signal.SIGCONT)
            other.stop()

    def webs_are_away(self) -> None:
        """All of them are restarted at once: who sends something meanwhile waits, and is answered by one of them."""
        for name in WEBS:
            self.house.children[name].stop()
        with Pulse(self.house, self.player.client) as reader, Pulse(self.house, self.player.client, SENT) as sender:
            time.sleep(2)  # the proxy has found all of them away
            with Pulse(self.house, self.player.client, SENT) as late:
                time.sleep(1)
                for name in WEBS:
                    self.house.children[name].start()
                for name in WEBS:
                    self.house.wait_for(name)
        answers = reader.answers + sender.answers + late.answers
        assert set(answers) == {200, 405}, answers
        self._feel("webs that are away")

    def a_new_version_comes(self) -> None:
        """By docs/upgrading.md: nobody is sent away, neither a reader nor one who answers."""
        with Pulse(self.house, self.player.client, READ + SENT) as pulse:
            self.house.run("python", "-m", "config.prepare")
            for name in (WORKER, LISTENER, WEB):
                self.house.replace(name)
            self._feel("a new version")
        assert set(pulse.answers) == {200, 405}, pulse.answers
        assert pulse.answers[200] > 20


class Pulse:
    """Asks through the proxy, again and again, and counts what is said; once each, for a second try would hide it."""

    def __init__(self, house: Running, client: Any, asked: tuple[tuple[str, str], ...] = READ) -> None:
        self.answers: Counter[int | str] = Counter()
        self.longest = 0.0  # seconds
        self._asked = asked
        self._url = house.url
        self._headers = {"Authorization": client._http.headers["Authorization"]}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "Pulse":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join(60)

    def _run(self) -> None:
        while not self._over.wait(0.2):  # below what one token may ask a minute
            for method, path in self._asked:
                begun = time.monotonic()
                try:
                    said = requests.request(
                        method, f"{self._url}/{path}", headers=self._headers, timeout=60, allow_redirects=False
                    )
                    self.answers[said.status_code] += 1
                except requests.RequestException as error:
                    self.answers[type(error).__name__] += 1
                self.longest = max(self.longest, time.monotonic() - begun)


def log_of(house: Running, name: str) -> str:
    """What a program has written until now."""
    return (house.folder / f"{name}.log").read_text()


def asked(client: Any, ref: str) -> Any:
    """What waits for the player, once something does."""
    until(lambda: any(one["is_waiting"] for one in client.decisions(ref)), "a question")
    (question,) = (one for one in client.decisions(ref) if one["is_waiting"])
    return question


def fifty_at_once(house: Running, client: Any, choose: Callable[..., Any]) -> Counter[int]:
    """Answers to one question through all threads of the web; what each was told."""
    ref = open_and_start(client)
    question = asked(client, ref)
    while question["is_sealed"]:  # each answer to it replaces the last, until the others have answered
        client.answer(ref, question["code"], choose(question, client.game(ref), Random(0)))
        question = asked(client, ref)
    game, authority = client.game(ref), client._http.headers["Authorization"]
    barrier = threading.Barrier(AT_ONCE)

    def submit(number: int) -> int:
        action = choose(question, game, Random(number))
        barrier.wait()
        headers = {"Authorization": authority, "Idempotency-Key": f"tab {number}"}
        address = f"{house.url}/api/v1/games/{ref}/decisions/{question['code']}/"
        return requests.post(address, json={"action": action}, headers=headers, timeout=PATIENCE).status_code

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return Counter(pool.map(submit, range(AT_ONCE)))


@pytest.fixture
def examples() -> Iterator[Any]:
    """The client and the sample bot of the documentation."""
    sys.path.insert(0, str(EXAMPLES))
    yield importlib.import_module("caravanserai"), importlib.import_module("sample_bot")
    sys.path.remove(str(EXAMPLES))


def test_play_goes_on_through_every_fault_and_a_new_version(
    postgres_url: str, redis_url: str, tmp_path: Path, examples: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(Random(1))
    api, bot = examples
    with receiving(world) as (mail_url, _hook_url):
        house = Running(tmp_path, postgres_url, redis_url, mail_url)
        with house.up():
            monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(house.certificate))
            anna, ben = (api.Caravanserai(house.url, token) for token in house.ask(PEOPLE))
            assert fifty_at_once(house, anna, bot.choose) == {200: 1, 409: AT_ONCE - 1}
            player = Player(anna, bot.choose, api.Refused)
            faults = Faults(house, player, world, postgres_url)
            with player.playing():
                print("\nseconds until two more answers after:", flush=True)
                player.goes_on("the start")
                begun = time.monotonic()
                faults.all(ben)
            print(f"{player.answers} answers in {time.monotonic() - begun:.0f} s")
            assert player.trouble == []
            until(lambda: house.ask(OWED) == 0, "everybody is told")
            told, arrived = house.ask(TOLD), {arrival.id for arrival in world.arrivals}
            house.run("python", "manage.py", "replay_games")
    lost = [name for state, name in told if state == "accepted" and name not in arrived]
    doubled = len(world.arrivals) - len(arrived)
    print(f"{len(told)} deliveries, {len(arrived)} mails arrived; {len(lost)} lost, {doubled} came twice")
    assert {state for state, _id in told} <= {"accepted", "stale", "joined"}
    assert lost == []
