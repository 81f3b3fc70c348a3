"""When a mail that could go out now had better wait: because its reader wishes so, or is looking already.

Held is never dropped: the wait has an end, and what is stale by then is found out when it is sent. Asked anew at each
claim, so that changed wishes count at once.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext_noop

from notifications.channels.webhook.endpoints import Endpoint
from notifications.clock.calendar import DAY, Calendar, on_the_wall, playable
from notifications.compiled_query import compiled, pad_to_power_of_two
from notifications.composers import Topic, latest, topic_of
from notifications.models import Channel, Conversation, Delivery, DeliveryState, Notice, Recipient, Rhythm, Ways

LOOKING = timedelta(seconds=settings.LOOKING_SECONDS)  # who looked less than this ago is taken to be looking still
LONGEST_LOOK = timedelta(minutes=10)  # after which he is told all the same: a tab left open hides nothing for long

LOOKS = gettext_noop("you are looking at it")
SNOOZED = gettext_noop("you wanted no mail for a while")
SNOOZED_HERE = gettext_noop("you wanted no mail about this for a while")
QUIET = gettext_noop("these are your quiet hours")
DAILY = gettext_noop("it comes with your daily mail")
MUTED = gettext_noop("you have switched mail of this kind off")
BY_WEBHOOK = gettext_noop("your webhook tells you instead")


@dataclass(frozen=True)
class Hold:
    """Why a mail waits (a msgid), and until when."""

    until: datetime
    reason: str


@dataclass(frozen=True)
class Wish:
    """What its recipient wants of a notice's mail: none at all and why, none before a hold ends, or to have it now."""

    unwanted: str = ""  # a msgid
    hold: Hold | None = None


def wish(
    notice: Notice,
    now: datetime,
    hooks: Collection[Endpoint] | None = None,
    sides: Mapping[tuple[int, str], Conversation] | None = None,
) -> Wish:
    """What he wants of it at this instant; of several holds the one that lasts longest.

    What is needed is not muted; but who has a webhook that works may do without the mail.

    Arguments:
        hooks: the webhooks that are told of it, where they are known; None to look them up.
        sides: what `sides_of` found for this notice and others; None to look it up.
    """
    topic = topic_of(notice.kind)
    if topic is None:
        return Wish()
    if sides is None:
        sides = load_conversations([notice])
    side = sides.get((notice.recipient_id, notice.thread))
    is_muted = topic.name in notice.recipient.muted or (side is not None and topic.name in side.muted)
    if is_muted and not topic.is_needed:
        return Wish(MUTED)
    if ways(notice.recipient, side) == Ways.WEBHOOK and _is_told_by_webhook(notice, hooks):
        return Wish(BY_WEBHOOK)
    holds = [found for found in _holds(notice, topic, side, now) if found.until > now]
    return Wish(hold=max(holds, key=lambda found: found.until, default=None))


def find_conversation(recipient: Recipient, thread: str) -> Conversation | None:
    """The recipient's side of a thread, if he ever chose something for it or looked at it."""
    return next(iter(_sides(1)(thread, recipient.pk)), None) if thread else None


def load_conversations(notices: Collection[Notice]) -> dict[tuple[int, str], Conversation]:
    """The same for the recipients of these notices and their threads, by both; one statement for all."""
    threads = {notice.thread for notice in notices if notice.thread}
    if not threads:
        return {}
    asked, recipients = pad_to_power_of_two(threads), pad_to_power_of_two({notice.recipient_id for notice in notices})
    rows = _sides(len(asked))(*asked, *recipients)
    return {(row.recipient_id, row.thread): row for row in rows}


@cache
def _sides(count: int) -> Callable[..., list[Conversation]]:
    """What asks for the sides of so many threads, and then of some recipients."""

    @compiled()
    def ask(*values: Any) -> QuerySet[Conversation]:
        return Conversation.objects.filter(recipient__pk__in=values[count:], thread__in=values[:count])

    return ask


def ways(recipient: Recipient, side: Conversation | None) -> str:
    """By which channels a recipient is told of a thread."""
    return (side.ways if side is not None else "") or recipient.ways


def _is_told_by_webhook(notice: Notice, hooks: Collection[Endpoint] | None) -> bool:
    if hooks is None:
        hooks = Endpoint.objects.filter(deliveries__notice=notice)
    return any(
        hook.recipient_id == notice.recipient_id and not hook.thread and hook.is_enabled and hook.failing_since is None
        for hook in hooks
    )


def _holds(notice: Notice, topic: Topic, side: Conversation | None, now: datetime) -> Iterator[Hold]:
    recipient = notice.recipient
    if side is not None and side.seen_at is not None:
        yield Hold(min(side.seen_at + LOOKING, notice.created_at + LONGEST_LOOK), LOOKS)
    if recipient.snoozed_until is not None and recipient.snoozed_until > now:
        yield Hold(_peace(notice, topic, recipient.snoozed_until), SNOOZED)
    if side is not None and side.snoozed_until is not None and side.snoozed_until > now:
        yield Hold(_peace(notice, topic, side.snoozed_until), SNOOZED_HERE)
    if recipient.quiet is not None and (recipient.quiet_holds_all or not topic.is_needed):
        yield Hold(_end_of_quiet(recipient, now), QUIET)
    rhythm = (side.rhythm if side is not None else "") or recipient.rhythm
    if rhythm == Rhythm.DAILY or (rhythm == Rhythm.NEWS_DAILY and not topic.is_needed):
        yield Hold(next_daily(recipient, notice.created_at), DAILY)


def _peace(notice: Notice, topic: Topic, until: datetime) -> datetime:
    """How long a wish for peace holds a notice: what others wait for goes out in good time all the same."""
    must_go = latest(notice) if topic.is_needed else None
    return min(until, must_go) if must_go is not None else until


def _end_of_quiet(recipient: Recipient, now: datetime) -> datetime:
    try:
        return next(playable(Calendar(recipient.zone_info, recipient.quiet), now)).begin
    except ValueError:  # quiet for longer than the calendar allows: stored by hand, and no reason to lose a move
        return now


def next_daily(recipient: Recipient, after: datetime) -> datetime:
    """When the recipient's first daily mail after an instant goes out."""
    zone = recipient.zone_info
    day: date = after.astimezone(zone).date()
    while (found := on_the_wall(day, recipient.daily_at, zone)) <= after:
        day += DAY
    return found


def recheck_held(recipient: Recipient, now: datetime) -> None:
    """Let everything that is held for a recipient be looked at again: he has changed what he wishes."""
    held = Delivery.objects.filter(
        recipient=recipient, channel=Channel.MAIL, state=DeliveryState.WAITING, tries=0, attempt_after__gt=now
    )
    held.filter(notice__not_before=None).update(attempt_after=now)


def record_view(recipient: Recipient, thread: str, now: datetime) -> None:
    """Note that the recipient looks at what a thread is about; written at most every half minute."""
    side = find_conversation(recipient, thread)
    if side is None:
        first = Conversation(recipient=recipient, thread=thread, seen_at=now)
        Conversation.objects.bulk_create([first], ignore_conflicts=True)  # two tabs at once
    elif side.seen_at is None or now - side.seen_at > LOOKING / 4:
        Conversation.objects.filter(pk=side.pk).update(seen_at=now)
