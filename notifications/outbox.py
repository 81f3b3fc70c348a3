"""The outbox: stores notices in the caller's transaction; workers make their deliveries, and deliver them, later.

The promise: at least once, repeats recognisable. Every notice of a committed transaction is handed over at least once
on each of its channels, or visibly marked as undeliverable; a crash in one narrow window repeats a message, and the
repeat carries the same id (RFC 1047 tells why no more can be promised).

One call takes the same number of statements however many recipients it has.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Min, Q, QuerySet

from notifications import composers, worker_hints
from notifications.channels.base import CHANNELS
from notifications.database.bulk_write import OnConflict, insert
from notifications.database.compiled_query import compiled, compiled_exists, pad_to_power_of_two
from notifications.messages import ALL_FORMS, Form
from notifications.models import (
    TO_EVERYBODY,
    Delivery,
    DeliveryState,
    Endpoint,
    Notice,
    Recipient,
)

BY_KEY = OnConflict(unique=("dedupe_key",))
FOLDED_FOR = timedelta(hours=1)


@dataclass(frozen=True, kw_only=True)
class Notification:
    """Something that one person is to be told.

    Arguments:
        subject, thread: opaque keys of the caller's.
        dedupe_key: the same one again writes nothing.
        data: small, JSON and never secret.
        not_before: people are told no sooner; webhooks are called at once.
        forms: as a letter alone goes what others must not even know that somebody was told.
        endpoint: the one webhook it is for; otherwise it goes by every channel that carries its forms.
        folded_by: "subject" or "thread" for what somebody else can cause as often as he likes: of those of one kind and
            subject (or thread) its recipient is told one an hour; those that come in between become one.
        unwanted: why its recipient wants nothing of it (a msgid), whatever else he chose; then only the ledger has it.
    """

    recipient: Recipient
    kind: str
    subject: str
    dedupe_key: str
    thread: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    not_before: datetime | None = None
    forms: Collection[Form] = ALL_FORMS
    endpoint: Endpoint | None = None
    folded_by: str = ""
    unwanted: str = ""

    def notice(self, now: datetime) -> Notice:
        """The row to store."""
        return Notice(
            recipient=self.recipient,
            kind=self.kind,
            subject=self.subject,
            thread=self.thread,
            data=self.data,
            dedupe_key=self.dedupe_key,
            created_at=now,
            not_before=self.not_before,
            pending={
                "forms": [form for form in self.forms if composers.has_form(self.kind, form)],
                "endpoint": self.endpoint.pk if self.endpoint is not None else None,
                "unwanted": self.unwanted,
            },
        )


def notify(notification: Notification, now: datetime) -> Notice:
    """Write one notification; see `notify_all`."""
    return notify_all([notification], now)[0]


def notify_all(notifications: Sequence[Notification], now: datetime) -> list[Notice]:
    """Writes notices; call it in the transaction they belong to. A worker makes their deliveries: see `claims`.

    A `dedupe_key` that is known gives the notice that is there and writes nothing; what was dropped of it because it
    was not needed at that moment is owed again, for now somebody says that it is. Returns the notices, in order.
    """
    if not notifications:
        return []
    folded: dict[str, Notice] = {}
    if any(notification.folded_by for notification in notifications):
        notifications, folded = _fold(notifications, now)
    rows = [notification.notice(now) for notification in notifications if notification.dedupe_key not in folded]
    stored = folded | {row.dedupe_key: row for row in insert(rows, BY_KEY)}
    repeated = {row.dedupe_key for row in rows} - stored.keys()
    old = _find_by_key(*pad_to_power_of_two(repeated)) if repeated else []
    if _reopen_dropped(old, now) or len(repeated) < len(rows):
        worker_hints.hint_workers_on_commit("deliver")
    stored |= {row.dedupe_key: row for row in old}
    return [stored[notification.dedupe_key] for notification in notifications]


def _fold(notifications: Sequence[Notification], now: datetime) -> tuple[list[Notification], dict[str, Notice]]:
    """Gives those that would be told within an hour of one like them to the notice that still waits, or lets them wait
    for the end of that hour. Returns all of them, and the notices that now tell some, by the keys of these."""
    kept, folded = [], {}
    for notification in notifications:
        last = _last_like(notification, now) if notification.folded_by else None
        if last is None or Notice.objects.filter(dedupe_key=notification.dedupe_key).exists():
            kept.append(notification)
        elif _is_told(last):
            after = max(last.created_at, last.not_before or last.created_at) + FOLDED_FOR
            kept.append(replace(notification, not_before=max(after, notification.not_before or after)))
        else:
            last.subject, last.data = notification.subject, notification.data
            last.save(update_fields=["subject", "data"])
            _reopen_dropped([last], now)
            kept.append(notification)
            folded[notification.dedupe_key] = last
    return kept, folded


def _last_like(notification: Notification, now: datetime) -> Notice | None:
    """The newest notice of its kind about the same, of the last hour or still to come."""
    lately = Q(created_at__gt=now - FOLDED_FOR) | Q(not_before__gt=now - FOLDED_FOR)
    alike = {
        "recipient": notification.recipient,
        "kind": notification.kind,
        notification.folded_by: getattr(notification, notification.folded_by),
    }
    return Notice.objects.filter(lately, **alike).order_by("-created_at", "-pk").first()


def _is_told(notice: Notice) -> bool:
    """Whether a channel that heeds its recipient's preferences has begun to tell it."""
    patient = [kind for kind, channel in CHANNELS.items() if channel.heeds_preferences]
    untold = (DeliveryState.WAITING, DeliveryState.SUPPRESSED, DeliveryState.DECLINED, DeliveryState.STALE)
    return notice.deliveries.filter(channel__in=patient).exclude(state__in=untold, tries=0).exists()


