"""Claiming deliveries: they are made of new notices, then some are leased, and what goes out with each is joined."""

import logging
import secrets
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, reduce
from operator import or_
from typing import Any, TypeAlias

from django.db import IntegrityError, connection, transaction
from django.db.models import BooleanField, Min, Q, QuerySet, Value
from django.db.models.expressions import Combinable

from notifications import composers
from notifications.channels.base import CHANNELS, kinds_batched_by_recipient, serial_kinds
from notifications.conversations import load_conversations
from notifications.database.bulk_write import insert
from notifications.database.compiled_query import (
    Row,
    RowQuery,
    Slot,
    as_parameter,
    compiled,
    compiled_exists,
    compiled_rows,
    pad_to_power_of_two,
)
from notifications.delivery import health
from notifications.delivery.policy import Facts, decide
from notifications.models import IS_OPEN, OPEN_STATES, Attempt, Delivery, DeliveryState, Notice

log = logging.getLogger(__name__)

# The deliveries of new notices.

MOST_NOTICES = 200  # whose deliveries are made in one transaction
MAKING, CLAIMING = 8467201532, 8467201533  # locks of this database: numbers nobody else uses


def make_deliveries(now: datetime) -> int:
    """Write the deliveries of new notices, once: what each channel addresses, as the policy decides now.

    Returns of how many notices, up to a bound; 0 if there are none, or if somebody else is at it: of two at the same
    moment one would overtake the other, and people be told of a later thing first.
    """
    if not _is_any_pending():
        return 0
    with transaction.atomic():
        if not _is_alone(MAKING):
            return 0
        notices = _pending()
        conversations = load_conversations(notices)
        facts = Facts(conversations)
        addressed = [channel.address(notices, conversations) for channel in CHANNELS.values()]
        deliveries: list[Delivery] = []
        for notice in notices:
            own = [delivery for by_notice in addressed for delivery in by_notice.get(notice.pk, ())]
            for delivery in own:
                _schedule(delivery, now, facts, own)
            deliveries += own
        insert(deliveries)
        return Notice.objects.filter(pk__in=[notice.pk for notice in notices]).update(pending=None)


def _is_alone(lock: int) -> bool:
    """Whether nobody else holds a lock, which is ours until this transaction ends; SQLite has one writer anyway."""
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [lock])
        return bool(cursor.fetchone()[0])


@compiled_exists
def _is_any_pending() -> QuerySet[Notice]:
    return Notice.objects.filter(pending__isnull=False)


@compiled("recipient")
def _pending() -> QuerySet[Notice]:
    pending = Notice.objects.filter(pending__isnull=False).order_by("pk")
    if connection.features.has_select_for_update_skip_locked:
        pending = pending.select_for_update(skip_locked=True, of=("self",))
    return pending[:MOST_NOTICES]


def _schedule(delivery: Delivery, now: datetime, facts: Facts, beside: Sequence[Delivery]) -> None:
    notice = delivery.notice
    due = notice.created_at
    if CHANNELS[delivery.channel].heeds_preferences:  # programs are told what happened when it happens
        due = max(due, notice.not_before or due)
    delivery.attempt_after = due
    try:
        decision = decide(delivery, now, facts, beside=beside, unwanted=notice.pending["unwanted"], is_new=True)
    except Exception:
        log.exception("Nothing could be decided of notice %s (%s)", notice.pk, notice.kind)
        return  # it is decided when it is sent, and given up if that raises again and again
    if decision.state is not None:
        delivery.state, delivery.attempt_after, delivery.reason = decision.state, None, decision.reason
    elif decision.until is not None and decision.until > due:
        delivery.attempt_after, delivery.reason = decision.until, decision.reason


# What goes out with a delivery that was claimed: in the same mail, or in the same call to the same address.

MOST_TOGETHER = 40  # deliveries in one mail, beside the one that leads
ASKED = ("pk", "channel", "recipient", "target", "is_by_hand", "notice__kind", "notice__thread", "notice__created_at")
RELATED = ("notice", "notice__recipient", "endpoint", "endpoint__recipient")  # what sending reads


def load_followers(leaders: Sequence[Delivery], now: datetime) -> dict[int, tuple[Delivery, ...]]:
    """Return by the leaders' primary keys what goes out with each, oldest first.

    At its first try a leader is joined by all that waits for the same recipient; later it keeps those it has.
    """
    followers: dict[int, list[Delivery]] = {leader.pk: [] for leader in leaders}
    is_first = all(leader.tries == 1 for leader in leaders)
    if is_first and not _join(leaders, now):
        return dict.fromkeys(followers, ())
    for delivery in _joined(*pad_to_power_of_two(followers)):
        assert delivery.leader_id is not None
        followers[delivery.leader_id].append(delivery)
    return {leader: tuple(deliveries) for leader, deliveries in followers.items()}


