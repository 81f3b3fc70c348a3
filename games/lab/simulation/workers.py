"""The workers in virtual time: their steps, one after the other, until nothing is due.

Between two events of a simulated game nothing can become due, so most looks find nothing. They are therefore made once
for all kinds of work together, with a statement that is compiled once in a process.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from random import Random

from django.db import connection
from django.db.models import Exists, Model, OuterRef, QuerySet
from django.db.models.functions import Coalesce, Greatest

from games.lab.simulation.scenario import Faults
from games.lab.simulation.timeline import InvariantBroken, Timeline
from games.models import Decision, Game, Heartbeat, OrderDate
from games.orders import standing_orders
from games.play import automatic_answers, phase_boundaries, proposals
from games.tables import lifecycle
from games.timing import deadline_rule, deadlines, outages, pauses, stewards
from notifications.delivery import sending
from notifications.models import OPEN_STATES, Delivery

Step = Callable[[datetime], bool]

STEPS: Mapping[str, Step] = {
    "phase": phase_boundaries.advance_one,
    "automatic": automatic_answers.answer_one,
    "proposal": proposals.make_one,
    "steward": stewards.act_one,
    "deadline": deadlines.expire_one,
    "reminder": deadlines.remind_one,
    "pause": pauses.end_one,
    "order": standing_orders.end_one,
    "table": lifecycle.expire_one,
    "delivery": sending.deliver_one,
}
"""The workers' steps in order; each does one thing, and returns whether there was one."""


def _instants() -> Mapping[str, tuple[QuerySet[Model], str]]:
    """By kind of work the rows that will be due, and the field with their time; "-" before it for the last of them."""
    asked = Decision.objects.filter(status=Decision.Status.OPEN, game__quarantined_at__isnull=True)
    running = Game.objects.filter(status=Game.Status.RUNNING)
    return {
        "phase": (running.filter(advance_at__isnull=False, quarantined_at__isnull=True), "advance_at"),
        "automatic": (asked.filter(is_automatic=True), "opened_at"),
        "proposal": (asked.filter(wants_proposal=True).annotate(free_at=_free_at()), "free_at"),
        "steward": (_with_ripening_stewards(asked.filter(is_automatic=False)), "-steward_at"),
        "deadline": (asked.filter(is_automatic=False, due_at__isnull=False), "due_at"),
        "reminder": (Decision.objects.filter(status="open", remind_at__isnull=False), "remind_at"),
        "pause": (running.filter(pause_ends_at__isnull=False), "pause_ends_at"),
        "order": (OrderDate.objects.all(), "ends_at"),
        "table": (Game.objects.filter(status=Game.Status.OPEN), "expires_at"),
        "delivery": (Delivery.objects.filter(state__in=OPEN_STATES, attempt_after__isnull=False), "attempt_after"),
    }


def _free_at() -> Greatest:
    """When a question is asked that no worker is on."""
    return Greatest("opened_at", Coalesce("held_until", "opened_at"))


def _with_ripening_stewards(waited: QuerySet[Decision]) -> QuerySet[Decision]:
    """What the last steward of a game will answer, with all others; nothing while somebody without one is missing."""
    without = waited.filter(game=OuterRef("game"), steward_at=None)
    return waited.exclude(Exists(without))


@cache
def _statement() -> tuple[str, list[str | int]]:
    """One statement for the first instant of every kind."""
    parts: list[str] = []
    params: list[str | int] = []
    for rows, field in _instants().values():
        sql, values = rows.order_by(field).values_list(field.removeprefix("-"))[:1].query.sql_with_params()
        parts.append(f"({sql})")
        params += values
    return "SELECT " + ", ".join(parts), params


def first_due() -> dict[str, datetime]:
    """By kind of work when its next row is due, without kinds that have none."""
    sql, params = _statement()
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        found = cursor.fetchone()
    delays = {"deadline": deadline_rule.patience()}
    return {
        kind: _instant(value) + delays.get(kind, timedelta())
        for kind, value in zip(STEPS, found, strict=True)
        if value is not None
    }


