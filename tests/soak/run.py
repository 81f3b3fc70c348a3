"""One run: perhaps two timed phases, the storm, then a core that is healed beside what stays broken, and the count."""

import argparse
import threading
import time
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random

import psycopg
from django.db import Error, connection

from games.models import Decision, Move, User
from games.play import deadline_rule
from notifications.clock import present
from notifications.models import Delivery, Notice
from tests.soak import account, faults
from tests.soak.account import Account
from tests.soak.faults import FAULTS
from tests.soak.people import SILENT, Hosts, Life, Onlookers, People, seat_silent
from tests.soak.programs import READY_SECONDS, REDIS, Clock, Programs
from tests.soak.receivers import DIE, REFUSE, STALL, World

TROUBLE = 0.03  # share of messages a receiver treats badly in the storm
WEIGHTS = {REFUSE: 5, DIE: 4, STALL: 1}
MOST_SECONDS = 120.0  # until a fault meets something
BUDGET = timedelta(minutes=10)  # of the database's clock, in which a healed core has done all that is due
ROUNDS = 60  # of each worker of the core: a machine that is too busy for so many is given more time
LONGEST_SECONDS = 2400.0  # after which it has failed in any case
STEP_SECONDS = 4.0  # by which the clock is moved on when each worker of the core has done a round
TIMES_ASKED = 6  # so often those who never answer are asked and given time, before the count
GO_ON = {*map(str, (Move.Source.DEADLINE, Move.Source.ADVANCE, Move.Source.BOT, Move.Source.LINK, Move.Source.MAIL))}
HEALED_BY_MAIL = 0.4  # share of answers


