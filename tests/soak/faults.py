"""Kinds of faults. Each seed draws which of them exist at all (swarm testing), and what stays broken for ever.

One that always meets everything never meets a long storm of one kind alone; see the page about simulation.
"""

import contextlib
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import psycopg

from games.models import Game
from notifications.models import ChannelHealth
from tests.servers import frozen_postgres
from tests.soak.people import LAST_SECOND, LATE_MAIL, TWICE
from tests.soak.programs import BEAT, LISTENER, REDIS
from tests.soak.receivers import DIE, FOR_EVER, REFUSE, STALL

if TYPE_CHECKING:
    from tests.soak.run import Run

AT_ONCE = 8  # deliveries that two workers have in hand when the database goes
LEASE_SECONDS, OUTAGE_SECONDS = 61.0, 150.0  # longer than a lease, and than what counts as no outage yet
PATIENCE = 15.0  # seconds to wait for the moment at which a fault is worst
GONE, FROZEN = "gone", "frozen"
Names = Callable[["Run"], Sequence[str]]


def _workers(run: "Run") -> Sequence[str]:
    return run.programs.workers


def _webs(run: "Run") -> Sequence[str]:
    return run.programs.webs


@dataclass(frozen=True)
class Fault:
    """One kind.

    Arguments:
        strike: does it, once; returns whether it met anything. None where receivers or people do it by themselves.
        repeats: how many messages may come twice because of one: their sender could not note that they were sent.
    """

    strike: Callable[["Run"], bool] | None = None
    repeats: int = 0


def _killed(names: Names) -> Callable[["Run"], bool]:
    """SIGKILL to a program, which is started again after a moment."""

    def strike(run: "Run") -> bool:
        name = run.dice.choice(names(run))
        run.programs.kill(name)
        time.sleep(run.dice.uniform(0, 1.0))
        run.programs.start(name)
        return True

    return strike


def _frozen(names: Names) -> Callable[["Run"], bool]:
    def strike(run: "Run") -> bool:
        with run.programs.frozen(run.dice.choice(names(run))):
            time.sleep(run.options.frozen)
        return True

    return strike


def _pool_killed(run: "Run") -> bool:
    return run.programs.kill_one_of_pool(run.dice.choice(run.programs.workers), run.dice)


def _redis_away(run: "Run") -> bool:
    run.programs.kill(REDIS)
    time.sleep(run.options.frozen)
    run.programs.start(REDIS)
    return True


def _database_frozen(run: "Run") -> bool:
    with frozen_postgres(run.programs.database_url):
        time.sleep(run.options.frozen)
    return True


def _slow_disk(run: "Run") -> bool:
    with run.clock.slow_commits(run.dice.uniform(0.3, 1.5)):
        time.sleep(run.options.frozen)
    return True


def _frozen_in_commit(run: "Run") -> bool:
    """The database stands still in the middle of a commit, for longer than anybody waits, and then completes it."""
    with run.clock.slow_commits(2.0):
        for _ in _until(run.clock.is_committing):
            with frozen_postgres(run.programs.database_url):
                time.sleep(run.options.frozen)
            run.met["a thaw during a commit"] += 1
            return True
    return False


def _no_worker(run: "Run") -> bool:
    """No worker is there while people go on: a phase is complete, and nobody takes the game on."""
    for name in run.programs.workers:
        run.programs.kill(name)
    try:
        run.people.hurry(_is_at_boundary)
        time.sleep(run.dice.uniform(0, 2.0))
        run.met["a phase boundary in an outage"] += _is_at_boundary()
    finally:
        for name in run.programs.workers:
            run.programs.start(name)
    return True


def _is_at_boundary() -> bool:
    return Game.objects.filter(advance_at__isnull=False).exists()


def _mail_away(run: "Run") -> bool:
    run.world.is_closed = True
    try:
        for _ in _until(_is_mail_resting):
            run.met["the mail channel rested"] += 1
        time.sleep(run.options.frozen)
    finally:
        run.world.is_closed = False
    return True


def _is_mail_resting() -> bool:
    return ChannelHealth.objects.filter(channel="mail", failures__gte=2).exists()