def _instant(value: datetime | str) -> datetime:
    """Parses a time; SQLite's has no zone and is in UTC."""
    found = datetime.fromisoformat(value) if isinstance(value, str) else value
    return found if found.tzinfo else found.replace(tzinfo=UTC)


MOST_STATEMENTS = 60  # a crash happens at one of the first so many statements of a step
NEVER = datetime.max.replace(tzinfo=UTC)
BEAT = f"UPDATE {Heartbeat._meta.db_table} SET beat_at = %s WHERE name = %s"  # noqa: S608  a table's own name
MOST_ROUNDS = 1_000  # of all kinds of work at one instant: more means that the service goes round in circles


class Crash(BaseException):
    """The process dies here; a BaseException, so that no product code catches it."""


class Workers:
    """Does what is due at an instant, and returns when something will be due next.

    Arguments:
        deliver: delivers what is due, in place of the outbox's own step.
        dice: draws the crashes and outages.
    """

    def __init__(self, timeline: Timeline, deliver: Step, faults: Faults, dice: Random) -> None:
        self._timeline, self._faults, self._dice = timeline, faults, dice
        self._steps = {**STEPS, "delivery": deliver}
        self._outage: tuple[datetime, datetime] = self._draw_outage(timeline.now)
        self._beaten = NEVER
        self.crashes = self.outages = 0

    def settle(self) -> datetime | None:
        """Works until nothing is due now. Returns when there will be something to do again."""
        now = self._timeline.now
        begins, ends = self._outage
        if begins <= now < ends:
            return ends  # all workers are dead
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
        if begins <= self._timeline.now:
            self._timeline.go_to(ends)
        self.settle()

    def _drain(self, kind: str, now: datetime) -> bool:
        """One kind of work until there is none of it; returns whether there was any."""
        count = 0
        while self._do(kind, now) and first_due().get(kind, NEVER) <= now:
            count += 1
        return bool(count)

    def _do(self, kind: str, now: datetime) -> bool:
        return self.run(self._steps[kind], now)

    def run(self, step: Step, now: datetime) -> bool:
        """Takes one step, in which the process may die; returns whether there was anything to do."""
        if self._dice.random() >= self._faults.crash:
            return step(now)
        try:
            with _dying_at(self._dice.randrange(MOST_STATEMENTS)):
                return step(now)
        except Crash:
            self.crashes += 1
            return True  # the next process finds what is left to do

    def _wake_for_nothing(self, now: datetime) -> None:
        """Runs every step as if a broker message came twice or late; it must only find work that is due anyway."""
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
        """Brings the workers back: their first heartbeat finds the gap and extends deadlines by it."""
        self._beat(began)
        outages.beat(now)
        while outages.give_back_one(now):
            pass
        self._outage = self._draw_outage(now)
        self.outages += 1

    def _beat(self, now: datetime) -> None:
        """Records a heartbeat at every instant: virtual time jumps, but nothing was down."""
        if now == self._beaten:
            return
        self._beaten = now
        with connection.cursor() as cursor:  # raw SQL, as it runs at every instant
            cursor.execute(BEAT, [now, deadline_rule.HEART])
            if cursor.rowcount:
                return
        Heartbeat.objects.create(name=deadline_rule.HEART, beat_at=now)


@contextmanager
def _dying_at(number: int) -> Iterator[None]:
    """Raises Crash before the statement of this number, counted from 0, runs."""
    left = number

    def count(execute: Callable[..., object], sql: str, params: object, many: bool, context: object) -> object:
        nonlocal left
        if left == 0:
            raise Crash
        left -= 1
        return execute(sql, params, many, context)

    with connection.execute_wrapper(count):
        yield


def next_instant(timeline: Timeline, due: datetime | None) -> datetime | None:
    """The next instant at which anything happens at all, at least a moment from now.

    Arguments:
        due: when the service has something to do again.
    """
    instants = [instant for instant in (timeline.next_plan(), due) if instant is not None]
    return max(min(instants), timeline.now + timedelta(milliseconds=1)) if instants else None