@compiled(*RELATED)
def _joined(*leaders: int) -> QuerySet[Delivery]:
    return Delivery.objects.filter(leader__pk__in=leaders, state=DeliveryState.JOINED).order_by("pk")


def _join(leaders: Sequence[Delivery], now: datetime) -> bool:
    """Join what may go out with each, at its first try; returns whether there was anything."""
    by_key = {key: leader for leader in leaders if (key := _key_of_mail(*_facts(leader))) is not None}
    chosen: dict[int, list[int]] = defaultdict(list)
    for pk, *facts in _waiting(list(by_key.values()), now):
        leader = by_key.get(_key_of_mail(*facts))
        if leader is not None and len(chosen[leader.pk]) < MOST_TOGETHER:
            chosen[leader.pk].append(pk)
    for leader_pk, keys in chosen.items():
        Delivery.objects.filter(pk__in=keys, state=DeliveryState.WAITING).update(
            state=DeliveryState.JOINED, leader=leader_pk, attempt_after=None, reason=""
        )
    return bool(chosen)


def _waiting(leaders: Sequence[Delivery], now: datetime) -> list[Row]:
    """Finds waiting deliveries that might go out with one of these, oldest first: ASKED of each."""
    by_person = [leader for leader in leaders if CHANNELS[leader.channel].is_batched_by_recipient]
    by_target = [leader for leader in leaders if CHANNELS[leader.channel].is_serial]
    if not leaders:
        return []
    recipients = pad_to_power_of_two(leader.recipient_id for leader in by_person)
    moments = pad_to_power_of_two({leader.notice.created_at for leader in by_target})
    targets = pad_to_power_of_two(leader.target for leader in by_target)
    return _waiting_for(len(recipients), len(moments))(now, *recipients, *moments, *targets)


@cache
def _waiting_for(recipients: int, moments: int) -> Callable[..., list[Row]]:
    """Returns a statement for so many recipients, moments, and then targets, at an instant."""

    @compiled_rows(*ASKED)
    def ask(now: Any, *values: Any) -> QuerySet[Delivery]:
        times, of_person = recipients + moments, {"channel__in": kinds_batched_by_recipient()}
        alike = Q(**of_person, recipient__pk__in=values[:recipients]) if recipients else Q()
        if moments:
            of_moment = {"notice__created_at__in": values[recipients:times], "target__in": values[times:]}
            alike |= Q(channel__in=serial_kinds(), **of_moment)
        waiting = Delivery.objects.filter(alike, state=DeliveryState.WAITING, attempt_after__lte=now, tries=0)
        if connection.features.has_select_for_update_skip_locked:
            waiting = waiting.select_for_update(skip_locked=True, of=("self",))
        return waiting.order_by("pk")[: MOST_TOGETHER * (len(values) - moments)]

    return ask


def _facts(delivery: Delivery) -> list[Any]:
    """ASKED of a delivery, without its primary key."""
    notice = delivery.notice
    of_notice = [notice.kind, notice.thread, notice.created_at]
    return [delivery.channel, delivery.recipient_id, delivery.target, delivery.is_by_hand, *of_notice]


def _key_of_mail(
    channel: str, recipient: int | None, target: str | None, is_by_hand: bool, kind: str, thread: str, told_at: datetime
) -> Hashable:
    """The same for all that go out together; None for what goes out alone."""
    if CHANNELS[channel].is_batched_by_recipient:
        return None if recipient is None or not composers.shares_mails(kind) else (channel, recipient)
    # What the same address is to be told of the same moment, on behalf of others or of another seat.
    if not CHANNELS[channel].is_serial or not thread or is_by_hand:
        return None
    at = told_at.astimezone(UTC).replace(tzinfo=None) if told_at.tzinfo else told_at  # SQLite has no zones
    return (channel, target, kind, thread, at)


