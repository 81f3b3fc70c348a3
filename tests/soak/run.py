"""One run: a calm phase, a phase without Redis, the storm, silence, and the count."""

import argparse
import contextlib
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from random import Random

import psycopg
from django.db import Error, connection

from games.models import Decision
from notifications.clock import present
from notifications.models import Notice
from tests.soak import account
from tests.soak.hosts import Hosts
from tests.soak.measure import SILENT, seat
from tests.soak.people import People
from tests.soak.programs import WEBS, WORKERS, Programs
from tests.soak.receivers import World
from tests.soak.requests import Requests

TROUBLE = 0.03  # share of messages a receiver treats badly in the storm
OUTAGE_SECONDS = 8.0  # of the mail server
OUTAGES = 4
AT_ONCE = 8  # deliveries that two workers have in hand when the database goes
SILENCE_SECONDS = 420.0  # for what is owed at the end: a lease is a minute, a second try may be five
SOME_WORKER, ONE_OF_POOL, SOME_WEB, FLUSH, DOOR, BEAT, REDIS, MAIL, CONNECTION, CRASH = (
    "worker", "one of a pool", "web", "flush", "listener", "beat", "redis", "mail server", "database connection",
    "database crash",
)  # fmt: skip
FROZEN_DATABASE, FROZEN_REDIS, FROZEN_MAIL = "frozen database", "frozen redis", "frozen mail server"


