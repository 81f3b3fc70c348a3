"""The ledger: everything one person was told, by which channel, and what became of it, in words.

What is long over is folded: all notices of one thread to one person, with their deliveries and attempts, are one row.
"""

import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import accumulate, pairwise
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from notifications import reasons
from notifications.channels.base import CHANNELS
from notifications.clock import present
from notifications.composers import event_of, name_of
from notifications.delivery import health
from notifications.delivery.policy import explain
from notifications.models import (
    OPEN_STATES,
    TO_EVERYBODY,
    Attempt,
    Delivery,
    DeliveryState,
    Endpoint,
    FoldedNotices,
    Notice,
    Recipient,
)

# What became of a delivery, as one says it to its recipient.
WORDS: dict[str, str] = {
    DeliveryState.WAITING: gettext_noop("is waiting to be sent"),
    DeliveryState.SENDING: gettext_noop("is being sent"),
    DeliveryState.JOINED: gettext_noop("is waiting to be sent with other news"),
    DeliveryState.ACCEPTED: gettext_noop("was sent"),
    DeliveryState.FAILED: gettext_noop("was refused"),
    DeliveryState.STALE: gettext_noop("was no longer needed and wasn't sent"),
    DeliveryState.SUPPRESSED: gettext_noop("wasn't sent because your address is closed to us"),
    DeliveryState.QUARANTINED: gettext_noop("was given up after many attempts"),
    DeliveryState.DECLINED: gettext_noop("wasn't sent, as you asked"),
    DeliveryState.RETURNED: gettext_noop("was sent and bounced"),
}
TOGETHER = gettext_noop("was sent in one email with other news")
GOOD = (DeliveryState.ACCEPTED,)
BAD = (DeliveryState.FAILED, DeliveryState.QUARANTINED, DeliveryState.SUPPRESSED, DeliveryState.RETURNED)


@dataclass(frozen=True)
class ChannelLine:
    """One channel of a notice.

    Arguments:
        words: what became of it; `reason` says why, "" if there is nothing to add, and `reason_code` the same for
            programs.
        at: when it was accepted, or when it will be tried next.
        tries: the single tries, oldest first.
        via, state: the channel and what became of it, as programs call them.
    """

    channel: str
    words: str
    reason: str
    at: datetime | None
    reason_code: str
    tries: list[Attempt]
    is_good: bool
    is_bad: bool
    via: str
    state: str


@dataclass(frozen=True)
class Entry:
    """One notice with all its channels; `name` is what its kind is called."""

    notice: Notice
    name: str
    lines: list[ChannelLine]


def notices_of(recipient: Recipient, thread: str = "") -> QuerySet[Notice]:
    """Everything a recipient was to be told, newest first; of one thread if it is given."""
    notices = Notice.objects.filter(recipient=recipient).order_by("-created_at", "-pk")
    return notices.filter(thread=thread) if thread else notices


def entries(notices: Iterable[Notice]) -> list[Entry]:
    """The notices in words of the active language."""
    keys = [notice.pk for notice in notices]
    deliveries = Delivery.objects.filter(~TO_EVERYBODY).select_related("endpoint").order_by("channel", "pk")
    deliveries = deliveries.prefetch_related(Prefetch("attempts", Attempt.objects.order_by("pk")))
    rows = Notice.objects.filter(pk__in=keys).prefetch_related(Prefetch("deliveries", deliveries))
    stored = {row.pk: row for row in rows}
    is_any_waiting = any(row.state == DeliveryState.WAITING for notice in rows for row in notice.deliveries.all())
    rests = health.rests(present.now()) if is_any_waiting else {}
    return [_entry(stored[key], rests) for key in keys]


class History:
    """The entries of a recipient, newest first, for whoever shows a part of them: those in rows, then, thread by
    thread, those that are folded.

    Arguments:
        thread: the only one; "" for all.
    """

    def __init__(self, recipient: Recipient, thread: str = "") -> None:
        self._notices = notices_of(recipient, thread)
        self._folded = folded_of(recipient, thread)

    def __len__(self) -> int:
        return self._notices.count() + sum(self._folded.values_list("number", flat=True))

    def __getitem__(self, part: slice) -> list[Entry]:
        """The entries of a part, in words of the active language."""
        first, last = part.start or 0, part.stop
        shown = entries(self._notices[first:last])
        left, skipped = last - first - len(shown), max(0, first - self._notices.count())
        if not left:
            return shown
        for number, key in self._folded.values_list("number", "pk"):
            if skipped < number:
                shown += folded_entries(FoldedNotices.objects.get(pk=key))[skipped : skipped + left]
                left = last - first - len(shown)
            skipped = max(0, skipped - number)
            if left <= 0:
                break
        return shown


