"""Why a delivery goes out now, later or never: decided here, and nowhere else.

`decide` is asked when a notice is written and again at each claim, so that changed preferences count at once. What it
decides is stored with the delivery; `explain` repeats it to the ledger, the API, the admin and `manage.py told`.

Held is never dropped: each hold has an end, and what is stale by then is found out when it is sent.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import Enum, auto

from django.utils.translation import gettext_noop

from notifications.channels.base import CHANNELS, Channel, Obstacle
from notifications.clock.calendar import DAY, Calendar, on_the_wall, playable
from notifications.composers import Topic, composer_for, latest, topic_of, why_stale
from notifications.conversations import (
    LOOKING,
    Conversations,
    load_conversations,
    preferred_channel,
)
from notifications.models import Conversation, Delivery, DeliveryState, Notice, Recipient, Rhythm
from notifications.reasons import declare

MONDAY = 0  # as datetime counts the days of the week
LONGEST_LOOK = timedelta(minutes=10)  # after which he is told all the same: a tab left open hides nothing for long

LOOKS = declare("reader_is_looking", gettext_noop("you're looking at it"))
SNOOZED = declare("email_paused", gettext_noop("you've paused your email"))
SNOOZED_HERE = declare("thread_paused", gettext_noop("you've paused email about this"))
QUIET = declare("quiet_hours", gettext_noop("these are your quiet hours"))
DAILY = declare("daily_email", gettext_noop("it will be in your daily email"))
MUTED = declare("topic_off", gettext_noop("you've turned this kind of email off"))
NOTHING_TO_SAY = declare("nothing_to_say", gettext_noop("there's nothing to say on this channel"))


class Verdict(Enum):
    """The decision about a delivery: send, wait or drop."""

    SEND = auto()
    HOLD = auto()  # until a time
    REST = auto()  # its channel rests: until it is tried again
    DECLINE = auto()  # its recipient does not want it
    DROP = auto()  # it is of no use any more
    SUPPRESS = auto()  # the address is closed to us
    FAIL = auto()  # there is nowhere to send it to, or it was refused for good


FINAL = {
    Verdict.DECLINE: DeliveryState.DECLINED,
    Verdict.DROP: DeliveryState.STALE,
    Verdict.SUPPRESS: DeliveryState.SUPPRESSED,
    Verdict.FAIL: DeliveryState.FAILED,
}
VERDICTS = {state: verdict for verdict, state in FINAL.items()} | {
    DeliveryState.QUARANTINED: Verdict.FAIL,
    DeliveryState.RETURNED: Verdict.FAIL,
}


@dataclass(frozen=True)
class DeliveryDecision:
    """A decision about a delivery, why (see `notifications.reasons`), and until when it waits."""

    verdict: Verdict
    reason: str = ""
    until: datetime | None = None

    @property
    def state(self) -> DeliveryState | None:
        """Returns the final state of a delivery that is not sent; None if it is sent, or waits."""
        return FINAL.get(self.verdict)


@dataclass(frozen=True)
class Facts:
    """The facts of the database for decisions about some deliveries; read anew at each claim, so that changes count.

    Arguments:
        conversations: of those recipients and threads.
        closed: by kind of channel the addresses that are closed to us, each with the reason.
    """

    conversations: Conversations
    closed: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, deliveries: Iterable[Delivery]) -> "Facts":
        """Ask the database, in two statements."""
        by_kind: dict[str, list[Delivery]] = {}
        for delivery in deliveries:
            by_kind.setdefault(delivery.channel, []).append(delivery)
        notices = [row.notice for kind, rows in by_kind.items() if CHANNELS[kind].heeds_preferences for row in rows]
        closed = {kind: CHANNELS[kind].find_closed(rows) for kind, rows in by_kind.items()}
        return cls(load_conversations(notices), closed)


def decide(
    delivery: Delivery,
    now: datetime,
    facts: Facts,
    *,
    beside: Collection[Delivery] | None = None,
    unwanted: str = "",
    is_new: bool = False,
) -> DeliveryDecision:
    """Return whether a delivery goes out at `now`, or the first reason why not. Raises UnknownKind.

    Arguments:
        beside: the deliveries of its notice, where they are known; None to look them up.
        unwanted: why its recipient wants nothing of it, whatever else he chose: a reason.
        is_new: it is being written. Whether it is of use, and can be sent, is asked when it is sent.
    """
    reasons = _reasons(delivery, now, facts, beside, unwanted, is_new=is_new)
    return next(reasons, DeliveryDecision(Verdict.SEND))


def _reasons(
    delivery: Delivery,
    now: datetime,
    facts: Facts,
    beside: Collection[Delivery] | None,
    unwanted: str,
    *,
    is_new: bool,
) -> Iterator[DeliveryDecision]:
    """Yields every reason to keep a delivery back, the weightiest first; see `decide`."""
    channel, notice = CHANNELS[delivery.channel], delivery.notice
    topic = topic_of(notice.kind)
    if unwanted:
        yield DeliveryDecision(Verdict.DECLINE, unwanted)
    if not is_new:
        if not delivery.is_by_hand and (stale := why_stale(notice, channel.form, now)):
            yield DeliveryDecision(Verdict.DROP, stale)
        obstacle = channel.obstacle(delivery, facts.closed.get(channel.kind, {}), now)
        if obstacle is not None and not _is_spared(notice, topic, obstacle):
            yield DeliveryDecision(VERDICTS[obstacle.state], obstacle.reason)
    if topic is None or not channel.heeds_preferences:
        return
    conversation = facts.conversations.get((notice.recipient_id, notice.thread))
    if _is_muted(channel, notice.recipient, conversation, topic):
        yield DeliveryDecision(Verdict.DECLINE, MUTED)
    other = _instead_of(channel, notice.recipient, conversation)
    if other is not None and other.reaches(notice, beside):
        yield DeliveryDecision(Verdict.DECLINE, other.says_instead)
    holds = [(until, reason) for until, reason in _holds(channel, notice, topic, conversation, now) if until > now]
    if holds:
        until, reason = max(holds, key=lambda hold: hold[0])
        yield DeliveryDecision(Verdict.HOLD, reason, until)


def explain(delivery: Delivery, rests: Mapping[str, datetime]) -> DeliveryDecision:
    """Return why a stored delivery has not gone out, as it was decided when it was last looked at.

    Arguments:
        rests: the channels that rest, each with the time when it is tried again.
    """
    if delivery.state in VERDICTS:
        return DeliveryDecision(VERDICTS[DeliveryState(delivery.state)], delivery.reason)
    if delivery.state == DeliveryState.WAITING:
        if not delivery.reason and delivery.channel in rests:
            return DeliveryDecision(Verdict.REST, CHANNELS[delivery.channel].resting, rests[delivery.channel])
        if delivery.reason:
            return DeliveryDecision(Verdict.HOLD, delivery.reason, delivery.attempt_after)
    return DeliveryDecision(Verdict.SEND, "" if delivery.state == DeliveryState.ACCEPTED else delivery.reason)


def _is_spared(notice: Notice, topic: Topic | None, obstacle: Obstacle) -> bool:
    """Whether a notice is sent all the same: a closed address may still get sign-in codes, or what others wait for."""
    is_needed = topic is not None and topic.is_needed
    return (obstacle.spares_security and composer_for(notice.kind).is_security) or (
        obstacle.spares_needed and is_needed
    )


def _is_muted(channel: Channel, recipient: Recipient, conversation: Conversation | None, topic: Topic) -> bool:
    """Whether the recipient has switched a topic off, or not on. What others wait for cannot be off."""
    if topic.is_weekly:
        return recipient.weekly_at is None
    is_off_here = conversation is not None and topic.name in conversation.muted
    is_off = is_off_here or (topic.name in recipient.muted and not channel.chooses_topics)
    return is_off and not topic.is_needed


def _instead_of(channel: Channel, recipient: Recipient, conversation: Conversation | None) -> Channel | None:
    """The channel by which alone a recipient wants to be told, if it is another one."""
    kind = preferred_channel(recipient, conversation)
    return CHANNELS.get(kind) if kind != channel.kind else None


def _holds(
    channel: Channel, notice: Notice, topic: Topic, conversation: Conversation | None, now: datetime
) -> Iterator[tuple[datetime, str]]:
    """Yields the holds of a notice: until when, and why."""
    recipient = notice.recipient
    if conversation is not None and conversation.seen_at is not None:
        yield min(conversation.seen_at + LOOKING, notice.created_at + LONGEST_LOOK), LOOKS
    if recipient.snoozed_until is not None and recipient.snoozed_until > now:
        yield _end_of_pause(notice, topic, recipient.snoozed_until), SNOOZED
    if conversation is not None and conversation.snoozed_until is not None and conversation.snoozed_until > now:
        yield _end_of_pause(notice, topic, conversation.snoozed_until), SNOOZED_HERE
    if recipient.quiet is not None and (channel.interrupts or recipient.quiet_holds_all or not topic.is_needed):
        yield _end_of_quiet(recipient, now), QUIET
    if not channel.is_batched_by_recipient:
        return  # one message a day is for a channel that makes one of several
    rhythm = (conversation.rhythm if conversation is not None else "") or recipient.rhythm
    if topic.is_weekly:
        return  # it has a day and an hour of its own
    if rhythm == Rhythm.DAILY or (rhythm == Rhythm.NEWS_DAILY and not topic.is_needed):
        yield next_daily(recipient, notice.created_at), DAILY


def _end_of_pause(notice: Notice, topic: Topic, until: datetime) -> datetime:
    """How long a pause holds a notice: what others wait for goes out in good time all the same."""
    must_go = latest(notice) if topic.is_needed else None
    return min(until, must_go) if must_go is not None else until


def _end_of_quiet(recipient: Recipient, now: datetime) -> datetime:
    try:
        return next(playable(Calendar(recipient.zone_info, recipient.quiet), now)).begin
    except ValueError:  # quiet for longer than the calendar allows: stored by hand, and no reason to lose a move
        return now


def next_daily(recipient: Recipient, after: datetime) -> datetime:
    """Return when the recipient's first daily mail after an instant goes out."""
    zone = recipient.zone_info
    day: date = after.astimezone(zone).date()
    while (moment := on_the_wall(day, recipient.daily_at, zone)) <= after:
        day += DAY
    return moment


def next_weekly(recipient: Recipient, after: datetime) -> datetime:
    """Return when the recipient's first weekly summary after an instant is due: on a Monday, at the daily hour."""
    due = next_daily(recipient, after)
    while due.astimezone(recipient.zone_info).weekday() != MONDAY:
        due = next_daily(recipient, due)
    return due


def recheck_held(recipient: Recipient, now: datetime) -> None:
    """Let everything that is held for a recipient be decided anew: he has changed his preferences."""
    kinds = [kind for kind, channel in CHANNELS.items() if channel.heeds_preferences]
    deliveries = Delivery.objects.filter(
        recipient=recipient, channel__in=kinds, state=DeliveryState.WAITING, tries=0, attempt_after__gt=now
    )
    deliveries.filter(notice__not_before=None).update(attempt_after=now)