class Run:
    """Holds everything together; `whole` does it all and prints what it finds."""

    def __init__(
        self, options: argparse.Namespace, programs_of: Callable[[], Programs], world: World, hook_url: str
    ) -> None:
        self.options = options
        self.dice = Random(options.seed)
        self.world = world
        self.struck: Counter[str] = Counter()
        self.down: set[str] = set()  # what is meant to be
        self.phases: dict[str, tuple[datetime, datetime]] = {}
        self.people = People(world, options.tables, hook_url, options.seed)
        self._play_at(options.rate)
        self.hosts = Hosts(hook_url, options.seed)
        self.programs = programs_of()
        self.requests = Requests(self.programs.web_urls)
        self._end: float | None = None  # of the storm

    def whole(self) -> int:
        """Returns the exit status."""
        begun = time.monotonic()
        threads = [threading.Thread(target=each.run, daemon=True) for each in self._at_work]
        with self.programs.running():
            for thread in threads:
                thread.start()
            try:
                self._timed("calm", self.options.calm)
                self.programs.kill("redis")
                self.down = {"redis"}
                self._timed("without Redis", self.options.calm)
                self.down = set()
                self.programs.start("redis")
                self._storm()
                self._silence()
            finally:
                for each in self._at_work:
                    each.stop()
                for thread in threads:
                    thread.join()
        found = account.take(self.world.arrivals, self.people.replies, self.people.moves, self.kills)
        if not self.people.answered["with a webhook"]:
            found.faults.append("nobody answered what a webhook had told him")
        if found.passed < self.options.passes:
            found.faults.append(f"only {found.passed} were passed: that none of them was unheard says little")
        self._report(found, time.monotonic() - begun)
        return 1 if found.faults else 0

    @property
    def _at_work(self) -> tuple[People, Hosts, Requests]:
        return self.people, self.hosts, self.requests

    @property
    def kills(self) -> int:
        """What may have struck between sending and marking: SIGKILLs of what delivers, lost connections, and for as
        many mails as are sent at a time a database that crashes or is frozen."""
        blows = self.struck[SOME_WORKER] + self.struck[ONE_OF_POOL] + self.struck[CONNECTION]
        return blows + AT_ONCE * (self.struck[CRASH] + self.struck[FROZEN_DATABASE])

    def _timed(self, name: str, number: int) -> None:
        """A phase without blows: games alone, as fast as the people think."""
        begin, count = present.now(), Notice.objects.count()
        if number:
            self._until(count + number)
            self.phases[name] = (begin, present.now())

    def _play_at(self, rate: float) -> None:
        """So many answers a second, if the machine keeps up: people think that long."""
        mean = self.options.tables / rate
        self.people.think = (0.5 * mean, 1.5 * mean)

    def _until(self, count: int) -> None:
        said = 0.0
        while (there := self._notices()) < count and not self._is_over():
            ended = self.programs.look_after(but=self.down)
            if ended:
                print(f"ended by itself: {ended}", flush=True)
            if time.monotonic() - said > 30:
                said = time.monotonic()
                print(f"  {there} notices, {len(self.world.arrivals)} arrived, {dict(self.struck)}", flush=True)
            time.sleep(0.2)

    def _is_over(self) -> bool:
        return self._end is not None and time.monotonic() > self._end

    def _notices(self) -> int:
        """How many there are. Waits for a PostgreSQL that is starting anew."""
        while True:
            try:
                return Notice.objects.count()
            except Error:
                connection.close()
                time.sleep(0.5)

    def _storm(self) -> None:
        """Blow after blow, spread over the rest of the notices."""
        blows = self._blows()
        begin, most = Notice.objects.count(), self.options.notices
        self.world.trouble = TROUBLE
        self.hosts.is_busy = True
        self._play_at(self.options.rate / 5)  # most notices of the storm are the short ones of the hosts
        seat(self.options.silent)
        started, clock, seconds = present.now(), time.monotonic(), 60 * self.options.minutes
        for number, blow in enumerate(blows):
            self._end = clock + seconds * number / len(blows) if seconds else None
            self._until(begin + (most - begin) * number // len(blows))
            time.sleep(self.dice.uniform(0, 0.4))
            if self._strike(blow):
                self.struck[blow] += 1
        self._end = clock + seconds if seconds else None
        self._until(most)
        self._end = None
        self.phases["storm"] = (started, present.now())
        self.world.trouble = 0.0

    def _blows(self) -> list[str]:
        whole, webs = self.options.kills // 3, self.options.kills // 6
        few = max(1, self.options.kills // 20)
        pool = self.options.kills - whole - webs
        blows = [SOME_WORKER] * whole + [SOME_WEB] * webs + [ONE_OF_POOL] * pool + [FLUSH] * self.options.flushes
        blows += [FROZEN_DATABASE, FROZEN_REDIS, FROZEN_MAIL] * self.options.freezes + [CRASH] * self.options.crashes
        blows += [DOOR] * few + [BEAT] * few + [REDIS] * few + [CONNECTION] * few + [MAIL] * min(few, OUTAGES)
        self.dice.shuffle(blows)
        return blows

    def _strike(self, blow: str) -> bool:
        """Returns whether it met anything."""
        programs = self.programs
        if blow == FLUSH:
            return self._again(programs.flush)
        if blow == CONNECTION:
            return self._again(programs.cut_a_connection)
        if blow == ONE_OF_POOL:
            return self._again(lambda: programs.kill_one_of_pool(self.dice.choice(WORKERS), self.dice))
        if blow == CRASH:
            return self._again(programs.crash_database)
        if blow in (FROZEN_DATABASE, FROZEN_REDIS, FROZEN_MAIL):
            return self._again(lambda: self._freeze(blow))
        if blow == MAIL:
            self.world.is_closed = True
            time.sleep(OUTAGE_SECONDS)
            self.world.is_closed = False
        else:
            self._kill(blow)
        return True

    def _kill(self, blow: str) -> None:
        """SIGKILL to a program, which is started again after a moment."""
        some = {SOME_WORKER: self.dice.choice(WORKERS), SOME_WEB: self.dice.choice(WEBS)}
        name = {**some, DOOR: "answers", BEAT: "beat", REDIS: "redis"}[blow]
        self.programs.kill(name)
        time.sleep(self.dice.uniform(0, 1.0))
        self.programs.start(name)

    def _freeze(self, blow: str) -> bool:
        with self._frozen(blow):
            time.sleep(self.options.frozen)
        return True

    @contextlib.contextmanager
    def _frozen(self, blow: str) -> Iterator[None]:
        if blow == FROZEN_MAIL:
            self.world.is_frozen = True
            try:
                yield
            finally:
                self.world.is_frozen = False
            return
        programs = self.programs
        with programs.frozen_database() if blow == FROZEN_DATABASE else programs.frozen("redis"):
            yield

    def _again(self, strike: Callable[[], bool]) -> bool:
        """Until it meets something: a worker that has just been killed has no pool yet."""
        for _ in range(40):
            with contextlib.suppress(psycopg.OperationalError):  # PostgreSQL is starting anew
                if strike():
                    return True
            time.sleep(0.5)
        return False

    def _silence(self) -> None:
        """Nobody answers any more; what is owed goes out."""
        self.people.is_answering = self.hosts.is_busy = False
        asked = Decision.objects.filter(game__title__startswith=SILENT, status=Decision.Status.OPEN)
        asked.update(due_at=present.now() + timedelta(days=10))  # else they are passed, and told of it, without end
        end = time.monotonic() + SILENCE_SECONDS
        while account.owed() and time.monotonic() < end:
            self.programs.look_after()
            time.sleep(1)

    def _report(self, found: account.Account, seconds: float) -> None:
        arrivals = self.world.arrivals
        print(f"\nseed {self.options.seed}, {seconds / 60:.0f} minutes; blows: {dict(self.struck)}")
        print(f"trouble at the receivers: {self.world.troubles}")
        print(f"answers: {dict(self.people.answered)}, refused {dict(self.people.refused)}")
        print(f"replies taken: {len(self.people.replies)}; tables closed: {self.hosts.closed}")
        print(f"notices {found.notices}, deliveries {found.deliveries}, arrivals {len(arrivals)}")
        print(f"requests to two webs: {dict(sorted(self.requests.seen.items()))}")
        print(f"doubled {len(found.doubled)}, passed {found.passed}, unheard {len(found.unheard)}, ", end="")
        print(f"moves lost {found.moves_lost} of {len(self.people.moves)}")
        print(f"lost {len(found.lost)}, repeats {found.repeats} for {self.kills} kills")
        print(f"and {found.repeats_after_trouble} repeats of what a receiver took without saying so")
        for name, (begin, end) in self.phases.items():
            took = account.delays(arrivals, begin, end)
            rate = len(took) / (end - begin).total_seconds()
            quantiles = ", ".join(
                f"p{100 * share:g} {account.percentile(took, share):.2f} s" for share in (0.5, 0.99, 1)
            )
            print(f"{name}: {len(took)} deliveries, {rate:.1f} a second, committed to handed over {quantiles}")
        for line in [*found.lost[:20], *found.faults]:
            print(f"BROKEN: {line}")
        print("every promise held" if not found.faults else "A PROMISE WAS BROKEN", flush=True)
