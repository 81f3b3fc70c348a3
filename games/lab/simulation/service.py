"""The service in virtual time: the workers' steps, one after the other, until nothing is due."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from django.db import connection

from games.lab.simulation.doors import InvariantBroken
from games.lab.simulation.due import STEPS, Step, first_due
from games.lab.simulation.model import Faults
from games.lab.simulation.world import SimulatedWorld
from games.models import Heartbeat
from games.timing import deadline_rule, outages

MOST_STATEMENTS = 60  # a crash happens at one of the first so many statements of a step
NEVER = datetime.max.replace(tzinfo=UTC)
BEAT = f"UPDATE {Heartbeat._meta.db_table} SET beat_at = %s WHERE name = %s"  # noqa: S608  a table's own name
MOST_ROUNDS = 1_000  # of all kinds of work at one instant: more means that the service goes round in circles


class Crash(BaseException):
    """The process died here; not an Exception, so that nothing in the product can catch it."""


class SimulatedService:
    """Does what workers do at an instant, and says when it will next have something to do.

    Arguments:
        deliver: hands over what is due, in the place of the outbox's own step.
        dice: draws the crashes and outages.
    """

    def __init__(self, world: SimulatedWorld, deliver: Step, faults: Faults, dice: Random) -> None:
        self._world, self._faults, self._dice = world, faults, dice
        self._steps = {**STEPS, "delivery": deliver}
        self._outage: tuple[datetime, datetime] = self._draw_outage(world.now)
        self._beaten = NEVER
        self.crashes = self.outages = 0

    def settle(self) -> datetime | None:
        """Works until nothing is due now. Returns when there will be something to do again."""
        now = self._world.now
        begins, ends = self._outage
        if begins <= now < ends:
            return ends  # nobody is there to do anything
        if now >= ends:
            self._recover(begins, now)
        self._beat(now)
        if self._dice.random() < self._faults.idle:
            self._wake_for_nothing(now)
        idle: set[str] = set()  # what looked due and was not, such as the questions of a table where all are asleep
        for _ in range(MOST_ROUNDS):
            due = {kind: when for kind, when in first_due().items() if kind not in idle}
            ready = [kind for kind in self._steps if kind in due and due[kind] <= now]
            if not ready:
                return min(due.values(), default=None)
            worked = {kind for kind in ready if self._drain(kind, now)}
            idle = set() if worked else set(ready)
        raise AssertionError(f"the service does not come to rest at {now}")

    def finish(self) -> None:
        """Works until nothing is due, when the workers are back if they are dead now."""
        begins, ends = self._outage
        if begins <= self._world.now:
            self._world.go_to(ends)
        self.settle()

    def _drain(self, kind: str, now: datetime) -> bool:
        """One kind of work until there is none of it; returns whether there was any."""
        count = 0
        while self._do(kind, now) and first_due().get(kind, NEVER) <= now:
            count += 1
        return bool(count)

    def _do(self, kind: str, now: datetime) -> bool:
        if self._dice.random() >= self._faults.crash:
            return self._steps[kind](now)
        try:
            with _dying_at(self._dice.randrange(MOST_STATEMENTS)):
                return self._steps[kind](now)
        except Crash:
            self.crashes += 1
            return True  # the next process finds what is left to do

    def _wake_for_nothing(self, now: datetime) -> None:
        """A message of the broker came twice, or late: every step looks for work, and finds what is due anyway."""
        due = {kind for kind, when in first_due().items() if when <= now}
        for kind, step in self._steps.items():
            if kind not in due and step(now) and not due:
                raise InvariantBroken(f"there was work of the kind {kind} when nothing was due")
            if kind in due:
                return  # one kind of work leads to another

    def _draw_outage(self, after: datetime) -> tuple[datetime, datetime]:
        """When all workers die next, and when they are back."""
        if not self._faults.outage:
            return NEVER, NEVER
        begins = after + timedelta(days=self._dice.expovariate(self._faults.outage))
        return begins, begins + timedelta(hours=self._dice.uniform(0.1, self._faults.outage_hours))

    def _recover(self, began: datetime, now: datetime) -> None:
        """The workers are back: the first beat of their heart finds the gap, and gives back the time that was lost."""
        self._beat(began)
        outages.beat(now)
        while outages.give_back_one(now):
            pass
        self._outage = self._draw_outage(now)
        self.outages += 1

    def _beat(self, now: datetime) -> None:
        """The workers' heart has beaten all the time until now: virtual time leaps, but nothing was down."""
        if now == self._beaten:
            return
        self._beaten = now
        with connection.cursor() as cursor:  # at every instant, so without the detour of a query being built
            cursor.execute(BEAT, [now, deadline_rule.HEART])
            if cursor.rowcount:
                return
        Heartbeat.objects.create(name=deadline_rule.HEART, beat_at=now)


@contextmanager
def _dying_at(number: int) -> Iterator[None]:
    """The process dies when it is about to run its statement of this number, counted from 0."""
    left = number

    def count(execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
        nonlocal left
        if left == 0:
            raise Crash
        left -= 1
        return execute(sql, params, many, context)

    with connection.execute_wrapper(count):
        yield


def soon(world: SimulatedWorld, due: datetime | None) -> datetime | None:
    """The next instant at which anything happens at all, at least a moment from now.

    Arguments:
        due: when the service has something to do again.
    """
    instants = [instant for instant in (world.next_plan(), due) if instant is not None]
    return max(min(instants), world.now + timedelta(milliseconds=1)) if instants else None