def _mail_frozen(run: "Run") -> bool:
    run.world.is_frozen = True
    try:
        time.sleep(run.options.frozen)
    finally:
        run.world.is_frozen = False
    return True


def _lease_lapses(run: "Run") -> bool:
    """A message is kept waiting, and its lease lapses meanwhile: another worker sends it as well."""
    run.world.is_to_stall, run.world.stalled, before = True, "", len(run.world.overtaken)
    for _ in _until(lambda: run.world.stalled):
        run.clock.skip(LEASE_SECONDS)
        for _ in _until(lambda: len(run.world.overtaken) > before):
            run.met["a lease that lapsed in mid-send"] += 1
            return True
    run.world.is_to_stall = False
    return False


def _asleep(run: "Run") -> bool:
    """All machines stand still for some minutes, as if suspended."""
    run.clock.skip(OUTAGE_SECONDS)
    return True


def _until(condition: Callable[[], object]) -> Iterator[None]:
    """Yields once when it is so, or not at all if that takes too long."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with contextlib.suppress(psycopg.OperationalError):
            if condition():
                yield
                return
        time.sleep(0.02)


FAULTS: Mapping[str, Fault] = {
    "worker killed": Fault(_killed(_workers), 1),
    "process of a pool killed": Fault(_pool_killed, 1),
    "web killed": Fault(_killed(_webs)),
    "listener killed": Fault(_killed(lambda run: (LISTENER,))),
    "beat killed": Fault(_killed(lambda run: (BEAT,))),
    "redis killed": Fault(_redis_away),
    "redis flushed": Fault(lambda run: run.programs.flush()),
    "redis frozen": Fault(_frozen(lambda run: (REDIS,))),
    "worker frozen": Fault(_frozen(_workers), 1),
    "web frozen": Fault(_frozen(_webs)),
    "listener frozen": Fault(_frozen(lambda run: (LISTENER,))),
    "no worker": Fault(_no_worker, AT_ONCE),
    "connection to the database cut": Fault(lambda run: run.programs.cut_a_connection(), 1),
    "database crashed": Fault(lambda run: run.programs.crash_database(), AT_ONCE),
    "database frozen": Fault(_database_frozen, AT_ONCE),
    "database frozen in a commit": Fault(_frozen_in_commit, AT_ONCE),
    "slow disk": Fault(_slow_disk),
    "mail server away": Fault(_mail_away),
    "mail server frozen": Fault(_mail_frozen),
    "lease lapsed": Fault(_lease_lapses, AT_ONCE),
    "machines asleep": Fault(_asleep, AT_ONCE),
    **{f"messages {mood}": Fault() for mood in (REFUSE, STALL, DIE)},
    **{habit: Fault() for habit in (LAST_SECOND, LATE_MAIL, TWICE)},
}


def draw(seed: int, *, is_small: bool) -> tuple[list[str], dict[str, str]]:
    """Returns the kinds of faults that exist, and how each part is that is broken for ever in the end.

    A quarter of the seeds have all kinds. Of the small set no part is broken for ever that has nobody beside it.
    """
    dice = Random(f"faults {seed}")
    share = dice.choice((1.0, 0.6, 0.4, 0.25))
    kinds = [kind for kind in FAULTS if dice.random() < share] or [dice.choice(list(FAULTS))]
    if is_small:
        kinds = [kind for kind in kinds if kind != "beat killed"] or ["worker killed"]
    beside = (REDIS, LISTENER) if is_small else ("worker 2", "web 1", REDIS, BEAT, LISTENER)
    parts = dict.fromkeys(beside, (GONE, FROZEN)) | FOR_EVER
    ends = {part: dice.choice(ways) for part, ways in parts.items()}
    broken = [part for part in parts if dice.random() < max(share, 0.5)] or [dice.choice(list(parts))]
    return kinds, {part: ends[part] for part in broken}


def break_for_ever(run: "Run", part: str, way: str) -> None:
    """From now on this part is of no use."""
    if part in FOR_EVER:
        run.world.dies(part, way)
    elif way == FROZEN:
        run.programs.signal(part, signal.SIGSTOP)
    else:
        run.programs.kill(part)