def explanation_of(delivery: Delivery, rests: Mapping[str, datetime]) -> str:
    """Why a delivery has not gone out, in the active language; "" if there is nothing to add.

    Arguments:
        rests: the channels that rest, as `channel_health.rests` gives them.
    """
    return reasons.in_words(explain(delivery, rests).reason)


@dataclass(frozen=True)
class Call:
    """One call of a webhook.

    Arguments:
        event: what programs call its kind.
        state: what became of it, as a word for programs.
        words: the same for people; `reason` says why, and `reason_code` the same for programs.
        message_id: the id under which it went out.
        is_closed: whether it can be sent again.
    """

    event: str
    message_id: str
    created_at: datetime
    state: str
    words: str
    reason: str
    reason_code: str
    next_at: datetime | None
    tries: list[Attempt]
    body: str
    is_good: bool
    is_bad: bool
    is_closed: bool


def calls(deliveries: Iterable[Delivery]) -> list[Call]:
    """Returns the calls of a webhook, in words of the active language."""
    return [_call(delivery) for delivery in deliveries]


def _call(delivery: Delivery) -> Call:
    leader = delivery.leader or delivery  # what went out in the call of another is told by that one
    line = _line(delivery, {})
    return Call(
        event=event_of(delivery.notice.kind),
        message_id=leader.message_id,
        created_at=delivery.notice.created_at,
        state=delivery.state,
        words=_(WORDS.get(delivery.state, delivery.state)),
        reason=line.reason,
        reason_code=line.reason_code,
        next_at=leader.attempt_after,
        tries=list(leader.attempts.all()),
        body=leader.body,
        is_good=line.is_good,
        is_bad=line.is_bad,
        is_closed=delivery.state not in (*OPEN_STATES, DeliveryState.JOINED),
    )


def _entry(notice: Notice, rests: Mapping[str, datetime]) -> Entry:
    lines = [_line(delivery, rests) for delivery in notice.deliveries.all()]
    if notice.pending is not None:  # no worker has decided yet by which channels it goes out
        waiting = DeliveryState.WAITING
        words, at = _(WORDS[waiting]), notice.not_before or notice.created_at
        lines = [ChannelLine(_("message"), words, "", at, "", [], is_good=False, is_bad=False, via="", state=waiting)]
    return Entry(notice, name_of(notice.kind), lines)


def _line(delivery: Delivery, rests: Mapping[str, datetime]) -> ChannelLine:
    return _told_by(delivery, rests, list(delivery.attempts.all()), is_together=delivery.leader_id is not None)


def _told_by(
    delivery: Delivery, rests: Mapping[str, datetime], tries: list[Attempt], *, is_together: bool
) -> ChannelLine:
    state, reason = delivery.state, explain(delivery, rests).reason
    words = TOGETHER if state in GOOD and is_together else WORDS.get(state, state)
    return ChannelLine(
        channel=CHANNELS[delivery.channel].name_of(delivery),
        words=_(words),
        reason=reasons.in_words(reason),
        at=delivery.accepted_at or delivery.attempt_after,
        reason_code=reasons.code_of(reason),
        tries=tries,
        is_good=state in GOOD,
        is_bad=state in BAD,
        via=delivery.channel,
        state=state,
    )


# What is folded. Columns rather than rows, for the same stands beside the same; numbers and times as steps from the
# last one, or since the notice, in milliseconds. Random names of notices and messages, which nobody answers to any
# more, are not kept: a notice is called by its number in its thread.

MOST_FOLDED = 50  # notices whose threads are folded in one transaction
NOTICE = ("kind", "subject", "data", "created_at", "not_before")
WAY = ("notice", "channel", "endpoint", "is_together", "state", "reason", "tries", "accepted_at")
TRY = ("way", "started_at", "ended_at", "outcome", "code", "detail")
EPOCH = datetime.fromtimestamp(0, UTC)
MICROSECOND, MILLISECOND = timedelta(microseconds=1), timedelta(milliseconds=1)
Columns = dict[str, list[Any]]
Rows = list[dict[str, Any]]


