"""The service in virtual time: the workers' steps, one after the other, until nothing is due."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from random import Random
from typing import Any

from django.db import connection

from games.models import Decision, Game, Heartbeat, OrderDate
from games.services import automatic, boundaries, deadlines, lateness, orders, pauses, tables
from games.simulation.model import Faults
from games.simulation.world import World
from notifications.models import OPEN_STATES, Delivery

MOST_STATEMENTS = 60  # a crash happens at one of the first so many statements of a step
MOST_ROUNDS = 1_000  # of all kinds of work at one instant: more means that the service goes round in circles


class Crash(BaseException):
    """The process died here; not an Exception, so that nothing in the product can catch it."""


class Service:
    """Does what workers do at an instant, and says when it will next have something to do.

    Arguments:
        deliver: hands over one due notice; returns whether there was one.
        dice: draws the crashes.
    """

    def __init__(self, world: World, deliver: Callable[[datetime], bool], faults: Faults, dice: Random) -> None:
        self._world, self._faults, self._dice = world, faults, dice
        self._steps: tuple[Callable[[datetime], bool], ...] = (
            boundaries.advance_one,
            automatic.answer_one,
            deadlines.expire_one,
            deadlines.remind_one,
            pauses.end_one,
            orders.end_one,
            tables.expire_one,
            deliver,
        )
        self.crashes = 0

    def settle(self) -> None:
        """Works until nothing is due now."""
        now = self._world.now
        Heartbeat.objects.update_or_create(name=lateness.HEART, defaults={"beat_at": now})
        for _ in range(MOST_ROUNDS):
            worked = [self._drain(step, now) for step in self._steps]
            if not any(worked):
                return
        raise AssertionError(f"the service does not come to rest at {now}")

    def _drain(self, step: Callable[[datetime], bool], now: datetime) -> bool:
        """One kind of work until there is none of it; returns whether there was any."""
        count = 0
        while self._do(step, now):
            count += 1
        return bool(count)

    def _do(self, step: Callable[[datetime], bool], now: datetime) -> bool:
        if self._dice.random() >= self._faults.crash:
            return step(now)
        try:
            with _dying_at(self._dice.randrange(MOST_STATEMENTS)):
                return step(now)
        except Crash:
            self.crashes += 1
            return True  # the next process finds what is left to do

    def next_due(self) -> datetime | None:
        """When there is something to do again: deadlines, reminders, phase boundaries, deliveries."""
        overdue = _first(Decision.objects.filter(status="open", is_automatic=False, due_at__isnull=False), "due_at")
        instants = (
            _first(Game.objects.filter(advance_at__isnull=False, quarantined_at__isnull=True), "advance_at"),
            overdue + lateness.patience() if overdue else None,
            _first(OrderDate.objects.all(), "ends_at"),
            _first(Decision.objects.filter(status="open", remind_at__isnull=False), "remind_at"),
            _first(Delivery.objects.filter(state__in=OPEN_STATES, attempt_after__isnull=False), "attempt_after"),
        )
        return min((instant for instant in instants if instant is not None), default=None)


def _first(rows: Any, field: str) -> datetime | None:
    instant: datetime | None = rows.order_by(field).values_list(field, flat=True).first()
    return instant


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


def soon(world: World, service: Service) -> datetime | None:
    """The next instant at which anything happens at all; at least a moment from now."""
    instants = [instant for instant in (world.next_plan(), service.next_due()) if instant is not None]
    return max(min(instants), world.now + timedelta(milliseconds=1)) if instants else None