LEASE = timedelta(seconds=60)  # longer than the longest send; a dead claimer's deliveries come back after this
MOST = 20  # deliveries leased at once; a process that dies delays so many by a lease, and repeats one of them at most
MOST_QUICK = 80  # the same where the other side takes them quickly: each claim costs as much as some mails
# What is filled in is SQL that Django has composed; the values are parameters.
LEASE_FREE = """
    WITH free(id) AS MATERIALIZED (%s)
    UPDATE notifications_delivery
    SET state = %%s, lease_owner = %%s, lease_until = %%s, attempt_after = %%s, tries = tries + 1
    WHERE id IN (SELECT id FROM free) RETURNING id
"""
RACES = 5  # how often a claim may be lost to somebody else in one call
Limits: TypeAlias = tuple[tuple[str, int], ...]  # by channel, hashable: a compiled query is kept for each


@dataclass(frozen=True)
class Claim:
    """A leased delivery and the attempt that begins with it. The delivery's `lease_owner` names who leased it.

    `followers` go out in the same mail. They were joined to it at its first claim and stay so at each later one: what
    is sent again under the same Message-ID holds nothing new, which a reader's mail program might take for known.
    `channel_failures`: so many tries in a row had failed on its channel; with any it is news if this one succeeds.
    """

    delivery: Delivery
    attempt: Attempt
    followers: tuple[Delivery, ...] = ()
    channel_failures: int = 0


def claim(now: datetime, most: int = MOST, channel: str = "", *, failing: bool = True) -> list[Claim]:
    """Lease the oldest due deliveries and note that an attempt at each begins; [] if there are none to be had.

    Several at once only at their first try, and where nothing is known to be in trouble: what follows one that kills
    its sender, or waits for one that does not answer, is a claim of its own, and so is what goes to somebody
    whose address fails. The try is counted now: a process that dies in the middle has used one up. Raises
    RuntimeError inside a transaction.

    Arguments:
        channel: deliveries of this one alone; "" for those of all.
        failing: whether deliveries are tried that go to somebody whose address took nothing last time; each may cost
            its sender a whole timeout.
    """
    make_deliveries(now)
    for _ in range(RACES):
        channels = health.load_channels_health(now)
        if channel:
            channels = channels.only(channel)
        first = _first_due(channels.resting, _limits(), failing)(now)
        if not first:  # most looks find nothing: they open no transaction
            health.record_nothing_due(channels)
            return []
        _pk, tries, is_troubled = first[0]
        is_bounded = any(CHANNELS[kind].per_minute() for kind in ([channel] if channel else CHANNELS))
        is_calm = not tries and not is_troubled and not channels.failures and not is_bounded
        # One that several of were not looked for may still be had by itself.
        claimed = _claim(now, channels, most if is_calm else 1, failing) or _claim(now, channels, 1, failing)
        if claimed:
            return claimed
    return []


def due(
    now: datetime | Value, resting: Sequence[str] = (), limits: Limits = (), failing: bool = True
) -> QuerySet[Delivery]:
    """Deliveries that may be claimed, oldest first: waiting ones whose time has come, and those with a lapsed lease.

    None on a channel that rests. On a serial channel each target gets one delivery after the other: nothing else while
    one that was begun is sent or waits for a retry.

    Arguments:
        limits: by serial channel how many claimers may hold some of its deliveries at a time; 0 for no limit.
        failing: as of `claim`.
    """
    begun = Delivery.objects.filter(IS_OPEN, tries__gt=0, target__isnull=False).values("target")
    open_now = Delivery.objects.filter(attempt_after__lte=now, state__in=OPEN_STATES)
    if resting:  # by name those that do not rest: an index begins with them
        open_now = open_now.filter(channel__in=[kind for kind in CHANNELS if kind not in resting])
    for kind in serial_kinds():
        if kind not in resting:
            open_now = CHANNELS[kind].without_busy(open_now, now, dict(limits).get(kind, 0), failing=failing)
    is_next = Q(tries__gt=0) | Q(target=None) | ~Q(target__in=begun)  # of one address one is begun at most
    return open_now.filter(is_next).order_by("attempt_after", "pk")


@compiled_exists
def is_any_due(now: Any) -> QuerySet[Delivery]:
    """Whether a delivery may wait for somebody to claim it: most looks find none, and need no thread."""
    return Delivery.objects.filter(attempt_after__lte=now, state__in=OPEN_STATES)


def _is_troubled() -> Combinable:
    """Whether a delivery goes to somebody whose address fails, as its channel knows."""
    conditions = [condition for channel in CHANNELS.values() if (condition := channel.is_troubled()) is not None]
    return reduce(or_, conditions) if conditions else Value(False, BooleanField())


def _limits() -> Limits:
    return tuple((kind, CHANNELS[kind].most_senders()) for kind in serial_kinds())


