"""Simulates whole games in virtual time: production code, seeded people, injected faults, invariants."""

from __future__ import annotations

import multiprocessing
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from itertools import takewhile
from math import inf
from multiprocessing.connection import Connection, wait
from random import Random
from smtplib import SMTPServerDisconnected
from time import monotonic
from traceback import print_exception
from types import SimpleNamespace
from typing import Any, NamedTuple
from unittest.mock import patch

from django.db import connection
from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce, Greatest
from django.test.utils import override_settings

from engine.core.rng import commitment
from engine.records import model
from engine.registry import newest
from games.lobby import lifecycle
from games.models import Decision, Game, Heartbeat, Move, OrderDate, Seat, User
from games.play import (
    automatic_answers,
    deadline_rule,
    deadlines,
    game_moves,
    pauses,
    proposals,
    standing_orders,
    stewards,
)
from games.play.history import state_after
from games.play.replay import genesis_hash, step
from games.tables.settings import TablePlan
from notifications import composers
from notifications.channels.base import Answer, ChannelError
from notifications.channels.mail.channel import MailChannel
from notifications.clock import present
from notifications.delivery import claims, sending
from notifications.messages import MailMessage
from notifications.models import OPEN_STATES, Delivery, DeliveryState, Notice
from tests.lab.people import (
    GREEDY,
    ORDINARY,
    SETTINGS,
    ZONES,
    Habits,
    Moderator,
    ReplyDoor,
    RequestDoor,
    ServiceDoor,
    SimulatedPlayer,
    mind_of,
)
from tests.lab.reports import GameFigures, measure_game
from tests.lab.timeline import InvariantBroken, Timeline, expect


@dataclass(frozen=True)
class Faults:
    """What goes wrong, as shares of the occasions on which it can. The broker is always lost: there is none.

    Arguments:
        crash: of the service's steps: the process dies at one of its statements.
        refused: of the attempts to hand over a mail: the server refuses for now.
        repeated: of the mails that arrive: they arrive twice.
        late: of the mails that arrive: they do hours later.
        idle: of the instants: messages of the broker come twice or late, and wake the workers for nothing.
        outage: of the days: all workers are dead for up to `outage_hours`; pages and API go on.
    """

    crash: float = 0.0
    refused: float = 0.0
    repeated: float = 0.0
    late: float = 0.0
    idle: float = 0.0
    outage: float = 0.0
    outage_hours: float = 9.0


CALM = Faults()
ROUGH = Faults(crash=0.01, refused=0.03, repeated=0.02, late=0.02, idle=0.02, outage=0.02)

SUBMIT, DOORS, REPLIES = "submit", "doors", "replies"


@dataclass(frozen=True)
class Scenario:
    """One table.

    Arguments:
        rules, options, players, pace: as a host chooses them.
        settings: of the table, by their names; the others are as usual.
        minds: of `habits.MINDS`.
        door: `SUBMIT`, or `DOORS` for links, pages, API and replies in turn, with every mail composed, or `REPLIES` for
            replies alone.
        language: of the people: what they read and write.
    """

    rules: str
    players: int
    options: Mapping[str, str] = field(default_factory=dict)
    pace: str = "daily"
    settings: Mapping[str, str] = field(default_factory=dict)
    habits: Habits = ORDINARY
    minds: str = GREEDY
    faults: Faults = CALM
    door: str = SUBMIT
    language: str = "en"


WAVES = {"tally": "plan", "placing": "waves", "tokens_per_turn": "4"}
TABLES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "printed": ("daily", {"tally": "plan"}),
    "waves": ("daily", WAVES),
    "swift": ("swift", WAVES),
}
"""The tables on which populations are compared: pace and options of Aladdin's Dragons."""

LONG, SHORT = "aladdins-dragons", "cave-of-wonders"
LONG_EVERY = 3  # of so many tables one plays the long game, which costs as much as seven of the short one
PACES = ("relaxed", "daily", "brisk")
DOOR_EVERY = 10  # in one of so many games everything goes through every door, with every mail composed
CHEAP = 4  # of five tables of Aladdin's Dragons play the basic version, in which a round has fewer questions


