"""Notification preferences of a recipient. A change also counts for what is already waiting."""

from collections.abc import Iterable
from datetime import datetime, time
from typing import Any

from django.db import transaction

from notifications.clock import present
from notifications.composers import Topic, topics
from notifications.delivery.policy import next_weekly, recheck_held
from notifications.models import Conversation, Recipient, Rhythm, Ways


@transaction.atomic
def choose(
    recipient: Recipient,
    *,
    rhythm: str,
    daily_at: time,
    quiet_holds_all: bool,
    muted: Iterable[str],
    ways: str,
    now: datetime,
    weekly: bool | None = None,
) -> None:
    """Store what holds for every thread.

    Arguments:
        rhythm: a Rhythm.
        daily_at: when the daily mail goes out, by the recipient's wall clock.
        quiet_holds_all: whether quiet hours hold what is needed as well.
        muted: names of topics; those that are needed cannot be switched off and are left out.
        ways: a Ways.
        weekly: whether the recipient wants the weekly summary; None for as it is.
    """
    recipient.rhythm, recipient.daily_at, recipient.quiet_holds_all = Rhythm(rhythm), daily_at, quiet_holds_all
    unlisted = {topic.name for topic in topics() if not topic.is_listed}  # these are chosen elsewhere
    recipient.muted, recipient.ways = allowed([*muted, *(unlisted & {*recipient.muted})]), Ways(ways)
    is_wanted = recipient.weekly_at is not None if weekly is None else weekly
    recipient.weekly_at = next_weekly(recipient, now) if is_wanted else None
    recipient.save(update_fields=["rhythm", "daily_at", "quiet_holds_all", "muted", "ways", "weekly_at"])
    recheck_held(recipient, now)


@transaction.atomic
def choose_for(
    recipient: Recipient, thread: str, *, rhythm: str, muted: Iterable[str], ways: str, now: datetime
) -> None:
    """Store what holds for one thread; `rhythm` "" and `ways` "" are the recipient's usual ones."""
    fields: dict[str, Any] = {
        "rhythm": Rhythm(rhythm) if rhythm else "",
        "muted": allowed(muted, by_thread=True),
        "ways": Ways(ways) if ways else "",
    }
    Conversation.objects.update_or_create(recipient=recipient, thread=thread, defaults=fields)
    recheck_held(recipient, now)


@transaction.atomic
def mute(recipient: Recipient, names: Iterable[str], *, thread: str = "") -> None:
    """Switch topics off, everywhere or in one thread."""
    names, side = list(names), _side(recipient, thread)
    side.muted = allowed([*side.muted, *names], by_thread=bool(thread))
    side.save(update_fields=["muted"])
    if isinstance(side, Recipient) and _weekly(names):
        side.weekly_at = None
        side.save(update_fields=["weekly_at"])


@transaction.atomic
def unmute(recipient: Recipient, names: Iterable[str], *, thread: str = "") -> None:
    """Switch topics on again, everywhere or in one thread."""
    names, side = set(names), _side(recipient, thread)
    side.muted = [name for name in side.muted if name not in names]
    side.save(update_fields=["muted"])
    if isinstance(side, Recipient) and _weekly(names) and side.weekly_at is None:
        side.weekly_at = next_weekly(side, present.now())
        side.save(update_fields=["weekly_at"])


def switched_off(recipient: Recipient) -> list[str]:
    """The names of the topics that a recipient gets nothing about: switched off, or weekly and not asked for."""
    weekly = [] if recipient.weekly_at else _weekly(topic.name for topic in topics())
    return [*recipient.muted, *weekly]


def _weekly(names: Iterable[str]) -> list[str]:
    """Filters the names of topics which come once a week."""
    wanted = set(names)
    return [topic.name for topic in topics() if topic.is_weekly and topic.name in wanted]


@transaction.atomic
def snooze(recipient: Recipient, until: datetime | None, now: datetime, *, thread: str = "") -> None:
    """Hold all mail, what is needed as well, everywhere or of one thread, until an instant; None ends it."""
    side = _side(recipient, thread) if thread else recipient
    side.snoozed_until = until
    side.save(update_fields=["snoozed_until"])
    recheck_held(recipient, now)


def is_muted(recipient: Recipient, thread: str, topic: Topic) -> bool:
    """Whether a recipient has switched a topic off, everywhere or in this thread."""
    here = Conversation.objects.filter(recipient=recipient, thread=thread).values_list("muted", flat=True)
    return topic.name in recipient.muted or any(topic.name in names for names in here)


def optional(*, by_thread: bool = False) -> list[Topic]:
    """The topics that can be switched off, everywhere or in one thread."""
    return [topic for topic in topics() if not topic.is_needed and (topic.is_by_thread or not by_thread)]


def allowed(names: Iterable[str], *, by_thread: bool = False) -> list[str]:
    """Filters the names that can be switched off, everywhere or in one thread, in the topics' order.

    Without weekly ones: they are off unless they are asked for, and `Recipient.weekly_at` has that.
    """
    wanted = set(names)
    return [topic.name for topic in optional(by_thread=by_thread) if topic.name in wanted and not topic.is_weekly]


def _side(recipient: Recipient, thread: str) -> Recipient | Conversation:
    if not thread:
        return Recipient.objects.select_for_update().get(pk=recipient.pk)
    return Conversation.objects.get_or_create(recipient=recipient, thread=thread)[0]