@cache
def _first_due(resting: tuple[str, ...], limits: Limits, failing: bool) -> Callable[[datetime], list[Row]]:
    def build(now: Any) -> QuerySet[Delivery]:
        return due(now, resting, limits, failing).annotate(is_troubled=_is_troubled())[:1]

    return compiled_rows("pk", "tries", "is_troubled")(build)


@cache
def _free_query(resting: tuple[str, ...], limits: Limits, failing: bool, kinds: tuple[str, ...], most: int) -> RowQuery:
    return RowQuery(_free(Value(Slot(0)), resting, limits, failing, kinds, most), ["pk"])


def _free(
    now: datetime | Value, resting: tuple[str, ...], limits: Limits, failing: bool, kinds: tuple[str, ...], most: int
) -> QuerySet[Delivery]:
    """The first of them, without those that somebody else is claiming, where the database can tell.

    Of several only those that nothing older goes before: to the same target, or in the same mail.
    """
    candidates = due(now, resting, limits, failing)
    if most > 1:
        fresh = Delivery.objects.filter(IS_OPEN, attempt_after__lte=now, tries=0)
        is_first = Q(target=None) | Q(pk__in=_first_of_each(fresh.filter(target__isnull=False), "target"))
        candidates = candidates.filter(is_first, ~_is_troubled(), tries=0)
        if kinds:
            is_batched = Q(channel__in=kinds_batched_by_recipient())
            mails = fresh.filter(is_batched, notice__kind__in=kinds)
            is_alone = ~is_batched | ~Q(notice__kind__in=kinds) | Q(recipient=None)
            candidates = candidates.filter(is_alone | Q(pk__in=_first_of_each(mails, "recipient")))
    if connection.features.has_select_for_update_skip_locked:
        candidates = candidates.select_for_update(skip_locked=True, of=("self",))
    return candidates[:most]


def _first_of_each(deliveries: QuerySet[Delivery], what: str) -> QuerySet[Delivery, Any]:
    """The keys of the oldest for each target, or each recipient.

    Found once for all, and not for each candidate whether anything goes before it: nearly always hardly any delivery is
    open, so PostgreSQL looks for others by whatever index and reads all that are open, each time. After an outage that
    would be thousands of thousands.
    """
    groups: QuerySet[Delivery, Any] = deliveries.order_by().values(what)
    return groups.annotate(first=Min("pk")).values("first")


def _claim(now: datetime, channels: health.Channels, most: int, failing: bool) -> list[Claim]:
    try:
        with transaction.atomic(durable=True):
            return _lease_free(now, channels, most, failing)
    except IntegrityError:
        return []  # somebody else began to send to the same address between our two statements


def _lease_free(now: datetime, channels: health.Channels, most: int, failing: bool) -> list[Claim]:
    keys = _lease(secrets.token_hex(16), now, _resting(channels), most, failing)
    if not keys:
        return []
    leased = _leased(*pad_to_power_of_two(keys))
    for delivery in leased:
        health.record_try(delivery.channel, now, channels)
    attempts = insert([Attempt(delivery=delivery, started_at=now) for delivery in leased])
    followers = load_followers(leased, now)
    claims = [
        Claim(delivery, attempt, followers[delivery.pk], channels.failures.get(delivery.channel, 0))
        for delivery, attempt in zip(leased, attempts, strict=True)
    ]
    # A web server that does not answer shall keep no mail waiting.
    return sorted(claims, key=lambda claim: CHANNELS[claim.delivery.channel].is_serial)


@compiled(*RELATED)
def _leased(*keys: int) -> QuerySet[Delivery]:
    return Delivery.objects.filter(pk__in=keys).order_by("pk")


def _resting(channels: health.Channels) -> tuple[str, ...]:
    """Return the channels on which nothing is claimed now: serial ones, too, while somebody else may be claiming there.

    Of two claimers at the same moment neither would see the other.
    """
    if {*serial_kinds()} <= {*channels.resting} or _is_alone(CLAIMING):
        return channels.resting
    return (*channels.resting, *serial_kinds())


def _lease(owner: str, now: datetime, resting: tuple[str, ...], most: int, failing: bool) -> list[int]:
    """Lease what is free and return its primary keys; one statement, so that nobody comes in between."""
    free = _free_query(resting, _limits(), failing, composers.kinds_to_merge(), most)
    until = as_parameter(now + LEASE)
    with connection.cursor() as cursor:
        cursor.execute(
            LEASE_FREE % free.sql,
            [*[as_parameter(now) for _slot in free.slots], DeliveryState.SENDING.value, owner, until, until],
        )
        return [row[0] for row in cursor.fetchall()]