def scenario_of(seed: int, door_every: int = DOOR_EVERY) -> Scenario:
    """The table of this seed."""
    dice = Random(f"table:{seed}")
    name = SHORT if (seed + seed // door_every if door_every else seed) % LONG_EVERY else LONG
    is_through_doors = bool(door_every) and seed % door_every == 0
    rules = next(rules for rules in newest() if rules.name == name)
    options = {option.name: dice.choice([key for key, _label in option.values]) for option in rules.options}
    if "version" in options:
        options["version"] = "basic" if seed // LONG_EVERY % 5 < CHEAP else "magic"
    if "tokens_per_turn" in options and is_through_doors:  # hundreds of pictures would show no more than dozens do
        options |= {"tokens_per_turn": "8", "tally": "plan"}
    return Scenario(
        name,
        dice.choice(rules.seat_counts),
        options,
        dice.choice(PACES),
        faults=ROUGH,
        door=DOORS if is_through_doors else SUBMIT,
    )


# Mail transports of the simulation: emails are composed and delivered by the outbox, or only marked as delivered.

LATEST = 12.0  # hours a late mail may take
AGAIN = timedelta(minutes=10)  # after which a refused mail is handed over again
Hear = Callable[[str, str], None]  # (address, thread)
ASKING = frozenset({"due", "reminder"})  # kinds that are stale as soon as their question is closed


class MailTransport:
    """Receives every email that the outbox sends, and delivers it to people in virtual time.

    Arguments:
        hear: called for every email that arrives.
    """

    def __init__(self, timeline: Timeline, hear: Hear, faults: Faults, dice: Random) -> None:
        self._timeline, self._hear, self._faults, self._dice = timeline, hear, faults, dice
        self.mails: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.largest = 0

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Redirects all emails to this transport until the block is left."""
        with ExitStack() as stack:
            stack.enter_context(patch.object(MailChannel, "send", self._take))
            # Real time and real randomness would not be repeatable.
            stack.enter_context(patch("notifications.delivery.sending.time", SimpleNamespace(monotonic=self._seconds)))
            stack.enter_context(patch("notifications.delivery.sending.random", self._dice))
            yield

    def _seconds(self) -> float:
        return self._timeline.now.timestamp()

    def deliver_one(self, now: datetime) -> bool:
        """Delivers one due delivery; returns whether there was one."""
        return sending.deliver(now, 1) == 1

    def _take(self, delivery: Delivery, message: MailMessage) -> Answer:
        if self._is_refused():
            raise ChannelError("the mail server hung up") from SMTPServerDisconnected()
        self.largest = max(self.largest, len(message.html.encode()) + len(message.text.encode()))
        self._deliver(delivery)
        return Answer()

    def _is_refused(self) -> bool:
        return self._dice.random() < self._faults.refused

    def _deliver(self, delivery: Delivery) -> None:
        address, thread = delivery.notice.recipient.address, delivery.notice.thread
        self.mails[address] += 1
        self.kinds[delivery.notice.kind] += 1
        late = self._dice.uniform(0, LATEST) if self._dice.random() < self._faults.late else 0.0
        times = 2 if self._dice.random() < self._faults.repeated else 1
        for _ in range(times):
            self._timeline.at(self._timeline.now + timedelta(hours=late), lambda: self._hear(address, thread))


class FastMailTransport(MailTransport):
    """Delivers all due emails at once, uncomposed: no lease, no attempt, but the same notices to the same people.

    Ten times faster than the outbox, which runs in the games with DOORS.
    """

    def deliver_one(self, now: datetime) -> bool:
        """Delivers everything due, batched by person; returns whether there was anything."""
        while claims.make_deliveries(now):
            pass
        rows = Delivery.objects.filter(attempt_after__lte=now, state=DeliveryState.WAITING, channel=MailChannel.kind)
        due = list(rows.select_related("notice__recipient").order_by("attempt_after", "pk"))
        stale = self._stale(due)
        current = [delivery for delivery in due if delivery.pk not in stale]
        _settle(stale, state=DeliveryState.STALE, attempt_after=None)
        for mail in _merged(current):
            keys = [delivery.pk for delivery in mail]
            if self._is_refused():
                _settle(keys, attempt_after=now + AGAIN)
            else:
                _settle(keys, state=DeliveryState.ACCEPTED, attempt_after=None, accepted_at=now)
                self._deliver(mail[0])
        return bool(due)

    def _stale(self, due: Iterable[Delivery]) -> set[int]:
        refs = {delivery.pk: delivery.notice.subject for delivery in due if delivery.notice.kind in ASKING}
        asked = Decision.objects.filter(
            status=Decision.Status.OPEN, is_automatic=False, game__status=Game.Status.RUNNING
        )
        is_open = {row.subject for row in asked} if refs else set()
        stale = set()
        for delivery in due:
            composer = composers.composer_for(delivery.notice.kind)
            if delivery.pk not in refs and composer.is_current(delivery.notice):
                stale.add(delivery.pk)
        return stale | {key for key, subject in refs.items() if subject not in is_open}


def _merged(due: Iterable[Delivery]) -> Iterator[list[Delivery]]:
    mergeable, mails = composers.kinds_to_merge(), defaultdict[object, list[Delivery]](list)
    for delivery in due:
        mails[delivery.recipient_id if delivery.notice.kind in mergeable else -delivery.pk].append(delivery)
    yield from mails.values()


def _settle(keys: Iterable[int], **values: object) -> None:
    if keys:
        Delivery.objects.filter(pk__in=keys).update(**values)


def transport_for(door: str) -> type[MailTransport]:
    """The transport for a scenario's door."""
    return FastMailTransport if door == SUBMIT else MailTransport


# The workers in virtual time: their steps, one after the other, until nothing is due.

Step = Callable[[datetime], bool]

STEPS: Mapping[str, Step] = {
    "phase": game_moves.advance_one,
    "automatic": automatic_answers.answer_one,
    "proposal": proposals.make_one,
    "steward": stewards.act_one,
    "deadline": deadlines.expire_one,
    "reminder": deadlines.remind_one,
    "pause": pauses.end_one,
    "order": standing_orders.end_one,
    "table": lifecycle.expire_one,
    "delivery": lambda now: sending.deliver(now, 1) == 1,
    "notice": lambda now: sending.deliver(now, 1) == 1,  # a claim makes the deliveries of new notices first
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
        "notice": (Notice.objects.filter(pending__isnull=False), "created_at"),
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
    for rows, column in _instants().values():
        sql, values = rows.order_by(column).values_list(column.removeprefix("-"))[:1].query.sql_with_params()
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
        self._steps = {**STEPS, "delivery": deliver, "notice": deliver}
        self._outage: tuple[datetime, datetime] = self._draw_outage(timeline.now)
        self._beaten = NEVER
        self.crashes = self.outages = 0

    def settle(self) -> datetime | None:
        """Works until nothing is due now. Returns when there will be something to do again."""
        now = self._timeline.now
        begins, ends = self._outage
        if self.are_dead:
            return ends
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
            idle = set() if worked else idle | set(ready)
        raise AssertionError(f"the service does not come to rest at {now}")

    @property
    def are_dead(self) -> bool:
        """Whether all workers are dead now."""
        begins, ends = self._outage
        return begins <= self._timeline.now < ends

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
        for kind, work in self._steps.items():
            if kind not in due and work(now) and not due:
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
        deadline_rule.beat(now)
        while deadline_rule.give_back_one(now):
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


# Invariants that must hold after every step and at the end; a violation raises InvariantBroken.

LOOK_EVERY = 10  # steps without a new move, such as an email that arrives
UNSENT = frozenset({DeliveryState.FAILED, DeliveryState.QUARANTINED, DeliveryState.STALE})


class InvariantChecker:
    """Checks one game after each step, by replaying its new moves in a state of its own.

    Arguments:
        game: has begun.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._state: object = None
        self._head = genesis_hash(game)
        self._public = 0
        self._steps = 0
        self.seq = 0
        self.moves: list[Move] = []

    def after_step(self, *, are_workers_dead: bool = False) -> None:
        """Checks the new moves and the open questions.

        Arguments:
            are_workers_dead: what a notice leads to is decided by workers, so a new one may wait for them.
        """
        game = self._game
        game.refresh_from_db()
        expect(game.quarantined_at is None, f"the game broke at move {game.seq}")
        self._steps += 1
        is_new = game.seq != self.seq
        if is_new:
            self._replay()
        if game.status == Game.Status.RUNNING and (is_new or self._steps % LOOK_EVERY == 0):
            self._check_asked(may_wait=are_workers_dead)

    def _replay(self) -> None:
        """Checks that the log has no gap, leads to the same states and hashes, and that nobody was passed too early."""
        game, rules, data = self._game, self._game.rules, b""
        for move in game.moves.filter(seq__gt=self.seq).order_by("seq"):
            self.seq += 1
            expect(move.seq == self.seq, f"move {self.seq} is missing")
            expect(move.first_public == self._public + 1, f"move {self.seq}: public numbers have a gap")
            before = self._state
            self._state, events = step(game, before, move, lambda seq: state_after(game, seq))
            data = rules.dump(self._state)
            expect(rules.dump_events(events).decode() == move.events, f"move {self.seq} leads to other events")
            self._head = model.link(self._head, move, data, rules.outcome(self._state))
            expect(self._head == move.chain, f"the hash chain breaks at move {self.seq}")
            self._public += sum(rules.redact(event, None) is not None for event in events)
            self._check_secrecy(move, before)
            self._check_passed(move)
            self.moves.append(move)
        expect(self.seq == game.seq, f"the last move is {self.seq}, the game says {game.seq}")
        expect(data.decode() == game.state, f"the stored state is not the one after move {self.seq}")

    def _check_secrecy(self, move: Move, before: object) -> None:
        """Checks that orders change nothing that anybody else can see."""
        if move.kind != Move.Kind.ORDERS:
            return
        rules = self._game.rules
        for viewer in (None, *range(self._game.seat_count)):
            if viewer != move.seat:
                is_same = rules.view(before, viewer) == rules.view(self._state, viewer)
                expect(is_same, f"seat {viewer} sees that seat {move.seat} gave orders (move {move.seq})")

    def _check_passed(self, move: Move) -> None:
        if move.source not in (Move.Source.DEADLINE, Move.Source.STEWARD) or move.seat is None:
            return
        row = self._game.decisions.get(code=move.decision, seat__number=move.seat)
        instant = row.due_at if move.source == Move.Source.DEADLINE else row.steward_at
        is_time = instant is not None and move.made_at >= instant
        expect(is_time, f"{row.code} of seat {move.seat} was answered by the {move.source} before its time")

    def _check_asked(self, *, may_wait: bool) -> None:
        """Checks that the service asks what the rules ask, with a deadline, of an active player who is notified."""
        game = self._game
        asked = {(one.id, one.seat) for one in game.rules.decisions(game.load_state()) if one.prompted}
        rows = list(game.decisions.filter(status=Decision.Status.OPEN).select_related("seat"))
        found = {(row.code, row.seat.number) for row in rows}
        expect(found == asked, f"the rules ask {sorted(asked)}, the service {sorted(found)}")
        waited = [row for row in rows if not row.is_automatic]
        notices = Notice.objects.filter(dedupe_key__in=[row.due_key for row in waited])
        sent = Delivery.objects.filter(notice=OuterRef("pk")).exclude(state__in=UNSENT)
        waits = Q(pending__isnull=False) if may_wait else Q()
        told = set(notices.filter(Exists(sent) | waits).values_list("dedupe_key", flat=True))
        for row in waited:
            who = f"{row.code} of seat {row.seat.number}"
            expect(row.due_at is not None or bool(game.paused_by), f"{who} waits without a deadline")
            expect(row.seat.status == Seat.Status.ACTIVE, f"{who} waits for somebody who is away")
            expect(row.due_key in told, f"nobody tells that {who} is asked")

    def at_the_end(self, now: datetime) -> None:
        """Checks that a finished game has no open questions and no unsent emails."""
        game = self._game
        open_rows = game.decisions.filter(status=Decision.Status.OPEN).count()
        expect(not open_rows, f"{open_rows} questions of a finished game are open")
        unread = Notice.objects.filter(thread=game.thread, pending__isnull=False)
        expect(not unread.exists(), "notices of a finished game have no deliveries")
        owed = Delivery.objects.filter(notice__thread=game.thread, state__in=OPEN_STATES, attempt_after__lte=now)
        expect(not owed.exists(), "mails of a finished game are due and were not sent")
        leases = Delivery.objects.filter(lease_until__lte=now, state=DeliveryState.SENDING)
        expect(not leases.exists(), "a lapsed lease was not taken up")


# Simulates one table from its opening to its winner, in virtual time.

NAMES = ("Anna", "Ben", "Carla", "David", "Eva")
BEGINS = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)  # a Monday; clocks change four weeks later
MOST_DAYS = 800  # more means that the table is stuck
DOOR_CLASSES = {SUBMIT: ServiceDoor, DOORS: RequestDoor, REPLIES: ReplyDoor}


def play_one(scenario: Scenario, seed: int) -> GameFigures:
    """Plays one game, which follows from the seed. Raises InvariantBroken."""
    dice = Random(f"simulate:{seed}")
    timeline = Timeline(BEGINS)
    with present.going_by(lambda: timeline.now), override_settings(**SETTINGS):
        simulated = SimulatedGame(scenario, seed, timeline, dice)
        with simulated.transport.at_work():
            try:
                return simulated.run()
            except Exception as error:  # any error is reported with the seed that reproduces it
                fault = error if isinstance(error, InvariantBroken) else repr(error)
                raise InvariantBroken(
                    f"seed {seed}, {timeline.now:%Y-%m-%d %H:%M}, step {simulated.steps}: {fault}"
                ) from error


class SimulatedGame:
    """A table with its players, mail transport, workers and checker."""

    def __init__(self, scenario: Scenario, seed: int, timeline: Timeline, dice: Random) -> None:
        self.scenario, self.seed, self.timeline, self.dice = scenario, seed, timeline, dice
        self.steps = 0
        faults = scenario.faults
        self.transport = transport_for(scenario.door)(timeline, self._hear, faults, Random(f"post:{seed}"))
        deliver = self.transport.deliver_one
        self.workers = Workers(timeline, deliver, faults, Random(f"faults:{seed}"))
        self.people = {person.user.email: person for person in map(self._person, NAMES[: scenario.players])}
        self.game = self._open_table()
        self.checker = InvariantChecker(self.game)
        moderator = Random(f"moderator:{seed}")
        if moderator.random() < scenario.habits.taken_back:
            Moderator(timeline, self.game, moderator)

    def _person(self, name: str) -> SimulatedPlayer:
        address = f"{name.lower()}-{self.seed}@example.org"
        user = User.objects.create_user(address, name=name)
        user.recipient.zone = self.dice.choice(ZONES)
        user.recipient.language = self.scenario.language
        user.recipient.save(update_fields=["zone", "language"])
        dice = Random(f"{name}:{self.seed}")
        door = DOOR_CLASSES[self.scenario.door](dice)
        mind = mind_of(self.scenario.minds, Random(f"mind:{name}:{self.seed}"))
        return SimulatedPlayer(user, self.timeline, self.scenario.habits, mind, door, dice)

    def _open_table(self) -> Game:
        scenario, now = self.scenario, self.timeline.now
        host, *guests = (person.user for person in self.people.values())
        settings: dict[str, Any] = dict(scenario.settings)
        plan = TablePlan(
            title=f"Simulation {self.seed}",
            rules_name=scenario.rules,
            seat_count=scenario.players,
            pace=scenario.pace,
            options=scenario.options,
            **settings,
        )
        game = lifecycle.open_table(host=host, plan=plan, now=now)
        chosen = sha256(f"table:{self.seed}".encode()).digest()  # a really random seed would not be repeatable
        Game.objects.filter(pk=game.pk).update(server_seed=chosen.hex(), commitment=commitment(chosen))
        for guest in guests:
            lifecycle.join(game_id=game.pk, user=guest, now=now)
        lifecycle.start(game_id=game.pk, host=host, now=now)
        self._appoint_stewards(game)
        game.refresh_from_db()
        return game

    def _appoint_stewards(self, game: Game) -> None:
        """Gives stewards to those who want one; where the pace has them for everybody they have one already."""
        habits, dice = self.scenario.habits, Random(f"stewards:{self.seed}")
        for seat in game.seats.filter(steward_hours=None).order_by("number"):
            if dice.random() < habits.steward:
                hours = round(habits.steward_hours)
                stewards.change(game_id=game.pk, seat=seat.number, hours=hours, now=self.timeline.now)

    def _hear(self, address: str, thread: str) -> None:
        self.people[address].hear(self.game)

    def run(self) -> GameFigures:
        """Plays until the game is over and everybody was notified."""
        while True:
            self.workers.settle()
            self.timeline.act()
            due = self.workers.settle()
            self.checker.after_step(are_workers_dead=self.workers.are_dead)
            self.steps += 1
            if self.game.is_over:
                break
            self._go_on(due)
        self.workers.finish()
        self.checker.at_the_end(self.timeline.now)
        return measure_game(self)

    def _go_on(self, due: datetime | None) -> None:
        when = next_instant(self.timeline, due)
        if when is None or (when - BEGINS).days > MOST_DAYS:
            raise InvariantBroken(f"the game is stuck at move {self.game.seq}; the next thing happens {when}")
        self.timeline.go_to(when)


# Plays many games, each in a process and database of its own, so that a seed always gives the same game.


class Task(NamedTuple):
    """One game to play."""

    scenario: Scenario
    seed: int


class Played(NamedTuple):
    """A played game: its figures, or the invariant that was broken."""

    task: Task
    figures: GameFigures | None
    fault: str = ""


def play_all(tasks: Sequence[Task], jobs: int, seconds: float = inf) -> Iterator[Played]:
    """Plays the games, `jobs` at a time, and yields them as they end; starts none after `seconds`.

    Child processes inherit the empty in-memory database of SQLite. On PostgreSQL the games run one after the other in
    this process and share the database.
    """
    stop = monotonic() + seconds
    if connection.vendor != "sqlite":
        yield from map(_play, takewhile(lambda task: monotonic() < stop, tasks))
        return
    left, running = list(reversed(tasks)), dict[Connection, Task]()
    while left or running:
        while left and len(running) < jobs:
            if monotonic() >= stop:
                left.clear()
                break
            task = left.pop()
            running[_begin(task)] = task
        for pipe in wait(list(running)) if running else ():
            assert isinstance(pipe, Connection)
            yield _end(pipe, running.pop(pipe))


def _begin(task: Task) -> Connection:
    mine, theirs = multiprocessing.Pipe(duplex=False)
    multiprocessing.get_context("fork").Process(target=_play_into, args=(theirs, task)).start()
    theirs.close()
    return mine


def _play_into(pipe: Connection, task: Task) -> None:
    pipe.send(_play(task))


def _end(pipe: Connection, task: Task) -> Played:
    try:
        played: Played = pipe.recv()
    except EOFError:
        played = Played(task, None, "its process died; what it said is above")
    pipe.close()
    return played


def _play(task: Task) -> Played:
    try:
        return Played(task, play_one(task.scenario, task.seed))
    except InvariantBroken as error:
        if not isinstance(error.__cause__, InvariantBroken):
            print_exception(error.__cause__)
        return Played(task, None, str(error))