class FoldedContent(msgspec.Struct):
    """The content of a packed row. A way names its notice, a try its way, by their numbers in it."""

    notices: Columns
    ways: Columns
    tries: Columns


def fold_some(settled: QuerySet[Notice]) -> int:
    """Folds some of these notices, thread by thread; returns how many threads. Bodies and excerpts of webhooks go.

    Arguments:
        settled: notices about what is over, of which nothing waits to be sent.
    """
    some = settled.order_by("pk").values_list("recipient_id", "thread")[:MOST_FOLDED]
    threads = dict.fromkeys(some)
    for recipient, thread in threads:
        _fold(recipient, thread, settled.filter(recipient=recipient, thread=thread))
    return len(threads)


@transaction.atomic
def _fold(recipient: int, thread: str, settled: QuerySet[Notice]) -> None:
    notices = list(settled.order_by("pk").values("pk", *NOTICE))
    keys = [row["pk"] for row in notices]
    ways = list(Delivery.objects.filter(~TO_EVERYBODY, notice__in=keys).order_by("pk"))
    tries = list(Attempt.objects.filter(delivery__in=[way.pk for way in ways]).order_by("pk"))
    stored = FoldedNotices.objects.select_for_update().filter(recipient=recipient, thread=thread).first()
    earlier = _unpack(stored) if stored else ([], [], [])
    number_of = {key: len(earlier[0]) + number for number, key in enumerate(keys)}
    way_of = {way.pk: len(earlier[1]) + number for number, way in enumerate(ways)}
    every_notice = [*earlier[0], *({name: row[name] for name in NOTICE} for row in notices)]
    every_way = [
        *earlier[1],
        *({name: getattr(way, name) for name in WAY[4:]}
          | {"notice": number_of[way.notice_id], "channel": way.channel, "endpoint": way.endpoint_id,
             "is_together": way.leader_id is not None} for way in ways),
    ]  # fmt: skip
    every_try = [
        *earlier[2],
        *({name: getattr(one, name) for name in TRY[1:]} | {"way": way_of[one.delivery_id]} for one in tries),
    ]
    FoldedNotices.objects.update_or_create(
        recipient_id=recipient,
        thread=thread,
        defaults={
            "number": len(every_notice),
            "newest_at": max(row["created_at"] for row in every_notice),
            "packed": _pack(every_notice, every_way, every_try),
        },
    )
    Notice.objects.filter(pk__in=keys).delete()  # what hangs on them goes with them


