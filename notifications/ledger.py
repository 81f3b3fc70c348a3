"""The ledger: everything one person was told, by which channel, and what became of it, in words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from notifications import reasons
from notifications.channels.base import CHANNELS
from notifications.clock import present
from notifications.composers import event_of, name_of
from notifications.delivery import health
from notifications.delivery.policy import explain
from notifications.models import OPEN_STATES, TO_EVERYBODY, Attempt, Delivery, DeliveryState, Notice, Recipient

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
    state, reason = delivery.state, explain(delivery, rests).reason
    words = TOGETHER if state in GOOD and delivery.leader_id else WORDS.get(state, state)
    return ChannelLine(
        channel=CHANNELS[delivery.channel].name_of(delivery),
        words=_(words),
        reason=reasons.in_words(reason),
        at=delivery.accepted_at or delivery.attempt_after,
        reason_code=reasons.code_of(reason),
        tries=list(delivery.attempts.all()),
        is_good=state in GOOD,
        is_bad=state in BAD,
        via=delivery.channel,
        state=state,
    )
