"""The outbox: what people are to be told is written here, inside the caller's transaction, and delivered later.

The promise: at least once, repeats recognisable. Every notice of a committed transaction is handed over at least once
on each of its channels, or visibly marked as undeliverable; a crash in one narrow window repeats a message, and the
repeat carries the same id (RFC 1047 tells why no more can be promised).

What is told at one moment, to however many people, takes the same number of statements.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Min, OuterRef, Q, QuerySet

from notifications import composers, delivery_policy, worker_hints
from notifications.bulk_write import OnConflict, insert
from notifications.compiled_query import compiled, compiled_exists, pad_to_power_of_two
from notifications.models import (
    OPEN_STATES,
    TO_EVERYBODY,
    Channel,
    Conversation,
    Delivery,
    DeliveryState,
    Endpoint,
    Notice,
    Recipient,
    Ways,
    new_ref,
)

BY_KEY = OnConflict(unique=("dedupe_key",))
Sides = Mapping[tuple[int, str], Conversation]


@dataclass(frozen=True, kw_only=True)
class Notification:
    """Something that one person is to be told.

    Arguments:
        subject, thread: opaque keys of the caller's.
        dedupe_key: the same one again writes nothing.
        data: small, JSON and never secret.
        channels: by mail alone goes what others must not even know that it was told.
        endpoint: the one webhook it is for; otherwise it goes to those that listen to its recipient or its thread.
        unwanted: why its recipient wants no mail of it (a msgid), whatever else he wishes; then only the ledger has it.
    """

    recipient: Recipient
    kind: str
    subject: str
    dedupe_key: str
    thread: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    not_before: datetime | None = None
    channels: Collection[str] = tuple(Channel.values)
    endpoint: Endpoint | None = None
    unwanted: str = ""

    @property
    def wanted(self) -> list[str]:
        """The channels by which it can be told."""
        return [name for name in self.channels if composers.supports(self.kind, name)]

    @property
    def is_for_hooks(self) -> bool:
        """True if whatever listens is told of it as well."""
        return self.endpoint is None and Channel.WEBHOOK in self.wanted

    def notice(self, now: datetime) -> Notice:
        """It, to be written down."""
        return Notice(
            recipient=self.recipient,
            kind=self.kind,
            subject=self.subject,
            thread=self.thread,
            data=self.data,
            dedupe_key=self.dedupe_key,
            created_at=now,
            not_before=self.not_before,
        )


def notify(notification: Notification, now: datetime) -> Notice:
    """Write one notification; see `notify_all`."""
    return notify_all([notification], now)[0]


def notify_all(
    notifications: Sequence[Notification], now: datetime, heard: Collection[int] | None = None
) -> list[Notice]:
    """Writes notices and one delivery per channel of each recipient; call it in the transaction they belong to.

    A `dedupe_key` that is known gives the notice that is there and writes nothing; what was dropped of it because it
    was not needed at that moment is owed again, for now somebody says that it is. Returns the notices, in order.

    Arguments:
        heard: the keys of those recipients whom a webhook listens to, where the caller has read it in this transaction;
            None to find out.
    """
    if not notifications:
        return []
    rows = [one.notice(now) for one in notifications]
    stored = {row.dedupe_key: row for row in insert(rows, BY_KEY)}
    known = {row.dedupe_key for row in rows} - stored.keys()
    old = _find_by_key(*pad_to_power_of_two(known)) if known else []
    stored |= {row.dedupe_key: row for row in old}
    fresh = [(one, row) for one, row in zip(notifications, rows, strict=True) if stored[row.dedupe_key] is row]
    if fresh:
        _create_deliveries(fresh, now, heard)
    if _reopen_dropped(old, now) or fresh:
        worker_hints.hint_workers_on_commit("deliver")
    return [stored[one.dedupe_key] for one in notifications]


def _create_deliveries(
    fresh: Sequence[tuple[Notification, Notice]], now: datetime, heard: Collection[int] | None
) -> None:
    """Owes each notice by every channel of its recipient: who has no address gets no mail."""
    for_hooks = [notice for one, notice in fresh if one.is_for_hooks]
    listeners = _listeners([notice for notice in for_hooks if heard is None or notice.recipient_id in heard])
    sides = delivery_policy.load_conversations([notice for _one, notice in fresh])
    deliveries = []
    for one, notice in fresh:
        hooks = [one.endpoint] if one.endpoint else _hooks(notice, listeners, sides) if one.is_for_hooks else []
        if Channel.MAIL in one.wanted and one.endpoint is None and one.recipient.address:
            wish = (
                delivery_policy.Wish(one.unwanted) if one.unwanted else delivery_policy.wish(notice, now, hooks, sides)
            )
            deliveries.append(_mail_delivery(notice, now, wish))
        deliveries += [_webhook_delivery(notice, hook, _due(notice, now)) for hook in hooks]
    insert(deliveries)


def _due(notice: Notice, now: datetime) -> datetime:
    return max(now, notice.not_before or now)


@compiled()
def _find_by_key(*keys: str) -> QuerySet[Notice]:
    return Notice.objects.filter(dedupe_key__in=keys)


def _reopen_dropped(notices: Collection[Notice], now: datetime) -> int:
    """How much of what was dropped of them is owed again now; hardly ever is there any."""
    if not notices or not _is_dropped(*pad_to_power_of_two(notice.pk for notice in notices)):
        return 0
    return sum(
        notice.deliveries.filter(state=DeliveryState.STALE).update(
            state=DeliveryState.WAITING, attempt_after=_due(notice, now), tries=0, reason=""
        )
        for notice in notices
    )


@compiled_exists
def _is_dropped(*notices: int) -> QuerySet[Delivery]:
    return Delivery.objects.filter(notice__pk__in=notices, state=DeliveryState.STALE)


def listening_endpoints(recipient: int | OuterRef, thread: str) -> QuerySet[Endpoint]:
    """The webhooks that are told what a recipient (by key) is told in a thread: his own, and those of the thread."""
    return _enabled([recipient], [thread])


@compiled()
def _listening(thread: str, *recipients: int) -> QuerySet[Endpoint]:
    return _enabled(recipients, [thread])


def _enabled(recipients: Collection[int | OuterRef], threads: Collection[str]) -> QuerySet[Endpoint]:
    wanted = Q(recipient__pk__in=recipients, thread="") | Q(~Q(thread=""), thread__in=threads)
    return Endpoint.objects.filter(wanted, is_enabled=True).order_by("pk")


def _listeners(notices: Collection[Notice]) -> list[Endpoint]:
    """The webhooks that may be told of one of them."""
    if not notices:
        return []
    recipients, threads = {notice.recipient_id for notice in notices}, {notice.thread for notice in notices} - {""}
    if len(threads) == 1:
        return _listening(threads.pop(), *pad_to_power_of_two(recipients))
    return list(_enabled(recipients, threads))


def _hooks(notice: Notice, listeners: Collection[Endpoint], sides: Sides) -> list[Endpoint]:
    """Those that are told of a notice: the recipient's own, unless he wants mail alone here, and the thread's."""
    event = composers.event_of(notice.kind)
    is_mail_alone = delivery_policy.ways(notice.recipient, sides.get((notice.recipient_id, notice.thread))) == Ways.MAIL
    return [
        hook
        for hook in listeners
        if event not in hook.muted
        and (hook.thread == notice.thread if hook.thread else hook.recipient_id == notice.recipient_id)
        and (hook.thread or not is_mail_alone)
    ]


def _webhook_delivery(notice: Notice, endpoint: Endpoint, due: datetime) -> Delivery:
    # Standard Webhooks forbids dots in the id: it is part of the signed text, whose parts are joined by dots.
    return Delivery(
        notice=notice,
        recipient=None if endpoint.thread else notice.recipient,
        channel=Channel.WEBHOOK,
        endpoint=endpoint,
        target=endpoint.target,
        attempt_after=due,
        message_id=f"msg_{new_ref()}",
    )


def _mail_delivery(notice: Notice, now: datetime, wish: delivery_policy.Wish) -> Delivery:
    due = _due(notice, now)
    mail = Delivery(
        notice=notice,
        recipient=notice.recipient,
        channel=Channel.MAIL,
        attempt_after=due,
        message_id=f"<{new_ref()}@{settings.MAIL_DOMAIN}>",
    )
    if wish.unwanted:
        mail.state, mail.attempt_after, mail.reason = DeliveryState.DECLINED, None, wish.unwanted
    elif wish.hold is not None and wish.hold.until > due:
        mail.attempt_after, mail.reason = wish.hold.until, wish.hold.reason
    return mail


def accepted_at(dedupe_key: str) -> datetime | None:
    """Return when the first channel of its recipient took the notice over, or None. What came back was never taken."""
    taken = Delivery.objects.filter(~TO_EVERYBODY, notice__dedupe_key=dedupe_key).exclude(state=DeliveryState.RETURNED)
    first: datetime | None = taken.aggregate(first=Min("accepted_at"))["first"]
    return first


def is_undeliverable(dedupe_key: str) -> bool:
    """Whether the notice reached nobody and never will: no delivery is open or accepted. False for an unknown key."""
    states = set(Delivery.objects.filter(~TO_EVERYBODY, notice__dedupe_key=dedupe_key).values_list("state", flat=True))
    return bool(states) and states.isdisjoint({*OPEN_STATES, DeliveryState.ACCEPTED})


def try_again(delivery: Delivery, now: datetime) -> bool:
    """Try once more what was given up; returns False if it was not. It is dropped if it is of no use any more."""
    given_up = Delivery.objects.filter(pk=delivery.pk, state=DeliveryState.QUARANTINED)
    is_done = given_up.update(state=DeliveryState.WAITING, attempt_after=now, tries=0, reason="") == 1
    if is_done:
        worker_hints.hint_workers_on_commit("deliver")
    return is_done