def release(dedupe_keys: Collection[str], now: datetime) -> None:
    """Lets notices go out that wait for their time alone, `not_before`; call it in a transaction.

    What is held for another reason stays held.
    """
    early = Notice.objects.filter(dedupe_key__in=dedupe_keys, pending__isnull=False, not_before__gt=now)
    early.update(not_before=now)
    waiting = Delivery.objects.filter(
        notice__dedupe_key__in=dedupe_keys, state=DeliveryState.WAITING, tries=0, reason=""
    )
    if waiting.filter(notice__not_before__gt=now, attempt_after__gt=now).update(attempt_after=now):
        worker_hints.hint_workers_on_commit("deliver")


@compiled()
def _find_by_key(*keys: str) -> QuerySet[Notice]:
    return Notice.objects.filter(dedupe_key__in=keys)


def _reopen_dropped(notices: Collection[Notice], now: datetime) -> int:
    """How much of what was dropped of them is owed again now; hardly ever is there any."""
    if not notices or not _is_dropped(*pad_to_power_of_two(notice.pk for notice in notices)):
        return 0
    return sum(
        notice.deliveries.filter(state=DeliveryState.STALE).update(
            state=DeliveryState.WAITING, attempt_after=max(now, notice.not_before or now), tries=0, reason=""
        )
        for notice in notices
    )


@compiled_exists
def _is_dropped(*notices: int) -> QuerySet[Delivery]:
    return Delivery.objects.filter(notice__pk__in=notices, state=DeliveryState.STALE)


def accepted_at(dedupe_key: str) -> datetime | None:
    """Return when the first channel of its recipient took the notice over, or None. What came back was never taken."""
    taken = Delivery.objects.filter(~TO_EVERYBODY, notice__dedupe_key=dedupe_key).exclude(state=DeliveryState.RETURNED)
    first: datetime | None = taken.aggregate(first=Min("accepted_at"))["first"]
    return first


def try_again(delivery: Delivery, now: datetime) -> bool:
    """Try once more what was given up; returns False if it was not. It is dropped if it is of no use any more."""
    given_up = Delivery.objects.filter(pk=delivery.pk, state=DeliveryState.QUARANTINED)
    is_done = given_up.update(state=DeliveryState.WAITING, attempt_after=now, tries=0, reason="") == 1
    if is_done:
        worker_hints.hint_workers_on_commit("deliver")
    return is_done