class Run:
    """Holds everything together; `whole` does it all and prints what it finds."""

    def __init__(
        self,
        options: argparse.Namespace,
        programs_of: Callable[[], Programs],
        world: World,
        port: int,
        pace: timedelta,
    ) -> None:
        self.options = options
        self.dice = Random(options.seed)
        self.world = world
        self.kinds, self.broken = faults.draw(options.seed, is_small=options.small)
        self.programs = programs_of()
        self.clock = Clock(self.programs.database_url)
        self.clock.install()
        present.go_by(self.clock.now)
        world.now = lambda: self.clock.now().timestamp()
        moods = [mood for mood in WEIGHTS if f"messages {mood}" in self.kinds]
        world.moods = tuple(mood for mood in moods for _ in range(WEIGHTS[mood]))
        self.struck: Counter[str] = Counter()
        self.met: Counter[str] = Counter()  # rare states
        self.down: set[str] = set()  # programs that are meant to be down
        self.phases: dict[str, tuple[datetime, datetime]] = {}
        self.people = People(world, options.tables, port, options.seed, self.kinds)
        self._play_at(options.rate)
        self.hosts = Hosts(port, options.seed, options.guests)
        self.onlookers = Onlookers(self.programs.web_urls, self.programs.streams_url, User.objects.earliest("pk"))
        self._pace = pace
        self._end: float | None = None  # of the storm
        self.quiet_at = present.now()  # when nothing was owed

    def whole(self) -> Account:
        """Returns the count."""
        begun = time.monotonic()
        threads = [threading.Thread(target=each.run, daemon=True) for each in self._at_work]
        print(f"seed {self.options.seed}: {', '.join(self.kinds)}; broken in the end: {self.broken}", flush=True)
        with self.programs.running():
            for thread in threads:
                thread.start()
            try:
                if self.options.calm:
                    self._timed("calm")
                    self.programs.kill(REDIS)
                    self.down = {REDIS}
                    self._timed("without Redis")
                    self.down = set()
                    self.programs.start(REDIS)
                self._storm()
                healed_at = self._break()
                undone = self._recover(healed_at)
                undone += self._webs_in_trouble()
            finally:
                for each in self._at_work:
                    each.stop()
                for thread in threads:
                    thread.join()
        count = account.take(
            self.world, self.people.replies, self.people.moves, self.repeats, (healed_at, self.quiet_at)
        )
        count.faults += [f"not done within {BUDGET}: {one}" for one in undone]
        count.met += self.met + self.people.met
        if not self.people.answered["with a webhook"]:
            count.faults.append("nobody answered what a webhook had told him")
        self._report(count, time.monotonic() - begun)
        return count

    @property
    def _at_work(self) -> tuple[Life, ...]:
        return self.people, self.hosts, self.onlookers

    @property
    def repeats(self) -> int:
        """How many messages may have come twice, as their sender could not note that they were sent."""
        return faults.AT_ONCE + sum(FAULTS[kind].repeats * number for kind, number in self.struck.items())

    def _timed(self, name: str) -> None:
        """A phase without faults: games alone, as fast as the people think."""
        begin = present.now()
        self._until(Notice.objects.count() + self.options.calm)
        self.phases[name] = (begin, present.now())

    def _play_at(self, rate: float) -> None:
        """So many answers a second, if the machine keeps up: people think that long."""
        mean = self.options.tables / rate
        self.people.think = (0.5 * mean, 1.5 * mean)

    def _until(self, count: int) -> None:
        said = 0.0
        while (there := self._notices()) < count and not self._is_over():
            self._look_after()
            if time.monotonic() - said > 30:
                said = time.monotonic()
                print(f"  {there} notices, {len(self.world.arrivals)} arrived, {dict(self.struck)}", flush=True)
            time.sleep(0.2)

    def _look_after(self) -> None:
        for name in self.programs.look_after(but=self.down):
            print(f"{name} ended by itself:\n{self.programs.children[name].last_lines(8)}", flush=True)

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
        """Fault after fault, spread over the notices, each kind at least once."""
        blows = [self.kinds[number % len(self.kinds)] for number in range(max(self.options.faults, len(self.kinds)))]
        self.dice.shuffle(blows)
        begin, most = Notice.objects.count(), self.options.notices
        self.world.trouble = TROUBLE * self.options.trouble
        self.hosts.is_busy = True
        self._play_at(self.options.rate / 5)  # most notices of the storm are the short ones of the hosts
        seat_silent(self.options.silent)
        started, clock, seconds = present.now(), time.monotonic(), 60 * self.options.minutes
        for number, kind in enumerate(blows):
            self._end = clock + seconds * number / len(blows) if seconds else None
            self._until(begin + (most - begin) * number // len(blows))
            time.sleep(self.dice.uniform(0, 0.4))
            if self._strike(kind):
                self.struck[kind] += 1
        self._end = clock + seconds if seconds else None
        self._until(most)
        self._end = None
        self.phases["storm"] = (started, present.now())

    def _strike(self, kind: str) -> bool:
        """Until it meets something: a worker that has just been killed has no pool yet, a database may be down."""
        strike = FAULTS[kind].strike
        end = time.monotonic() + MOST_SECONDS
        while strike and time.monotonic() < end:
            try:
                if strike(self):
                    return True
            except (psycopg.OperationalError, Error):
                connection.close()
            time.sleep(0.5)
        return False

    def _break(self) -> datetime:
        """The storm ends: the core is well from now on, and the rest is broken for ever. Returns when that was."""
        self.world.trouble = 0.0
        self.hosts.is_busy = False
        seen, end = self.programs.rounds(self.programs.workers), time.monotonic() + READY_SECONDS
        while any(new == old for new, old in zip(self.programs.rounds(self.programs.workers), seen, strict=True)):
            self._look_after()
            assert time.monotonic() < end, "no worker works after the storm"
            time.sleep(0.5)
        connection.close()  # the database may have crashed meanwhile
        for part, way in self.broken.items():
            faults.break_for_ever(self, part, way)
        self.down = {part for part in self.broken if part in self.programs.children}
        self._play_at(self.options.rate)
        self.people.by_mail = HEALED_BY_MAIL
        return present.now()

    def _recover(self, healed_at: datetime) -> list[str]:
        """Lets the core work until all is done that is due; returns what is not, if its time is over."""
        core = [name for name in self.programs.workers if name not in self.down]
        horizon = healed_at + TIMES_ASKED * (self._pace + deadline_rule.patience())
        begun, seen, rounds, said, is_calm = time.monotonic(), self.programs.rounds(core), 0, 0.0, False
        standing: list[str] = []
        # Who was to be told by a worker that died meanwhile is told when its lease ends, and may answer after that.
        orphans = {*Delivery.objects.filter(lease_until__gt=healed_at).values_list("notice__subject", flat=True)}
        while True:
            self._look_after()
            if not is_calm and present.now() > horizon and self._is_tested(healed_at, horizon):
                is_calm = True
                self.people.is_answering = False
                asked = Decision.objects.filter(game__title__startswith=SILENT, status=Decision.Status.OPEN)
                late = [row for row in asked.filter(opened_at__lte=healed_at) if row.subject not in orphans]
                standing = [f"{row.ref} is still asked" for row in late]
                asked.update(due_at=present.now() + timedelta(days=10))  # else they are passed without end
            undone = account.undone(self.world.dead) if is_calm else ["the time in which people answer"]
            if not undone:
                self.quiet_at = present.now()
                print(f"healed within {present.now() - healed_at} and {rounds} rounds", flush=True)
                return standing
            is_late = present.now() - healed_at > BUDGET + (horizon - healed_at) and rounds >= ROUNDS
            if is_late or time.monotonic() - begun > LONGEST_SECONDS:
                return standing + undone
            if time.monotonic() - said > 30:
                said = time.monotonic()
                print(f"  healed for {present.now() - healed_at}, {rounds} rounds; {undone[:4]}", flush=True)
            if all(new != old for new, old in zip(self.programs.rounds(core), seen, strict=True)):
                seen, rounds = self.programs.rounds(core), rounds + 1
                self.clock.skip(STEP_SECONDS)
            time.sleep(0.1)

    def _is_tested(self, healed_at: datetime, horizon: datetime) -> bool:
        """Whether games went on in every way since then, or there was more than time enough for that."""
        sources = Move.objects.filter(made_at__gt=healed_at).values_list("source", flat=True).distinct()
        return {*sources} >= GO_ON or present.now() > horizon + BUDGET / 2

    def _webs_in_trouble(self) -> list[str]:
        well = [name for name in self.programs.webs if name not in self.down]
        pages = [self.programs.web_urls[name] + page for name in well for page in ("/healthz", "/", "/accounts/login/")]
        return [f"{page} answers {status}" for page in pages if (status := self.onlookers.status(page)) != "200"]

    def _report(self, count: Account, seconds: float) -> None:
        arrivals = self.world.arrivals
        print(f"\nseed {self.options.seed}, {seconds / 60:.1f} minutes; faults: {dict(self.struck)}")
        print(f"broken in the end: {self.broken}; trouble at the receivers: {dict(self.world.troubles)}")
        print(f"answers: {dict(self.people.answered)}, refused {dict(self.people.refused)}")
        print(f"replies taken: {len(self.people.replies)}; tables closed: {self.hosts.closed}")
        print(f"notices {count.notices}, deliveries {count.deliveries}, arrivals {len(arrivals)}")
        print(f"requests to the webs: {dict(sorted(self.onlookers.seen.items()))}")
        print(f"doubled {len(count.doubled)}, passed {count.passed}, unheard {len(count.unheard)}, ", end="")
        print(f"moves lost {count.moves_lost} of {len(self.people.moves)}")
        print(f"lost {len(count.lost)}, repeats {count.repeats} where {self.repeats} were possible")
        print(f"and {count.repeats_after_trouble} repeats of what a receiver took without saying so")
        print(f"rare states met: {dict(count.met)}")
        print(f"raised in the programs: {dict(self.programs.tracebacks().most_common(20))}")
        for name, (begin, end) in self.phases.items():
            took = account.delays(arrivals, begin, end)
            rate = len(took) / (end - begin).total_seconds()
            quantiles = ", ".join(
                f"p{100 * share:g} {account.percentile(took, share):.2f} s" for share in (0.5, 0.99, 1)
            )
            print(f"{name}: {len(took)} deliveries, {rate:.1f} a second, committed to handed over {quantiles}")
        for line in [*count.lost[:20], *count.faults]:
            print(f"BROKEN: {line}")
        print("every promise held" if not count.faults else "A PROMISE WAS BROKEN", flush=True)