def _pack(notices: Rows, ways: Rows, tries: Rows) -> bytes:
    columns = {name: [row[name] for row in notices] for name in NOTICE}
    begun = columns["created_at"]
    columns["not_before"] = [_since(*pair) for pair in zip(begun, columns["not_before"], strict=True)]
    columns["created_at"] = _steps((time - EPOCH) // MICROSECOND for time in begun)
    of_ways = {name: [way[name] for way in ways] for name in WAY}
    of_ways["accepted_at"] = [_since(begun[way["notice"]], way["accepted_at"]) for way in ways]
    of_ways["notice"] = _steps(of_ways["notice"])
    of_tries = {name: [one[name] for one in tries] for name in TRY}
    of_tries["started_at"] = [_since(begun[ways[one["way"]]["notice"]], one["started_at"]) for one in tries]
    of_tries["ended_at"] = [_since(one["started_at"], one["ended_at"]) for one in tries]
    of_tries["way"] = _steps(of_tries["way"])
    return zlib.compress(msgspec.msgpack.encode(FoldedContent(columns, of_ways, of_tries)), 9)


def _unpack(stored: FoldedNotices) -> tuple[Rows, Rows, Rows]:
    """Notices, ways, tries."""
    content = msgspec.msgpack.decode(zlib.decompress(stored.packed), type=FoldedContent)
    begun = [EPOCH + time * MICROSECOND for time in accumulate(content.notices["created_at"])]
    notices = _rows(content.notices | {"created_at": begun})
    for number, row in enumerate(notices):
        row["ref"] = f"{stored.thread}#{number}"
        row["not_before"] = _after(row["created_at"], row["not_before"])
    ways = _rows(content.ways | {"notice": list(accumulate(content.ways["notice"]))})
    for way in ways:
        way["accepted_at"] = _after(begun[way["notice"]], way["accepted_at"])
    tries = _rows(content.tries | {"way": list(accumulate(content.tries["way"]))})
    for one in tries:
        one["started_at"] = _after(begun[ways[one["way"]]["notice"]], one["started_at"])
        one["ended_at"] = _after(one["started_at"], one["ended_at"])
    return notices, ways, tries


def _rows(columns: Columns) -> Rows:
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def _steps(numbers: Iterable[int]) -> list[int]:
    return [number - last for last, number in pairwise([0, *numbers])]


def _since(first: datetime, time: datetime | None) -> int | None:
    return None if time is None else (time - first) // MILLISECOND


def _after(first: datetime, step: int | None) -> datetime | None:
    return None if step is None else first + step * MILLISECOND


def folded_of(recipient: Recipient, thread: str = "") -> QuerySet[FoldedNotices]:
    """What is folded of a recipient, the newest thread first; of one thread if it is given."""
    stored = FoldedNotices.objects.filter(recipient=recipient).order_by("-newest_at", "-pk")
    return stored.filter(thread=thread) if thread else stored


def folded_entries(stored: FoldedNotices) -> list[Entry]:
    """Its entries, newest first, in words of the active language."""
    notices, ways, tries = _unpack(stored)
    endpoints = Endpoint.objects.in_bulk({way["endpoint"] for way in ways if way["endpoint"]})
    tries_of, lines_of = defaultdict(list), defaultdict(list)
    for one in tries:
        tries_of[one.pop("way")].append(Attempt(**one))
    for number, way in sorted(enumerate(ways), key=lambda pair: pair[1]["channel"]):
        facts = {name: way[name] for name in ("channel", "state", "reason", "accepted_at")}
        delivery = Delivery(**facts, endpoint=endpoints.get(way["endpoint"]))
        line = _told_by(delivery, {}, tries_of[number], is_together=way["is_together"])
        lines_of[way["notice"]].append(line)
    made = [
        Entry(Notice(**row, thread=stored.thread, recipient_id=stored.recipient_id), name_of(row["kind"]), lines_of[at])
        for at, row in enumerate(notices)
    ]
    made.sort(key=lambda entry: entry.notice.created_at)
    return made[::-1]


NEWEST_FOLDED = ["9", 0, 0]
"""The key before which no folded entry stands."""


def folded_behind(recipient: Recipient, key: list[Any], most: int, thread: str = "") -> list[tuple[list[Any], Entry]]:
    """So many of the folded entries behind one, each with its key, in words of the active language."""
    found: list[tuple[list[Any], Entry]] = []
    rows = folded_of(recipient, thread)
    if key != NEWEST_FOLDED:
        rows = rows.filter(newest_at__lte=datetime.fromisoformat(key[0]))
    for stored in rows.defer("packed"):
        own = [stored.newest_at.isoformat(), stored.pk]
        first = key[2] + 1 if own == key[:2] else 0
        if own > key[:2] or first >= stored.number:
            continue
        entries_of = folded_entries(stored)[first : first + most - len(found)]
        found += [([*own, first + at], entry) for at, entry in enumerate(entries_of)]
        if len(found) == most:
            break
    return found


def folded_notices(recipient: Recipient) -> Iterator[dict[str, Any]]:
    """The notices that are folded, as columns of `Notice`."""
    for stored in folded_of(recipient).order_by("pk"):
        for row in _unpack(stored)[0]:
            yield row | {"thread": stored.thread}


def folded_ways(recipient: Recipient) -> Iterator[dict[str, Any]]:
    """Their deliveries, as columns of `Delivery`."""
    for stored in folded_of(recipient).order_by("pk"):
        notices, ways, _tries = _unpack(stored)
        for way in ways:
            yield {"notice__ref": notices[way["notice"]]["ref"], **{name: way[name] for name in WAY[4:]},
                   "channel": way["channel"], "message_id": "", "provider_id": "", "body": ""}  # fmt: skip


def folded_tries(recipient: Recipient) -> Iterator[dict[str, Any]]:
    """Their attempts, as columns of `Attempt`."""
    for stored in folded_of(recipient).order_by("pk"):
        notices, ways, tries = _unpack(stored)
        for one in tries:
            ref = notices[ways[one["way"]]["notice"]]["ref"]
            yield {"delivery__notice__ref": ref, **{name: one[name] for name in TRY[1:]}, "excerpt": ""}
