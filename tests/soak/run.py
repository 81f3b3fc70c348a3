"""One run: a calm phase, a phase without Redis, the storm, silence, and the count."""

import argparse
import threading
import time
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from random import Random

from notifications.clock import present
from notifications.models import Notice
from tests.soak import account
from tests.soak.hosts import Hosts
from tests.soak.people import People
from tests.soak.programs import WORKERS, Programs
from tests.soak.receivers import World

TROUBLE = 0.03  # share of messages a receiver treats badly in the storm
OUTAGE_SECONDS = 8.0  # of the mail server
OUTAGES = 4
SILENCE_SECONDS = 420.0  # for what is owed at the end: a lease is a minute, a second try may be five
SOME_WORKER, ONE_OF_POOL, FLUSH, DOOR, BEAT, REDIS, MAIL, CONNECTION = (
    "worker", "one of a pool", "flush", "listener", "beat", "redis", "mail server", "database connection",
)  # fmt: skip


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

    def whole(self) -> int:
        """Returns the exit status."""
        begun = time.monotonic()
        threads = [threading.Thread(target=each.run, daemon=True) for each in (self.people, self.hosts)]
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
                self.people.stop()
                self.hosts.stop()
                for thread in threads:
                    thread.join()
        found = account.take(self.world.arrivals, self.people.replies, self.kills)
        if not self.people.answered["with a webhook"]:
            found.faults.append("nobody answered what a webhook had told him")
        self._report(found, time.monotonic() - begun)
        return 1 if found.faults else 0

    @property
    def kills(self) -> int:
        """What may have struck between sending and marking: SIGKILLs of what delivers, and lost connections."""
        return self.struck[SOME_WORKER] + self.struck[ONE_OF_POOL] + self.struck[CONNECTION]

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
        while (there := Notice.objects.count()) < count:
            ended = self.programs.look_after(but=self.down)
            if ended:
                print(f"ended by itself: {ended}", flush=True)
            if time.monotonic() - said > 30:
                said = time.monotonic()
                print(f"  {there} notices, {len(self.world.arrivals)} arrived, {dict(self.struck)}", flush=True)
            time.sleep(0.2)

    def _storm(self) -> None:
        """Blow after blow, spread over the rest of the notices."""
        blows = self._blows()
        begin, most = Notice.objects.count(), self.options.notices
        self.world.trouble = TROUBLE
        self.hosts.is_busy = True
        self._play_at(self.options.rate / 5)  # most notices of the storm are the short ones of the hosts
        started = present.now()
        for number, blow in enumerate(blows):
            self._until(begin + (most - begin) * number // len(blows))
            time.sleep(self.dice.uniform(0, 0.4))
            if self._strike(blow):
                self.struck[blow] += 1
        self._until(most)
        self.phases["storm"] = (started, present.now())
        self.world.trouble = 0.0

    def _blows(self) -> list[str]:
        whole = self.options.kills // 3
        few = max(1, self.options.kills // 20)
        blows = [SOME_WORKER] * whole + [ONE_OF_POOL] * (self.options.kills - whole) + [FLUSH] * self.options.flushes
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
        if blow == MAIL:
            self.world.is_closed = True
            time.sleep(OUTAGE_SECONDS)
            self.world.is_closed = False
            return True
        name = {SOME_WORKER: self.dice.choice(WORKERS), DOOR: "answers", BEAT: "beat", REDIS: "redis"}[blow]
        programs.kill(name)
        time.sleep(self.dice.uniform(0, 1.0))
        programs.start(name)
        return True

    def _again(self, strike: Callable[[], bool]) -> bool:
        """Until it meets something: a worker that has just been killed has no pool yet."""
        return any(strike() or time.sleep(0.5) for _ in range(40))

    def _silence(self) -> None:
        """Nobody answers any more; what is owed goes out."""
        self.people.is_answering = self.hosts.is_busy = False
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
